/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A memory space of the kind that the argument names ("default"): blocks at the same offset on every
 * member, every kind of access to another member's copy, near and far, spaces of parts of the world, and
 * what is left when one is gone.
 */
#include "check.h"

#include <shmemx.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MIB   ((size_t)1 << 20)
#define WORDS 4096

static const char *kind = "default";
static int me, npes, next, previous;
static shmemx_space_t space;

static void check_blocks(void)
{
    char *first = shmemx_space_malloc(space, 1000);
    long *zeros = shmemx_space_calloc(space, WORDS, sizeof *zeros);
    char *aligned = shmemx_space_align(space, MIB, 100);
    CHECK(first && zeros && aligned);
    CHECK_EQ((uintptr_t)aligned % MIB, 0);
    CHECK_EQ((uintptr_t)first % _Alignof(max_align_t), 0);
    for (int i = 0; i < WORDS; i++)
        CHECK_EQ(zeros[i], 0);
    CHECK(shmemx_space_malloc(space, 64 * MIB) == NULL);
    CHECK(shmemx_space_malloc(space, 0) == NULL);
    CHECK(shmemx_space_align(space, 24, 8) == NULL);
    CHECK(shmemx_space_calloc(space, SIZE_MAX / 2, 3) == NULL);

    /* The same offsets everywhere: what is freed is had again. */
    static long offset, offsets[2];
    offset = zeros - (long *)first;
    offsets[0] = offset;
    shmem_long_p(&offsets[1], offset, next);
    shmem_barrier_all();
    CHECK_EQ(offsets[0], offsets[1]);
    shmemx_space_free(space, first);
    char *again = shmemx_space_malloc(space, 1000);
    const char *checks = getenv("SHEAF_CHECK"); /* memory: a freed block is kept away */
    CHECK(again == first || (checks && strstr(checks, "memory")));
    shmem_free(again);
    shmemx_space_free(space, NULL);
    shmemx_space_free(space, zeros);
    shmemx_space_free(space, aligned);
}

static void check_pointers(const long *object)
{
    CHECK(shmem_ptr(object, me) == object);
    for (int pe = 0; pe < npes; pe++) {
        CHECK_EQ(shmem_addr_accessible(object, pe), 1);
        CHECK((shmem_ptr(object, pe) != NULL) == test_is_near(pe));
    }
    long *theirs = shmem_ptr(object, next);
    if (theirs)
        CHECK_EQ(*theirs, 1000 + next);
    shmem_barrier_all();
}

static void check_puts(long *object)
{
    static long local[WORDS];
    for (int i = 0; i < WORDS; i++)
        local[i] = 10000 * me + i;
    shmem_long_put(object, local, WORDS, next);
    shmem_barrier_all();
    for (int i = 0; i < WORDS; i++)
        CHECK_EQ(object[i], 10000 * previous + i);
    shmem_long_get(local, object, WORDS, next);
    for (int i = 0; i < WORDS; i++)
        CHECK_EQ(local[i], 10000 * me + i);
    shmem_barrier_all();
    shmem_long_p(&object[7], 70 + me, next);
    shmem_long_put_nbi(&object[8], local, 4, next);
    shmem_long_iput(&object[20], local, 2, 1, 10, next);
    shmem_barrier_all();
    CHECK_EQ(object[7], 70 + previous);
    CHECK_EQ(shmem_long_g(&object[7], next), 70 + me);
    CHECK_EQ(object[11], 10000 * previous + 3);
    CHECK_EQ(object[38], 10000 * previous + 9);
    CHECK_EQ(object[37], 10000 * previous + 37);
    shmem_long_get_nbi(local, &object[20], 1, next);
    shmem_quiet();
    CHECK_EQ(local[0], 10000 * me);
    shmem_barrier_all();
}

static void check_atomics(long *object)
{
    object[0] = 5;
    object[1] = 0;
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++)
        shmem_long_atomic_add(&object[0], 2, pe);
    CHECK(shmem_long_atomic_fetch_inc(&object[1], next) == 0);
    shmem_barrier_all();
    CHECK_EQ(object[0], 5 + 2 * npes);
    CHECK_EQ(shmem_long_atomic_compare_swap(&object[1], 1, 9, next), 1);
    shmem_barrier_all();
    CHECK_EQ(shmem_long_atomic_fetch(&object[1], me), 9);
    shmem_putmem_signal(&object[2], &me, sizeof me, (uint64_t *)&object[3], 77, SHMEM_SIGNAL_SET, next);
    shmem_signal_wait_until((uint64_t *)&object[3], SHMEM_CMP_EQ, 77);
    CHECK_EQ(*(int *)&object[2], previous);
    shmem_barrier_all();
}

/* Small operations travel together across hosts. */
static void check_session(long *object)
{
    shmem_ctx_t ctx;
    memset(object, 0, 64 * sizeof *object);
    shmem_barrier_all();
    CHECK_EQ(shmem_ctx_create(SHMEMX_CTX_BATCH, &ctx), 0);
    for (int i = 0; i < 64; i++)
        shmem_ctx_long_atomic_add(ctx, &object[i], i, next);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    for (int i = 0; i < 64; i++)
        CHECK_EQ(object[i], i);
    shmem_ctx_destroy(ctx);
}

