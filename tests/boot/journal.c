/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The log of a job's nodes over links that are simulated: messages are late, nodes are killed, several at once and the
 * sequencer too, the network splits, two nodes no longer reach each other. By seed: all nodes that go on have the same
 * log; the submissions of a node that goes on are in it once and in order; of a network in parts one goes on at most;
 * without a split all nodes go on that were not killed. Then those of the part that goes on leave or are killed, one by
 * one, and the last is there to the end. Once, of 5,000 nodes all but one are gone.
 * Arguments: see common/seeds.h.
 */
#include "boot/replicated_log/journal.h"
#include "random.h"
#include "seeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES 6
#define MOST  2000 /* entries */
#define STEPS 1500

struct message {
    struct message *next;
    struct sheaf_journal_head head;
    int32_t body[NODES];
};

/* One direction. */
struct link {
    struct message *first, **end;
    bool is_closing;  /* the sender sends no more */
    bool has_closed;  /* and the receiver knows, or does not listen */
    bool is_cut;
    bool is_given_up; /* the sender sends no more because it heard nothing: it may live */
};

static struct node {
    struct sheaf_journal *journal;
    bool is_killed, has_ended;
    int length;
    int32_t submitted, list[MOST], from[MOST];
} nodes[NODES];
static struct link links[NODES][NODES];
static int count;
static uint64_t seed, state;

static int below(int limit)
{
    return (int)test_random_below(&state, (uint64_t)limit);
}

static void fail(const char *what, int node)
{
    printf("seed %" PRIu64 ", %d nodes: %s (node %d)\n", seed, count, what, node);
    exit(1);
}

static bool goes_on(int node)
{
    return !nodes[node].is_killed && !nodes[node].has_ended;
}

static void send(void *self, int to, const struct sheaf_journal_head *head, const void *body)
{
    struct link *link = &links[(struct node *)self - nodes][to];
    if (link->is_closing)
        return;
    struct message *message = calloc(1, sizeof *message);
    message->head = *head;
    if (head->bytes > sizeof message->body)
        fail("a message is too long", to);
    if (head->bytes)
        memcpy(message->body, body, head->bytes);
    if (!link->first)
        link->end = &link->first;
    *link->end = message;
    link->end = &message->next;
}

static void apply(void *self, const struct sheaf_journal_head *head, const void *body)
{
    struct node *node = self;
    if (node->length == MOST)
        fail("too many entries", (int)(node - nodes));
    int32_t number = 0; /* a submission's, or of the nodes that are written off a bit each */
    for (uint32_t at = 0; at < head->bytes; at += sizeof number) {
        int32_t value;
        memcpy(&value, (const char *)body + at, sizeof value);
        number = head->number ? value : number | 1 << value;
    }
    node->from[node->length] = head->number ? head->node : -1;
    node->list[node->length++] = number;
}

static void expel(void *self, int other)
{
    int node = (int)((struct node *)self - nodes);
    links[node][other].is_closing = true;
    links[other][node].has_closed = true;
}

static void close_all(int node)
{
    for (int other = 0; other < count; other++) {
        links[node][other].is_closing = true;
        links[other][node].has_closed = true;
    }
}

static void end(void *self)
{
    struct node *node = self;
    node->has_ended = true;
    close_all((int)(node - nodes));
}

static struct message *take(struct link *link)
{
    struct message *message = link->first;
    if (message)
        link->first = message->next;
    return message;
}

/* The next that the receiver hears from the sender. */
static bool deliver(int from, int to)
{
    struct link *link = &links[from][to];
    if (link->has_closed || !goes_on(to) || from == to)
        return false;
    bool is_unheard = links[to][from].is_cut && below(4) == 0; /* what it says is not acknowledged */
    if (link->is_cut || is_unheard) {
        link->has_closed = links[to][from].is_closing = links[to][from].is_given_up = true;
        sheaf_journal_lose(nodes[to].journal, from, SHEAF_NODE_SILENT);
        return true;
    }
    struct message *message = take(link);
    if (message) {
        if (!sheaf_journal_hear(nodes[to].journal, from, &message->head, message->body))
            fail("a message was refused", to);
        free(message);
        return true;
    }
    if (!link->is_closing)
        return false;
    link->has_closed = links[to][from].is_closing = true;
    sheaf_journal_lose(nodes[to].journal, from, link->is_given_up ? SHEAF_NODE_SILENT : SHEAF_NODE_CLOSED);
    return true;
}

