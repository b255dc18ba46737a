/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every RMA and put-with-signal routine, for all types and sizes: what it writes, and that it
 * writes nothing else; into static data and into the heap; plain, on the default context, on a
 * context of the world, and on one of a team that counts backwards.
 */
#include "rma.h"

#include "check.h"

#include <string.h>

enum { ELEMENTS = 48, OFFSET = 2, COUNT = 37, AREA = ELEMENTS * TYPE_MAX_BYTES };

static _Alignas(64) char static_source[AREA];
static _Alignas(64) char static_dest[AREA];
static uint64_t static_signal;

/* One round: a row, the context it uses, and that context's numbers of me and my neighbours. */
struct round {
    const struct rma_row *row;
    const struct test_type *type;
    shmem_ctx_t ctx;
    int me, right, left;
    char *source, *dest; /* symmetric */
    uint64_t *signal;
};

static uint64_t source_key(int pe)
{
    return 1000 * (uint64_t)(pe + 1);
}

static uint64_t dest_key(int pe)
{
    return 7 + 777 * (uint64_t)(pe + 1);
}

static void *element(const struct round *round, void *array, ptrdiff_t index)
{
    return (char *)array + index * (ptrdiff_t)round->type->size;
}

static void begin(const struct round *round)
{
    test_fill(round->type, round->source, ELEMENTS, source_key(round->me));
    test_fill(round->type, round->dest, ELEMENTS, dest_key(round->me));
    *round->signal = 0;
    shmem_barrier_all();
}

static void complete(const struct round *round)
{
    shmem_ctx_quiet(round->ctx);
    shmem_barrier_all();
}

/* My dest must hold blocks of pe's source, the rest as before. */
static void check_blocks(const struct round *round, int pe, ptrdiff_t dst, ptrdiff_t sst,
                         size_t bsize, size_t nblocks, const char *what)
{
    char expected[AREA];
    char source[AREA];
    test_fill(round->type, expected, ELEMENTS, dest_key(round->me));
    test_fill(round->type, source, ELEMENTS, source_key(pe));
    for (size_t b = 0; b < nblocks; b++)
        memcpy(element(round, expected, OFFSET + (ptrdiff_t)b * dst),
               element(round, source, OFFSET + (ptrdiff_t)b * sst), bsize * round->type->size);
    test_compare(round->type, round->dest, expected, ELEMENTS, what);
}

static void check_copy(const struct round *round, rma_copy *copy, size_t count, bool is_get,
                       const char *what)
{
    if (!copy)
        return;
    begin(round);
    copy(round->ctx, element(round, round->dest, OFFSET), element(round, round->source, OFFSET),
         count, round->right);
    complete(round);
    check_blocks(round, is_get ? round->right : round->left, 1, 1, 1, count, what);
    shmem_barrier_all();
}

static void check_strided(const struct round *round, rma_strided *copy, ptrdiff_t dst,
                          ptrdiff_t sst, size_t count, bool is_get, const char *what)
{
    if (!copy)
        return;
    begin(round);
    copy(round->ctx, element(round, round->dest, OFFSET), element(round, round->source, OFFSET),
         dst, sst, count, round->right);
    complete(round);
    check_blocks(round, is_get ? round->right : round->left, dst, sst, 1, count, what);
    shmem_barrier_all();
}

static void check_blocked(const struct round *round, rma_blocked *copy, ptrdiff_t dst,
                          ptrdiff_t sst, size_t bsize, size_t nblocks, bool is_get,
                          const char *what)
{
    if (!copy)
        return;
    begin(round);
    copy(round->ctx, element(round, round->dest, OFFSET), element(round, round->source, OFFSET),
         dst, sst, bsize, nblocks, round->right);
    complete(round);
    check_blocks(round, is_get ? round->right : round->left, dst, sst, bsize, nblocks, what);
    shmem_barrier_all();
}

