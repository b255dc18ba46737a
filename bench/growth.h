/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much computation a transfer hides, as the study of the Cray XT3 finds it: computation between the
 * begin and the end of a transfer grows until the whole takes longer than the transfer alone. Shared by the
 * programs growth.c of OpenSHMEM, of MPI's one-sided operations and of its messages, which include what has
 * bench_barrier() first.
 *
 * BENCH_GROWTH says what is reported: share, the computation that is hidden, in per cent of the transfer's
 * time; curve, what the whole takes beside computation of so many per cent of it; asleep, the time of a
 * transfer whose target computes without a call.
 */
#ifndef BENCH_GROWTH_H
#define BENCH_GROWTH_H

#include "net/compute.h"

#define GROWTH_MOST    ((size_t)4 << 20)
#define GROWTH_RUN     1024 /* strided: bytes of a run; as many lie between two */
#define GROWTH_SAMPLES 15
#define GROWTH_FIRST   3
#define GROWTH_LONGER  1.05 /* times the transfer alone: the total has grown */
#define GROWTH_CALM_NS 2e7  /* the target computes for so long */

/* The first process begins a transfer and waits for its end. The second one does its part in it, if it has
 * any: before and after what it computes itself. */
struct growth_transfer {
    const char *what;
    void (*begin)(size_t bytes);
    void (*end)(size_t bytes);
    void (*other_begin)(size_t bytes); /* or NULL */
    void (*other_end)(size_t bytes);
    int is_alone; /* the target need not take part in the end */
};

static const int growth_shares[] = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 125, 150};
#define GROWTH_SHARES (int)(sizeof growth_shares / sizeof *growth_shares)

static double growth_step_ns;

/* Strided: runs of so many bytes, one at least. */
static inline int growth_runs(size_t bytes)
{
    return bytes > GROWTH_RUN ? (int)(bytes / GROWTH_RUN) : 1;
}

static double growth_sample(const struct growth_transfer *transfer, size_t bytes, long steps)
{
    double start = bench_now_ns();
    if (bench_me == 1) {
        transfer->other_begin(bytes);
        transfer->other_end(bytes);
        return 0;
    }
    transfer->begin(bytes);
    compute(steps);
    transfer->end(bytes);
    return bench_now_ns() - start;
}

/* The median of a block: a transfer takes longer after a pause than after its like, so the first do not count. */
static double growth_block(const struct growth_transfer *transfer, size_t bytes, long steps)
{
    double took[GROWTH_SAMPLES];
    for (int i = -GROWTH_FIRST; i < GROWTH_SAMPLES; i++) {
        double ns = growth_sample(transfer, bytes, steps);
        if (i >= 0)
            took[i] = ns;
    }
    return bench_median(took, GROWTH_SAMPLES);
}

/* Totals by share of the transfer alone, which is measured again at the end: the machine may have become slower. */
static void growth_totals(const struct growth_transfer *transfer, size_t bytes, double *totals)
{
    growth_block(transfer, bytes, 0);
    double alone_ns = growth_block(transfer, bytes, 0);
    for (int share = 1; share < GROWTH_SHARES; share++)
        totals[share] = growth_block(transfer, bytes, (long)(alone_ns * growth_shares[share] / 100 / growth_step_ns));
    totals[0] = (alone_ns + growth_block(transfer, bytes, 0)) / 2;
}

/* The share at which the total begins to be longer, between two points by a straight line. */
static double growth_hidden(const double *totals)
{
    double most = GROWTH_LONGER * totals[0];
    int i = 1;
    while (i < GROWTH_SHARES && totals[i] <= most)
        i++;
    if (i == GROWTH_SHARES)
        return 100;
    double part = (most - totals[i - 1]) / (totals[i] - totals[i - 1]);
    double share = growth_shares[i - 1] + part * (growth_shares[i] - growth_shares[i - 1]);
    return share < 100 ? share : 100;
}

static void growth_report(const struct growth_transfer *transfer, size_t bytes, const double *totals, int is_curve)
{
    char name[96];
    snprintf(name, sizeof name, "hidden beside %s", transfer->what);
    if (!is_curve)
        bench_report(name, bytes, growth_hidden(totals), "%");
    for (int i = 0; is_curve && i < GROWTH_SHARES; i++) {
        snprintf(name, sizeof name, "total of %s, computation of %d %%", transfer->what, growth_shares[i]);
        bench_report(name, bytes, 100 * totals[i] / totals[0], "%");
    }
}

/* A target without a part waits in the barrier behind. */
static void growth_measure(const struct growth_transfer *transfer, size_t bytes, int is_curve)
{
    double totals[GROWTH_SHARES];
    bench_barrier();
    if (bench_me == 0 || transfer->other_begin)
        growth_totals(transfer, bytes, totals);
    bench_barrier();
    if (bench_me == 0)
        growth_report(transfer, bytes, totals, is_curve);
}

static void growth_other(const struct growth_transfer *transfer, size_t bytes)
{
    if (transfer->other_begin)
        transfer->other_begin(bytes);
    compute((long)(GROWTH_CALM_NS / growth_step_ns));
    if (transfer->other_end)
        transfer->other_end(bytes);
}

/* The transfer begins a tenth of the time after its target has begun to compute. */
static void growth_asleep(const struct growth_transfer *transfer, size_t bytes)
{
    double took[GROWTH_SAMPLES];
    char name[96];
    for (int i = 0; i < GROWTH_SAMPLES; i++) {
        bench_barrier();
        if (bench_me == 1) {
            growth_other(transfer, bytes);
            continue;
        }
        compute((long)(GROWTH_CALM_NS / 10 / growth_step_ns));
        took[i] = growth_sample(transfer, bytes, 0);
    }
    bench_barrier();
    snprintf(name, sizeof name, "%s, the target computes", transfer->what);
    if (bench_me == 0)
        bench_report(name, bytes, bench_median(took, GROWTH_SAMPLES), "ns");
}

static void growth_run(const struct growth_transfer *transfers, int count)
{
    const char *wanted = getenv("BENCH_GROWTH");
    int is_curve = wanted && strcmp(wanted, "curve") == 0, is_asleep = wanted && strcmp(wanted, "asleep") == 0;
    growth_step_ns = compute_step_ns();
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, GROWTH_MOST)) != 0;)
        for (int i = 0; i < count; i++)
            if (!is_asleep)
                growth_measure(&transfers[i], bytes, is_curve);
            else if (transfers[i].is_alone)
                growth_asleep(&transfers[i], bytes);
}

#endif
