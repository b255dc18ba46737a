/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each transfer, to every process: what arrives is what was sent, and nothing beside it.
 */
#include "expect.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 64 /* longs of each process that one process writes */

static int me, all;
static void **base;

/* The part of process's memory that process writer uses. */
static long *cells(int process, int writer)
{
    return (long *)base[process] + (size_t)writer * CELLS;
}

static void clear(void)
{
    ARMCI_Barrier();
    memset(base[me], 0, (size_t)all * CELLS * sizeof(long));
    ARMCI_Barrier();
}

/* The next process's cells that this one wrote. */
#define TO   ((me + 1) % all)
#define DEST cells(TO, me)

static void contiguous(armci_hdl_t *handle)
{
    long source[4] = {me + 1, 2, 3, 4}, back[4] = {0};
    CHECK_EQ(ARMCI_Put(source, DEST, sizeof source, TO), 0);
    CHECK_EQ(ARMCI_Get(DEST, back, sizeof back, TO), 0); /* no fence: it sees the put */
    CHECK(memcmp(source, back, sizeof back) == 0);
    ARMCI_NbPut(source, DEST + 8, sizeof source, TO, handle);
    ARMCI_Wait(handle);
    memset(back, 0, sizeof back);
    ARMCI_NbGet(DEST + 8, back, sizeof back, TO, handle);
    while (ARMCI_Test(handle))
        ;
    CHECK(memcmp(source, back, sizeof back) == 0);
    ARMCI_NbPut(source, DEST + 16, sizeof source, TO, NULL);
    ARMCI_WaitProc(TO);
    ARMCI_NbGet(DEST + 16, back, sizeof back, TO, NULL);
    ARMCI_WaitAll();
    CHECK(memcmp(source, back, sizeof back) == 0);
    CHECK_EQ(ARMCI_GetValueLong(DEST + 4, TO), 0);
    clear();
}

/* Many calls in one handle, to all processes. */
static void aggregate(void)
{
    armci_hdl_t handle;
    long value = me + 1;
    ARMCI_SET_AGGREGATE_HANDLE(&handle);
    for (int i = 0; i < 100; i++)
        ARMCI_NbPut(&value, cells(i % all, me) + i % CELLS, sizeof value, i % all, &handle);
    ARMCI_Wait(&handle);
    ARMCI_NbPut(&value, DEST, sizeof value, TO, &handle);
    CHECK_EQ(ARMCI_Test(&handle), 0);
    ARMCI_UNSET_AGGREGATE_HANDLE(&handle);
    for (int i = 0; i < 100; i++)
        CHECK_EQ(ARMCI_GetValueLong(cells(i % all, me) + i % CELLS, i % all), value);
    /* A handle of garbage, and one that is used again before a wait. */
    memset(&handle, 0x55, sizeof handle);
    ARMCI_NbPut(&value, DEST, sizeof value, TO, &handle);
    ARMCI_NbPut(&value, DEST + 1, sizeof value, TO, &handle);
    ARMCI_Wait(&handle);
    CHECK_EQ(ARMCI_GetValueLong(DEST + 1, TO), value);
    clear();
}

#define ACCUMULATE(code, type, scale_value)                                                        \
    do {                                                                                           \
        type source[3] = {1, 2, 3}, scale = scale_value, got[3];                                   \
        void *pieces[] = {&source[0], &source[2]};                                                 \
        void *places[] = {DEST, (type *)(void *)DEST + 2};                                         \
        armci_giov_t list = {pieces, places, sizeof(type), 2};                                     \
        int stride[] = {sizeof(type)}, count[] = {sizeof(type), 3};                                \
        ARMCI_Acc(code, &scale, source, DEST, sizeof source, TO);                                  \
        ARMCI_NbAcc(code, &scale, source, DEST, sizeof source, TO, &handle);                       \
        ARMCI_Wait(&handle);                                                                       \
        ARMCI_AccS(code, &scale, source, stride, DEST, stride, count, 1, TO);                      \
        ARMCI_NbAccS(code, &scale, source, stride, DEST, stride, count, 1, TO, NULL);              \
        ARMCI_WaitProc(TO);                                                                        \
        ARMCI_AccV(code, &scale, &list, 1, TO);                                                    \
        ARMCI_NbAccV(code, &scale, &list, 1, TO, &handle);                                         \
        ARMCI_Wait(&handle);                                                                       \
        ARMCI_Get(DEST, got, sizeof got, TO);                                                      \
        for (int i = 0; i < 3; i++)                                                                \
            CHECK(got[i] == scale * source[i] * (i == 1 ? 4 : 6));                                 \
        clear();                                                                                   \
    } while (0)