static void submit(int node)
{
    if (!goes_on(node) || nodes[node].submitted == MOST / NODES / 2)
        return;
    int32_t number = ++nodes[node].submitted;
    sheaf_journal_submit(nodes[node].journal, SHEAF_ENTRY_OF_USER, &number, sizeof number);
}

static void kill_one(int node)
{
    if (!goes_on(node))
        return;
    nodes[node].is_killed = true;
    close_all(node);
}

static void split(void)
{
    int first = 1 + below((1 << count) - 2); /* a bit for each node on one side */
    bool is_one_way = below(3) == 0;         /* what these say */
    for (int one = 0; one < count; one++)
        for (int other = 0; other < count; other++)
            links[one][other].is_cut |= (first >> one & 1) != (first >> other & 1) &&
                                        (!is_one_way || (first >> one & 1));
}

/* It hears nobody, or nobody hears it: all others go on. */
static void isolate(int node, bool is_deaf)
{
    for (int other = 0; other < count; other++)
        if (other != node)
            links[is_deaf ? other : node][is_deaf ? node : other].is_cut = true;
}

static void start(void)
{
    count = 2 + below(NODES - 1);
    memset(nodes, 0, sizeof nodes);
    memset(links, 0, sizeof links);
    for (int node = 0; node < count; node++) {
        struct sheaf_journal_user user = {&nodes[node], send, apply, expel, end};
        nodes[node].journal = sheaf_journal_create(count, node, &user);
    }
}

static void settle(void)
{
    for (bool any = true; any;) {
        any = false;
        for (int from = 0; from < count; from++)
            for (int to = 0; to < count; to++)
                any |= deliver(from, to);
    }
}

static void check_submissions(int node, int by)
{
    int32_t next = 0;
    for (int i = 0; i < nodes[node].length; i++)
        if (nodes[node].from[i] == by && nodes[node].list[i] != ++next)
            fail("an entry is missing, is there twice or is out of order", by);
    if (goes_on(by) && next != nodes[by].submitted)
        fail("what was submitted is not in the list", by);
}

static void check(bool has_split)
{
    int one = -1;
    for (int node = 0; node < count; node++) {
        if (!has_split && nodes[node].has_ended)
            fail("a node has ended itself that could go on", node);
        if (!goes_on(node))
            continue;
        one = one < 0 ? node : one;
        if (nodes[node].length != nodes[one].length ||
            memcmp(nodes[node].list, nodes[one].list, (size_t)nodes[one].length * sizeof(int32_t)) != 0)
            fail("two lists differ", node);
    }
    for (int by = 0; by < count && one >= 0; by++)
        check_submissions(one, by);
}

static void clear(void)
{
    for (int from = 0; from < count; from++)
        for (int to = 0; to < count; to++)
            for (struct message *message; (message = take(&links[from][to])) != NULL;)
                free(message);
    for (int node = 0; node < count; node++)
        sheaf_journal_destroy(nodes[node].journal);
}

/* In order, as its agent does when its PEs have ended. */
static void leave(int node)
{
    struct sheaf_journal_head bye = {.word = SHEAF_JOURNAL_BYE, .node = node};
    for (int other = 0; other < count; other++)
        if (other != node)
            send(&nodes[node], other, &bye, NULL);
    nodes[node].is_killed = true;
    close_all(node);
}

static int living(void)
{
    int living = 0;
    for (int node = 0; node < count; node++)
        living += goes_on(node);
    return living;
}

/* Of the part that goes on: none has a word from elsewhere any more. */
static void empty(void)
{
    for (int left = living(); left > 1; left--) {
        int node = below(count);
        while (!goes_on(node))
            node = (node + 1) % count;
        if (below(2))
            kill_one(node);
        else
            leave(node);
        settle();
        if (living() != left - 1)
            fail("others have ended with the one that has left", node);
    }
}

