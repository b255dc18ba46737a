/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PE 1 makes the mistake that the argument names; the library must say which PE, which call,
 * which address and what that is, and end the job. Run from outside.
 */
#include "check.h"

#include <string.h>
#include <sys/mman.h>

static void make_mistake(const char *mistake, long *heap, int other)
{
    static long cell;
    static const long constant = 1;
    long on_stack = 1;
    long *in_malloc = malloc(sizeof *in_malloc);
    long *in_map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (strcmp(mistake, "stack") == 0)
        shmem_long_put(&on_stack, &cell, 1, other);
    if (strcmp(mistake, "stack-get") == 0)
        shmem_long_get(&cell, &on_stack, 1, other);
    if (strcmp(mistake, "stack-atomic") == 0)
        shmem_long_atomic_add(&on_stack, 1, other);
    if (strcmp(mistake, "malloc") == 0)
        shmem_long_p(in_malloc, 1, other);
    if (strcmp(mistake, "map") == 0)
        shmem_long_p(in_map, 1, other);
    if (strcmp(mistake, "null") == 0)
        shmem_long_p(NULL, 1, other);
    if (strcmp(mistake, "past-end") == 0)
        shmem_long_p(heap + (INT64_C(1) << 37), 1, other);
    if (strcmp(mistake, "far-past-end") == 0)
        shmem_long_p(heap + (INT64_C(1) << 43), 1, other);
    if (strcmp(mistake, "number") == 0)
        shmem_long_p((long *)0x1234567890, 1, other);
    if (strcmp(mistake, "number-put") == 0)
        shmem_long_put((long *)0x1234567890, &cell, 1, other);
    if (strcmp(mistake, "constant") == 0)
        shmem_long_p((long *)&constant, 2, other);
    if (strcmp(mistake, "constant-add") == 0)
        shmem_long_atomic_add((long *)&constant, 1, other);
    if (strcmp(mistake, "constant-iput") == 0)
        shmem_long_iput((long *)&constant, &cell, 1, 1, 1, other);
    if (strcmp(mistake, "pe-high") == 0)
        shmem_long_p(&cell, 1, shmem_n_pes());
    if (strcmp(mistake, "pe-negative") == 0)
        shmem_long_atomic_add(&cell, 1, -1);
    if (strcmp(mistake, "pe-get") == 0)
        shmem_long_get(&cell, &cell, 1, 123456);
}

/* The program's own fault: the library has no part in it, though what it left on the stack may lie there
 * still. */
static inline __attribute__((always_inline)) void use_outside(const char *mistake, long *theirs)
{
    long copy[2];
    if (strcmp(mistake, "own-store") == 0)
        *(volatile long *)theirs = 1;
    memcpy(copy, theirs, sizeof copy - sizeof *copy * (size_t)(mistake[4] == 'w'));
    __asm__ volatile("" : : "r"(copy) : "memory");
}

/* All PEs reduce; PE 1 passes a dest on its stack. The fault lies deep in the library. */
static void reduce_to_stack(void)
{
    static long dest[1000], source[1000];
    long on_stack[1000];
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, shmem_my_pe() == 1 ? on_stack : dest, source, 1000);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    shmem_init();
    long *heap = shmem_malloc(sizeof *heap);
    CHECK(heap != NULL);
    shmem_barrier_all();
    if (strcmp(argv[1], "reduce") == 0)
        reduce_to_stack();
    else if (strncmp(argv[1], "own", 3) == 0 && shmem_my_pe() == 1)
        use_outside(argv[1], (long *)shmem_ptr(heap, 0) + (INT64_C(1) << 34));
    else if (shmem_my_pe() == 1)
        make_mistake(argv[1], heap, 0);
    shmem_barrier_all();
    shmem_barrier_all();
    return test_finish();
}
