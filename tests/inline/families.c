/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every inline form against the library's function, for all types with their limits, on the next
 * PE: "quick" is what the inline forms wrote and returned, "called" what the functions did. Plain
 * and with the default context. Compiled as C and, by families.cc, as C++.
 */
#include "types.h"

#include "check.h"

#include <pshmem.h>
#include <shmemx_inline.h>
#include <string.h>

enum { VALUES = 5 };

static int me, npes, right, left;

/* The PEs' values differ: each begins elsewhere in the row. */
#define ROW(TYPE, LEAST, GREATEST) static const TYPE row[VALUES] = {LEAST, GREATEST, 0, 1, 100}
#define VALUE(PE, I)               row[((PE) + (I)) % VALUES]

#define NO_CONTEXT(...) (__VA_ARGS__)
#define CONTEXT(...)    (SHMEM_CTX_DEFAULT, __VA_ARGS__)

static void next_phase(void)
{
    shmem_quiet();
    pshmem_barrier_all();
}

/* put with a count that the compiler knows: 1, 3 and, where that is short enough, 4 elements. */
#define COPY_FORMS(ID, QUICK, CALLED, SUFFIX, C, TYPE, LEAST, GREATEST)                            \
    static void copy_##ID(void)                                                                    \
    {                                                                                              \
        ROW(TYPE, LEAST, GREATEST);                                                                \
        static TYPE quick[8], called[8];                                                           \
        TYPE source[8], got[8] = {0}, expected[8] = {0};                                           \
        for (int i = 0; i < 8; i++) {                                                              \
            source[i] = VALUE(me, i);                                                              \
            quick[i] = called[i] = VALUE(me, i + 1);                                               \
        }                                                                                          \
        next_phase();                                                                              \
        QUICK##_put##SUFFIX C(quick, source, 1, right);                                            \
        QUICK##_put##SUFFIX C(quick + 1, source + 1, 3, right);                                    \
        QUICK##_put##SUFFIX C(quick + 4, source + 3, 4, right);                                    \
        QUICK##_put##SUFFIX C(quick, source, 0, right);                                            \
        CALLED##_put##SUFFIX C(called, source, 1, right);                                          \
        CALLED##_put##SUFFIX C(called + 1, source + 1, 3, right);                                  \
        CALLED##_put##SUFFIX C(called + 4, source + 3, 4, right);                                  \
        next_phase();                                                                              \
        for (int i = 0; i < 8; i++) {                                                              \
            CHECK(quick[i] == called[i]);                                                          \
            CHECK(quick[i] == VALUE(left, i < 4 ? i : i - 1));                                     \
        }                                                                                          \
        QUICK##_get##SUFFIX C(got, quick, 1, right);                                               \
        QUICK##_get##SUFFIX C(got + 1, quick + 1, 3, right);                                       \
        QUICK##_get##SUFFIX C(got + 4, quick + 3, 4, right);                                       \
        CALLED##_get##SUFFIX C(expected, called, 4, right);                                        \
        CALLED##_get##SUFFIX C(expected + 4, called + 3, 4, right);                                \
        shmem_quiet();                                                                             \
        for (int i = 0; i < 8; i++) {                                                              \
            CHECK(got[i] == expected[i]);                                                          \
            CHECK(got[i] == VALUE(me, i < 4 ? i : i == 4 ? 3 : i - 2));                            \
        }                                                                                          \
        next_phase();                                                                              \
    }

