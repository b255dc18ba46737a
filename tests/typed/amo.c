/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every atomic memory operation, for all types: alone, with values at the types' limits and
 * against a model; then all PEs at once on one object, where nothing may get lost.
 */
#include "amo.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 10, ROUNDS = 24, MAX_BITS = 31, MAX_ATTEMPTS = 100000000 };

static int values = MOST_VALUES; /* of each type, each with each: the first argument */
static _Alignas(16) char static_object[TYPE_MAX_BYTES];
static long long report;

struct round {
    const struct amo_row *row;
    const struct test_type *type;
    shmem_ctx_t ctx;
    int me, n;
    int right, first; /* numbers of the context's team */
    int world_right, world_first;
    char *object;     /* symmetric */
};

static void expect(const struct round *round, enum amo kind, const char *how, const char *part,
                   const void *actual, const void *expected)
{
    char what[100];
    snprintf(what, sizeof what, "%s %s%s: %s", round->row->set, amo_names[kind], how, part);
    test_compare(round->type, actual, expected, 1, what);
}

/* The object of my right neighbour is mine alone. */
static void check_once(const struct round *round, enum amo kind, amo_call *call, const char *how,
                       const void *old, const void *condition, const void *operand)
{
    char fetched[TYPE_MAX_BYTES];
    char after[TYPE_MAX_BYTES];
    char expected[TYPE_MAX_BYTES] = {0};
    const size_t size = round->type->size;
    shmem_putmem(round->object, old, size, round->world_right);
    shmem_quiet();
    call(round->ctx, fetched, round->object, condition, operand, round->right);
    shmem_ctx_quiet(round->ctx);
    shmem_getmem(after, round->object, size, round->world_right);
    memcpy(expected, old, size);
    round->row->model(kind, expected, condition, operand);
    if (amo_fetches(kind))
        expect(round, kind, how, "value fetched", fetched, old);
    expect(round, kind, how, "value left", after, expected);
}

static void check_alone(const struct round *round)
{
    for (int kind = 0; kind < AMO_KINDS; kind++) {
        for (int i = 0; i < values * values; i++) {
            char old[TYPE_MAX_BYTES];
            char operand[TYPE_MAX_BYTES];
            char other[TYPE_MAX_BYTES];
            round->type->make(old, (uint64_t)(i / values + 100 * round->me));
            round->type->make(operand, (uint64_t)(i % values));
            round->type->make(other, (uint64_t)(i % 3));
            const void *condition = i % 2 ? old : other;
            if (round->row->calls[kind])
                check_once(round, kind, round->row->calls[kind], "", old, condition, operand);
            if (round->row->nonblocking[kind])
                check_once(round, kind, round->row->nonblocking[kind], "_nbi", old, condition,
                           operand);
        }
    }
    shmem_barrier_all();
}

static void begin(const struct round *round, int number)
{
    round->type->small(round->object, number);
    report = 0;
    shmem_barrier_all();
}

/* All PEs have finished: the object of the first one must hold number. */
static void finish(const struct round *round, enum amo kind, const char *how, int number)
{
    shmem_ctx_quiet(round->ctx);
    shmem_barrier_all();
    if (round->me == 0) {
        char expected[TYPE_MAX_BYTES];
        round->type->small(expected, number);
        expect(round, kind, how, "after all PEs", round->object, expected);
    }
    shmem_barrier_all();
}

static void check_additions(const struct round *round, enum amo kind, amo_call *call,
                            const char *how, int step)
{
    if (!call)
        return;
    char operand[TYPE_MAX_BYTES];
    round->type->small(operand, step);
    begin(round, 0);
    long long last = -1;
    for (int i = 0; i < ROUNDS; i++) {
        char fetched[TYPE_MAX_BYTES];
        call(round->ctx, fetched, round->object, operand, operand, round->first);
        if (!amo_fetches(kind))
            continue;
        shmem_ctx_quiet(round->ctx);
        const long long ticket = round->row->number(fetched);
        CHECK(ticket > last);
        CHECK_EQ(ticket % step, 0);
        last = ticket;
    }
    finish(round, kind, how, step * ROUNDS * round->n);
}

static void check_compare_swaps(const struct round *round, amo_call *call, const char *how)
{
    if (!call)
        return;
    begin(round, 0);
    int seen = 0;
    int done = 0;
    for (long i = 0; done < ROUNDS && i < MAX_ATTEMPTS; i++) {
        char condition[TYPE_MAX_BYTES];
        char next[TYPE_MAX_BYTES];
        char fetched[TYPE_MAX_BYTES];
        round->type->small(condition, seen);
        round->type->small(next, seen + 1);
        call(round->ctx, fetched, round->object, condition, next, round->first);
        shmem_ctx_quiet(round->ctx);
        const int found = (int)round->row->number(fetched);
        done += found == seen;
        seen = found == seen ? seen + 1 : found;
    }
    CHECK_EQ(done, ROUNDS);
    finish(round, AMO_COMPARE_SWAP, how, ROUNDS * round->n);
}

/* What goes in comes out once, or is left. */
static void check_swaps(const struct round *round, amo_call *call)
{
    if (!call)
        return;
    begin(round, 0);
    long long balance = 0;
    for (int i = 0; i < ROUNDS; i++) {
        char value[TYPE_MAX_BYTES];
        char fetched[TYPE_MAX_BYTES];
        const int number = 1 + round->me * ROUNDS + i;
        round->type->small(value, number);
        call(round->ctx, fetched, round->object, value, value, round->first);
        shmem_ctx_quiet(round->ctx);
        balance += number - round->row->number(fetched);
    }
    shmem_longlong_atomic_add(&report, balance, round->world_first);
    shmem_barrier_all();
    if (round->me == 0)
        CHECK_EQ(round->row->number(round->object), report);
    shmem_barrier_all();
}

