/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The replicated log of many nodes, on a clock of the model: boot/journal.c tests every order of events with up to six
 * nodes, this one what a death costs with a thousand, and that what they decide is right there too. Each agent is one
 * processor, which takes OVERHEAD to send a message and to receive one. The time of a connection's end: at once where a
 * process has ended; where a host is silent, with the look behind heartbeat_unanswered after the next
 * heartbeat.
 *
 * By seed: deaths of processes and of hosts, several at once and the sequencer too; a split; slow nodes. All nodes that
 * go on have the same log; it has every death, and none of a node that lives, unless the network was split; of a network
 * in parts one goes on at most.
 * Arguments: the nodes, the first seed, and how many; or the nodes alone, for a table of what deaths cost, with tabs: nodes
 * lost, nanoseconds until all know, messages, those of the node that sends the most, questions, and the most messages that
 * wait for one node. Messages grow with the nodes, not with their square.
 */
#include "base/times.h"
#include "boot/replicated_log/journal.h"
#include "random.h"
#include "unit.h"

#include <inttypes.h>

#define OVERHEAD 3.7e3 /* nanoseconds: networks.tsv, TCP */
#define LATENCY  20e3  /* between two hosts, with their switches */
#define MOST_DEATHS 64
#define LOOKS       6   /* that heartbeat_unanswered takes, each behind a heartbeat */
#define MOST_KNOWN  2e9 /* nanoseconds until all know of a death */
#define FAR_MORE 1000 /* nodes: an answer takes longer than the time between two silences of a split */

struct message {
    struct sheaf_journal_head head;
    int32_t body[]; /* a submission's number, or the nodes that are written off */
};

/* News for a node: a message has come, or a connection has ended. */
struct news {
    struct news *next;
    int from, how; /* how: enum sheaf_node_end; -1: a message */
    struct message *message;
};

/* News comes, or, where there is none, the node goes on with what has come before. */
struct event {
    double at;
    uint64_t order; /* of events at the same time */
    int node;
    struct news *news;
};

struct node {
    struct sheaf_journal *journal;
    double busy_until, slowness;
    bool is_killed, has_ended;
    bool *is_expelled;         /* by node: this one sends it nothing */
    struct news *first, **end; /* that it has not come to */
    int32_t submitted;
    int length;
    uint64_t digest; /* of the log */
    uint64_t sent;
    int waiting, most_waiting; /* news */
};

static struct {
    int count, events, room;
    struct event *heap;
    uint64_t order, seed, state, sent, asked;
    struct node *node;
    int *side; /* of a split network */
    bool is_split;
    double now, known_at;
    int deaths;
    int32_t died[MOST_DEATHS];
} sim;

static double later(double one, double other)
{
    return one > other ? one : other;
}

static int below(int limit)
{
    return (int)test_random_below(&sim.state, (uint64_t)limit);
}

static void fail(const char *what, int node)
{
    printf("seed %" PRIu64 ", %d nodes: %s (node %d)\n", sim.seed, sim.count, what, node);
    exit(1);
}

static bool is_before(const struct event *one, const struct event *other)
{
    return one->at < other->at || (one->at == other->at && one->order < other->order);
}

static void add_event(struct event event)
{
    if (sim.events == sim.room) {
        sim.room = sim.room ? 2 * sim.room : 4096;
        sim.heap = realloc(sim.heap, (size_t)sim.room * sizeof *sim.heap);
        CHECK(sim.heap != NULL);
    }
    event.order = sim.order++;
    int at = sim.events++;
    for (; at > 0 && is_before(&event, &sim.heap[(at - 1) / 2]); at = (at - 1) / 2)
        sim.heap[at] = sim.heap[(at - 1) / 2];
    sim.heap[at] = event;
}

static struct event take_event(void)
{
    struct event first = sim.heap[0], last = sim.heap[--sim.events];
    int at = 0;
    for (int child = 1; child < sim.events; child = 2 * at + 1) {
        if (child + 1 < sim.events && is_before(&sim.heap[child + 1], &sim.heap[child]))
            child++;
        if (!is_before(&sim.heap[child], &last))
            break;
        sim.heap[at] = sim.heap[child];
        at = child;
    }
    sim.heap[at] = last;
    return first;
}

static void add_news(double at, int node, int from, int how, struct message *message)
{
    struct news *news = malloc(sizeof *news);
    CHECK(news != NULL);
    *news = (struct news){NULL, from, how, message};
    add_event((struct event){.at = at, .node = node, .news = news});
}

static bool goes_on(const struct node *node)
{
    return !node->is_killed && !node->has_ended;
}

static void send(void *self, int to, const struct sheaf_journal_head *head, const void *body)
{
    struct node *node = self;
    int me = (int)(node - sim.node);
    if (node->is_expelled[to])
        return;
    node->busy_until += OVERHEAD * node->slowness;
    node->sent++;
    sim.sent++;
    sim.asked += head->word == SHEAF_JOURNAL_ASK;
    if (sim.is_split && sim.side[me] != sim.side[to])
        return;
    struct message *message = malloc(sizeof *message + head->bytes);
    CHECK(message != NULL);
    message->head = *head;
    if (head->bytes)
        memcpy(message->body, body, head->bytes);
    add_news(node->busy_until + LATENCY, to, me, -1, message);
}

