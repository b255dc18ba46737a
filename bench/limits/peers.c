/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operations of node/peers.c between two processes by plain loops, under the names that they have
 * there: with the same stores to the source before each, and two flags for a barrier behind. No rank, size,
 * type or algorithm is looked up. Where there are several ways of doing it, all are tried in turns, and the
 * fastest is reported: data is read in place, or from a copy in memory that is used in turn, made and read by
 * memcpy or by wide registers, or stored past the caches; longs are added by LOCK ADD, or two at once by CMPXCHG16B, since another process may
 * add to one of them meanwhile.
 */
#include "handover.h"

#include <stdint.h>

struct part {
    char source[2 * MOST], dest[2 * MOST], memory[MEMORY];
};
static struct part *parts[2], *mine, *theirs;
static size_t bytes;
static long pieces;

static void change(int blocks, long value)
{
    for (size_t at = 0; at < (size_t)blocks * bytes; at += LINE)
        *(volatile long *)(mine->source + at) = value;
}

/* Offers bytes at `at` of the source; returns where the other's are that lie at `their`. */
static const char *offer(int way, size_t at, size_t their)
{
    size_t part = way == IN_PLACE ? 0 : take_part(bytes);
    if (way != IN_PLACE)
        stage((enum reading)way, mine->memory + part, mine->source + at, bytes);
    raise_flag(1, turn + 1);
    return way == IN_PLACE ? theirs->source + their : theirs->memory + part;
}

static void allgather(int way)
{
    const char *from = offer(way, 0, 0);
    memcpy(mine->dest + (size_t)bench_me * bytes, mine->source, bytes);
    await_flag(1, turn + 1);
    take((enum reading)way, mine->dest + (size_t)(1 - bench_me) * bytes, from, bytes);
}

static void alltoall(int way)
{
    size_t me = (size_t)bench_me * bytes, other = (size_t)(1 - bench_me) * bytes;
    const char *from = offer(way, other, me);
    memcpy(mine->dest + me, mine->source + me, bytes);
    await_flag(1, turn + 1);
    take((enum reading)way, mine->dest + other, from, bytes);
}

static void broadcast(int way)
{
    size_t part = way == IN_PLACE ? 0 : take_part(bytes), piece;
    for (size_t at = 0; at < bytes; at += piece) {
        piece = way == IN_PLACE || bytes - at < PIECE ? bytes - at : PIECE;
        pieces++;
        if (bench_me == 0) {
            if (way != IN_PLACE)
                stage((enum reading)way, mine->memory + part + at, mine->source + at, piece);
            raise_flag(2, pieces);
        } else {
            await_flag(2, pieces);
            take((enum reading)way, mine->source + at, (way == IN_PLACE ? theirs->source : theirs->memory + part) + at, piece);
        }
    }
}

static void add(long *to, const char *first, const char *second, size_t longs)
{
    const long *a = (const void *)first, *b = (const void *)second;
    for (size_t i = 0; i < longs; i++)
        to[i] = a[i] + b[i];
}

/* Each adds all of it; or each a half, for both. */
static void sum_all(int way)
{
    const char *from = offer(way, 0, 0);
    await_flag(1, turn + 1);
    add((long *)(void *)mine->dest, mine->source, from, bytes / sizeof(long));
}

static void sum_half(int way)
{
    size_t at = bytes / 2 * (size_t)bench_me;
    (void)way;
    raise_flag(1, turn + 1);
    await_flag(1, turn + 1);
    add((long *)(void *)(mine->dest + at), mine->source + at, theirs->source + at, bytes / 2 / sizeof(long));
    memcpy(theirs->dest + at, mine->dest + at, bytes / 2);
}

static void put(int way)
{
    (void)way;
    memcpy(theirs->dest, mine->source, bytes);
}

static void get(int way)
{
    (void)way;
    memcpy(mine->dest, theirs->source, bytes);
}

static void fetch_add(int way)
{
    (void)way;
    BENCH_KEEP(__atomic_fetch_add((long *)(void *)theirs->dest, 1, __ATOMIC_SEQ_CST));
}

static void accumulate_each(int way)
{
    const long *from = (const void *)mine->source;
    long *to = (void *)theirs->dest;
    (void)way;
    for (size_t i = 0; i < bytes / sizeof *to; i++)
        __atomic_fetch_add(to + i, from[i], __ATOMIC_SEQ_CST);
}