/* Each PE sets, clears and flips a bit of its own in one word, and ends with it set. */
static void check_bits(const struct round *round, amo_call *const calls[], const char *how)
{
    if (!calls[AMO_FETCH_AND])
        return;
    static const enum amo order[] = {AMO_FETCH_OR,  AMO_FETCH_AND, AMO_FETCH_XOR,
                                     AMO_FETCH_XOR, AMO_FETCH_OR,  AMO_FETCH_OR};
    static const bool set_before[] = {false, true, false, true, false, true};
    const int bit = 1 << (round->me % MAX_BITS);
    begin(round, 0);
    for (int i = 0; i < ROUNDS && round->me < MAX_BITS; i++) {
        const int turn = i % 6;
        char operand[TYPE_MAX_BYTES];
        char fetched[TYPE_MAX_BYTES];
        /* The last turn leaves the bit set: the next sequence begins by clearing it. */
        if (turn == 0 && i > 0) {
            round->type->small(operand, ~bit);
            calls[AMO_FETCH_AND](round->ctx, fetched, round->object, operand, operand,
                                 round->first);
            shmem_ctx_quiet(round->ctx);
        }
        round->type->small(operand, order[turn] == AMO_FETCH_AND ? ~bit : bit);
        calls[order[turn]](round->ctx, fetched, round->object, operand, operand, round->first);
        shmem_ctx_quiet(round->ctx);
        CHECK_EQ((round->row->number(fetched) & bit) != 0, set_before[turn]);
    }
    const int bits = round->n < MAX_BITS ? round->n : MAX_BITS;
    finish(round, AMO_FETCH_OR, how, (int)((1u << bits) - 1));
}

static void check_silent_bits(const struct round *round)
{
    amo_call *const *calls = round->row->calls;
    if (!calls[AMO_AND])
        return;
    const int bit = 1 << (round->me % MAX_BITS);
    char on[TYPE_MAX_BYTES];
    char off[TYPE_MAX_BYTES];
    round->type->small(on, bit);
    round->type->small(off, ~bit);
    begin(round, 0);
    for (int i = 0; i < ROUNDS && round->me < MAX_BITS; i++) {
        calls[AMO_OR](round->ctx, NULL, round->object, on, on, round->first);
        shmem_ctx_fence(round->ctx);
        calls[AMO_AND](round->ctx, NULL, round->object, off, off, round->first);
        shmem_ctx_fence(round->ctx);
        calls[AMO_XOR](round->ctx, NULL, round->object, on, on, round->first);
        shmem_ctx_fence(round->ctx);
    }
    const int bits = round->n < MAX_BITS ? round->n : MAX_BITS;
    finish(round, AMO_XOR, "", (int)((1u << bits) - 1));
}

static void check_together(const struct round *round)
{
    amo_call *const *calls = round->row->calls;
    amo_call *const *nonblocking = round->row->nonblocking;
    check_additions(round, AMO_INC, calls[AMO_INC], "", 1);
    check_additions(round, AMO_ADD, calls[AMO_ADD], "", 3);
    check_additions(round, AMO_FETCH_INC, calls[AMO_FETCH_INC], "", 1);
    check_additions(round, AMO_FETCH_ADD, calls[AMO_FETCH_ADD], "", 2);
    check_additions(round, AMO_FETCH_INC, nonblocking[AMO_FETCH_INC], "_nbi", 1);
    check_additions(round, AMO_FETCH_ADD, nonblocking[AMO_FETCH_ADD], "_nbi", 5);
    check_compare_swaps(round, calls[AMO_COMPARE_SWAP], "");
    check_compare_swaps(round, nonblocking[AMO_COMPARE_SWAP], "_nbi");
    check_swaps(round, calls[AMO_SWAP]);
    check_swaps(round, nonblocking[AMO_SWAP]);
    check_bits(round, calls, "");
    check_bits(round, nonblocking, "_nbi");
    check_silent_bits(round);
}

static void check_all(shmem_ctx_t ctx, bool with_context, char *heap)
{
    shmem_team_t team;
    CHECK_EQ(shmem_ctx_get_team(ctx, &team), 0);
    struct round round = {
        .ctx = ctx,
        .me = shmem_team_my_pe(team),
        .n = shmem_team_n_pes(team),
        .first = 0,
        .world_first = shmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD),
    };
    round.right = (round.me + 1) % round.n;
    round.world_right = shmem_team_translate_pe(team, round.right, SHMEM_TEAM_WORLD);
    for (size_t i = 0; i < amo_row_count; i++) {
        round.row = &amo_rows[i];
        if (round.row->takes_context != with_context)
            continue;
        round.type = test_type(round.row->type);
        round.object = i % 2 ? static_object : heap;
        check_alone(&round);
        check_together(&round);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        values = atoi(argv[1]);
    shmem_init();
    char *heap = shmem_malloc(TYPE_MAX_BYTES);
    CHECK(heap != NULL);
    check_all(SHMEM_CTX_DEFAULT, false, heap);
    check_all(SHMEM_CTX_DEFAULT, true, heap);

    shmem_team_t backwards;
    shmem_ctx_t ctx;
    const int n = shmem_n_pes();
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &backwards), 0);
    CHECK_EQ(shmem_team_create_ctx(backwards, SHMEM_CTX_SERIALIZED, &ctx), 0);
    check_all(ctx, true, heap);
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(backwards);
    shmem_free(heap);
    return test_finish();
}