static void lose_node(struct node *node, int lost)
{
    if (!sim.is_split && goes_on(&sim.node[lost]))
        fail("the log writes off a node that lives", lost);
    sim.known_at = later(node->busy_until, sim.known_at);
}

static void apply(void *self, const struct sheaf_journal_head *head, const void *body)
{
    struct node *node = self;
    node->length++;
    for (uint32_t at = 0; at < head->bytes; at += sizeof(int32_t)) {
        int32_t value;
        memcpy(&value, (const char *)body + at, sizeof value);
        node->digest = (node->digest ^ (uint64_t)(uint32_t)value ^ (uint64_t)head->kind << 40) *
                       UINT64_C(0x9e3779b97f4a7c15);
        if (head->kind < SHEAF_ENTRY_OF_USER)
            lose_node(node, value);
    }
}

/* The connections of a node that has ended, to all others. */
static void end_connections(int node, double at, enum sheaf_node_end how)
{
    for (int other = 0; other < sim.count; other++)
        if (other != node && goes_on(&sim.node[other]))
            add_news(at, other, node, (int)how, NULL);
}

static void expel(void *self, int other)
{
    ((struct node *)self)->is_expelled[other] = true;
}

static void end(void *self)
{
    struct node *node = self;
    node->has_ended = true;
    end_connections((int)(node - sim.node), node->busy_until + LATENCY, SHEAF_NODE_CLOSED);
}

static double unanswered(void)
{
    return LOOKS * (double)sheaf_times.heartbeat_every + below((int)(sheaf_times.heartbeat_every / SHEAF_MILLISECOND)) * 1e6;
}

/* dark: its host, without a word. */
static void kill_node(int number, bool is_dark)
{
    struct node *node = &sim.node[number];
    if (!goes_on(node) || sim.deaths == MOST_DEATHS)
        return;
    node->is_killed = true;
    sim.died[sim.deaths++] = number;
    for (int other = 0; is_dark && other < sim.count; other++)
        if (other != number && goes_on(&sim.node[other]))
            add_news(sim.now + unanswered(), other, number, SHEAF_NODE_SILENT, NULL);
    if (!is_dark)
        end_connections(number, sim.now + LATENCY, SHEAF_NODE_CLOSED);
}

static void split(int part)
{
    sim.is_split = true;
    for (int node = 0; node < sim.count; node++)
        sim.side[node] = below(100) < part;
    for (int one = 0; one < sim.count; one++)
        for (int other = 0; other < sim.count; other++)
            if (sim.side[one] != sim.side[other] && goes_on(&sim.node[one]))
                add_news(sim.now + unanswered(), one, other, SHEAF_NODE_SILENT, NULL);
}

static void submit(int number)
{
    struct node *node = &sim.node[number];
    if (!goes_on(node))
        return;
    node->busy_until = later(node->busy_until, sim.now);
    int32_t value = ++node->submitted;
    sheaf_journal_submit(node->journal, SHEAF_ENTRY_OF_USER, &value, sizeof value);
}

static void hear(struct node *node, const struct news *news)
{
    if (news->how >= 0)
        sheaf_journal_lose(node->journal, news->from, (enum sheaf_node_end)news->how);
    else if (!sheaf_journal_hear(node->journal, news->from, &news->message->head, news->message->body))
        fail("a message was refused", (int)(node - sim.node));
}

/* The first news that the node has not come to; then it goes on when that is done. */
static void take_news(struct node *node)
{
    struct news *news = node->first;
    node->first = news->next;
    node->waiting--;
    if (goes_on(node)) {
        node->busy_until = later(node->busy_until, sim.now) + OVERHEAD * node->slowness;
        hear(node, news);
    }
    free(news->message);
    free(news);
    if (node->first)
        add_event((struct event){.at = later(node->busy_until, sim.now), .node = (int)(node - sim.node)});
}

static void handle(const struct event *event)
{
    struct node *node = &sim.node[event->node];
    sim.now = event->at;
    if (!event->news) {
        take_news(node);
        return;
    }
    if (!node->first) {
        node->end = &node->first;
        add_event((struct event){.at = later(node->busy_until, sim.now), .node = event->node});
    }
    *node->end = event->news;
    node->end = &event->news->next;
    node->waiting++;
    node->most_waiting = node->waiting > node->most_waiting ? node->waiting : node->most_waiting;
}

/* Until that time. */
static void run_until(double time)
{
    while (sim.events > 0 && sim.heap[0].at <= time) {
        struct event event = take_event();
        handle(&event);
    }
    if (time < 1e18)
        sim.now = time;
}

