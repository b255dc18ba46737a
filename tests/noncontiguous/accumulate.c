/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Accumulates of every type, contiguous, strided and of lists of pieces, by every way of completing them. All PEs add to
 * the same elements of one PE at once, some next to shmem_atomic operations, integers and at the end floating-point
 * numbers too; values are small whole numbers, whose sums are exact, and for integers also such that wrap.
 */
#include "noncontiguous.h"

#include <complex.h>
#include <limits.h>

#define ELEMENTS 3000
#define TIMES    3

static int me, npes;

/* The numbers that PE pe adds, and its factor; REAL(n) is n in the type. */
#define TERM(TYPE, pe, i)  ((TYPE)((i) % 50 + (pe)))
#define FACTOR(TYPE, pe)   ((TYPE)((pe) % 3 - 1))

/* IMAGINARY: 0, or the unit of the type. */
#define CHECK_TYPE(NAME, TYPE, IMAGINARY)                                                          \
    static TYPE NAME##_static[ELEMENTS + 1];                                                       \
    static TYPE NAME##_term(int pe, size_t i)                                                      \
    {                                                                                              \
        return TERM(TYPE, pe, (int)i) + IMAGINARY * (TYPE)(i % 7);                                 \
    }                                                                                              \
    static TYPE NAME##_factor(int pe)                                                              \
    {                                                                                              \
        return FACTOR(TYPE, pe) + IMAGINARY * (TYPE)2;                                             \
    }                                                                                              \
    static void NAME##_reset(TYPE *dest)                                                           \
    {                                                                                              \
        for (size_t i = 0; i < ELEMENTS; i++)                                                      \
            dest[i] = (TYPE)(100 + (int)i);                                                        \
        shmem_barrier_all();                                                                       \
    }                                                                                              \
    /* Everybody adds to root's elements; step of them apart. */                                   \
    static void NAME##_check(const TYPE *dest, size_t step)                                        \
    {                                                                                              \
        for (size_t i = 0; i < ELEMENTS; i++) {                                                    \
            TYPE sum = (TYPE)(100 + (int)i);                                                       \
            for (int pe = 0; pe < npes && i % step == 0; pe++)                                     \
                sum += (TYPE)TIMES * NAME##_factor(pe) * NAME##_term(pe, i / step);                \
            CHECK(dest[i] == sum);                                                                 \
        }                                                                                          \
        shmem_barrier_all();                                                                       \
    }                                                                                              \
    static void NAME##_add(const struct stream *stream, enum way way, TYPE *dest, int root)        \
    {                                                                                              \
        static TYPE source[ELEMENTS];                                                              \
        shmemx_handle_t handle = SHMEMX_HANDLE_COMPLETE;                                           \
        NAME##_reset(dest);                                                                        \
        for (int time = 0; time < TIMES; time++) {                                                 \
            for (size_t i = 0; i < ELEMENTS; i++)                                                  \
                source[i] = NAME##_term(me, i);                                                    \
            CALL(NAME##_accumulate, stream, way, &handle, root, dest, source, NAME##_factor(me),   \
                 ELEMENTS);                                                                        \
            if (way == BLOCKING)                                                                   \
                memset(source, 0xff, sizeof source);                                               \
            complete(stream, way, &handle);                                                        \
        }                                                                                          \
        shmem_barrier_all();                                                                       \
        if (me == root)                                                                            \
            NAME##_check(dest, 1);                                                                 \
        else                                                                                       \
            shmem_barrier_all();                                                                   \
    }                                                                                              \
    /* Every second element, in 3 dimensions: 10 of them, 10 times, 15 times. */                   \
    static void NAME##_add_strided(const struct stream *stream, enum way way, TYPE *dest, int root)\
    {                                                                                              \
        static TYPE source[ELEMENTS];                                                              \
        const ptrdiff_t size = sizeof(TYPE);                                                       \
        const ptrdiff_t to[] = {2 * size, 20 * size, 200 * size}, from[] = {size, 10 * size, 100 * size}; \
        const size_t counts[] = {sizeof(TYPE), 10, 10, ELEMENTS / 200};                            \
        shmemx_handle_t handle = SHMEMX_HANDLE_COMPLETE;                                           \
        NAME##_reset(dest);                                                                        \
        for (int time = 0; time < TIMES; time++) {                                                 \
            for (size_t i = 0; i < ELEMENTS; i++)                                                  \
                source[i] = NAME##_term(me, i);                                                    \
            CALL(NAME##_accumulate_strided, stream, way, &handle, root, dest, source,              \
                 NAME##_factor(me), to, from, counts, 4);                                          \
            complete(stream, way, &handle);                                                        \
        }                                                                                          \
        shmem_barrier_all();                                                                       \
        if (me == root)                                                                            \
            NAME##_check(dest, 2);                                                                 \
        else                                                                                       \
            shmem_barrier_all();                                                                   \
    }                                                                                              \
    /* The even elements, from the last to the first. */                                             \
    static void NAME##_add_vector(const struct stream *stream, enum way way, TYPE *dest, int root) \
    {                                                                                              \
        static TYPE source[ELEMENTS];                                                              \
        static void *dests[ELEMENTS / 2];                                                          \
        static const void *sources[ELEMENTS / 2];                                                  \
        shmemx_handle_t handle = SHMEMX_HANDLE_COMPLETE;                                           \
        const shmemx_vector_t vectors[] = {{dests, sources, ELEMENTS / 4, sizeof(TYPE)},           \
                                           {NULL, NULL, 0, sizeof(TYPE)},                          \
                                           {dests + ELEMENTS / 4, sources + ELEMENTS / 4,          \
                                            ELEMENTS / 4, sizeof(TYPE)}};                          \
        NAME##_reset(dest);                                                                        \
        for (size_t i = 0; i < ELEMENTS / 2; i++) {                                                \
            dests[i] = &dest[ELEMENTS - 2 - 2 * i];                                                \
            sources[i] = &source[ELEMENTS / 2 - 1 - i];                                            \
        }                                                                                          \
        for (int time = 0; time < TIMES; time++) {                                                 \
            for (size_t i = 0; i < ELEMENTS; i++)                                                  \
                source[i] = NAME##_term(me, i);                                                    \
            CALL(NAME##_accumulate_vector, stream, way, &handle, root, vectors, 3,                 \
                 NAME##_factor(me));                                                               \
            complete(stream, way, &handle);                                                        \
        }                                                                                          \
        shmem_barrier_all();                                                                       \
        if (me == root)                                                                            \
            NAME##_check(dest, 2);                                                                 \
        else                                                                                       \
            shmem_barrier_all();                                                                   \
    }                                                                                              \
    /* One element several times in one call, and pieces of three. */                              \
    static void NAME##_add_again(void)                                                             \
    {                                                                                              \
        static TYPE dest[12], source[3];                                                           \
        void *dests[] = {dest, dest, dest, dest + 6, dest};                                        \
        const void *sources[] = {source, source, source, source, source};                          \
        const shmemx_vector_t vector = {dests, sources, 5, sizeof source};                         \
        int previous = (me + npes - 1) % npes;                                                     \
        for (int i = 0; i < 3; i++)                                                                \
            source[i] = NAME##_term(me, (size_t)i);                                                \
        memset(dest, 0, sizeof dest);                                                              \
        shmem_barrier_all();                                                                       \
        shmemx_##NAME##_accumulate_vector(&vector, 1, (TYPE)2, (me + 1) % npes);                   \
        shmem_barrier_all();                                                                       \
        for (int i = 0; i < 12; i++)                                                               \
            CHECK(dest[i] == (TYPE)(i < 3 ? 8 : i / 3 == 2 ? 2 : 0) *                              \
                                 NAME##_term(previous, (size_t)(i % 3)));                          \
        shmem_barrier_all();                                                                       \
    }                                                                                              \
    static void check_##NAME(void)                                                                 \
    {                                                                                              \
        TYPE *heap = shmem_malloc((ELEMENTS + 1) * sizeof *heap);                                  \
        CHECK(heap != NULL);                                                                       \
        for (int i = 0; i < STREAMS * WAYS; i++) {                                                 \
            const struct stream *stream = &streams[i % STREAMS];                                   \
            enum way way = (enum way)(i / STREAMS);                                                \
            NAME##_add(stream, way, i % 2 ? heap + 1 : NAME##_static, i % npes);                   \
            NAME##_add_strided(stream, way, i % 2 ? NAME##_static : heap, (i + 1) % npes);         \
            NAME##_add_vector(stream, way, i % 2 ? heap : NAME##_static, (i + 2) % npes);          \
        }                                                                                          \
        NAME##_add_again();                                                                        \
        shmem_free(heap);                                                                          \
    }
CHECK_TYPE(int, int, 0)
CHECK_TYPE(long, long, 0)
CHECK_TYPE(float, float, 0)
CHECK_TYPE(double, double, 0)
CHECK_TYPE(complexf, float _Complex, _Complex_I)
CHECK_TYPE(complexd, double _Complex, _Complex_I)

/* A pair at an address that suits its halves alone. */
#define CHECK_UNALIGNED(NAME, TYPE, PART)                                                          \
    static void check_unaligned_##NAME(void)                                                       \
    {                                                                                              \
        static PART parts[2 * ELEMENTS + 3];                                                       \
        PART *halves = parts;                                                                      \
        if ((uintptr_t)halves % sizeof(TYPE) == 0)                                                 \
            halves++;                                                                              \
        NAME##_add(&streams[0], BLOCKING, (TYPE *)halves, 0);                                      \
        NAME##_add(&streams[2], WAITED, (TYPE *)halves, npes - 1);                                 \
    }
CHECK_UNALIGNED(complexf, float _Complex, float)
CHECK_UNALIGNED(complexd, double _Complex, double)

static void check_wrapping(void)
{
    static int small[2];
    static long large[2];
    const int most = INT_MAX;
    const long long_most = LONG_MAX;
    int next = (me + 1) % npes;
    small[0] = INT_MAX;
    large[0] = LONG_MAX;
    shmem_barrier_all();
    shmemx_int_accumulate(small, &most, 2, 1, next);
    shmemx_long_accumulate(large, &long_most, 2, 1, next);
    shmemx_int_accumulate(small, &most, 0, 1, next);
    shmemx_long_accumulate(large, &long_most, 7, 0, next);
    shmem_barrier_all();
    CHECK(small[0] == INT_MAX - 2 && small[1] == 0);
    CHECK(large[0] == LONG_MAX - 2 && large[1] == 0);
    shmem_barrier_all();
}

/* Integers are added in pairs and fours where 16 bytes lie together: no carry, and no number beside. */
#define CHECK_TOGETHER(TYPE, MOST)                                                                 \
    static void check_##TYPE##s_together(void)                                                     \
    {                                                                                              \
        enum { FIRSTS = 5, COUNTS = 12, LENGTH = 20 };                                             \
        static TYPE sums[FIRSTS][COUNTS][LENGTH] __attribute__((aligned(16)));                     \
        TYPE terms[LENGTH];                                                                        \
        for (int i = 0; i < LENGTH; i++)                                                           \
            terms[i] = (TYPE)(i % 2 ? (MOST)-i : -1 - i);                                          \
        shmem_barrier_all();                                                                       \
        for (size_t first = 0; first < FIRSTS; first++)                                            \
            for (size_t count = 0; count < COUNTS; count++)                                        \
                shmemx_##TYPE##_accumulate(&sums[first][count][first], &terms[first % 3], -3, count, \
                                           (me + 1) % npes);                                       \
        shmem_barrier_all();                                                                       \
        for (size_t at = 0; at < FIRSTS * COUNTS * LENGTH; at++) {                                 \
            size_t first = at / (COUNTS * LENGTH), count = at / LENGTH % COUNTS, i = at % LENGTH;  \
            int is_added = i >= first && i < first + count;                                       \
            unsigned long term = (unsigned long)terms[(i - first + first % 3) % LENGTH];           \
            CHECK(sums[first][count][i] == (is_added ? (TYPE)(-3 * term) : 0));                    \
        }                                                                                          \
        shmem_barrier_all();                                                                       \
    }
CHECK_TOGETHER(int, INT_MAX)
CHECK_TOGETHER(long, LONG_MAX)

/* Accumulates and the atomic operations on the same words. */
static void check_with_atomics(void)
{
    enum { STEPS = 300 };
    static long words[8];
    static int ints[8];
    const long ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    const int small_ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int i = 0; i < STEPS; i++) {
        shmemx_long_accumulate(words, ones, 3, 8, i % npes);
        shmem_long_atomic_add(&words[i % 8], 1, i % npes);
        shmemx_int_accumulate_nb(ints, small_ones, -2, 8, i % npes, NULL);
        (void)shmem_int_atomic_fetch_add(&ints[i % 8], 1, i % npes);
    }
    shmem_barrier_all();
    for (int cell = 0; cell < 8; cell++) {
        long expected = 0, small = 0;
        for (int i = 0; i < STEPS; i++)
            if (i % npes == me) {
                expected += npes * (3 + (i % 8 == cell));
                small += npes * (-2 + (i % 8 == cell));
            }
        CHECK_EQ(words[cell], expected);
        CHECK_EQ(ints[cell], small);
    }
    shmem_barrier_all();
}

/* Sums that PEs of odd numbers take away by swaps while the others add: of what was added, each number is taken once
 * or is still there. The first swap comes in the middle of accumulates. */
#define CHECK_TAKEN(NAME, TYPE)                                                                    \
    static void check_taken_##NAME(void)                                                           \
    {                                                                                              \
        enum { SUMS = 1024, SWAPS = 20 };                                                          \
        static TYPE sums[SUMS];                                                                    \
        static double there, all;                                                                  \
        const int steps = shmem_team_n_pes(SHMEM_TEAM_SHARED) == npes ? 8000 : 20;                 \
        TYPE ones[SUMS];                                                                           \
        for (int i = 0; i < SUMS; i++)                                                             \
            ones[i] = 1;                                                                           \
        for (int step = 0; step < steps; step++) {                                                 \
            if (me % 2 == 0)                                                                       \
                shmemx_##NAME##_accumulate(sums, ones, 2, SUMS, 0);                                \
            for (int i = 0; i < SWAPS && me % 2 != 0; i++)                                         \
                there += shmem_##NAME##_atomic_swap(&sums[(step * 5 + i) * 37 % SUMS], 0, 0);      \
        }                                                                                          \
        shmem_barrier_all();                                                                       \
        for (int i = 0; i < SUMS; i++)                                                             \
            there += sums[i];                                                                      \
        shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &all, &there, 1);                                \
        CHECK(all == 2.0 * SUMS * steps * ((npes + 1) / 2));                                       \
        shmem_barrier_all();                                                                       \
    }
CHECK_TAKEN(float, float)
CHECK_TAKEN(double, double)

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    open_streams();
    check_int();
    check_long();
    check_float();
    check_double();
    check_complexf();
    check_complexd();
    check_unaligned_complexf();
    check_unaligned_complexd();
    check_wrapping();
    check_ints_together();
    check_longs_together();
    check_with_atomics();
    check_taken_double();
    check_taken_float();
    close_streams();
    return test_finish();
}