/* Two at once, under a lock. */
static void accumulate_doubles(int way)
{
    typedef double pair __attribute__((vector_size(16)));
    static long lock;
    const pair *from = (const void *)mine->source;
    pair *to = (void *)theirs->dest;
    (void)way;
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        limit_pause();
    for (size_t i = 0; i < bytes / sizeof *to; i++)
        to[i] += from[i];
    if (bytes < sizeof *to)
        *(double *)to += *(const double *)from;
    limit_store(&lock, 0);
}

#if defined(__x86_64__)
static void accumulate_pairs(int way)
{
    const uint64_t *from = (const void *)mine->source;
    uint64_t *to = (void *)theirs->dest;
    (void)way;
    for (size_t i = 0; i < bytes / sizeof *to; i += 2) {
        uint64_t low = to[i], high = to[i + 1];
        char is_done;
        do {
            __asm__ volatile("lock; cmpxchg16b %1"
                             : "=@ccz"(is_done), "+m"(*(unsigned __int128 *)(void *)(to + i)), "+a"(low), "+d"(high)
                             : "b"(low + from[i]), "c"(high + from[i + 1])
                             : "memory");
        } while (!is_done);
    }
}
#endif

typedef void operation(int way);

/* A batch: ns per operation. First each page of the memory is used. */
static double time_of(operation *call, int way, int blocks, int alone, long count)
{
    double since = 0;
    for (long i = alone ? -10 : -(long)(MEMORY / (bytes + LINE) < 100 ? MEMORY / (bytes + LINE) : 100); i < count; i++) {
        if (i == 0)
            since = bench_now_ns();
        change(blocks, i);
        call(way);
        if (!alone)
            meet();
    }
    return (bench_now_ns() - since) / (double)count;
}

/* The ways of one operation, in turns. All reads of a source, or one. */
struct way {
    operation *call;
    int reads;
};

static void measure(const char *what, const struct way *ways, int count, int blocks, int alone)
{
    double values[2 * READINGS][BENCH_MAX_BATCHES], least = 0;
    int wanted = (int)bench_setting("BENCH_BATCHES", 9), kinds = 0;
    long ns = bench_setting("BENCH_BATCH_US", 2000) * 1000, rounds = ns / (long)(100 + bytes / 8) + 5;
    for (int batch = 0; batch < wanted; batch++) {
        kinds = 0;
        for (int way = 0; way < count; way++)
            for (int read = 0; read < ways[way].reads; read++)
                values[kinds++][batch] = time_of(ways[way].call, read, blocks, alone, rounds);
    }
    for (int kind = 0; kind < kinds; kind++) {
        double median = bench_median(values[kind], wanted);
        least = kind == 0 || median < least ? median : least;
    }
    bench_report(what, bytes, least, "ns");
}

#define MEASURE(what, blocks, alone, ...)                                                          \
    measure(what, (const struct way[]){__VA_ARGS__},                                               \
            (int)(sizeof((const struct way[]){__VA_ARGS__}) / sizeof(struct way)), blocks, alone)

static void nothing(int way)
{
    (void)way;
}

static void measure_size(void)
{
    MEASURE("MPI_Allreduce + barrier", 1, 0, {sum_all, READINGS}, {sum_half, 1});
    MEASURE("MPI_Bcast + barrier", 1, 0, {broadcast, READINGS});
    MEASURE("MPI_Allgather + barrier", 1, 0, {allgather, READINGS});
    MEASURE("MPI_Alltoall + barrier", 2, 0, {alltoall, READINGS});
    if (bench_me == 0) {
        MEASURE("MPI_Put + flush", 1, 1, {put, 1});
        MEASURE("MPI_Get + flush", 1, 1, {get, 1});
#if defined(__x86_64__)
        MEASURE("MPI_Accumulate + flush", 1, 1, {accumulate_each, 1}, {accumulate_pairs, bytes % 16 == 0});
#else
        MEASURE("MPI_Accumulate + flush", 1, 1, {accumulate_each, 1});
#endif
        MEASURE("MPI_Accumulate of doubles + flush", 1, 1, {accumulate_doubles, 1});
        if (bytes == sizeof(long))
            MEASURE("MPI_Fetch_and_op + flush", 1, 1, {fetch_add, 1});
    }
    meet();
}

int main(void)
{
    char *memory = limit_memory(2 * sizeof(struct part));
    for (int i = 0; i < 2; i++)
        parts[i] = (void *)(memory + (size_t)i * sizeof(struct part));
    limit_start_pair(0);
    mine = parts[bench_me], theirs = parts[1 - bench_me];
    MEASURE("MPI_Barrier", 0, 0, {nothing, 1});
    for (size_t at = 0; (at = bench_next_size(at, MOST)) != 0;) {
        bytes = at;
        measure_size();
    }
    return limit_end();
}