static void start(int count)
{
    sim.count = count;
    sim.events = sim.deaths = 0;
    sim.is_split = false;
    sim.now = sim.known_at = 0;
    sim.sent = sim.asked = 0;
    sim.node = calloc((size_t)count, sizeof *sim.node);
    sim.side = calloc((size_t)count, sizeof *sim.side);
    CHECK(sim.node && sim.side);
    for (int node = 0; node < count; node++) {
        struct sheaf_journal_user user = {&sim.node[node], send, apply, expel, end};
        sim.node[node] = (struct node){.journal = sheaf_journal_create(count, node, &user), .slowness = 1,
                                       .is_expelled = calloc((size_t)count, sizeof(bool))};
        CHECK(sim.node[node].journal && sim.node[node].is_expelled);
    }
}

static void clear(void)
{
    for (int node = 0; node < sim.count; node++) {
        sheaf_journal_destroy(sim.node[node].journal);
        free(sim.node[node].is_expelled);
    }
    free(sim.node);
    free(sim.side);
}

static bool is_known(const struct node *node, int dead)
{
    return node->is_expelled[dead];
}

/* All is quiet. */
static void check(void)
{
    int one = -1;
    for (int number = 0; number < sim.count; number++) {
        const struct node *node = &sim.node[number];
        if (!sim.is_split && node->has_ended)
            fail("a node has ended itself that could go on", number);
        if (!goes_on(node))
            continue;
        one = one < 0 ? number : one;
        if (node->length != sim.node[one].length || node->digest != sim.node[one].digest)
            fail("two logs differ", number);
        if (!sheaf_journal_is_settled(node->journal))
            fail("what it has submitted is not in the log", number);
        for (int i = 0; i < sim.deaths; i++)
            if (!is_known(node, sim.died[i]))
                fail("a death is not known", number);
        for (int other = 0; other < sim.count; other++)
            if (is_known(node, other) && goes_on(&sim.node[other]))
                fail("a node that goes on is written off", other);
    }
}

/* Deaths within a second, while nodes submit; perhaps a split; perhaps slow nodes. */
static void run_seed(int count, uint64_t seed)
{
    sim.seed = seed;
    sim.state = seed * 77777;
    start(count);
    for (int slow = below(4); slow > 0; slow--)
        sim.node[below(count)].slowness = 1 + below(1000);
    int deaths = below(6), split_at = below(4) == 0 ? below(20) : -1;
    for (int step = 0; step < 20; step++) {
        submit(below(count));
        if (deaths > 0 && below(4) == 0) {
            deaths--;
            kill_node(below(3) ? below(count) : step % 3, below(2));
        }
        if (step == split_at)
            split(1 + below(99));
        run_until(sim.now + below(100) * 1e6);
    }
    run_until(1e18);
    check();
    clear();
}

static int count_expelled(const struct node *node)
{
    int expelled = 0;
    for (int other = 0; other < sim.count; other++)
        expelled += node->is_expelled[other];
    return expelled;
}

static void report(const char *what)
{
    uint64_t most = 0;
    int waiting = 0, lost = 0;
    run_until(1e18);
    check();
    for (int number = 0; number < sim.count; number++) {
        const struct node *node = &sim.node[number];
        most = node->sent > most ? node->sent : most;
        waiting = node->most_waiting > waiting ? node->most_waiting : waiting;
        lost = goes_on(node) ? count_expelled(node) : lost;
    }
    printf("%s\t%d\t%d\t%.0f\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%d\n", what, sim.count, lost,
           sim.known_at, sim.sent, most, sim.asked, waiting);
    fflush(stdout);
    CHECK(sim.known_at <= MOST_KNOWN);
    CHECK(sim.sent <= 8 * (uint64_t)sim.count * (uint64_t)lost);
    CHECK(sim.count < FAR_MORE || sim.asked <= 25 * (uint64_t)sim.count);
    clear();
}

static void tell_costs(int count)
{
    static const struct {
        const char *name;
        int first, deaths;
        bool is_dark;
    } cases[] = {{"a process ends", 1, 1, false},    {"the sequencer's process ends", 0, 1, false},
                 {"a host is silent", 1, 1, true},   {"the sequencer's host is silent", 0, 1, true},
                 {"20 processes end", 1, 20, false}, {"20 hosts are silent", 1, 20, true},
                 {"20 hosts and the sequencer's are silent", 0, 21, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sim.state = i;
        start(count);
        for (int dead = 0; dead < cases[i].deaths && dead < count / 3; dead++)
            kill_node(cases[i].first + dead, cases[i].is_dark);
        report(cases[i].name);
    }
    sim.state = 1;
    start(count);
    split(33);
    report("a third is cut off");
}

int main(int argc, char **argv)
{
    CHECK(argc == 2 || argc == 4);
    int count = atoi(argv[1]);
    CHECK(count >= 3);
    if (argc == 2)
        tell_costs(count);
    else
        for (uint64_t seed = strtoull(argv[2], NULL, 10), end = seed + strtoull(argv[3], NULL, 10); seed < end; seed++)
            run_seed(count, seed);
    return 0;
}
