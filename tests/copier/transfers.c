/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Long nonblocking puts and gets, which a copier's threads may carry out: every call that completes or
 * orders them does, the signal of a put comes behind its data, source and dest of any length and
 * alignment, private memory and static memory, many under way at once, and a program that ends right
 * behind them.
 */
#include <shmemx.h>

#include "check.h"

#include <pthread.h>
#include <string.h>

#define MIB  ((size_t)1 << 20)
#define MOST (3 * MIB + 5)

static char statics[MOST];
static char *heap, *other;
static uint64_t *signal_object, *flag;
static int me, npes, right, left;

static void fill(char *memory, size_t bytes, int salt)
{
    for (size_t i = 0; i < bytes; i++)
        memory[i] = (char)(i * 7 + (i >> 12) + (size_t)salt * 31);
}

static void check_filled(const char *memory, size_t bytes, int salt)
{
    for (size_t i = 0; i < bytes; i++)
        if (memory[i] != (char)(i * 7 + (i >> 12) + (size_t)salt * 31))
            CHECK_EQ(i, -1);
}

static void start(void)
{
    shmem_barrier_all();
    *flag = *signal_object = 0;
    memset(heap, 0, MOST);
    memset(statics, 0, MOST);
    shmem_barrier_all();
}

/* As each call that completes them is told. */
enum completion { QUIET, CTX_QUIET, PE_QUIET, BARRIER, TEAM_DESTROY, CTX_DESTROY, COMPLETIONS };

static void complete(enum completion how, shmem_ctx_t ctx)
{
    if (how == QUIET)
        shmem_quiet();
    else if (how == CTX_QUIET)
        shmem_ctx_quiet(ctx);
    else if (how == PE_QUIET)
        shmem_pe_quiet(&right, 1);
    else if (how == CTX_DESTROY)
        shmem_ctx_destroy(ctx);
    else
        shmem_barrier_all();
}

static void put_completes(enum completion how, size_t offset, size_t bytes)
{
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    if (how == CTX_QUIET || how == CTX_DESTROY)
        CHECK(shmem_ctx_create(0, &ctx) == 0);
    start();
    fill(other, MOST, me);
    shmem_ctx_putmem_nbi(ctx, heap + offset, other, bytes, right);
    complete(how, ctx);
    memset(other, 0, MOST); /* the source is free */
    shmem_uint64_atomic_set(flag, 1, right);
    shmem_uint64_wait_until(flag, SHMEM_CMP_EQ, 1);
    check_filled(heap + offset, bytes, left);
    CHECK(heap[offset + bytes] == 0 && (offset == 0 || heap[offset - 1] == 0));
    if (how == CTX_QUIET)
        shmem_ctx_destroy(ctx);
}

static void get_completes(enum completion how, size_t offset, size_t bytes)
{
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    if (how == CTX_QUIET || how == CTX_DESTROY)
        CHECK(shmem_ctx_create(0, &ctx) == 0);
    start();
    fill(statics, MOST, me);
    memset(other, 0, MOST);
    shmem_barrier_all();
    shmem_ctx_getmem_nbi(ctx, other, statics + offset, bytes, right);
    complete(how, ctx);
    for (size_t i = 0; i < bytes; i++)
        CHECK(other[i] == (char)((i + offset) * 7 + ((i + offset) >> 12) + (size_t)right * 31));
    if (how == CTX_QUIET)
        shmem_ctx_destroy(ctx);
}

/* A flag behind a fence, by a plain put. */
static void fence_orders(void)
{
    start();
    for (uint64_t round = 1; round <= 4; round++) {
        fill(other, MOST, me + (int)round);
        shmem_putmem_nbi(heap, other, MOST, right);
        shmem_fence();
        shmem_uint64_p(flag, round, right);
        shmem_uint64_wait_until(flag, SHMEM_CMP_GE, round);
        check_filled(heap, MOST, left + (int)round);
        shmem_barrier_all();
    }
}

static void signal_follows(int operation)
{
    start();
    for (uint64_t round = 1; round <= 4; round++) {
        fill(other, MOST, me + (int)round);
        shmem_putmem_signal_nbi(heap, other, MOST, signal_object, operation == SHMEM_SIGNAL_SET ? round : 1,
                                operation, right);
        shmem_signal_wait_until(signal_object, SHMEM_CMP_GE, round);
        check_filled(heap, MOST, left + (int)round);
        shmem_barrier_all();
    }
}

/* More than a ring of jobs holds, there by one PE and back by its target. */
static void many_at_once(void)
{
    enum { MANY = 70 };
    char *many = shmem_malloc(MANY * MIB), *back = malloc(MANY * MIB);
    CHECK(many && back);
    start();
    fill(other, MOST, me);
    for (size_t i = 0; me == 0 && i < MANY; i++)
        shmem_putmem_nbi(many + i * MIB, other + i, MIB, right);
    shmem_barrier_all();
    for (size_t i = 0; me == 0 && i < MANY; i++)
        shmem_getmem_nbi(back + i * MIB, many + i * MIB, MIB, right);
    shmem_quiet();
    for (size_t i = 0; me == 0 && i < MANY; i++)
        CHECK(memcmp(back + i * MIB, other + i, MIB) == 0);
    free(back);
    shmem_free(many);
}

struct lane {
    int number;
    char *mine;
    pthread_t thread;
};

