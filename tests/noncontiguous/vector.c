/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector puts and gets: lists of pieces of many sizes, in order, at equal distances, or anywhere; from
 * and to heap and static data in one list; by every way of completing them.
 */
#include "noncontiguous.h"

#define ROUNDS 40
#define CELLS  4000 /* pieces at most */
#define CELL   40   /* bytes of a piece, at most, where there are many */
#define BIG    70000

static unsigned char static_cells[CELLS / 2][CELL];
static unsigned char (*heap_cells)[CELL];
static unsigned char local_cells[CELLS][CELL];
static unsigned char *heap_big, local_big[BIG];
static uint64_t schedule = 11; /* the same on all PEs */

static size_t draw(size_t limit)
{
    return (size_t)test_random_below(&schedule, limit);
}

/* Half of the cells are static, half lie on the heap. */
static unsigned char *cell(size_t i)
{
    return i < CELLS / 2 ? static_cells[i] : heap_cells[i - CELLS / 2];
}

static unsigned char value(int pe, size_t i, size_t k, int round)
{
    return (unsigned char)(i * 13 + k * 5 + (size_t)pe * 31 + (size_t)round);
}

struct lists {
    size_t count;               /* pieces of all vectors */
    size_t vectors;
    size_t where[CELLS];        /* the symmetric cell of piece i */
    void *dests[CELLS];
    const void *sources[CELLS];
    shmemx_vector_t vector[5];
    size_t bytes[CELLS];        /* of piece i */
};

/* A permutation of the cells, or part of one: shuffled, or in order, or every other one. */
static void draw_places(struct lists *lists)
{
    size_t step = 1 + draw(3);
    for (size_t i = 0; i < CELLS; i++)
        lists->where[i] = i * step % CELLS;
    lists->count = step == 1 ? draw(CELLS + 1) : draw(CELLS / step + 1);
    if (draw(3) == 0)
        lists->count = draw(5);
    for (size_t i = 0; i + 1 < lists->count && step == 1 && draw(1000); i++) {
        size_t other = i + draw(lists->count - i), held = lists->where[i];
        lists->where[i] = lists->where[other];
        lists->where[other] = held;
    }
}

/* is_get: the symmetric cells are the sources. */
static void draw_lists(struct lists *lists, int is_get)
{
    size_t at = 0;
    draw_places(lists);
    lists->vectors = 1 + draw(5);
    for (size_t v = 0; v < lists->vectors; v++) {
        size_t rest = lists->count - at, bytes = draw(2) ? 8 : draw(CELL + 1);
        size_t count = v + 1 == lists->vectors ? rest : draw(rest + 1);
        lists->vector[v] =
            (shmemx_vector_t){lists->dests + at, lists->sources + at, count, bytes};
        for (size_t i = at; i < at + count; i++) {
            unsigned char *symmetric = cell(lists->where[i]);
            lists->bytes[i] = bytes;
            lists->dests[i] = is_get ? local_cells[i] : symmetric;
            lists->sources[i] = is_get ? symmetric : local_cells[i];
        }
        at += count;
    }
}

static void check_cell(const unsigned char *at, size_t bytes, int pe, size_t i, int round)
{
    for (size_t k = 0; k < CELL; k++)
        CHECK_EQ(at[k], k < bytes ? value(pe, i, k, round) : 0xee);
}

static void test_put(const struct stream *stream, enum way way, int round)
{
    static struct lists lists;
    static size_t bytes[CELLS], from[CELLS];
    int me = shmem_my_pe(), npes = shmem_n_pes(), far = (int)draw((size_t)npes);
    shmemx_handle_t handle = SHMEMX_HANDLE_COMPLETE;
    draw_lists(&lists, 0);
    memset(bytes, 0, sizeof bytes);
    for (size_t i = 0; i < CELLS; i++) {
        memset(cell(i), 0xee, CELL);
        for (size_t k = 0; k < CELL; k++)
            local_cells[i][k] = value(me, i, k, round);
    }
    for (size_t i = 0; i < lists.count; i++) {
        bytes[lists.where[i]] = lists.bytes[i];
        from[lists.where[i]] = i;
    }
    shmem_barrier_all();
    CALL(putmem_vector, stream, way, &handle, (me + far) % npes, lists.vector, lists.vectors);
    if (way == BLOCKING)
        memset(local_cells, 0, sizeof local_cells);
    complete(stream, way, &handle);
    shmem_barrier_all();
    for (size_t i = 0; i < CELLS; i++)
        check_cell(cell(i), bytes[i], (me + npes - far) % npes, from[i], round);
    shmem_barrier_all();
}

static void test_get(const struct stream *stream, enum way way, int round)
{
    static struct lists lists;
    int me = shmem_my_pe(), npes = shmem_n_pes(), pe = (me + (int)draw((size_t)npes)) % npes;
    shmemx_handle_t handle = SHMEMX_HANDLE_COMPLETE;
    draw_lists(&lists, 1);
    memset(local_cells, 0xee, sizeof local_cells);
    for (size_t i = 0; i < CELLS; i++)
        for (size_t k = 0; k < CELL; k++)
            cell(i)[k] = value(me, i, k, round);
    shmem_barrier_all();
    CALL(getmem_vector, stream, way, &handle, pe, lists.vector, lists.vectors);
    if (way != BLOCKING)
        complete(stream, way, &handle);
    for (size_t i = 0; i < CELLS; i++)
        check_cell(local_cells[i], i < lists.count ? lists.bytes[i] : 0, pe, lists.where[i], round);
    shmem_barrier_all();
}

/* Pieces larger than any message, among small ones. */
static void test_big(const struct stream *stream, enum way way)
{
    enum { HALF = BIG / 2 };
    static unsigned char small;
    void *dests[] = {heap_big, heap_big + HALF}, *small_dests[] = {&small};
    const unsigned char seven = 7;
    const void *sources[] = {local_big + HALF, local_big}, *small_sources[] = {&seven};
    const shmemx_vector_t vectors[] = {
        {dests, sources, 2, HALF}, {small_dests, small_sources, 1, 1}, {dests, sources, 2, HALF}};
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    shmemx_handle_t handle = SHMEMX_HANDLE_COMPLETE;
    for (size_t i = 0; i < BIG; i++)
        local_big[i] = value(0, i, i >> 8, 3);
    memset(heap_big, 0, BIG);
    small = 0;
    shmem_barrier_all();
    CALL(putmem_vector, stream, way, &handle, next, vectors, 3);
    complete(stream, way, &handle);
    shmem_barrier_all();
    CHECK_EQ(small, 7);
    CHECK(memcmp(heap_big, local_big + HALF, HALF) == 0);
    CHECK(memcmp(heap_big + HALF, local_big, HALF) == 0);
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    heap_cells = shmem_malloc(CELLS / 2 * sizeof *heap_cells);
    heap_big = shmem_malloc(BIG);
    CHECK(heap_cells && heap_big);
    open_streams();
    for (int round = 0; round < ROUNDS; round++) {
        const struct stream *stream = &streams[round % STREAMS];
        enum way way = (enum way)(round / STREAMS % WAYS);
        test_put(stream, way, round);
        test_get(stream, way, round);
        test_big(stream, way);
    }
    shmemx_putmem_vector(NULL, 0, 0);
    shmemx_getmem_vector(NULL, 0, 0);
    close_streams();
    return test_finish();
}