static void accumulate(void)
{
    armci_hdl_t handle;
    ARMCI_INIT_HANDLE(&handle);
    ACCUMULATE(ARMCI_ACC_INT, int, -3);
    ACCUMULATE(ARMCI_ACC_LNG, long, 1L << 40);
    ACCUMULATE(ARMCI_ACC_FLT, float, 0.5f);
    ACCUMULATE(ARMCI_ACC_DBL, double, -2.5);
    ACCUMULATE(ARMCI_ACC_CPL, float _Complex, 1 + 2 * I);
    ACCUMULATE(ARMCI_ACC_DCP, double _Complex, 2 - I);
    /* Everybody at once, into process 0; an accumulate follows a put of the same place. */
    long one = 1, scale = 2;
    long *mine = cells(0, me), *shared = cells(0, 0) + 8;
    for (int i = 0; i < 100; i++) {
        long start = i;
        ARMCI_Put(&start, mine, sizeof start, 0);
        ARMCI_Acc(ARMCI_ACC_LNG, &scale, &one, mine, sizeof one, 0);
        CHECK_EQ(ARMCI_GetValueLong(mine, 0), i + 2);
        ARMCI_Acc(ARMCI_ACC_LNG, &scale, &one, shared, sizeof one, 0);
    }
    ARMCI_Barrier();
    CHECK_EQ(ARMCI_GetValueLong(shared, 0), 200 * all);
    clear();
}

/* Everybody at once into more than one lock's memory of process 0, whole and every second element:
 * no sum is lost. */
static void accumulate_at_once(void)
{
    enum { COUNT = 5000, ROUNDS = 20 };
    static double source[COUNT];
    double scale = 2;
    int stride = 2 * sizeof *source, count[] = {sizeof *source, COUNT / 2};
    void **there = malloc((size_t)all * sizeof *there);
    for (int i = 0; i < COUNT; i++)
        source[i] = i;
    ARMCI_Malloc(there, me == 0 ? sizeof source : 0);
    double *sums = there[0];
    if (me == 0)
        memset(sums, 0, sizeof source);
    ARMCI_Barrier();
    for (int i = 0; i < ROUNDS; i++) {
        ARMCI_Acc(ARMCI_ACC_DBL, &scale, source, sums, sizeof source, 0);
        ARMCI_AccS(ARMCI_ACC_DBL, &scale, source, &stride, sums, &stride, count, 1, 0);
    }
    ARMCI_Barrier();
    for (int i = 0; i < COUNT && me == 0; i++)
        CHECK(sums[i] == 2. * i * ROUNDS * all * (i % 2 ? 1 : 2));
    ARMCI_Barrier();
    ARMCI_Free(there[me]);
    free(there);
}

/* Everybody at once, from any address: plain additions, and such that stand beside ARMCI_Rmw. */
static void accumulate_integers_at_once(void)
{
    enum { COUNT = 300, ROUNDS = 2000 };
    int source[COUNT + 1], one = 1, was;
    char *odd = (char *)source + 1;
    void **there = malloc((size_t)all * sizeof *there);
    for (int i = 0; i < COUNT; i++)
        memcpy(odd + i * (int)sizeof one, &one, sizeof one);
    ARMCI_Malloc(there, me == 0 ? COUNT * sizeof one : 0);
    int *sums = there[0];
    if (me == 0)
        memset(sums, 0, COUNT * sizeof one);
    ARMCI_Barrier();
    for (int i = 0; i < ROUNDS; i++) {
        ARMCI_Acc(ARMCI_ACC_INT, &one, odd, sums, COUNT * sizeof one, 0);
        if (i >= ROUNDS / 2)
            ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &was, &sums[i % COUNT], 1, 0);
    }
    ARMCI_Barrier();
    long total = 0;
    for (int i = 0; i < COUNT && me == 0; i++)
        total += sums[i];
    CHECK_EQ(total, me == 0 ? (long)all * (COUNT * ROUNDS + ROUNDS / 2) : 0);
    ARMCI_Barrier();
    ARMCI_Free(there[me]);
    free(there);
}

