/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Plans that measurements changed (docs/understand/waiting.md), again, on a simulated machine: every row that is about
 * waiting is a scenario here, run with the constants as they are and with what the first plan had. The plan
 * must still be the worse one, by about what was measured. Times are the simulator's.
 */
#include "process.h"

#include <stdio.h>
#include <stdlib.h>

static int failures;
static const char *scenario;

/* Runs with SHEAF_PACE set so: to both. */
static double with(const char *one, const char *other, double (*run)(void))
{
    char why[200];
    const char *const settings[] = {one, other};
    sheaf_pace_table = sheaf_pace_defaults;
    for (int i = 0; i < 2; i++)
        if (settings[i] && sheaf_pace_parse(settings[i], &sheaf_pace_table, &sheaf_times, why, sizeof why) != 0) {
            printf("%s: %s\n", scenario, why);
            exit(1);
        }
    double result = run();
    sheaf_pace_table = sheaf_pace_defaults;
    return result;
}

/* plan: what the first plan had. At least so many times worse than the constants as they are; both with
 * given. */
static void compare(const char *given, const char *name, const char *plan, double least,
                    double (*run)(void))
{
    scenario = name;
    double now = with(given, NULL, run), then = with(given, plan, run);
    bool is_worse = now > 0 && (then == 0 || then >= least * now);
    printf("%-28s %10.2f us, with %s %.2f us%s\n", name, now / 1e3, plan, then / 1e3,
           is_worse ? "" : ": expected more");
    failures += !is_worse;
}

static uint64_t processor_time(void)
{
    uint64_t ns = 0;
    for (int i = 0; i < process_count; i++)
        ns += processes[i].ran;
    return ns;
}

static void same_for_all(int count, const struct step *steps, int length, uint64_t rounds)
{
    for (int i = 0; i < count; i++)
        process_program(i, steps, length, rounds);
}

static double time_per_round(uint64_t rounds)
{
    return (double)processes_run() / (double)rounds;
}

/* 32 PEs of one host meet, on 2 processors. */
static double meet_crowded(void)
{
    static const struct step steps[] = {{MEET, 0, 0}};
    processes_begin(2, 32, false, true);
    same_for_all(32, steps, 1, 300);
    return time_per_round(300);
}

/* One of them is late each time; what the wait of all others costs. */
static double wait_of_many(void)
{
    static const struct step late[] = {{COMPUTE, 0, MS}, {MEET, 0, 0}};
    static const struct step others[] = {{MEET, 0, 0}};
    processes_begin(2, 32, false, true);
    same_for_all(32, others, 1, 100);
    process_program(0, late, 2, 100);
    return processes_run() ? (double)processor_time() / 100 - 1e6 : 0;
}

/* 4 PEs of two hosts that share 2 processors and know nothing of it: a barrier in two exchanges. */
static double barrier_of_four(void)
{
    static struct step steps[4][4];
    processes_begin(2, 4, true, false);
    for (int i = 0; i < 4; i++) {
        steps[i][0] = (struct step){PUT, i ^ 1, 0};
        steps[i][1] = steps[i][3] = (struct step){AWAIT, 0, 1};
        steps[i][2] = (struct step){PUT, i ^ 2, 0};
        process_program(i, steps[i], 4, 400);
    }
    return time_per_round(400);
}

static void ping_pong_of(int here, int there, struct step steps[2][2], uint64_t rounds)
{
    steps[0][0] = (struct step){PUT, there, 0};
    steps[0][1] = steps[1][0] = (struct step){AWAIT, 0, 1};
    steps[1][1] = (struct step){PUT, here, 0};
    process_program(here, steps[0], 2, rounds);
    process_program(there, steps[1], 2, rounds);
}

static double ping_pong(void)
{
    static struct step steps[2][2];
    processes_begin(2, 2, true, false);
    ping_pong_of(0, 1, steps, 1000);
    return time_per_round(1000) / 2;
}

