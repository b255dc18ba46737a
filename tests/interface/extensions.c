/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What Sheaf has beyond the specification's table, called and checked: bitwise reductions and
 * atomics on more types, the deprecated atomic names on all atomic types, the cache routines, and
 * 1.6's routines by their shmemx_ names. All on the next PE's copy, so with any number of PEs. Sheaf's own
 * routines are called in tests/noncontiguous, all of them: functions.py looks.
 */
#include "check.h"

#include <shmemx.h>

#include <string.h>

#ifndef SHMEM_DEF_H /* by which shmem4py, among others, knows a library that has all of 1.5 */
#error "no SHMEM_DEF_H"
#endif
static int me, npes, next SHMEM_FUNCTION_ATTRIBUTES;

/* Without a tool they do nothing. */
static void call_events(int is_wrong)
{
    shmemx_event_begin("phase");
    pshmemx_event_begin("phase");
    shmemx_event_counter("figure", 0.5);
    pshmemx_event_counter("figure", 1.5);
    pshmemx_event_end("phase");
    shmemx_event_end("phase");
    shmemx_call_line("a/folder/prog.py", 12);
    pshmemx_call_line("prog.py", -1);
    shmemx_call_for("A STATEMENT", (const void *)(uintptr_t)1);
    shmemx_call_pe("member", shmem_my_pe() + 1);
    pshmemx_call_pe("", 0);
    uint64_t number = shmemx_call_begin(SHMEM_TEAM_WORLD);
    shmemx_call_wait(SHMEM_TEAM_WORLD, number);
    pshmemx_call_wait(SHMEM_TEAM_WORLD, 0);
    CHECK(pshmemx_call_begin(SHMEM_TEAM_WORLD) != number && pshmemx_call_begin(SHMEM_TEAM_INVALID) == 0);
    pshmemx_call_for(NULL, NULL);
    if (is_wrong)
        shmemx_fail("", "A STATEMENT", "is wrong");
    if (is_wrong)
        pshmemx_fail("SH999", "A STATEMENT", "is wrong");
}

