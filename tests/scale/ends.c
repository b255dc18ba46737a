/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a quiet and the end of the engine in shmem_finalize cost as the job grows, by storm.h: the messages that the PE that has most
 * sends meanwhile, and the basic blocks of the library's code. None may grow faster than the table says. The loops that it
 * allows are explained in docs/understand/scale.md.
 */
#include "storm.h"
#include "unit.h"

#define PER_NODE 16
#define FEW      8

static const struct storm_network network = {.latency = 400, .overhead = 3700, .per_byte = 0.33, .port = 16 << 20,
                                             .sends = 1 << 17, .receives = 1 << 17, .retransmit = 2e8, .unheard = 3e9};
static const int sizes[] = {64, 512, 4096};

/* The PEs that each has written to. */
static const struct row {
    const char *name;
    int written;     /* -1: one of each other node, by the first node's PEs */
    bool may_double; /* as the number of PEs does */
} rows[] = {
    {"quiet, nothing written", 0, false},
    {"quiet, 8 PEs written to", FEW, false},
    {"quiet, a PE of each node written to", -1, true},
};

struct counts {
    uint64_t messages, blocks;
};

static struct counts *counts; /* by PE */
static const struct row *running;

/* Called for each basic block of the library's code. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    if (storm_me && counts)
        counts[storm_me->pe].blocks++;
}

static uint64_t written_by(int pe)
{
    if (running->written >= 0)
        return (uint64_t)running->written;
    return pe < PER_NODE ? (uint64_t)(storm_npes / PER_NODE - 1) : 0;
}

/* Never of the PE's own node. */
static bool issue(struct storm_pe *pe)
{
    int stride = running->written < 0 ? PER_NODE : (storm_npes - 2 * PER_NODE) / FEW;
    int other = (pe->pe + PER_NODE + (int)pe->issued * stride) % storm_npes;
    return sheaf_msg_put(NULL, other, &pe->heap[pe->pe], &pe->segment[1], 8, &pe->remaining);
}

/* Counted from quiet's begin to its end. */
static bool step(struct storm_pe *pe)
{
    if (pe->phase == 0 && pe->remaining == 0 && pe->issued < written_by(pe->pe)) {
        pe->issued += issue(pe);
        storm_work(50);
        return true;
    }
    if (pe->phase == 0 && pe->remaining == 0) {
        pe->phase = 1;
        counts[pe->pe] = (struct counts){.messages = pe->sent};
        sheaf_msg_quiet(NULL, SHEAF_EVERY_PE, &pe->remaining);
    }
    bool has_moved = sheaf_msg_progress(false);
    if (pe->phase == 1 && pe->remaining == 0) {
        pe->phase = 2;
        pe->issued = counts[pe->pe].blocks;
        pe->done = (double)(pe->sent - counts[pe->pe].messages);
    }
    return has_moved;
}

static void raise(struct counts *most, uint64_t messages, uint64_t blocks)
{
    most->messages = messages > most->messages ? messages : most->messages;
    most->blocks = blocks > most->blocks ? blocks : most->blocks;
}

/* Of the quiet, and of the engine's end behind it. */
static void count(const struct row *row, int npes, struct counts *quiet, struct counts *end)
{
    running = row;
    *quiet = *end = (struct counts){0};
    storm_begin(&sheaf_transport_storm, npes, PER_NODE, (size_t)npes * 8, 1);
    counts = calloc((size_t)npes, sizeof *counts);
    for (int i = 0; i < npes; i++)
        storm_schedule(&storm_pes[i], unit_random(&storm_pes[i].chance, 10000));
    storm_run(step);
    for (int i = 0; i < npes; i++) {
        CHECK(storm_pes[i].phase == 2);
        raise(quiet, (uint64_t)storm_pes[i].done, storm_pes[i].issued);
    }
    memset(counts, 0, (size_t)npes * sizeof *counts);
    storm_end();
    for (int i = 0; i < npes; i++)
        raise(end, 0, counts[i].blocks);
    free(counts);
    counts = NULL;
    storm_free_links();
}

/* Half as much again is granted, and a few. */
static bool is_within(bool may_double, uint64_t before, uint64_t after, int pes_before, int pes)
{
    double factor = may_double ? (double)pes / pes_before : 1;
    return (double)after <= 1.5 * factor * (double)before + 16 * factor;
}

/* The engine's end looks at a pointer for each 64 PEs, 2 blocks, and at 64 places behind each of them that leads to a PE written to. */
static uint64_t blocks_of_pages(int npes)
{
    uint64_t pages = (uint64_t)npes / 64, written = written_by(0);
    return 2 * 2 * pages + 256 * (written < pages ? written : pages);
}

static bool end_is_within(bool may_double, uint64_t before, uint64_t after, int pes_before, int pes)
{
    return may_double ? is_within(true, before, after, pes_before, pes) : after <= before + blocks_of_pages(pes);
}

static bool print(const char *name, int npes, const struct counts *now, bool is_good)
{
    printf("%-36s %5d %9ju %10ju%s\n", name, npes, (uintmax_t)now->messages, (uintmax_t)now->blocks, is_good ? "" : "  grows too fast");
    return is_good;
}

static int check(const struct row *row)
{
    struct counts quiet_before = {0}, end_before = {0}, quiet, end;
    int failures = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int npes = sizes[i], before = i > 0 ? sizes[i - 1] : 0;
        count(row, npes, &quiet, &end);
        failures += !print(row->name, npes, &quiet,
                           i == 0 || (is_within(row->may_double, quiet_before.messages, quiet.messages, before, npes) &&
                                      is_within(row->may_double, quiet_before.blocks, quiet.blocks, before, npes)));
        failures += !print("  finalize behind it: the engine's end", npes, &end,
                           i == 0 || end_is_within(row->may_double, end_before.blocks, end.blocks, before, npes));
        quiet_before = quiet;
        end_before = i == 0 || row->may_double ? end : end_before;
    }
    return failures;
}

int main(void)
{
    int failures = 0;
    storm_network = &network;
    storm_needs_credit = true;
    printf("%-36s %5s %9s %10s\n", "call", "PEs", "messages", "blocks");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        failures += check(&rows[i]);
    return failures != 0;
}