static void *put_and_check(void *argument)
{
    struct lane *lane = argument;
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    char *back = malloc(MIB);
    CHECK(back != NULL && shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0);
    for (int round = 0; round < 5; round++) {
        fill(other + (size_t)lane->number * MIB, MIB, me + round);
        shmem_ctx_putmem_nbi(ctx, lane->mine, other + (size_t)lane->number * MIB, MIB, right);
        shmem_ctx_quiet(ctx);
        shmem_ctx_getmem_nbi(ctx, back, lane->mine, MIB, right);
        shmem_ctx_quiet(ctx);
        check_filled(back, MIB, me + round);
    }
    shmem_ctx_destroy(ctx);
    free(back);
    return NULL;
}

static void threads_at_once(void)
{
    struct lane lanes[2] = {{0, heap, 0}, {1, heap + MIB, 0}};
    start();
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&lanes[i].thread, NULL, put_and_check, &lanes[i]) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(lanes[i].thread, NULL);
    shmem_barrier_all();
}

/* How a nonblocking call with a handle is ended. */
enum ending { BY_WAIT, BY_TEST, BY_QUIET, ENDINGS };

static void end_by(enum ending how, shmemx_handle_t *handle)
{
    if (how == BY_QUIET)
        shmem_quiet();
    if (how == BY_TEST)
        while (!shmemx_test(handle))
            ;
    else
        shmemx_wait(handle);
    CHECK(*handle == SHMEMX_HANDLE_COMPLETE);
}

/* Rows of run bytes that lie one and a half runs apart at dest, and next to each other at source. */
static void rows_complete(enum ending how, size_t run)
{
    ptrdiff_t apart = (ptrdiff_t)(run + run / 2), close = (ptrdiff_t)run;
    size_t counts[] = {run, MOST / (size_t)apart}, bytes = counts[0] * counts[1];
    shmemx_handle_t put, get;
    start();
    fill(other, MOST, me);
    shmemx_putmem_strided_nb(heap, other, &apart, &close, counts, 2, right, &put);
    end_by(how, &put);
    memset(other, 0, MOST);
    shmem_barrier_all();
    for (size_t i = 0; i < bytes; i++)
        CHECK(heap[i / run * (size_t)apart + i % run] == (char)(i * 7 + (i >> 12) + (size_t)left * 31));
    CHECK(heap[run] == 0 || run / 2 == 0);
    shmemx_getmem_strided_nb(other, heap, &close, &apart, counts, 2, right, &get);
    end_by(how, &get);
    check_filled(other, bytes, me);
    shmem_barrier_all();
}

static void vectors_complete(enum ending how)
{
    void *dests[] = {heap, heap + MIB + 3, heap + 2 * MIB + 4};
    const void *sources[] = {other + 2 * MIB, other + MIB, other};
    shmemx_vector_t vector = {dests, sources, 3, MIB / 2 + 1};
    shmemx_handle_t handle;
    start();
    fill(other, MOST, me);
    shmemx_putmem_vector_nb(&vector, 1, right, &handle);
    memset(dests, 0, sizeof dests); /* the lists are free */
    end_by(how, &handle);
    memset(other, 0, MOST);
    shmem_barrier_all();
    fill(other, MOST, left);
    CHECK(memcmp(heap, other + 2 * MIB, MIB / 2 + 1) == 0);
    CHECK(memcmp(heap + MIB + 3, other + MIB, MIB / 2 + 1) == 0);
    CHECK(memcmp(heap + 2 * MIB + 4, other, MIB / 2 + 1) == 0);
    shmem_barrier_all();
}

/* Short ones, so many that a sleeping thread is woken for them. */
static void short_ones(void)
{
    enum { SHORT = 64 << 10, TIMES = 300 };
    start();
    fill(other, MOST, me);
    for (int i = 0; i < TIMES; i++) {
        if (i % 40 == 0) /* two puts to one place need an order */
            shmem_quiet();
        shmem_putmem_nbi(heap + (size_t)(i % 40) * SHORT, other + (size_t)(i % 40) * SHORT, SHORT, right);
    }
    shmem_barrier_all();
    check_filled(heap, (size_t)40 * SHORT, left);
    shmem_barrier_all();
}

static void every_transfer(void)
{
    static const size_t lengths[] = {MIB - 1, MIB, MIB + 1, 2 * MIB + 77};
    for (enum ending how = BY_WAIT; how < ENDINGS; how++) {
        for (size_t run = 8; run < MIB; run *= 50)
            rows_complete(how, run);
        vectors_complete(how);
    }
    short_ones();
    for (int i = 0; i < 4; i++) {
        put_completes((enum completion)i, (size_t)i * 3, lengths[i]);
        get_completes(i == PE_QUIET ? QUIET : (enum completion)i, (size_t)i * 5, lengths[i]);
    }
    put_completes(CTX_DESTROY, 1, MIB + 3);
    get_completes(CTX_DESTROY, 1, MIB + 3);
    fence_orders();
    signal_follows(SHMEM_SIGNAL_SET);
    signal_follows(SHMEM_SIGNAL_ADD);
    many_at_once();
    threads_at_once();
}

static void find_place(void)
{
    me = shmem_my_pe();
    npes = shmem_n_pes();
    right = (me + 1) % npes;
    left = (me + npes - 1) % npes;
    heap = shmem_malloc(MOST);
    other = shmem_malloc(MOST);
    signal_object = shmem_calloc(1, sizeof *signal_object);
    flag = shmem_calloc(1, sizeof *flag);
    CHECK(heap && other && signal_object && flag);
}

/* Up, down and up again; the last transfers are completed by finalize alone. */
int main(void)
{
    int provided;
    for (int round = 0; round < 2; round++) {
        CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0);
        find_place();
        if (round == 0)
            every_transfer();
        shmem_barrier_all();
        fill(other, MOST, me);
        shmem_putmem_nbi(statics, other, MOST, right);
        shmem_finalize();
        check_filled(statics, MOST, left);
    }
    puts("ok");
    return 0;
}