#define ELEMENT_FORMS(ID, QUICK, CALLED, C, TYPE, LEAST, GREATEST)                                 \
    static void element_##ID(void)                                                                 \
    {                                                                                              \
        ROW(TYPE, LEAST, GREATEST);                                                                \
        static TYPE quick[VALUES], called[VALUES];                                                 \
        next_phase();                                                                              \
        for (int i = 0; i < VALUES; i++) {                                                         \
            QUICK##_p C(&quick[i], VALUE(me, i), right);                                           \
            CALLED##_p C(&called[i], VALUE(me, i), right);                                         \
        }                                                                                          \
        next_phase();                                                                              \
        for (int i = 0; i < VALUES; i++) {                                                         \
            CHECK(quick[i] == VALUE(left, i) && called[i] == quick[i]);                            \
            CHECK(QUICK##_g C(&quick[i], right) == VALUE(me, i));                                  \
            CHECK(QUICK##_g C(&quick[i], right) == CALLED##_g C(&quick[i], right));                \
        }                                                                                          \
        next_phase();                                                                              \
    }

#define RMA(NAME, TYPE, LEAST, GREATEST)                                                           \
    COPY_FORMS(NAME, shmem_##NAME, pshmem_##NAME, , NO_CONTEXT, TYPE, LEAST, GREATEST)             \
    COPY_FORMS(NAME##_nbi, shmem_##NAME, pshmem_##NAME, _nbi, NO_CONTEXT, TYPE, LEAST, GREATEST)   \
    COPY_FORMS(NAME##_ctx, shmem_ctx_##NAME, pshmem_ctx_##NAME, , CONTEXT, TYPE, LEAST, GREATEST)  \
    COPY_FORMS(NAME##_ctx_nbi, shmem_ctx_##NAME, pshmem_ctx_##NAME, _nbi, CONTEXT, TYPE, LEAST,    \
               GREATEST)                                                                           \
    ELEMENT_FORMS(NAME, shmem_##NAME, pshmem_##NAME, NO_CONTEXT, TYPE, LEAST, GREATEST)            \
    ELEMENT_FORMS(NAME##_ctx, shmem_ctx_##NAME, pshmem_ctx_##NAME, CONTEXT, TYPE, LEAST, GREATEST)
TYPES_RMA(RMA)

/* One operation on two cells that hold the same: results and cells must be the same after it.
 * Operands stand in parentheses, with the comma that belongs to them. */
#define STRIP(...) __VA_ARGS__
#define STEP(CALLS)                                                                                \
    do {                                                                                           \
        result = expected = 0;                                                                     \
        pshmem_putmem(quick, &start, sizeof start, right);                                         \
        pshmem_putmem(called, &start, sizeof start, right);                                        \
        CALLS                                                                                      \
        pshmem_quiet();                                                                            \
        CHECK(result == expected);                                                                 \
        pshmem_getmem(&result, quick, sizeof result, right);                                       \
        pshmem_getmem(&expected, called, sizeof expected, right);                                  \
        CHECK(result == expected);                                                                 \
    } while (0);
#define SILENT(CALL, BEFORE, AFTER)                                                                \
    STEP(shmem_##CALL(STRIP BEFORE quick STRIP AFTER);                                             \
         pshmem_##CALL(STRIP BEFORE called STRIP AFTER);)
#define RETURNING(CALL, BEFORE, AFTER)                                                             \
    STEP(result = shmem_##CALL(STRIP BEFORE quick STRIP AFTER);                                    \
         expected = pshmem_##CALL(STRIP BEFORE called STRIP AFTER);)
#define FETCHING(CALL, BEFORE, AFTER)                                                              \
    STEP(shmem_##CALL(STRIP BEFORE &result, quick STRIP AFTER);                                    \
         pshmem_##CALL(STRIP BEFORE &expected, called STRIP AFTER);)

/* The forms of an operation: plain, with the default context, nonblocking. */
#define SILENT_FORMS(NAME, OPERATION, AFTER)                                                       \
    SILENT(NAME##_atomic_##OPERATION, (), AFTER)                                                   \
    SILENT(ctx_##NAME##_atomic_##OPERATION, (SHMEM_CTX_DEFAULT,), AFTER)
#define RETURNING_FORMS(NAME, OPERATION, AFTER)                                                    \
    RETURNING(NAME##_atomic_##OPERATION, (), AFTER)                                                \
    RETURNING(ctx_##NAME##_atomic_##OPERATION, (SHMEM_CTX_DEFAULT,), AFTER)                        \
    FETCHING(NAME##_atomic_##OPERATION##_nbi, (), AFTER)                                           \
    FETCHING(ctx_##NAME##_atomic_##OPERATION##_nbi, (SHMEM_CTX_DEFAULT,), AFTER)

/* STEPS for all pairs of a value that the cell holds and a value given. */
#define PAIRS(ID, TYPE, LEAST, GREATEST, STEPS)                                                    \
    static void ID(void)                                                                           \
    {                                                                                              \
        ROW(TYPE, LEAST, GREATEST);                                                                \
        static TYPE cells[2];                                                                      \
        TYPE *quick = &cells[0], *called = &cells[1], result, expected;                            \
        next_phase();                                                                              \
        for (int i = 0; i < VALUES * VALUES; i++) {                                                \
            const TYPE start = VALUE(me, i / VALUES), value = VALUE(me, i % VALUES);               \
            STEPS                                                                                  \
        }                                                                                          \
    }

#define EXTENDED(NAME, TYPE, LEAST, GREATEST)                                                      \
    PAIRS(extended_##NAME, TYPE, LEAST, GREATEST,                                                  \
          RETURNING(NAME##_fetch, (), (, right))                                                   \
          SILENT(NAME##_set, (), (, value, right))                                                 \
          RETURNING(NAME##_swap, (), (, value, right))                                             \
          RETURNING_FORMS(NAME, fetch, (, right))                                                  \
          SILENT_FORMS(NAME, set, (, value, right))                                                \
          RETURNING_FORMS(NAME, swap, (, value, right)))
TYPES_EXTENDED(EXTENDED)

/* The comparison succeeds in the steps with start, and in one pair of five with value. */
#define ATOMIC(NAME, TYPE, LEAST, GREATEST)                                                        \
    PAIRS(atomic_##NAME, TYPE, LEAST, GREATEST,                                                    \
          RETURNING(NAME##_cswap, (), (, start, value, right))                                     \
          RETURNING(NAME##_finc, (), (, right))                                                    \
          SILENT(NAME##_inc, (), (, right))                                                        \
          RETURNING(NAME##_fadd, (), (, value, right))                                             \
          SILENT(NAME##_add, (), (, value, right))                                                 \
          RETURNING_FORMS(NAME, compare_swap, (, start, value, right))                             \
          RETURNING_FORMS(NAME, compare_swap, (, value, 77, right))                                \
          RETURNING_FORMS(NAME, fetch_inc, (, right))                                              \
          SILENT_FORMS(NAME, inc, (, right))                                                       \
          RETURNING_FORMS(NAME, fetch_add, (, value, right))                                       \
          SILENT_FORMS(NAME, add, (, value, right)))
TYPES_ATOMIC(ATOMIC)

#define BITWISE(NAME, TYPE, LEAST, GREATEST)                                                       \
    PAIRS(bitwise_##NAME, TYPE, LEAST, GREATEST,                                                   \
          RETURNING_FORMS(NAME, fetch_and, (, value, right))                                       \
          RETURNING_FORMS(NAME, fetch_or, (, value, right))                                        \
          RETURNING_FORMS(NAME, fetch_xor, (, value, right))                                       \
          SILENT_FORMS(NAME, and, (, value, right))                                                \
          SILENT_FORMS(NAME, or, (, value, right))                                                 \
          SILENT_FORMS(NAME, xor, (, value, right)))
TYPES_BITWISE(BITWISE)

/* Sized copies of 1 element, of as many as make 64 bytes, above which they are calls, and 1 more. */
enum { AREA = 128 };
static unsigned char sent[AREA], quick_area[AREA], called_area[AREA];

static void fill(unsigned char *area, int pe)
{
    for (int i = 0; i < AREA; i++)
        area[i] = (unsigned char)(7 * i + 13 * pe + 1);
}

static void check_area(const unsigned char *area, int pe, size_t bytes)
{
    unsigned char expected[AREA];
    fill(expected, pe);
    memset(expected + bytes, 0, AREA - bytes);
    CHECK(memcmp(area, expected, AREA) == 0);
}

#define SIZED_STEP(PREFIX, SIZE, SUFFIX, BYTES, COUNT, BEFORE)                                     \
    do {                                                                                           \
        unsigned char got[AREA] = {0};                                                             \
        memset(quick_area, 0, AREA);                                                               \
        memset(called_area, 0, AREA);                                                              \
        next_phase();                                                                              \
        PREFIX##put##SIZE##SUFFIX(STRIP BEFORE quick_area, sent, COUNT, right);                    \
        p##PREFIX##put##SIZE##SUFFIX(STRIP BEFORE called_area, sent, COUNT, right);                \
        PREFIX##get##SIZE##SUFFIX(STRIP BEFORE got, sent, COUNT, right);                           \
        next_phase();                                                                              \
        check_area(quick_area, left, (COUNT) * (BYTES));                                           \
        check_area(called_area, left, (COUNT) * (BYTES));                                          \
        check_area(got, right, (COUNT) * (BYTES));                                                 \
        next_phase();                                                                              \
    } while (0);
#define SIZED_FORMS(SIZE, BYTES, COUNT)                                                            \
    SIZED_STEP(shmem_, SIZE, , BYTES, COUNT, ())                                                   \
    SIZED_STEP(shmem_, SIZE, _nbi, BYTES, COUNT, ())                                               \
    SIZED_STEP(shmem_ctx_, SIZE, , BYTES, COUNT, (SHMEM_CTX_DEFAULT,))                             \
    SIZED_STEP(shmem_ctx_, SIZE, _nbi, BYTES, COUNT, (SHMEM_CTX_DEFAULT,))
#define SIZED(SIZE, BYTES)                                                                         \
    static void sized_##SIZE(void)                                                                 \
    {                                                                                              \
        SIZED_FORMS(SIZE, BYTES, 1)                                                                \
        SIZED_FORMS(SIZE, BYTES, 64 / BYTES)                                                       \
        SIZED_FORMS(SIZE, BYTES, 64 / BYTES + 1)                                                   \
    }
SIZED(8, 1)
SIZED(16, 2)
SIZED(32, 4)
SIZED(64, 8)
SIZED(128, 16)
SIZED(mem, 1)

static void copies_of_odd_lengths(void)
{
    SIZED_FORMS(mem, 1, 3)
    SIZED_FORMS(mem, 1, 7)
    SIZED_FORMS(mem, 1, 31)
    SIZED_FORMS(mem, 1, 63)
}

#define CALL_RMA(NAME, TYPE, LEAST, GREATEST)                                                      \
    copy_##NAME();                                                                                 \
    copy_##NAME##_nbi();                                                                           \
    copy_##NAME##_ctx();                                                                           \
    copy_##NAME##_ctx_nbi();                                                                       \
    element_##NAME();                                                                              \
    element_##NAME##_ctx();
#define CALL_EXTENDED(NAME, TYPE, LEAST, GREATEST) extended_##NAME();
#define CALL_ATOMIC(NAME, TYPE, LEAST, GREATEST)   atomic_##NAME();
#define CALL_BITWISE(NAME, TYPE, LEAST, GREATEST)  bitwise_##NAME();

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    CHECK_EQ(me, pshmem_my_pe());
    CHECK_EQ(npes, pshmem_n_pes());
    right = (me + 1) % npes;
    left = (me + npes - 1) % npes;
    fill(sent, me);
    TYPES_RMA(CALL_RMA)
    TYPES_EXTENDED(CALL_EXTENDED)
    TYPES_ATOMIC(CALL_ATOMIC)
    TYPES_BITWISE(CALL_BITWISE)
    sized_8();
    sized_16();
    sized_32();
    sized_64();
    sized_128();
    sized_mem();
    copies_of_odd_lengths();
    return test_finish();
}