static void run(void)
{
    bool splits = below(3) == 0;
    int kills = below(4), split_at = splits ? below(STEPS) : -1, again_at = below(2) ? below(STEPS) : -1;
    start();
    for (int step = 0; step < STEPS; step++) {
        if (below(4) == 0)
            submit(below(count));
        else
            deliver(below(count), below(count));
        if (kills > 0 && below(STEPS / 3) == 0 && kills-- < count)
            kill_one(below(3) ? below(count) : 0);
        if (step == split_at || (splits && step == again_at))
            split();
    }
    settle();
    check(splits);
    empty();
    clear();
}

static void run_alone(void)
{
    start();
    while (count < 3) {
        clear();
        start();
    }
    int node = below(3) ? below(count) : 0, at = below(STEPS);
    bool is_deaf = below(2);
    for (int step = 0; step < STEPS; step++) {
        if (below(4) == 0)
            submit(below(count));
        else
            deliver(below(count), below(count));
        if (step == at)
            isolate(node, is_deaf);
    }
    settle();
    if (living() != count - 1 || goes_on(node))
        fail(is_deaf ? "all but a deaf one were to go on" : "all but a mute one were to go on", node);
    check(true);
    empty();
    clear();
}

/* One pair of nodes does not reach each other any more, and then one is killed, the sequencer perhaps. */
static void run_pair(void)
{
    start();
    int one = below(2) ? 0 : below(count), other = (one + 1 + below(count - 1)) % count;
    int cut_at = below(STEPS), killed_at = cut_at + below(STEPS / 8);
    for (int step = 0; step < STEPS; step++) {
        if (below(4) == 0)
            submit(below(count));
        else
            deliver(below(count), below(count));
        if (step == cut_at)
            links[one][other].is_cut = links[other][one].is_cut = true;
        if (step == killed_at)
            kill_one(below(3) ? 0 : below(count));
    }
    settle();
    check(true);
    clear();
}

#define MANY 5000 /* nodes: more than two entries name */

static struct crowd {
    int entries, listed, expelled;
    bool has_ended;
} crowd;

static void send_to_nobody(void *self, int to, const struct sheaf_journal_head *head, const void *body)
{
    (void)self, (void)head, (void)body;
    fail("a message goes to a node that is gone", to);
}

static void count_listed(void *self, const struct sheaf_journal_head *head, const void *body)
{
    struct crowd *of = self;
    (void)body;
    of->entries++;
    of->listed += (int)(head->bytes / sizeof(int32_t));
}

static void count_expelled(void *self, int node)
{
    (void)node;
    ((struct crowd *)self)->expelled++;
}

static void note_end(void *self)
{
    ((struct crowd *)self)->has_ended = true;
}

/* All others are gone, the sequencer last: the node that takes over writes off all of them. */
static void run_many(void)
{
    struct sheaf_journal_user user = {&crowd, send_to_nobody, count_listed, count_expelled, note_end};
    struct sheaf_journal *journal = sheaf_journal_create(MANY, 1, &user);
    for (int node = 2; journal && node < MANY; node++)
        sheaf_journal_lose(journal, node, SHEAF_NODE_CLOSED);
    if (!journal || crowd.entries != 0)
        fail("a node numbers entries without being the sequencer", 1);
    sheaf_journal_lose(journal, 0, SHEAF_NODE_CLOSED);
    int most = (int)(SHEAF_JOURNAL_MOST_BYTES / sizeof(int32_t)), entries = (MANY - 1 + most - 1) / most;
    if (crowd.has_ended || crowd.entries != entries || crowd.listed != MANY - 1 || crowd.expelled != MANY - 1)
        fail("not all that are gone were written off, each once", 1);
    sheaf_journal_destroy(journal);
}

static void run_seed(uint64_t number)
{
    seed = number;
    state = seed * 77777;
    run();
    run_alone();
    run_pair();
}

int main(int argc, char **argv)
{
    run_many();
    return test_seeds_main(argc, argv, 1500, run_seed);
}
