/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Says what SHMEM_SYMMETRIC_SIZE made of the heap. Argument: bytes that must be there. Prints
 * "heap: enough" or "heap: too small", then whether the heap ends near there ("limited") or not
 * ("unlimited"). Run from outside.
 */
#include "check.h"

int main(int argc, char **argv)
{
    size_t expected = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
    int provided;
    if (shmem_init_thread(SHMEM_THREAD_SINGLE, &provided) != 0)
        return 3;
    char *block = expected ? shmem_malloc(expected) : NULL;
    const char *verdict = expected == 0 || block ? "enough" : "too small";
    if (block) {
        block[0] = block[expected - 1] = 1;
        shmem_free(block);
    }
    char *more = shmem_malloc(expected + ((size_t)64 << 20));
    if (shmem_my_pe() == 0)
        printf("heap: %s, %s\n", verdict, more ? "unlimited" : "limited");
    return test_finish();
}