/* A pair whose halves lie in two locks' memory, wherever that ends: at no multiple of its size. */
static void accumulate_pairs(void)
{
    enum { COUNT = 5000 };
    static double _Complex source[COUNT], got[COUNT];
    double _Complex scale = 2;
    void **there = malloc((size_t)all * sizeof *there);
    for (int i = 0; i < COUNT; i++)
        source[i] = i + I;
    ARMCI_Malloc(there, sizeof source + sizeof(double));
    memset(there[me], 0, sizeof source + sizeof(double));
    ARMCI_Barrier();
    double *odd = (double *)there[TO] + 1;
    ARMCI_Acc(ARMCI_ACC_DCP, &scale, source, odd, sizeof source, TO);
    ARMCI_Get(odd, got, sizeof got, TO);
    for (int i = 0; i < COUNT; i++)
        CHECK(got[i] == 2 * source[i]);
    ARMCI_Barrier();
    ARMCI_Free(there[me]);
    free(there);
}

/* A field of eight and of nine dimensions, two by two by two, of which every second element goes.
 */
static void strided(armci_hdl_t *handle)
{
    enum { LEVELS = ARMCI_MAX_STRIDE_LEVEL, ELEMENTS = 1 << LEVELS };
    static char source[2 * ELEMENTS], back[2 * ELEMENTS], packed[ELEMENTS];
    int here[LEVELS], there[LEVELS], count[LEVELS + 1] = {1};
    for (int i = 0; i < LEVELS; i++) {
        here[i] = 2 << i;
        there[i] = 1 << i;
        count[i + 1] = 2;
    }
    for (int i = 0; i < 2 * ELEMENTS; i++)
        source[i] = (char)(me + i);
    char *dest = (char *)DEST;
    for (int levels = 0; levels <= LEVELS; levels++)
        for (int late = 0; late < 2; late++) {
            memset(back, 0, sizeof back);
            if (late) {
                ARMCI_NbPutS(source, here, dest, there, count, levels, TO, handle);
                ARMCI_Wait(handle);
                ARMCI_NbGetS(dest, there, back, here, count, levels, TO, handle);
                ARMCI_Wait(handle);
            } else {
                ARMCI_PutS(source, here, dest, there, count, levels, TO);
                ARMCI_GetS(dest, there, back, here, count, levels, TO);
            }
            for (int i = 0; i < 2 * ELEMENTS; i++)
                CHECK_EQ(back[i], i < 2 << levels && i % 2 == 0 ? source[i] : 0);
            ARMCI_Get(dest, packed, 1 << levels, TO);
            for (int i = 0; i < 1 << levels; i++)
                CHECK_EQ(packed[i], source[2 * i]);
        }
    armci_write_strided(source, LEVELS, here, count, packed);
    memset(back, 0, sizeof back);
    armci_read_strided(back, LEVELS, here, count, packed);
    for (int i = 0; i < 2 * ELEMENTS; i++)
        CHECK_EQ(back[i], i % 2 == 0 ? source[i] : 0);
    count[1] = 0; /* nothing */
    ARMCI_PutS(source + 1, here, dest, there, count, 1, TO);
    CHECK_EQ(ARMCI_GetValueInt(dest, TO) & 255, source[0] & 255);
    clear();
}

/* Runs that lie over each other, and doubles that lie at no whole distance here. */
static void strides_below_a_run(armci_hdl_t *handle)
{
    long one[] = {7, 8}, got[6];
    int none[] = {0}, apart[] = {16}, run_and_half[] = {12}, count[] = {16, 3};
    ARMCI_PutS(one, none, DEST, apart, count, 1, TO); /* one run, three times */
    ARMCI_NbGetS(DEST, none, got, apart, count, 1, TO, handle);
    ARMCI_Wait(handle);
    for (int i = 0; i < 6; i++)
        CHECK_EQ(got[i], 7 + i % 2);
    double scale = 2, ends[] = {1, 10};
    char numbers[20];
    memcpy(numbers, &ends[0], sizeof *ends);
    memcpy(numbers + 12, &ends[1], sizeof *ends);
    clear();
    count[0] = sizeof *ends, count[1] = 2;
    ARMCI_AccS(ARMCI_ACC_DBL, &scale, numbers, run_and_half, DEST, none, count, 1, TO);
    CHECK(ARMCI_GetValueDouble(DEST, TO) == 2 * (1 + 10));
    clear();
}

