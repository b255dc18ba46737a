/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Storms: many PEs add to one word, put to one PE, put to all others, or read words of any PE; with a slow PE, one that is
 * stopped for a second, and a lost node. storm.h explains the model. Prints a line with tabs for each. Fails where a result is
 * wrong, a connection of PEs that are there is lost, parts are dropped, memory grows with the number of PEs, or some PEs are
 * served long before others.
 * Arguments: PEs, PEs of a node, and optionally one storm's name. Before them "free": puts need no credit; "calm": no fault.
 */
#include "storm.h"
#include "unit.h"

#define MILLISECOND 1e6
#define PUT         ((size_t)32768)
#define BATCHES     (8 << 20)

static const struct storm_network tcp = {.latency = 400, .overhead = 3700, .per_byte = 0.33, .port = 16 << 20,
                                         .sends = 1 << 17, .receives = 1 << 17, .retransmit = 200 * MILLISECOND,
                                         .unheard = 3000 * MILLISECOND};

static bool is_far(int pe, int other)
{
    return pe / storm_per_node != other / storm_per_node;
}

static int next_far(struct storm_pe *pe)
{
    int other;
    do
        other = (int)unit_random(&pe->chance, (unsigned)storm_npes);
    while (!is_far(pe->pe, other));
    return other;
}

/* Each starts the PE's operation number pe->issued; whether it has started. */
static bool issue_add(struct storm_pe *pe)
{
    const struct sheaf_amo_call call = {.operation = SHEAF_AMO_ADD, .bytes = 8, .object = &pe->segment[0], .operand = 1};
    return sheaf_msg_amo(NULL, 0, &call, NULL, NULL);
}

static bool issue_put(struct storm_pe *pe)
{
    return sheaf_msg_put(NULL, 0, pe->heap, (char *)pe->heap + PUT, PUT, &pe->remaining);
}

static bool issue_word(struct storm_pe *pe)
{
    int other = (pe->pe + (int)(pe->issued + 1) * (storm_npes > 1000 ? storm_per_node : 1)) % storm_npes;
    pe->segment[1] = (uint64_t)pe->pe + 1;
    return !is_far(pe->pe, other) ||
           sheaf_msg_put(NULL, other, &pe->heap[pe->pe], &pe->segment[1], 8, &pe->remaining);
}

static bool issue_get(struct storm_pe *pe)
{
    uint64_t chance = pe->chance;
    int other = next_far(pe);
    bool has_started = sheaf_msg_get(NULL, other, &pe->heap[pe->issued], &pe->segment[2], 8, NULL);
    pe->chance = has_started ? pe->chance : chance;
    return has_started;
}

static const struct storm {
    const char *name;
    bool (*issue)(struct storm_pe *pe);
    uint64_t count, round; /* operations of a PE; a quiet follows each round of them */
    int most;              /* PEs: with no more than that an operation for each PE */
    bool is_to_one;
} storms[] = {
    {"adds to one word", issue_add, 100, 10, 0, true},
    {"puts of 32 KiB to one PE", issue_put, 4, 1, 0, true},
    {"all-to-all, 8 B", issue_word, 99, UINT64_MAX, 1000, false},
    {"index-gather, 8 B", issue_get, 64, UINT64_MAX, 0, false},
};

static const struct fault {
    const char *name;
    double slowness, stopped; /* of PE 0 */
    int lost;                 /* the node; 0: none */
} faults[] = {{"", 1, 0, 0},
              {"a slow PE", 20, 0, 0},
              {"a stopped PE", 1, 1000 * MILLISECOND, 0},
              {"a lost node", 1, 0, 1}};

static struct {
    const struct storm *storm;
    uint64_t count;
} running;

static bool issues(const struct storm_pe *pe)
{
    return !running.storm->is_to_one || is_far(pe->pe, 0);
}

/* As the program's calls do: each waits for its own end, then quiet; from then on the PE serves. */
static bool step(struct storm_pe *pe)
{
    if (pe->phase == 1 && pe->remaining == 0) {
        pe->done = pe->now;
        pe->phase = pe->issued == running.count || !issues(pe) ? 2 : 0;
    }
    if (pe->phase == 0 && pe->remaining == 0) {
        bool has_started = issues(pe) && pe->issued < running.count && running.storm->issue(pe);
        pe->issued += has_started;
        if (!issues(pe) || pe->issued == running.count || (has_started && pe->issued % running.storm->round == 0)) {
            sheaf_msg_quiet(NULL, SHEAF_EVERY_PE, &pe->remaining);
            pe->phase = 1;
        }
        if (has_started) {
            storm_work(50);
            return true;
        }
    }
    bool has_moved = sheaf_msg_progress(false);
    return has_moved || (pe->phase == 1 && pe->remaining == 0);
}

static void check_add(void)
{
    uint64_t sum = 0, all = 0;
    for (int i = 0; i < storm_npes; i++) {
        all += issues(&storm_pes[i]) ? running.count : 0;
        sum += issues(&storm_pes[i]) && !storm_pes[i].is_gone ? running.count : 0;
    }
    CHECK(storm_pes[0].segment[0] >= sum && storm_pes[0].segment[0] <= all);
}

static void check_words(void)
{
    for (int i = 0; i < storm_npes; i++) {
        struct storm_pe *pe = &storm_pes[i];
        for (uint64_t k = 0; k < running.count && !pe->is_gone; k++) {
            int to = (i + (int)(k + 1) * (storm_npes > 1000 ? storm_per_node : 1)) % storm_npes;
            if (is_far(i, to) && !storm_pes[to].is_gone)
                CHECK(storm_pes[to].heap[i] == (uint64_t)i + 1);
        }
    }
}

