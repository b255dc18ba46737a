/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A lock that was never set to 0, or that lies at an odd address: the call says so. Arguments: the call (set, test,
 * clear, odd), the value in hexadecimal.
 */
#include "check.h"

#include <stdlib.h>
#include <string.h>

static struct {
    char before;
    long lock;
} __attribute__((packed)) odd;
static long lock;

int main(int argc, char **argv)
{
    shmem_init();
    if (argc != 3)
        return 2;
    lock = (long)strtoull(argv[2], NULL, 16);
    shmem_barrier_all();
    if (strcmp(argv[1], "set") == 0)
        shmem_set_lock(&lock);
    else if (strcmp(argv[1], "clear") == 0)
        shmem_clear_lock(&lock);
    else if (strcmp(argv[1], "odd") == 0)
        shmem_set_lock((long *)((char *)&odd + 1));
    while (strcmp(argv[1], "test") == 0 && shmem_test_lock(&lock) != 0)
        continue;
    shmem_barrier_all();
    return test_finish();
}