/* Each PE gives the bit of its number, and a bit that all have. */
#define CHECK_BITWISE_REDUCTIONS(NAME, TYPE)                                                       \
    static void check_reductions_##NAME(void)                                                      \
    {                                                                                              \
        static TYPE source, dest;                                                                  \
        TYPE all = 0, parity = 0;                                                                  \
        for (int pe = 0; pe < npes; pe++) {                                                        \
            all = (TYPE)(all | (TYPE)1 << pe | (TYPE)1 << 12);                                     \
            parity = (TYPE)(parity ^ ((TYPE)1 << pe | (TYPE)1 << 12));                             \
        }                                                                                          \
        source = (TYPE)((TYPE)1 << me | (TYPE)1 << 12);                                            \
        shmem_sync_all();                                                                          \
        CHECK_EQ(shmem_##NAME##_and_reduce(SHMEM_TEAM_WORLD, &dest, &source, 1), 0);               \
        CHECK_EQ(dest, npes == 1 ? source : (TYPE)1 << 12);                                        \
        CHECK_EQ(shmem_##NAME##_or_reduce(SHMEM_TEAM_WORLD, &dest, &source, 1), 0);                \
        CHECK_EQ(dest, all);                                                                       \
        CHECK_EQ(shmem_##NAME##_xor_reduce(SHMEM_TEAM_WORLD, &dest, &source, 1), 0);               \
        CHECK_EQ(dest, parity);                                                                    \
        shmem_barrier_all();                                                                       \
    }
CHECK_BITWISE_REDUCTIONS(short, short)
CHECK_BITWISE_REDUCTIONS(int, int)
CHECK_BITWISE_REDUCTIONS(long, long)
CHECK_BITWISE_REDUCTIONS(longlong, long long)

/* One writer per variable: the PE before its owner. */
#define CHECK_BITWISE_ATOMICS(NAME, TYPE)                                                          \
    static void check_atomics_##NAME(void)                                                         \
    {                                                                                              \
        static TYPE object, fetched;                                                               \
        const TYPE all = (TYPE)-1;                                                                 \
        object = all;                                                                              \
        shmem_barrier_all();                                                                       \
        CHECK(shmem_##NAME##_atomic_fetch_and(&object, 0x5a, next) == all);                        \
        CHECK(shmem_##NAME##_atomic_fetch_or(&object, 0x100, next) == 0x5a);                       \
        CHECK(shmem_##NAME##_atomic_fetch_xor(&object, 0x10a, next) == 0x15a);                     \
        shmem_##NAME##_atomic_or(&object, 0x200, next);                                            \
        shmem_##NAME##_atomic_xor(&object, 0x300, next);                                           \
        shmem_##NAME##_atomic_and(&object, 0x150, next);                                           \
        CHECK(shmem_ctx_##NAME##_atomic_fetch_or(SHMEM_CTX_DEFAULT, &object, 1, next) == 0x150);   \
        CHECK(shmem_ctx_##NAME##_atomic_fetch_and(SHMEM_CTX_DEFAULT, &object, 0x11, next) ==       \
              0x151);                                                                              \
        CHECK(shmem_ctx_##NAME##_atomic_fetch_xor(SHMEM_CTX_DEFAULT, &object, 1, next) == 0x11);   \
        shmem_ctx_##NAME##_atomic_or(SHMEM_CTX_DEFAULT, &object, 6, next);                         \
        shmem_ctx_##NAME##_atomic_xor(SHMEM_CTX_DEFAULT, &object, 2, next);                        \
        shmem_ctx_##NAME##_atomic_and(SHMEM_CTX_DEFAULT, &object, 0x1c, next);                     \
        shmem_##NAME##_atomic_fetch_and_nbi(&fetched, &object, 4, next);                           \
        shmem_quiet();                                                                             \
        CHECK(fetched == 0x14);                                                                    \
        shmem_##NAME##_atomic_fetch_or_nbi(&fetched, &object, 1, next);                            \
        shmem_quiet();                                                                             \
        CHECK(fetched == 4);                                                                       \
        shmem_ctx_##NAME##_atomic_fetch_xor_nbi(SHMEM_CTX_DEFAULT, &fetched, &object, all, next);  \
        shmem_barrier_all();                                                                       \
        CHECK(fetched == 5 && object == (TYPE)~(TYPE)5);                                           \
        shmem_barrier_all();                                                                       \
    }
CHECK_BITWISE_ATOMICS(int, int)
CHECK_BITWISE_ATOMICS(long, long)
CHECK_BITWISE_ATOMICS(longlong, long long)

#define CHECK_OLD_ATOMICS(NAME, TYPE)                                                              \
    static void check_old_##NAME(void)                                                             \
    {                                                                                              \
        static TYPE object;                                                                        \
        object = (TYPE)-1;                                                                         \
        shmem_barrier_all();                                                                       \
        CHECK(shmem_##NAME##_finc(&object, next) == (TYPE)-1);                                     \
        CHECK(shmem_##NAME##_fetch(&object, next) == 0);                                           \
        shmem_##NAME##_inc(&object, next);                                                         \
        shmem_##NAME##_add(&object, 41, next);                                                     \
        CHECK(shmem_##NAME##_fadd(&object, (TYPE)-2, next) == 42);                                 \
        CHECK(shmem_##NAME##_cswap(&object, 41, 7, next) == 40);                                   \
        CHECK(shmem_##NAME##_cswap(&object, 40, 7, next) == 40);                                   \
        CHECK(shmem_##NAME##_swap(&object, 9, next) == 7);                                         \
        shmem_##NAME##_set(&object, (TYPE)(me + 1), next);                                         \
        shmem_barrier_all();                                                                       \
        CHECK_EQ(object, (me + npes - 1) % npes + 1);                                              \
        shmem_barrier_all();                                                                       \
    }
CHECK_OLD_ATOMICS(uint, unsigned int)
CHECK_OLD_ATOMICS(ulong, unsigned long)
CHECK_OLD_ATOMICS(ulonglong, unsigned long long)
CHECK_OLD_ATOMICS(int32, int32_t)
CHECK_OLD_ATOMICS(int64, int64_t)
CHECK_OLD_ATOMICS(uint32, uint32_t)
CHECK_OLD_ATOMICS(uint64, uint64_t)
CHECK_OLD_ATOMICS(size, size_t)
CHECK_OLD_ATOMICS(ptrdiff, ptrdiff_t)

/* They may change nothing. */
static void check_cache_routines(void)
{
    static long object = 5;
    shmem_set_cache_inv();
    shmem_clear_cache_inv();
    shmem_set_cache_line_inv(&object);
    shmem_clear_cache_line_inv(&object);
    shmem_udcflush();
    shmem_udcflush_line(&object);
    CHECK_EQ(object, 5);
}

static void check_blocks(void)
{
    static int dest[8];
    static const int source[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const int expected[8] = {1, 2, 0, 5, 6, 0, 0, 0};
    int back[4] = {0};
    shmemx_int_ibput(dest, source, 3, 4, 2, 2, next);
    shmem_barrier_all();
    CHECK(memcmp(dest, expected, sizeof dest) == 0);
    shmemx_ctx_int_ibget(SHMEM_CTX_DEFAULT, back, dest, 2, 3, 2, 2, next);
    CHECK(back[0] == 1 && back[1] == 2 && back[2] == 5 && back[3] == 6);
    shmem_barrier_all();
    memset(dest, 0, sizeof dest);
    shmem_barrier_all();
    shmemx_ctx_ibput32(SHMEM_CTX_DEFAULT, dest, source, 3, 4, 2, 2, next);
    shmem_barrier_all();
    CHECK(memcmp(dest, expected, sizeof dest) == 0);
    memset(back, 0, sizeof back);
    shmemx_ibget32(back, dest, 2, 3, 2, 2, next);
    CHECK(back[0] == 1 && back[1] == 2 && back[2] == 5 && back[3] == 6);
    shmem_barrier_all();
}

static void check_new_names(void)
{
    static uint64_t signal;
    static long value, sum;
    int initialized = 0;
    shmemx_query_initialized(&initialized);
    CHECK_EQ(initialized, 1);
    shmemx_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    shmemx_signal_set(&signal, 40, next);
    shmemx_signal_add(&signal, 1, next);
    shmemx_ctx_signal_add(SHMEM_CTX_DEFAULT, &signal, 1, next);
    shmemx_pe_quiet(&next, 1);
    shmemx_ctx_pe_quiet(SHMEM_CTX_DEFAULT, &next, 1);
    shmemx_ctx_session_stop(SHMEM_CTX_DEFAULT);
    CHECK_EQ(shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 42), 42);
    shmem_barrier_all();
    shmemx_ctx_signal_set(SHMEM_CTX_DEFAULT, &signal, 7, next);
    shmem_barrier_all();
    CHECK_EQ(signal, 7);
    CHECK(shmemx_team_ptr(SHMEM_TEAM_WORLD, &value, next) == shmem_ptr(&value, next));
    CHECK(shmemx_local_address(shmemx_owner_address(&value, next), next) == &value);
    void *block = shmemx_team_malloc(SHMEM_TEAM_WORLD, 100);
    CHECK(block && shmem_addr_accessible(block, next));
    shmemx_team_free(SHMEM_TEAM_WORLD, block);
    block = pshmemx_team_calloc(SHMEM_TEAM_WORLD, 10, 10);
    CHECK(block && *(char *)block == 0);
    pshmemx_team_free(SHMEM_TEAM_WORLD, block);
    CHECK(pshmemx_local_address(pshmemx_owner_address(&value, me), me) == &value);
    CHECK(shmemx_ctx_provider_ns(SHMEM_CTX_DEFAULT, "get", sizeof value, &value, next) > 0);
    value = me + 1;
    CHECK_EQ(shmemx_long_sum_inscan(SHMEM_TEAM_WORLD, &sum, &value, 1), 0);
    CHECK_EQ(sum, (me + 1) * (me + 2) / 2);
    CHECK_EQ(shmemx_long_sum_exscan(SHMEM_TEAM_WORLD, &sum, &value, 1), 0);
    CHECK_EQ(sum, me * (me + 1) / 2);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    next = (me + 1) % npes;
    check_reductions_short();
    check_reductions_int();
    check_reductions_long();
    check_reductions_longlong();
    check_atomics_int();
    check_atomics_long();
    check_atomics_longlong();
    check_old_uint();
    check_old_ulong();
    check_old_ulonglong();
    check_old_int32();
    check_old_int64();
    check_old_uint32();
    check_old_uint64();
    check_old_size();
    check_old_ptrdiff();
    check_cache_routines();
    check_blocks();
    check_new_names();
    call_events(npes < 0);
    return test_finish();
}
