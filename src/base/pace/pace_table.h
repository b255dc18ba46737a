/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every constant of waiting, once: its name, unit, default, bounds, and the measurement that set it, on a
 * machine or on the simulated one of tests/pace. SHEAF_PACE changes one for an experiment, oshinfo --pace
 * prints them. The decisions that they feed are in pace.h; docs/understand/waiting.md has the
 * measurements at length.
 */
#ifndef SHEAF_BASE_PACE_PACE_TABLE_H
#define SHEAF_BASE_PACE_PACE_TABLE_H

#include "base/times.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum sheaf_pace_unit { SHEAF_PACE_TIMES, SHEAF_PACE_PERCENT, SHEAF_PACE_NS, SHEAF_PACE_BYTES };

/* X(name, unit, default, least, most, what it is: what set it) */
#define SHEAF_PACE_TABLE(X)                                                                        \
    /* Does somebody else need this processor? */                                                  \
    X(yield_late, NS, 2000, 300, 1000000000,                                                       \
      "a yield that takes longer has run somebody else: 0.3 us with nobody there")                 \
    X(yield_weight, TIMES, 18, 1, 1024,                                                            \
      "one yield is this part of the share of late ones: two late in a row share a processor")     \
    X(shared_enter, PERCENT, 9, 1, 100,                                                            \
      "share of late yields that makes one: with 30% a barrier of 4 PEs on 2 took 169us, not 60")  \
    X(shared_leave, PERCENT, 1, 0, 100,                                                            \
      "and below which they no longer do: far below, so that a tenth of late ones does not swing") \
    X(nap_weight, TIMES, 8, 1, 1024, "one nap is this part of the lateness of naps")               \
    X(crowd_enter, NS, 150000, 1000, 1000000000,                                                   \
      "naps later than this make a crowd; with 70us, where timers are 100 late, gets took 370us")  \
    X(crowd_leave, NS, 100000, 0, 1000000000, "and no crowd any more")                             \
    /* What a wait does next */                                                                    \
    X(spins, TIMES, 2000, 0, 1000000000, "looks at memory before the first yield")                 \
    X(spins_outnumbered, TIMES, 2, 0, 1000000000,                                                  \
      "and with more PEs than processors: 20 made 32 PEs' barrier 1.5 to 2 times slower")          \
    X(last_for, NS, 3000, 0, 1000000000,                                                           \
      "how long a wait for the last PEs looks, where each may have a processor: longer than a "    \
      "yield, so that processors yield together; with 0 a sum of 4 PEs on 2 took 5.9 us, not 4.6") \
    X(turns, TIMES, 200, 0, 1000000000,                                                            \
      "turns of the network before the first yield: with 16 a get took 16 us, not 12")             \
    X(turns_shared, TIMES, 4, 0, 1000000000,                                                       \
      "and where yields come late: with 200 a barrier of 4 PEs on 2 took 61 us, not 19")           \
    X(word_yields, TIMES, 3, 0, 1000000000,                                                        \
      "yields before a wait sleeps that whoever changes the word ends: 3 beat both none and 200; "  \
      "with 1 32 PEs meet in 72 us, not 28 (simulated)")                                           \
    X(word_for, NS, 30000, 0, 1000000000,                                                          \
      "and how long it yields at least: a yield beside one who sleeps takes no time, and with 0 "  \
      "one sleeper made more, so that a barrier of 4 PEs on 2 took 2.8 us, not 1.7")               \
    X(yield_for, NS, 1000000, 0, 1000000000,                                                       \
      "how long a wait yields that a store ends: with 0 4 PEs on 2 meet in 63, not 42 us "         \
      "(simulated)")                                                                               \
    X(yield_for_outnumbered, NS, 5000000, 0, 1000000000,                                           \
      "and with more PEs than processors: half, double change no hop of 32 PEs (simulated)")       \
    X(news_for, NS, 100000, 0, 1000000000,                                                         \
      "so long after news a wait yields: a nap between gets 15 us apart cost 3 us each")           \
    X(answer_turns, TIMES, 2000, 1, 1000000000,                                                    \
      "turns before a wait for an answer sleeps: 0.3 us each, over TCP")                           \
    X(answer_turns_crowded, TIMES, 200, 1, 1000000000,                                             \
      "and in a crowd: 8 PEs on 2 processors sent a word in 38 us, not 130")                       \
    X(pause_part, TIMES, 16, 1, 1000,                                                              \
      "a pause is this part of the wait: a hop of 32 PEs on 2 processors 34 us, doubled 579")      \
    X(pause_least, NS, 20000, 1000, 1000000000,                                                    \
      "the shortest, no crowd: doubled, a hop of 32 PEs that do not yield took 1.6 us, not "       \
      "1.0 (simulated)")                                                                           \
    X(pause_most, NS, 1000000, 1000, 1000000000,                                                   \
      "the longest, no crowd: half and double change no scenario of tests/pace")                   \
    X(pause_least_crowded, NS, 200000, 1000, 1000000000,                                           \
      "the shortest in a crowd: half and double change no scenario of tests/pace")                 \
    X(pause_most_crowded, NS, 5000000, 1000, 1000000000,                                           \
      "the longest: with 0.2 ms 256 PEs on 2 processors took 10 to 30 s to start, not 4")          \
    X(board_after, NS, 50000000, 1000000, 1000000000,                                              \
      "a wait as long as this is on the status board: a sleeper wakes once for it")                \
    /* Loops of a program that poll by reading */                                                  \
    X(poll_reads, TIMES, 7, 1, 1000000, "reads for each one that is looked at: 4 ns, a count 2")   \
    X(poll_looks, TIMES, 3, 1, 1000000,                                                            \
      "looks in a row without news before the clock is asked: more make a hop longer")             \
    X(poll_read, NS, 125, 1, 1000000000, "a read takes longer where a program computes between")   \
    /* What the progress thread does next */                                                       \
    X(nap_part, TIMES, 4, 1, 1000,                                                                 \
      "a nap is this part of the time for which the program has polled")                           \
    X(nap_least, NS, 100000, 1000, 999999999, "the shortest nap: twice what it costs to wake late") \
    X(nap_most, NS, 2000000, 1000, 999999999,                                                      \
      "the longest: with 0.4 ms gets of 14 us took 17, each look costs 10 to 25 us")               \
    X(nap_most_crowded, NS, 20000000, 1000, 999999999,                                             \
      "the longest in a crowd, where naps are as long as they come late")                          \
    X(active_for, NS, 20000000, 0, 10000000000,                                                    \
      "so long after the program's last call a crowd's thread looks by the clock alone")           \
    X(batch_age, NS, 500000, 1000, 999999999, "an open batch is sent when it is as old")           \
    X(aggregate_after, TIMES, 3, 1, 1000000,                                                       \
      "messages under way to a PE from which on operations are aggregated: a put, a fence "        \
      "and a flag do not: with 2 a ping-pong takes 1.04 times as long, and a burst 0.8 times")      \
    X(aggregate_turn, TIMES, 256, 1, 1000000,                                                      \
      "aggregated operations for each turn of the network: with 64 increments took 500 ns, not "   \
      "358")                                                                                       \
    X(thread_turns, TIMES, 64, 1, 1000000, "turns in a row before another worker has its own")     \
    X(needless_wakes, TIMES, 4, 1, 1000000,                                                        \
      "messages that the program took while the thread slept before it naps: gets 15 us, not 19")  \
    X(calls_a_turn, TIMES, 16, 1, 1000000,                                                         \
      "calls for each one that serves peers: one at a time they would fight for the lock")         \
    X(look_every, NS, 1000000000, 1000000, 60000000000,                                            \
      "hosts that went away are looked for as often: 64 connections 170 us, 0.02%")                \
    X(lost_every, NS, 100000000, 1000000, 60000000000,                                             \
      "how often the thread then looks whether one that is lost ends the job: not measured")       \
    /* Gambles */                                                                                  \
    X(put_left, BYTES, 16384, 1, SIZE_MAX,                                                         \
      "the smallest put left to the thread: to wake it takes as long as to send 4 KiB")            \
    X(get_left, BYTES, 65536, 1, SIZE_MAX,                                                         \
      "the smallest get: an idle processor wakes in 10 us, 32 KiB arrive in 15")                   \
    X(left_credit, TIMES, 8, 1, 1000000,                                                           \
      "failures in a row after as many successes: 4, 16 hide gets alike (simulated)")              \
    X(left_gain, TIMES, 2, 1, 1000000,                                                             \
      "and for each success so many of them: 1 and 4 alike (simulated)")                           \
    X(left_pause_least, BYTES, 1048576, 1, SIZE_MAX / 4,                                           \
      "bytes that the program moves itself before the thread is tried again")                      \
    X(left_pause_most, BYTES, 8388608, 1, SIZE_MAX / 4,                                            \
      "the same after failures, each of which doubles it")                                         \
    X(held_turns, TIMES, 4, 1, 1000000,                                                            \
      "turns for which the program may answer first: ping-pong 7.2 us, not 14.0")                  \
    X(held_for, NS, 30000, 0, 1000000000, "an acknowledgement held for longer was a failure")      \
    X(held_next, NS, 20000, 0, 1000000000,                                                         \
      "without news it waits so long for the next message: data, fence and flag 23 us, not 28")    \
    X(held_trust, NS, 2000000, 0, 1000000000,                                                      \
      "the longest nap of a thread that is to send it, should the program compute")                \
    X(held_worth, NS, 4000, 1, 1000000000,                                                         \
      "what answering first gains: a system call; a failure costs as many refusals as it held it") \
    X(held_pause_least, TIMES, 64, 1, 1000000,                                                     \
      "refusals after a failure: with 32, 128 a late put 12.7, 14.2 us, not 13.3 (simulated)")     \
    X(held_pause_most, TIMES, 4096, 1, 1000000,                                                    \
      "the same after more, each of which doubles it: with 64 such a put 15.3 us (simulated)")     \
    X(held_forgive, TIMES, 16, 1, 1000000,                                                         \
      "a success forgives this part: half, double, all within 4% (simulated)")

struct sheaf_pace_table {
#define SHEAF_PACE_FIELD(name, unit, standard, least, most, why) uint64_t name;
    SHEAF_PACE_TABLE(SHEAF_PACE_FIELD)
#undef SHEAF_PACE_FIELD
};

/* The values in use; written before the first wait alone. */
extern struct sheaf_pace_table sheaf_pace_table;

extern const struct sheaf_pace_table sheaf_pace_defaults;

/* "name=value,...", of this table or of base/times.h: times with ns, us, ms or s, bytes with k or m.
 * Returns 0, or -1, and in why one line that names what is wrong and what would be right; both are then as
 * before. */
int sheaf_pace_parse(const char *text, struct sheaf_pace_table *table, struct sheaf_times *times, char *why,
                     size_t size);

/* A line per constant of both: name, value, its default where it is another, what set it. */
void sheaf_pace_print(FILE *out, const struct sheaf_pace_table *table, const struct sheaf_times *times);

#endif