static void check_shapes(long *object)
{
    static long local[64], got[64];
    const ptrdiff_t apart[] = {4 * sizeof(long)}, close[] = {2 * sizeof(long)};
    const size_t counts[] = {2 * sizeof(long), 8};
    void *dests[] = {&object[100], &object[200]};
    const void *sources[] = {&local[0], &local[8]};
    shmemx_vector_t vector = {dests, sources, 2, 8 * sizeof(long)};
    const long alpha = 3;
    for (int i = 0; i < 64; i++)
        local[i] = 100 * me + i;
    memset(object, 0, 64 * sizeof *object);
    shmem_barrier_all();
    shmemx_putmem_strided(object, local, apart, close, counts, 2, next);
    shmemx_putmem_vector(&vector, 1, next);
    shmem_barrier_all();
    CHECK_EQ(object[29], 100 * previous + 15);
    CHECK_EQ(object[30], 0);
    CHECK_EQ(object[203], 100 * previous + 11);
    shmemx_getmem_strided(got, object, close, apart, counts, 2, next);
    CHECK_EQ(got[15], 100 * me + 15);
    shmem_barrier_all();
    shmemx_long_accumulate(object, local, alpha, 2, next);
    shmem_barrier_all();
    CHECK_EQ(object[1], 4 * (100 * previous + 1));
    shmem_barrier_all();
}

static void check_collectives(long *object)
{
    for (int i = 0; i < WORDS; i++)
        object[i] = me + i;
    shmem_barrier_all();
    CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, object + WORDS, object, WORDS), 0);
    CHECK_EQ(object[WORDS + 5], (long)npes * (npes - 1) / 2 + 5L * npes);
    CHECK_EQ(shmem_long_broadcast(SHMEM_TEAM_WORLD, object, object + WORDS, WORDS, npes - 1), 0);
    CHECK_EQ(object[9], (long)npes * (npes - 1) / 2 + 9L * npes);
    shmem_barrier_all();
}

static void check_lock(long *object)
{
    object[0] = object[1] = 0;
    shmem_barrier_all();
    for (int i = 0; i < 20; i++) {
        shmem_set_lock(&object[0]);
        shmem_long_p(&object[1], shmem_long_g(&object[1], 0) + 1, 0);
        shmem_clear_lock(&object[0]);
    }
    shmem_barrier_all();
    CHECK_EQ(shmem_long_g(&object[1], 0), 20 * npes);
    shmem_barrier_all();
}

/* Two spaces at once, of the even and of the odd members; the team is gone before the space. */
static void check_halves(void)
{
    shmem_team_t evens, odds;
    shmemx_space_t half = (shmemx_space_t)1;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (npes + 1) / 2, NULL, 0, &evens);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, npes > 1, 2, npes > 1 ? npes / 2 : 1, NULL, 0, &odds);
    shmem_team_t mine = me % 2 ? odds : evens;
    CHECK_EQ(shmemx_space_create(SHMEM_TEAM_INVALID, kind, MIB, &half), -1);
    CHECK(half == SHMEMX_SPACE_INVALID);
    int rank = shmem_team_my_pe(mine), size = shmem_team_n_pes(mine);
    CHECK_EQ(shmemx_space_create(mine, me % 2 ? "default" : kind, MIB, &half), 0);
    shmem_team_destroy(evens);
    if (npes > 1)
        shmem_team_destroy(odds);
    long *words = shmemx_space_calloc(half, 100, sizeof *words);
    int beside = (me + 2) < npes ? me + 2 : me % 2;
    shmem_long_p(&words[3], 3000 + me, beside);
    for (int pe = 0; pe < npes; pe++) {
        bool is_member = pe % 2 == me % 2;
        CHECK_EQ(shmem_addr_accessible(words, pe), is_member);
        CHECK((shmem_ptr(words, pe) != NULL) == (is_member && test_is_near(pe)));
    }
    shmemx_space_free(half, shmemx_space_malloc(half, 8));
    CHECK_EQ(words[3], 3000 + (rank > 0 ? me - 2 : me % 2 + 2 * (size - 1)));
    shmemx_space_destroy(half);
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    if (argc > 1)
        kind = argv[1];
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    next = (me + 1) % npes;
    previous = (me + npes - 1) % npes;
    for (int round = 0; round < 3; round++) {
        CHECK_EQ(shmemx_space_create(SHMEM_TEAM_WORLD, kind, 4 * MIB, &space), 0);
        check_blocks();
        long *object = shmemx_space_malloc(space, 2 * WORDS * sizeof *object);
        CHECK(object);
        object[0] = 1000 + me;
        shmem_barrier_all();
        check_pointers(object);
        check_puts(object);
        check_atomics(object);
        check_session(object);
        check_shapes(object);
        check_collectives(object);
        check_lock(object);
        check_halves();
        if (round < 2)
            shmemx_space_destroy(space);
    }
    shmemx_space_destroy(SHMEMX_SPACE_INVALID);
    return test_finish(); /* with one that is left */
}
