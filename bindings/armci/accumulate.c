/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Accumulates of floating-point types where all processes share one host's memory: a plain loop
 * under a lock, where OpenSHMEM's accumulate is an atomic operation for each element, 25 ns each.
 * All of these go this way then, so that each element is still updated at once. Integers stay with
 * the atomic operations, which ARMCI_Rmw uses as well.
 */
#include "internal.h"

#include <sched.h>
#include <stdlib.h>

#define LOCKS      64              /* of each process; memory of STRIPE bytes has one of them */
#define STRIPE     ((size_t)16384) /* bytes */
#define SPINS_MOST 100             /* before the processor is left to the holder, who may need it */

struct lock {
    uint32_t is_taken;
    char unused[60];
};

static struct lock *locks;     /* symmetric */
static struct lock **locks_of; /* of each process, here; NULL: not all are near */

void sheaf_armci_accumulate_init(void)
{
    locks = shmem_calloc(LOCKS, sizeof *locks);
    locks_of = calloc((size_t)sheaf_armci.size, sizeof *locks_of);
    int *are_near = shmem_malloc(2 * sizeof *are_near);
    if (!locks || !locks_of || !are_near)
        sheaf_armci_refuse("ARMCI_Init", "no memory for locks of %d processes", sheaf_armci.size);
    are_near[0] = 1;
    for (int pe = 0; pe < sheaf_armci.size; pe++) {
        locks_of[pe] = shmem_ptr(locks, pe);
        are_near[0] &= locks_of[pe] != NULL;
    }
    shmem_int_min_reduce(SHMEM_TEAM_WORLD, &are_near[1], are_near, 1);
    if (!are_near[1]) {
        free(locks_of);
        locks_of = NULL;
    }
    shmem_free(are_near);
}

void sheaf_armci_accumulate_fini(void)
{
    shmem_free(locks);
    free(locks_of);
    locks = NULL;
    locks_of = NULL;
}

static void take(struct lock *lock)
{
    for (int spins = 0; __atomic_exchange_n(&lock->is_taken, 1, __ATOMIC_ACQUIRE) != 0; spins++)
        if (spins >= SPINS_MOST)
            sched_yield();
}

static void give(struct lock *lock)
{
    __atomic_store_n(&lock->is_taken, 0, __ATOMIC_RELEASE);
}

#define ADD(NAME, TYPE)                                                                            \
    static void add_##NAME(TYPE *restrict to, const TYPE *restrict from, const TYPE *scale,        \
                           size_t count)                                                           \
    {                                                                                              \
        for (size_t i = 0; i < count; i++)                                                         \
            to[i] += *scale * from[i];                                                             \
    }                                                                                              \
    static void add_complex_##NAME(TYPE *restrict to, const TYPE *restrict from,                   \
                                   const TYPE *scale, size_t count)                                \
    {                                                                                              \
        for (size_t i = 0; i < 2 * count; i += 2) {                                                \
            to[i] += scale[0] * from[i] - scale[1] * from[i + 1];                                  \
            to[i + 1] += scale[0] * from[i + 1] + scale[1] * from[i];                              \
        }                                                                                          \
    }
ADD(float, float)
ADD(double, double)
#undef ADD

static size_t part_of(int type)
{
    return type == ARMCI_ACC_FLT || type == ARMCI_ACC_CPL ? sizeof(float) : sizeof(double);
}

static void add(int type, void *to, const void *from, const void *scale, size_t bytes)
{
    size_t parts = bytes / part_of(type);
    if (type == ARMCI_ACC_FLT)
        add_float(to, from, scale, parts);
    else if (type == ARMCI_ACC_DBL)
        add_double(to, from, scale, parts);
    else if (type == ARMCI_ACC_CPL)
        add_complex_float(to, from, scale, parts / 2);
    else
        add_complex_double(to, from, scale, parts / 2);
}

bool sheaf_armci_accumulate(const struct sheaf_armci_transfer *transfer, void *remote,
                            const void *local, size_t bytes)
{
    bool is_floating = transfer->type == ARMCI_ACC_FLT || transfer->type == ARMCI_ACC_DBL ||
                       transfer->type == ARMCI_ACC_CPL || transfer->type == ARMCI_ACC_DCP;
    if (!locks_of || !is_floating)
        return false;
    size_t mask = part_of(transfer->type) - 1;
    char *to = shmem_ptr(remote, transfer->pe);
    const char *from = local;
    if (!to || (((uintptr_t)to | (uintptr_t)from | (uintptr_t)transfer->scale) & mask) != 0)
        return false; /* OpenSHMEM's call says what is wrong */
    /* The distance from the locks is the same in every process. */
    size_t position = (size_t)(to - (char *)locks_of[transfer->pe]);
    while (bytes > 0) {
        size_t piece = STRIPE - position % STRIPE;
        struct lock *lock = &locks_of[transfer->pe][position / STRIPE % LOCKS];
        piece = piece < bytes ? piece : bytes;
        take(lock);
        add(transfer->type, to, from, transfer->scale, piece);
        give(lock);
        to += piece, from += piece, position += piece, bytes -= piece;
    }
    return true;
}