static void vectors(armci_hdl_t *handle)
{
    enum { PIECES = 100 };
    short source[PIECES], back[PIECES];
    void *from[PIECES], *to[PIECES], *into[PIECES];
    for (int i = 0; i < PIECES; i++) {
        source[i] = (short)(1000 * me + i);
        from[i] = &source[i];
        to[i] = (short *)(void *)DEST + 2 * (PIECES - 1 - i);
        into[i] = &back[i];
    }
    armci_giov_t put = {from, to, sizeof(short), PIECES}, get = {to, into, sizeof(short), PIECES};
    armci_giov_t halves[] = {{to, into, sizeof(short), PIECES / 2},
                             {to + PIECES / 2, into + PIECES / 2, sizeof(short), PIECES / 2}};
    ARMCI_PutV(&put, 1, TO);
    memset(back, 0, sizeof back);
    ARMCI_GetV(&get, 1, TO);
    CHECK(memcmp(source, back, sizeof back) == 0);
    clear();
    ARMCI_NbPutV(&put, 1, TO, handle);
    ARMCI_Wait(handle);
    memset(back, 0, sizeof back);
    ARMCI_NbGetV(halves, 2, TO, handle);
    ARMCI_Wait(handle);
    CHECK(memcmp(source, back, sizeof back) == 0);
    clear();
}

#define VALUE(name, type)                                                                          \
    do {                                                                                           \
        ARMCI_PutValue##name((type)(me + 7), DEST, TO);                                            \
        CHECK(ARMCI_GetValue##name(DEST, TO) == (type)(me + 7));                                   \
        ARMCI_NbPutValue##name((type)(me + 8), DEST, TO, handle);                                  \
        ARMCI_Wait(handle);                                                                        \
        CHECK(ARMCI_GetValue##name(DEST, TO) == (type)(me + 8));                                   \
    } while (0)

static void values_and_flags(armci_hdl_t *handle)
{
    VALUE(Int, int);
    VALUE(Long, long);
    VALUE(Float, float);
    VALUE(Double, double);
    clear();
    long source[8] = {me, 1, 2, 3, 4, 5, 6, 7};
    int strides[] = {16}, count[] = {8, 4}, from = (me + all - 1) % all;
    volatile int *flag = (int *)(cells(me, from) + 32);
    ARMCI_Put_flag(source, DEST, sizeof source, (int *)(DEST + 32), 5, TO);
    while (*flag != 5)
        ARMCIX_Progress();
    ARMCI_Access_begin(base[me]);
    CHECK_EQ(cells(me, from)[0], from);
    CHECK_EQ(cells(me, from)[7], 7);
    ARMCI_Access_end(base[me]);
    ARMCI_Barrier();
    ARMCI_PutS_flag(source, strides, DEST + 8, strides, count, 1, (int *)(DEST + 32), 6, TO);
    while (*flag != 6)
        ARMCIX_Progress();
    CHECK_EQ(cells(me, from)[14], 6);
    clear();
}

/* What is in no allocation is the caller's own. */
static void private_memory(void)
{
    long a[4] = {1, 2, 3, 4}, *b = ARMCI_Malloc_local(sizeof a);
    int strides[] = {16}, count[] = {8, 2};
    ARMCI_Put(a, b, sizeof a, me);
    CHECK_EQ(b[3], 4);
    ARMCI_Copy(b + 1, b, 8);
    ARMCI_Get(b, a + 1, 8, me);
    CHECK_EQ(a[1], 2);
    b[0] = b[2] = 9;
    ARMCI_PutS(b, strides, a, strides, count, 1, me);
    CHECK_EQ(a[0] + a[1] + a[2] + a[3], 9 + 2 + 9 + 4);
    ARMCI_Free_local(b);
}

int main(void)
{
    CHECK_EQ(ARMCI_Initialized(), 0);
    CHECK_EQ(ARMCI_Init(), 0);
    CHECK_EQ(ARMCI_Init(), 0); /* counts */
    CHECK_EQ(ARMCI_Initialized(), 1);
    armci_hdl_t handle;
    ARMCI_INIT_HANDLE(&handle);
    me = armci_msg_me();
    all = armci_msg_nproc();
    base = calloc((size_t)all, sizeof *base);
    CHECK_EQ(ARMCI_Malloc(base, (armci_size_t)((size_t)all * CELLS * sizeof(long))), 0);
    clear();
    contiguous(&handle);
    aggregate();
    accumulate();
    accumulate_at_once();
    accumulate_integers_at_once();
    accumulate_pairs();
    strided(&handle);
    strides_below_a_run(&handle);
    vectors(&handle);
    values_and_flags(&handle);
    private_memory();
    ARMCI_Put(&me, DEST, sizeof me, TO);
    ARMCI_Fence(TO);
    ARMCI_AllFence();
    CHECK_EQ(ARMCI_Free(base[me]), 0);
    ARMCI_Finalize();
    CHECK_EQ(ARMCI_Initialized(), 1);
    ARMCI_Finalize();
    CHECK_EQ(ARMCI_Initialized(), 0);
    free(base);
    return 0;
}
