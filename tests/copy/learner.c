/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the learner of core/access/copy makes of the times that a simulated machine gives. The
 * machine's rates are those of a Xeon (Cascade Lake), and a copy past the caches leaves dest out of
 * them, so that the next copy to the same place is slower. Times vary by a tenth, and now and then
 * something else runs. A wrong choice takes longer than a limit here allows.
 */
#include "core/access/copy/learner.h"

#include <stdio.h>

#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)
#define THROUGH (1U << SHEAF_COPY_MEMCPY | 1U << SHEAF_COPY_VECTOR)
#define PAST    (1U << SHEAF_COPY_MEMCPY | 1U << SHEAF_COPY_STREAM)

/* Bytes in a ns by each way: memcpy, vector, stream. */
struct rates {
    double in, out; /* dest in the caches, and out of them; in 0: it never is */
};
struct machine {
    struct rates rates[SHEAF_COPY_ALGORITHMS];
    size_t libc_streams; /* so many bytes and more; 0: none */
    bool is_in; /* dest, as the last copy left it */
    unsigned seed, copies, fault_copies;
    unsigned interrupted; /* this copy is; 0: none */
};

static const struct machine second_level = {.rates = {{0, 0}, {22, 10}, {38, 12}, {6.5, 6.5}}};
static const struct machine last_level = {.rates = {{0, 0}, {16.6, 9}, {12.1, 7}, {10.9, 10.9}}};
static const struct machine memory = {.rates = {{0, 0}, {0, 2.6}, {0, 3.6}, {0, 5.4}}};
static const struct machine libc_streams = {.rates = {{0, 0}, {0, 2.6}, {0, 3.6}, {0, 5.0}},
                                            .libc_streams = 16 * MIB};

static int failures;

static unsigned next_random(struct machine *machine)
{
    machine->seed = machine->seed * 1103515245 + 12345;
    return machine->seed >> 16 & 0x7fff;
}

static uint64_t take(struct machine *machine, int way, size_t bytes)
{
    const struct rates *rates = &machine->rates[way];
    double ns = (double)bytes / (rates->in > 0 && machine->is_in ? rates->in : rates->out);
    if (way == SHEAF_COPY_MEMCPY && machine->libc_streams > 0 && bytes >= machine->libc_streams)
        ns = (double)bytes / 5.6;
    machine->is_in = way != SHEAF_COPY_STREAM;
    ns *= 0.95 + (double)next_random(machine) / 0x7fff / 10;
    if (machine->copies++ < machine->fault_copies)
        ns += (double)bytes / 3; /* new pages */
    if (machine->interrupted > 0 && machine->copies == machine->interrupted)
        ns += 5800000;
    else if (machine->interrupted > 0 && machine->copies - machine->interrupted < 3)
        ns *= machine->copies - machine->interrupted == 1 ? 5.5 : 2;
    if (next_random(machine) % 60 == 0)
        ns += 20000; /* an interrupt; in sums it counts for all ways alike */
    return (uint64_t)ns + 1;
}

/* Total time of copies, as way.c makes them, of so many bytes each. */
static double run(struct sheaf_copy_learner *learner, struct machine *machine, size_t each, size_t total)
{
    double sum = 0;
    for (size_t done = 0; done < total; done += each) {
        size_t rest = each;
        bool is_timed = sheaf_learner_is_due(learner, each);
        while (rest > 0) {
            size_t piece = is_timed ? sheaf_learner_piece(learner, rest) : rest;
            int way = is_timed ? sheaf_learner_way(learner) : (int)learner->way;
            uint64_t ns = take(machine, way, piece);
            sum += (double)ns;
            if (is_timed)
                sheaf_learner_took(learner, piece, ns);
            rest -= piece;
        }
    }
    return sum;
}

/* The same by one way. */
static double run_fixed(struct machine machine, int way, size_t each, size_t total)
{
    double sum = 0;
    for (size_t done = 0; done < total; done += each)
        sum += (double)take(&machine, way, each);
    return sum;
}

static double run_best(const struct machine *machine, unsigned ways, size_t each, size_t total)
{
    double best = 0;
    for (int way = SHEAF_COPY_MEMCPY; way < SHEAF_COPY_ALGORITHMS; way++) {
        double took = ways & 1U << way ? run_fixed(*machine, way, each, total) : 0;
        best = best == 0 || (took > 0 && took < best) ? took : best;
    }
    return best;
}

static void expect(const char *what, size_t each, double took, double limit)
{
    if (took <= limit)
        return;
    printf("%s, copies of %zu bytes: %.0f us, more than %.0f\n", what, each, took / 1e3, limit / 1e3);
    failures++;
}

/* From either first guess, after a trial and with all trials. */
static void comes_near(const char *what, const struct machine *model, unsigned ways, size_t least, size_t most)
{
    for (size_t each = least; each <= most; each *= 2)
        for (int first = SHEAF_COPY_MEMCPY; first < SHEAF_COPY_ALGORITHMS; first++) {
            if (!(ways & 1U << first))
                continue;
            struct machine machine = *model;
            struct sheaf_copy_learner learner;
            size_t total = each < 2 * MIB ? 4 * GIB : 32 * GIB;
            machine.fault_copies = 3;
            sheaf_learner_begin(&learner, ways, first);
            double took = run(&learner, &machine, each, total);
            expect(what, each, took, 1.05 * run_best(model, ways, each, total));
        }
}