/* Data, and a flag behind it: two messages there and two back. */
static double data_and_flag(void)
{
    static const struct step here[] = {{PUT, 1, 0}, {PUT, 1, 0}, {AWAIT, 0, 2}};
    static const struct step there[] = {{AWAIT, 0, 2}, {PUT, 0, 0}, {PUT, 0, 0}};
    processes_begin(2, 2, true, false);
    process_program(0, here, 3, 1000);
    process_program(1, there, 3, 1000);
    return time_per_round(1000) / 2;
}

/* PE 1 waits for a put and then computes: its acknowledgement is due at once. Put and quiet take. */
static double put_to_who_computes(void)
{
    static const struct step puts[] = {{PUT, 1, 0}, {QUIET, 0, 0}, {COMPUTE, 0, 400 * US}};
    static const struct step takes[] = {{AWAIT, 0, 1}, {COMPUTE, 0, 200 * US}};
    processes_begin(2, 2, true, false);
    process_program(0, puts, 3, 1000);
    process_program(1, takes, 2, 1000);
    return time_per_round(1000) - 400e3;
}

/* Gets of a word of a PE that waits, on a processor each, so far apart, after computation that sends the
 * threads to sleep; a put ends the wait. */
static double gets_of_waiting(uint64_t before_us, uint64_t apart_us, uint64_t rounds)
{
    static const struct step waits[] = {{AWAIT, 0, 1}};
    uint64_t gets = 100;
    static struct step all[2 + 2 * 100];
    int length = 0;
    all[length++] = (struct step){COMPUTE, 0, before_us * US + 1};
    for (uint64_t i = 0; i < gets; i++) {
        all[length++] = (struct step){GET, 1, 0};
        all[length++] = (struct step){COMPUTE, 0, apart_us * US};
    }
    all[length++] = (struct step){PUT, 1, 0};
    processes_begin(2, 2, true, false);
    process_program(0, all, length, rounds);
    process_program(1, waits, 1, rounds);
    uint64_t taken = processes_run();
    return taken ? (double)taken / (double)(rounds * gets) - (double)(apart_us * US) -
                       (double)(before_us * US) / (double)gets : 0;
}

static double gets_back_to_back(void)
{
    return gets_of_waiting(0, 1, 400);
}

static double gets_after_computing(void)
{
    return gets_of_waiting(10000, 1, 10);
}

static double gets_far_apart(void)
{
    return gets_of_waiting(0, 80, 20);
}

/* 64 PEs of hosts that share 2 processors: each computes, and a word goes to one and comes from one,
 * twice. */
#define PES   64
#define WORDS 5

static void exchange_words(struct step *steps, int pe, uint64_t compute_ns)
{
    const struct step round[WORDS] = {
        {PUT, pe ^ 1, 0}, {AWAIT, 0, 1}, {PUT, (pe + PES / 2) % PES, 0}, {AWAIT, 0, 1},
        {COMPUTE, 0, compute_ns}};
    for (int i = 0; i < WORDS; i++)
        steps[i] = round[i];
}

static double words_of_many(uint64_t compute_ns)
{
    enum { ROUNDS = 300 };
    static struct step steps[PES][WORDS];
    processes_begin(2, PES, true, false);
    for (int i = 0; i < PES; i++) {
        exchange_words(steps[i], i, compute_ns);
        process_program(i, steps[i], WORDS, ROUNDS);
    }
    return time_per_round(ROUNDS);
}

static double words_in_a_crowd(void)
{
    return words_of_many(100 * US);
}

static double words_without_a_break(void)
{
    return words_of_many(1);
}