/* The signal alone tells that the data is there: no barrier between. */
static void check_signalled(const struct round *round, rma_signalled *put, int operation,
                            const char *what)
{
    const uint64_t before = operation == SHMEM_SIGNAL_ADD ? UINT64_MAX - 3 : 5;
    const uint64_t value = UINT64_C(0x100000000) + 9;
    const uint64_t after = operation == SHMEM_SIGNAL_ADD ? before + value : value;
    begin(round);
    *round->signal = before;
    shmem_barrier_all();
    put(round->ctx, element(round, round->dest, OFFSET), element(round, round->source, OFFSET),
        COUNT, round->signal, value, operation, round->right);
    CHECK_EQ(shmem_signal_wait_until(round->signal, SHMEM_CMP_NE, before), after);
    check_blocks(round, round->left, 1, 1, 1, COUNT, what);
    complete(round);
}

static void check_round(const struct round *round)
{
    const struct rma_row *row = round->row;
    check_copy(round, row->put, COUNT, false, "put");
    check_copy(round, row->put, 0, false, "put of nothing");
    check_copy(round, row->put_nbi, COUNT, false, "put_nbi");
    check_copy(round, row->get, COUNT, true, "get");
    check_copy(round, row->get_nbi, COUNT, true, "get_nbi");
    check_copy(round, row->p, 1, false, "p");
    check_copy(round, row->g, 1, true, "g");
    check_strided(round, row->iput, 3, 2, 14, false, "iput");
    check_strided(round, row->iput, 1, 4, 11, false, "iput to consecutive elements");
    check_strided(round, row->iget, 2, 3, 14, true, "iget");
    check_blocked(round, row->ibput, 5, 4, 3, 9, false, "ibput");
    check_blocked(round, row->ibput, 4, 4, 4, 10, false, "ibput without gaps");
    check_blocked(round, row->ibget, 4, 7, 2, 6, true, "ibget");
    check_signalled(round, row->put_signal, SHMEM_SIGNAL_SET, "put_signal, set");
    check_signalled(round, row->put_signal, SHMEM_SIGNAL_ADD, "put_signal, add");
    check_signalled(round, row->put_signal_nbi, SHMEM_SIGNAL_SET, "put_signal_nbi, set");
    check_signalled(round, row->put_signal_nbi, SHMEM_SIGNAL_ADD, "put_signal_nbi, add");
}

static void check_all(shmem_ctx_t ctx, bool with_context, char *heap)
{
    shmem_team_t team;
    CHECK_EQ(shmem_ctx_get_team(ctx, &team), 0);
    const int me = shmem_team_my_pe(team);
    const int n = shmem_team_n_pes(team);
    struct round round = {
        .ctx = ctx,
        .me = me,
        .right = (me + 1) % n,
        .left = (me + n - 1) % n,
    };
    for (size_t i = 0; i < rma_row_count; i++) {
        round.row = &rma_rows[i];
        if (round.row->takes_context != with_context)
            continue;
        round.type = test_type(round.row->type);
        round.source = i % 3 == 0 ? static_source : heap;
        round.dest = i % 4 < 2 ? static_dest : heap + AREA;
        round.signal = i % 2 ? &static_signal : (uint64_t *)(heap + 2 * AREA);
        check_round(&round);
    }
}

int main(void)
{
    shmem_init();
    char *heap = shmem_align(64, 3 * AREA);
    CHECK(heap != NULL);
    check_all(SHMEM_CTX_DEFAULT, false, heap);
    check_all(SHMEM_CTX_DEFAULT, true, heap);

    shmem_ctx_t ctx;
    CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx), 0);
    check_all(ctx, true, heap);
    shmem_ctx_destroy(ctx);

    shmem_team_t backwards;
    const int n = shmem_n_pes();
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &backwards), 0);
    CHECK_EQ(shmem_team_create_ctx(backwards, 0, &ctx), 0);
    check_all(ctx, true, heap);
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(backwards);
    shmem_free(heap);
    return test_finish();
}
