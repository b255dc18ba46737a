/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two processes that hand each other what they have just written (handover.h). First both at once, as fcollect,
 * then one of them, in pieces, as broadcast. The time is from one exchange to the next, with the stores to a word of
 * each line of the source. Between the exchanges each process writes to STAGED_TOUCH KiB of other memory (without it
 * none); that is no part of the time.
 */
#include "handover.h"

static char *sources[2], *dests[2], *memories[2], *own, *touched;
static size_t bytes;

static void change(char *source, long value)
{
    for (size_t at = 0; at < bytes; at += LINE)
        *(volatile long *)(source + at) = value;
}

static void collect(enum reading way, long round)
{
    int is_staged = way != IN_PLACE;
    size_t part = is_staged ? take_part(bytes) : 0;
    char *source = is_staged ? own : sources[bench_me];
    char *theirs = is_staged ? memories[1 - bench_me] + part : sources[1 - bench_me];
    change(source, round);
    if (is_staged)
        stage(way, memories[bench_me] + part, source, bytes);
    raise_flag(1, turn + 1);
    memcpy(dests[bench_me] + (size_t)bench_me * bytes, source, bytes);
    await_flag(1, turn + 1);
    take(way, dests[bench_me] + (size_t)(1 - bench_me) * bytes, theirs, bytes);
    meet();
}

static void broadcast_in_place(long round)
{
    if (bench_me == 0) {
        change(sources[0], round);
        raise_flag(1, turn + 1);
    } else {
        await_flag(1, turn + 1);
        memcpy(dests[1], sources[0], bytes);
    }
    meet();
}

/* The flag counts pieces. */
static void broadcast_staged(enum reading way, long round)
{
    static long pieces;
    size_t part = take_part(bytes);
    if (bench_me == 0)
        change(own, round);
    for (size_t at = 0; at < bytes; at += PIECE) {
        pieces++;
        if (bench_me == 0) {
            stage(way, memories[0] + part + at, own + at, PIECE);
            raise_flag(2, pieces);
        } else {
            await_flag(2, pieces);
            take(way, dests[1] + at, memories[0] + part + at, PIECE);
        }
    }
    meet();
}

static void exchange(int is_broadcast, enum reading way, long round)
{
    if (!is_broadcast)
        collect(way, round);
    else if (way == IN_PLACE)
        broadcast_in_place(round);
    else
        broadcast_staged(way, round);
}

/* First each page of the memory is used once. */
static double time_of(int is_broadcast, enum reading way, size_t touch, long count)
{
    double sum = 0;
    for (long round = -(long)(MEMORY / bytes); round < count; round++) {
        for (size_t at = 0; at < touch; at += LINE)
            ++*(volatile long *)(touched + at);
        meet();
        double since = bench_now_ns();
        exchange(is_broadcast, way, round);
        sum += round < 0 ? 0 : bench_now_ns() - since;
    }
    return sum / (double)count;
}

/* The ways take turns. */
static void measure(int is_broadcast, size_t touch)
{
    static const char *const names[2][4] = {
        {"fcollect in place", "fcollect staged", "fcollect staged, wide registers", "fcollect streamed"},
        {"broadcast in place", "broadcast staged", "broadcast staged, wide registers", "broadcast streamed"}};
    double values[READINGS][BENCH_MAX_BATCHES];
    int wanted = (int)bench_setting("BENCH_BATCHES", 9);
    for (int batch = 0; batch < wanted; batch++)
        for (int way = 0; way < READINGS; way++)
            values[way][batch] = time_of(is_broadcast, way, touch, (long)(4000000 / (bytes / 8 + touch)) + 50);
    for (int way = 0; way < READINGS; way++)
        bench_report(names[is_broadcast][way], bytes, bench_median(values[way], wanted), "ns");
}

int main(void)
{
    size_t touch = (size_t)bench_setting("STAGED_TOUCH", 0) << 10;
    char *memory = limit_memory(2 * (3 * MOST + MEMORY));
    for (int i = 0; i < 2; i++) {
        sources[i] = memory + (size_t)i * (3 * MOST + MEMORY);
        dests[i] = sources[i] + MOST;
        memories[i] = dests[i] + 2 * MOST;
    }
    limit_start_pair(0);
    own = limit_memory(MOST);
    touched = touch ? limit_memory(touch) : NULL;
    for (size_t at = 0; (at = bench_next_size(at, MOST)) != 0;) {
        bytes = at;
        for (int is_broadcast = 0; is_broadcast < 2 && at >= PIECE; is_broadcast++)
            measure(is_broadcast, touch);
    }
    return limit_end();
}
