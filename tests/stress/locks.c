/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks: several at once, on the heap and in static data, taken with set and with test, by all
 * PEs in random order. Inside, a counter is read and written without atomics on a random PE: a
 * lock that lets two in loses increments. Nested locks are taken in order, so nothing deadlocks.
 */
#include "stress.h"

#include <sched.h>

#define LOCKS 4

static long static_locks[LOCKS];
static long *heap_locks;
static long counters[LOCKS], inside[LOCKS];
static int homes[LOCKS]; /* the PE whose counter a lock guards */

static long *lock_of(int index)
{
    return index % 2 ? &static_locks[index] : &heap_locks[index];
}

static void take(int index, uint64_t *state)
{
    if (test_random_below(state, 2)) {
        shmem_set_lock(lock_of(index));
        return;
    }
    while (shmem_test_lock(lock_of(index)) != 0)
        sched_yield();
}

/* What the lock guards: nobody else is inside, and no increment is lost. */
static void work(int index)
{
    int home = homes[index];
    STRESS_CHECK(shmem_long_g(&inside[index], home) == 0, "lock %d: PE %ld is inside too", index,
                 shmem_long_g(&inside[index], home) - 1);
    shmem_long_p(&inside[index], stress.me + 1, home);
    long value = shmem_long_g(&counters[index], home);
    if (value % 16 == 0)
        sched_yield(); /* more PEs than cores: let another one try to come in */
    shmem_long_p(&counters[index], value + 1, home);
    shmem_quiet();
    STRESS_CHECK(shmem_long_g(&inside[index], home) == stress.me + 1, "lock %d: someone came in",
                 index);
    shmem_long_p(&inside[index], 0, home);
}

static void run_round(uint64_t *own, long entered[LOCKS])
{
    int first = (int)test_random_below(own, LOCKS), second = (int)test_random_below(own, LOCKS);
    int nested = second > first && test_random_below(own, 3) == 0;
    take(first, own);
    if (nested) {
        take(second, own);
        work(second);
        entered[second]++;
        shmem_clear_lock(lock_of(second));
    }
    work(first);
    entered[first]++;
    shmem_clear_lock(lock_of(first));
}

static void locks(void)
{
    static long mine[LOCKS], total[LOCKS];
    uint64_t own = mix((uint64_t)stress.me, 1, 2);
    heap_locks = stress_allocate(LOCKS * sizeof *heap_locks);
    for (int i = 0; i < LOCKS; i++) {
        homes[i] = (int)draw((uint64_t)stress.npes);
        static_locks[i] = counters[i] = inside[i] = mine[i] = 0;
    }
    shmem_barrier_all();
    for (stress.round = 0; stress.round < stress.rounds; stress.round++)
        run_round(&own, mine);
    shmem_barrier_all();
    STRESS_CHECK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, total, mine, LOCKS) == 0, "sum_reduce");
    for (int i = 0; i < LOCKS; i++) {
        long counted = shmem_long_g(&counters[i], homes[i]);
        STRESS_CHECK(counted == total[i], "lock %d: counted %ld, entered %ld times", i, counted,
                     total[i]);
    }
    shmem_barrier_all();
    shmem_free(heap_locks);
}

int main(int argc, char **argv)
{
    return stress_main(argc, argv, "locks", 20000, locks);
}
