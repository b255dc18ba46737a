/* SPDX-License-Identifier: BSD-3-Clause
 * See way.h.
 */
#include "core/access/copy/way.h"

#include "base/clock.h"
#include "base/os/cache.h"
#include "base/stream.h"
#include "boot/boot.h"
#include "core/access/copy/learner.h"
#include "core/pe/job.h"

#include <string.h>

size_t sheaf_copy_long_from = SIZE_MAX;

/* Classes of lengths, each up to twice the one below: of whole copies, and of parts of collectives and
 * of the copier's. In these more PEs copy at once, and from data that another PE has just written. */
enum { WHOLE, PART, KINDS };
#define CLASSES 12
static struct {
    uint32_t is_taken; /* by the thread whose copy is timed */
    struct sheaf_copy_learner learner;
} classes[KINDS][CLASSES];

static struct {
    const size_t *bytes;
    const uint8_t *ways;
    int count;
} rules;

static int class_of(size_t bytes)
{
    int class = 63 - __builtin_clzl(bytes / SHEAF_COPY_LEAST_LEARNED | 1);
    return class < CLASSES ? class : CLASSES - 1;
}

static int way_by_rule(size_t bytes)
{
    for (int rule = 0; rule < rules.count; rule++)
        if (bytes <= rules.bytes[rule])
            return rules.ways[rule];
    return SHEAF_COPY_MEMCPY;
}

/* From which length on a rule has another way than memcpy, which the fastest may be. */
static size_t long_from(void)
{
    size_t from = 0;
    int rule = 0;
    for (; rule < rules.count && rules.ways[rule] == SHEAF_COPY_MEMCPY; rule++)
        from = rules.bytes[rule] < SIZE_MAX ? rules.bytes[rule] + 1 : SIZE_MAX;
    if (rule == rules.count)
        return SIZE_MAX;
    if (rules.ways[rule] != SHEAF_COPY_AUTO)
        return from;
    if (!sheaf_stream_way() && !sheaf_vector_way())
        return SIZE_MAX;
    return from > SHEAF_COPY_LEAST_LEARNED ? from : SHEAF_COPY_LEAST_LEARNED;
}

/* Shorter copies never stream, even where the copy itself would take less time: the PE that reads dest next
 * finds it in a cache, its own or the writer's. A put of 64 KiB that the target then reads takes 10.7 us by
 * memcpy and 14.0 past the caches (bench/node/signal.c, Intel Xeon at 2.5 GHz, Cascade Lake). */
#define LEAST_STREAMED ((size_t)2 << 20)

/* The number of PEs that can run at once and share one last-level cache. */
static int sharing_pes(const struct sheaf_cache *cache)
{
    int cpus = sheaf_job_cpus();
    int running = sheaf_boot.host_npes < cpus ? sheaf_boot.host_npes : cpus;
    return running < cache->cpus ? running : cache->cpus;
}

/* The length from which a copy streams until its class has had a trial. A copy touches twice its
 * length. Where that is more than a PE's share of the last-level cache, memcpy waits for memory.
 * Measured with two PEs on 32 MiB of cache, the time of streaming over that of memcpy is 1.2 to 1.4
 * for 4 MiB, 0.6 to 0.8 for 8 MiB and 0.6 to 0.75 for 16 MiB and more, with one PE copying or both. */
static size_t usual_from(void)
{
    struct sheaf_cache cache = sheaf_cache_last();
    if (cache.bytes == 0 || !sheaf_stream_way())
        return SIZE_MAX;
    size_t share = cache.bytes / (size_t)sharing_pes(&cache) / 2;
    return share > LEAST_STREAMED ? share : LEAST_STREAMED;
}

static void begin_learning(void)
{
    size_t from = usual_from();
    unsigned through = 1U << SHEAF_COPY_MEMCPY | (sheaf_vector_way() ? 1U << SHEAF_COPY_VECTOR : 0);
    unsigned past = 1U << SHEAF_COPY_MEMCPY | (sheaf_stream_way() ? 1U << SHEAF_COPY_STREAM : 0);
    for (int class = 0; class < CLASSES; class++) {
        size_t least = SHEAF_COPY_LEAST_LEARNED << class;
        int way = least < from ? SHEAF_COPY_MEMCPY : SHEAF_COPY_STREAM;
        for (int kind = 0; kind < KINDS; kind++)
            sheaf_learner_begin(&classes[kind][class].learner, least < LEAST_STREAMED ? through : past,
                                way);
    }
}

void sheaf_copy_set_rules(const size_t *bytes, const uint8_t *ways, int count)
{
    rules.bytes = bytes;
    rules.ways = ways;
    rules.count = count;
    sheaf_copy_long_from = long_from();
    begin_learning();
}

static void copy_by(int way, void *dest, const void *source, size_t bytes)
{
    if (way == SHEAF_COPY_STREAM)
        sheaf_stream_copy(dest, source, bytes);
    else if (way == SHEAF_COPY_VECTOR)
        sheaf_vector_copy(dest, source, bytes);
    else
        memcpy(dest, source, bytes);
}

static __attribute__((noinline)) void copy_timed(struct sheaf_copy_learner *learner, char *dest,
                                                 const char *source, size_t bytes)
{
    while (bytes > 0) {
        size_t piece = sheaf_learner_piece(learner, bytes);
        uint64_t since = sheaf_clock_ns();
        copy_by(sheaf_learner_way(learner), dest, source, piece);
        sheaf_learner_took(learner, piece, sheaf_clock_ns() - since);
        dest += piece;
        source += piece;
        bytes -= piece;
    }
}

/* The class is that of total. Of two threads whose copies are to be timed at once, one is. */
static void copy_learned(int kind, void *dest, const void *source, size_t bytes, size_t total)
{
    uint32_t *is_taken = &classes[kind][class_of(total)].is_taken;
    struct sheaf_copy_learner *learner = &classes[kind][class_of(total)].learner;
    if (sheaf_unlikely(sheaf_learner_is_due(learner, bytes)) &&
        !__atomic_exchange_n(is_taken, 1U, __ATOMIC_ACQUIRE)) {
        copy_timed(learner, dest, source, bytes);
        sheaf_store_release(is_taken, 0U); /* read by the exchange above */
    } else {
        copy_by((int)sheaf_load_relaxed(&learner->way), dest, source, bytes);
    }
}

static void copy_long(int kind, void *dest, const void *source, size_t bytes, size_t total)
{
    int way = way_by_rule(total);
    if (way == SHEAF_COPY_AUTO && total >= SHEAF_COPY_LEAST_LEARNED)
        copy_learned(kind, dest, source, bytes, total);
    else
        copy_by(way, dest, source, bytes);
}

void sheaf_copy_long_whole(void *dest, const void *source, size_t bytes)
{
    copy_long(WHOLE, dest, source, bytes, bytes);
}

void sheaf_copy_long_part(void *dest, const void *source, size_t bytes, size_t total)
{
    copy_long(PART, dest, source, bytes, total);
}