static void check_gets(uint64_t seed)
{
    for (int i = 0; i < storm_npes; i++) {
        struct storm_pe *pe = &storm_pes[i];
        pe->chance = seed * 7919 + (uint64_t)i + 1;
        for (uint64_t k = 0; k < running.count && !pe->is_gone; k++) {
            int other = next_far(pe);
            if (!storm_pes[other].is_gone)
                CHECK(pe->heap[k] == (uint64_t)other * 3);
        }
    }
}

static struct result {
    double first, last;      /* end of a program, of those that issue */
    int64_t target, others;  /* most memory of the engine: of PE 0, and of another */
    int64_t kept;            /* of PE 0 at the end */
} result;

static void look_at_pes(void)
{
    result = (struct result){.first = 1e18};
    for (int i = 0; i < storm_npes; i++) {
        const struct storm_pe *pe = &storm_pes[i];
        if (pe->is_gone)
            continue;
        if (pe->phase != 2) {
            printf("PE %d waits for ever: %ju of %ju started, %zu remain\n", i, (uintmax_t)pe->issued,
                   (uintmax_t)running.count, pe->remaining);
            exit(1);
        }
        if (i > 0 && issues(pe)) {
            result.first = pe->done < result.first ? pe->done : result.first;
            result.last = pe->done > result.last ? pe->done : result.last;
        }
        int64_t *most = i == 0 ? &result.target : &result.others;
        *most = pe->most > *most ? pe->most : *most;
    }
    result.kept = storm_pes[0].held;
}

static void print_result(const struct fault *fault)
{
    printf("%s\t%s\t%d\t%.0f\t%.0f\t%ju\t%ju\t%ju\t%ju\t%ju\t%d\t%jd\t%jd\t%jd\n", running.storm->name, fault->name, storm_npes,
           result.first, result.last, (uintmax_t)storm_counts.messages, (uintmax_t)storm_counts.most_in_port,
           (uintmax_t)storm_counts.most_unread, (uintmax_t)storm_counts.most_waiting,
           (uintmax_t)storm_counts.dropped, storm_counts.lost, (intmax_t)result.target, (intmax_t)result.others,
           (intmax_t)result.kept);
    fflush(stdout);
}

static void fail(const char *why)
{
    printf("%s\n", why);
    exit(1);
}

/* A PE's memory is bounded. Each PE that it has addressed takes 150 bytes and a page of 512 at most, and each that waits for its
 * credit 24 bytes in a ring that doubles, until none waits. Two buffers for small operations have a share of 4 MiB. */
static void judge(const struct fault *fault)
{
    uint64_t addressed = running.storm->is_to_one ? 1 : running.count;
    int64_t most = 16384 + storm_npes + (int64_t)addressed * 1200 + BATCHES / storm_npes;
    if (storm_counts.lost)
        fail("connections were lost");
    if (storm_counts.dropped)
        fail("parts were dropped");
    if (storm_counts.most_unread > (32 << 20) + 1024 * (uint64_t)storm_npes)
        fail("too much waits to be read");
    if (result.others > most || result.target > most + 64 * storm_npes)
        fail("a PE's memory grows with their number");
    if (result.kept > most)
        fail("PE 0 keeps memory of those that waited");
    if (running.storm->is_to_one && !fault->name[0] && result.last > 1.5 * result.first)
        fail("some are served long before others");
}

static void prepare(const struct fault *fault, uint64_t seed)
{
    struct storm_pe *pe = &storm_pes[0];
    for (int i = 0; i < storm_npes; i++) {
        storm_pes[i].segment[2] = (uint64_t)i * 3;
        storm_schedule(&storm_pes[i], unit_random(&storm_pes[i].chance, 10000));
        storm_pes[i].chance = seed * 7919 + (uint64_t)i + 1;
    }
    pe->slowness = fault->slowness;
    pe->stopped_from = fault->stopped > 0 ? MILLISECOND / 2 : 0;
    pe->stopped_until = fault->stopped > 0 ? MILLISECOND / 2 + fault->stopped : 0;
    if (fault->lost)
        storm_kill(fault->lost, MILLISECOND / 2, 2000 * MILLISECOND);
}

static void run(const struct storm *storm, const struct fault *fault, int npes, int per_node)
{
    const uint64_t seed = 1;
    running.storm = storm;
    running.count = storm->most && npes <= storm->most ? (uint64_t)npes - 1 : storm->count;
    storm_begin(&sheaf_transport_storm, npes, per_node, (size_t)npes * 8 + 2 * PUT, seed);
    prepare(fault, seed);
    storm_run(step);
    look_at_pes();
    print_result(fault);
    if (storm->issue == issue_add)
        check_add();
    if (storm->issue == issue_word)
        check_words();
    if (storm->issue == issue_get)
        check_gets(seed);
    judge(fault);
    storm_end();
    storm_free_links();
}

int main(int argc, char **argv)
{
    bool is_calm = argc > 1 && strcmp(argv[1], "calm") == 0;
    storm_needs_credit = argc < 2 || strcmp(argv[1], "free") != 0;
    argc -= is_calm || !storm_needs_credit;
    argv += is_calm || !storm_needs_credit;
    CHECK(argc == 3 || argc == 4);
    storm_network = &tcp;
    for (size_t i = 0; i < sizeof storms / sizeof *storms; i++)
        for (size_t k = 0; k < (is_calm ? 1 : sizeof faults / sizeof *faults); k++)
            if (argc == 3 || strcmp(argv[3], storms[i].name) == 0)
                run(&storms[i], &faults[k], atoi(argv[1]), atoi(argv[2]));
    return 0;
}