/* A get of 256 KiB behind computation, of a program that has polled for long before. */
static double hidden_get(void)
{
    enum { BEFORE = 4000, GETS = 200 };
    static const struct step asks[] = {{GET_NBI, 1, 256 << 10}, {COMPUTE, 0, 150 * US}, {QUIET, 0, 0}};
    static const struct step waits[] = {{AWAIT, 0, 1}};
    static struct step all[BEFORE + 3 * GETS + 1];
    for (int i = 0; i < BEFORE; i++)
        all[i] = (struct step){GET, 1, 0};
    for (int i = 0; i < 3 * GETS; i++)
        all[BEFORE + i] = asks[i % 3];
    all[BEFORE + 3 * GETS] = (struct step){PUT, 1, 0};
    processes_begin(4, 2, true, false);
    process_program(0, all, BEFORE + 3 * GETS + 1, 1);
    process_program(1, waits, 1, 1);
    uint64_t taken = processes_run();
    return taken ? (double)taken / GETS : 0;
}

/* A token goes round 32 PEs of one host by stores that wake nobody, on 2 processors. */
static double token(void)
{
    static struct step steps[32][2];
    processes_begin(2, 32, false, true);
    for (int i = 0; i < 32; i++) {
        bool is_first = i == 0;
        steps[i][is_first] = (struct step){AWAIT, 0, 1};
        steps[i][!is_first] = (struct step){STORE, (i + 1) % 32, 0};
        process_program(i, steps[i], 2, 100);
    }
    return time_per_round(100) / 32;
}

static const struct {
    const char *name, *given, *plan; /* given: to both */
    double least;
    double (*run)(void);
} scenarios[] = {
    {"spins before yields", NULL, "spins_outnumbered=20", 1.1, meet_crowded},
    {"no yield before sleep", NULL, "word_yields=0,word_for=0", 1.5, meet_crowded},
    {"200 yields before sleep", NULL, "word_yields=200", 3, wait_of_many},
    {"200 turns when shared", NULL, "turns_shared=200", 1.5, barrier_of_four},
    {"acknowledged at once", NULL, "held_trust=0", 1.15, ping_pong},
    {"acknowledged before the flag", NULL, "held_next=0", 1.15, data_and_flag},
    {"held back for ever", NULL, "held_pause_least=1,held_pause_most=1", 1.5, put_to_who_computes},
    {"looks every 0.4 ms", NULL, "nap_most=400us", 1.02, gets_back_to_back},
    {"sleeps between messages", NULL, "news_for=0", 1.5, gets_far_apart},
    {"woken in a crowd", NULL, "crowd_enter=1s,crowd_leave=1s", 1.03, words_in_a_crowd},
    {"short pauses in a crowd", NULL,
     "pause_most_crowded=200us,nap_most=400us,nap_most_crowded=2ms", 1.3, words_without_a_break},
    {"woken for nothing", NULL, "needless_wakes=1000000", 1.2, gets_after_computing},
    {"gets taken by the program", NULL, "get_left=1024m", 1.1, hidden_get},
    {"sleeps that double", "yield_for_outnumbered=0", "pause_part=1", 2, token},
};
enum { SCENARIOS = sizeof scenarios / sizeof scenarios[0] };

/* An experiment: every scenario as it is, and with these settings. */
static void try_settings(const char *settings)
{
    for (int i = 0; i < SCENARIOS; i++) {
        scenario = scenarios[i].name;
        double now = with(scenarios[i].given, NULL, scenarios[i].run);
        double then = with(scenarios[i].given, settings, scenarios[i].run);
        printf("%-28s %10.2f us, with %s %.2f us: %.3f times\n", scenario, now / 1e3, settings,
               then / 1e3, then / now);
    }
}

/* Without an argument the test; with one SHEAF_PACE's settings to try. */
int main(int argc, char **argv)
{
    if (argc == 2)
        try_settings(argv[1]);
    for (int i = 0; i < SCENARIOS && argc == 1; i++)
        compare(scenarios[i].given, scenarios[i].name, scenarios[i].plan, scenarios[i].least,
                scenarios[i].run);
    return failures != 0;
}
