/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inline forms through a program's life: initialized again and again, from several threads, beside
 * files that were compiled without them; and that to the compiler they are calls, past which no
 * load or store moves. Linked in every way (CMakeLists.txt).
 */
#include "life.h"

#include "check.h"

#include <pshmem.h>
#include <pthread.h>
#include <shmemx_inline.h>

enum { THREADS = 3, ROUNDS = 2000 };

static long cell, sum, flag, data, seen;
static int me, npes, right, left;

static void exchange(long value)
{
    long *heap = shmem_calloc(1, sizeof *heap);
    CHECK(heap != NULL);
    shmem_long_p(&cell, value + me, right);
    shmem_long_atomic_add(heap, value + me, right);
    shmem_barrier_all();
    CHECK_EQ(cell, value + left);
    CHECK_EQ(*heap, value + left);
    CHECK_EQ(shmem_long_g(&cell, right), value + me);
    shmem_barrier_all();
    shmem_free(heap);
}

static void pointers_are_the_functions(void)
{
    long local = 0;
    char *heap = shmem_malloc(64);
    const void *addresses[] = {&cell, heap, heap + 63, heap - 64, &local, NULL, "text"};
    for (int pe = -1; pe <= npes; pe++)
        for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
            CHECK(shmem_ptr(addresses[i], pe) == pshmem_ptr(addresses[i], pe));
    CHECK(shmem_ptr(&cell, me) == &cell);
    CHECK(shmem_ptr(heap, me) == heap);
    CHECK(shmem_ptr(&local, me) == NULL);
    shmem_free(heap);
}

static void addresses_are_the_functions(void)
{
    long_p *const here = shmem_long_p;
    CHECK(here == plain_address());
    here(&cell, 50 + me, right);
    shmem_barrier_all();
    CHECK_EQ(cell, 50 + left);
    CHECK_EQ(plain_read(&cell, right), 50 + me);
    shmem_barrier_all();
    plain_write(&cell, 60 + me, right);
    shmem_barrier_all();
    CHECK_EQ(shmem_g(&cell, right), 60 + me);
    shmem_barrier_all();
}

/* Each PE in turn waits by reading a flag of the next one. What that one has put here before must
 * be there, though nothing but the inline form stands between the flag and data. */
static void loads_stay_behind_a_get(int reader)
{
    const int writer = (reader + 1) % npes;
    data = flag = 0;
    shmem_barrier_all();
    if (me == writer) {
        shmem_long_p(&data, 42, reader);
        shmem_quiet();
        shmem_long_p(&flag, 1, me);
    } else if (me == reader) {
        const long before = data;
        CHECK(before == 0 || before == 42);
        while (shmem_long_g(&flag, writer) == 0)
            continue;
        CHECK_EQ(data, 42);
    }
    shmem_barrier_all();
}

/* The other way round: the plain store before a put is there when the put is. It would be dead,
 * were the inline forms not to the compiler what calls are. */
static void stores_stay_before_a_put(int writer)
{
    const int reader = (writer + 1) % npes;
    long value = 0;
    data = seen = flag = 0;
    shmem_barrier_all();
    if (me == writer) {
        data = 1;
        shmem_long_p(&flag, 1, reader);
        while (value == 0)
            shmem_long_get(&value, &seen, 1, reader);
        data = 2;
    } else if (me == reader) {
        while (value == 0)
            shmem_long_get(&value, &flag, 1, me);
        CHECK_EQ(shmem_long_g(&data, writer), 1);
        seen = 1;
        shmem_fence();
    }
    shmem_barrier_all();
}

static void *add(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        shmem_long_atomic_inc(&sum, right);
        CHECK(shmem_long_atomic_fetch(&sum, right) > 0);
        CHECK_EQ(shmem_my_pe(), me);
    }
    return unused;
}

static void threads(void)
{
    pthread_t workers[THREADS];
    sum = 0;
    shmem_barrier_all();
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&workers[i], NULL, add, NULL) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(workers[i], NULL) == 0);
    shmem_barrier_all();
    CHECK_EQ(sum, THREADS * ROUNDS);
}

int main(void)
{
    for (long round = 0; round < 3; round++) {
        int provided = -1;
        CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
        me = shmem_my_pe();
        npes = shmem_n_pes();
        right = (me + 1) % npes;
        left = (me + npes - 1) % npes;
        exchange(100 * round);
        pointers_are_the_functions();
        addresses_are_the_functions();
        for (int pe = 0; pe < npes && npes > 1; pe++) {
            loads_stay_behind_a_get(pe);
            stores_stay_before_a_put(pe);
        }
        threads();
        shmem_finalize();
    }
    return 0;
}