/* What was out of the caches is in them from now on, and the other way round. */
static void follows(void)
{
    struct sheaf_copy_learner learner;
    struct machine in = last_level, out = memory;
    sheaf_learner_begin(&learner, PAST, SHEAF_COPY_MEMCPY);
    for (int phase = 0; phase < 6; phase++) {
        struct machine *machine = phase % 2 ? &out : &in;
        run(&learner, machine, 4 * MIB, GIB); /* in which it notices */
        double took = run(&learner, machine, 4 * MIB, 2 * GIB);
        expect("after a change", 4 * MIB, took, 1.05 * run_best(machine, PAST, 4 * MIB, 2 * GIB));
    }
}

/* Copies in and out of the caches by turns: the way whose sum is least, and few trials although each
 * copy looks strange. */
static void sums(void)
{
    enum { PAIRS = 2000 };
    struct sheaf_copy_learner learner;
    struct machine in = last_level, out = memory;
    double took = 0, best = 0;
    sheaf_learner_begin(&learner, PAST, SHEAF_COPY_MEMCPY);
    for (int pair = 0; pair < PAIRS; pair++) {
        took += run(&learner, &in, 4 * MIB, 4 * MIB);
        took += run(&learner, &out, 4 * MIB, 4 * MIB);
    }
    for (int way = SHEAF_COPY_MEMCPY; way < SHEAF_COPY_ALGORITHMS; way++) {
        if (!(PAST & 1U << way))
            continue;
        double fixed = run_fixed(last_level, way, 4 * MIB, PAIRS * 4 * MIB) +
                       run_fixed(memory, way, 4 * MIB, PAIRS * 4 * MIB);
        best = best == 0 || fixed < best ? fixed : best;
    }
    expect("by turns", 4 * MIB, took, 1.10 * best);
}

/* A program that makes two long copies alone makes them by the first guess. */
static void few_copies(void)
{
    struct sheaf_copy_learner learner;
    struct machine machine = memory;
    sheaf_learner_begin(&learner, PAST, SHEAF_COPY_STREAM);
    expect("few", 256 * MIB, run(&learner, &machine, 256 * MIB, 512 * MIB),
           1.05 * run_fixed(memory, SHEAF_COPY_STREAM, 256 * MIB, 512 * MIB));
}

/* A wrong guess lasts for 24 copies of 4 MiB, those of the trial included. */
static void guesses_wrong(void)
{
    struct sheaf_copy_learner learner;
    struct machine machine = last_level;
    machine.fault_copies = 3;
    sheaf_learner_begin(&learner, PAST, SHEAF_COPY_STREAM);
    run(&learner, &machine, 4 * MIB, 96 * MIB);
    double took = run(&learner, &machine, 4 * MIB, 64 * MIB);
    expect("after a wrong guess", 4 * MIB, took, 1.05 * run_best(&last_level, PAST, 4 * MIB, 64 * MIB));
}

/* Something else runs during one copy of a trial, and has the caches after it, as it was seen on an EPYC: 87, 5872,
 * 471, 172, 105 and 87 us. */
static void interrupts(void)
{
    for (unsigned copy = 9; copy < 25; copy++) {
        struct sheaf_copy_learner learner;
        struct machine machine = last_level;
        machine.interrupted = copy;
        sheaf_learner_begin(&learner, PAST, SHEAF_COPY_MEMCPY);
        run(&learner, &machine, 4 * MIB, 240 * MIB);
        double took = run(&learner, &machine, 4 * MIB, 4 * GIB);
        expect("after an interrupt", 4 * MIB, took, 1.05 * run_best(&last_level, PAST, 4 * MIB, 4 * GIB));
    }
}

/* A way that may not be taken never is, however fast it would be. */
static void lacks(void)
{
    struct sheaf_copy_learner learner;
    struct machine machine = memory;
    sheaf_learner_begin(&learner, THROUGH, SHEAF_COPY_MEMCPY);
    expect("without streams", 64 << 10, run(&learner, &machine, 64 << 10, 4 * GIB),
           1.05 * run_fixed(memory, SHEAF_COPY_VECTOR, 64 << 10, 4 * GIB));
    if (learner.way != SHEAF_COPY_VECTOR) {
        printf("without streams the way is %u\n", learner.way);
        failures++;
    }
}

int main(void)
{
    comes_near("in the second-level cache", &second_level, THROUGH, 32 << 10, 256 << 10);
    comes_near("in the last-level cache", &last_level, THROUGH, MIB, MIB);
    comes_near("in the last-level cache", &last_level, PAST, 2 * MIB, 8 * MIB);
    comes_near("out of the caches", &memory, THROUGH, 32 << 10, MIB);
    comes_near("out of the caches", &memory, PAST, 2 * MIB, 256 * MIB);
    comes_near("where libc streams", &libc_streams, PAST, 16 * MIB, 256 * MIB);
    follows();
    sums();
    few_copies();
    guesses_wrong();
    interrupts();
    lacks();
    return failures > 0;
}
