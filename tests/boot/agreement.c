/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Agreements that PEs decide among themselves, and the list that decides where they are disturbed: a job of several
 * nodes, of which each step is one of a PE, an agent or a message, in random order. PEs are killed at any step, and
 * whole nodes with their agents, the sequencer's too; any PE may believe at any time that it is disturbed. By seed:
 * all that return from an agreement return the same; nobody waits for ever; without a disturbance the list hears
 * nothing. That holds for PEs too that die behind it. Of a node that is lost it holds for what its PEs have
 * decided among themselves: its agent may have had an entry of the list that no other has. Real are the
 * exchange, the votes and the list. Arguments: see common/seeds.h.
 */
#include "boot/replicated_log/journal.h"
#include "boot/replicated_log/votes.h"
#include "survive/agree/exchange.h"
#include "random.h"
#include "seeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 4, HERE = 3, PES = NODES * HERE, TEAMS = 2, CALLS = 40, ROUNDS = 2, MOST = 200000 };
enum { DEATH = SHEAF_ENTRY_OF_USER, VOTE };
enum stage { NEXT, EXCHANGING, WAITING, FINISHED };

struct message {
    struct message *next;
    union {
        struct sheaf_exchange_message exchange;
        struct {
            struct sheaf_journal_head head;
            char body[sizeof(struct sheaf_vote) + 8];
        };
    };
};

struct queue {
    struct message *first, **end;
    int length;
};

/* A PE's part of one team. */
struct part {
    uint64_t identity;
    uint32_t number[SHEAF_AGREEMENTS];
};

static struct pe {
    bool is_dead, is_seen; /* by its agent */
    int node, slot, call;
    enum stage stage;
    struct part part[TEAMS];
    struct sheaf_exchange exchange;
    uint32_t known;
    struct sheaf_verdict verdict; /* of the list */
    uint64_t box;                 /* of the vote in which it waits */
} pes[PES];

static struct node {
    bool is_dead;
    int npes;
    uint32_t votes_waiting, votes_news; /* of the control area */
    struct sheaf_journal *journal;
    struct sheaf_votes *votes;
    struct queue requests;
    uint32_t deaths, died[PES];
    struct sheaf_team_block *block[TEAMS];
} nodes[NODES];

/* What a call has returned. */
static struct result {
    bool is_there, is_fast;
    uint64_t flags;
    uint32_t deaths;
    uint32_t by; /* a bit for each PE */
} results[CALLS];

static struct queue letters[TEAMS][SHEAF_AGREEMENTS][PES][PES];
static struct queue posts[NODES][NODES];
static bool has_parted[NODES][NODES];
static int count, npes, disturbing, kills, votes_cast;
static uint64_t seed, state, members[TEAMS];
static long steps_done;
static unsigned undisturbed, by_list;

static int below(int limit)
{
    return (int)test_random_below(&state, (uint64_t)limit);
}

static void fail(const char *what, int which)
{
    printf("seed %" PRIu64 ", %d nodes, %d PEs: %s (%d)\n", seed, count, npes, what, which);
    exit(1);
}

static struct message *put(struct queue *queue)
{
    struct message *message = calloc(1, sizeof *message);
    if (!queue->first)
        queue->end = &queue->first;
    *queue->end = message;
    queue->end = &message->next;
    queue->length++;
    return message;
}

static void drop(struct queue *queue)
{
    struct message *message = queue->first;
    queue->first = message->next;
    queue->length--;
    free(message);
}

static void empty(struct queue *queue)
{
    while (queue->first)
        drop(queue);
}

/* What its sender has not brought on its way when it is killed. */
static void cut(struct queue *queue)
{
    struct queue whole = *queue;
    int kept = below(queue->length + 1);
    *queue = (struct queue){NULL, NULL, 0};
    for (; whole.first; drop(&whole))
        if (queue->length < kept) {
            struct message *copy = put(queue), *next = copy->next;
            *copy = *whole.first;
            copy->next = next;
        }
}

/* The agent: agent.c in little. */

static const struct node *deciding; /* whose agent applies an entry */

static void tell_votes(struct node *node)
{
    node->votes_waiting = sheaf_votes_waiting(node->votes);
    node->votes_news++;
}

static void die(struct node *node, int pe)
{
    if (node->died[pe])
        return;
    node->died[pe] = ++node->deaths;
    sheaf_votes_die(node->votes, pe, node->deaths);
    tell_votes(node);
}

static void lose_node(struct node *node, int lost)
{
    for (int pe = 0; pe < npes; pe++)
        if (pes[pe].node == lost)
            die(node, pe);
}

static void apply(void *self, const struct sheaf_journal_head *head, const void *body)
{
    struct node *node = self;
    int32_t which;
    deciding = node;
    if (head->kind == VOTE) {
        if (sheaf_votes_cast(node->votes, body, head->bytes))
            tell_votes(node);
        return;
    }
    for (uint32_t at = 0; at < head->bytes; at += sizeof which) {
        memcpy(&which, (const char *)body + at, sizeof which);
        if (head->kind == DEATH)
            die(node, which);
        else if (head->kind != SHEAF_ENTRY_NODE_LEFT)
            lose_node(node, which);
    }
}

static void send_post(void *self, int to, const struct sheaf_journal_head *head, const void *body)
{
    int from = (int)((struct node *)self - nodes);
    if (nodes[from].is_dead || has_parted[from][to])
        return;
    struct message *message = put(&posts[from][to]);
    message->head = *head;
    if (head->bytes)
        memcpy(message->body, body, head->bytes);
}

static void expel(void *self, int other)
{
    int node = (int)((struct node *)self - nodes);
    has_parted[node][other] = true;
}

static void end(void *self)
{
    fail("a node has ended itself", (int)((struct node *)self - nodes));
}

static void decided(int pe, uint64_t box, const struct sheaf_verdict *verdict)
{
    if (&nodes[pes[pe].node] == deciding && pes[pe].stage == WAITING && pes[pe].box == box)
        pes[pe].verdict = *verdict;
}

static void handle_request(struct node *node)
{
    votes_cast++;
    sheaf_journal_submit(node->journal, VOTE, node->requests.first->body, (uint32_t)sheaf_vote_bytes(npes));
    drop(&node->requests);
}

static bool lose_process(struct node *node, int pe)
{
    int32_t which = pe;
    if (pes[pe].node != node - nodes || !pes[pe].is_dead || pes[pe].is_seen)
        return false;
    while (node->requests.first)
        handle_request(node);
    sheaf_journal_submit(node->journal, DEATH, &which, sizeof which);
    return pes[pe].is_seen = true;
}

static bool turn_agent(int which)
{
    struct node *node = &nodes[which];
    bool any = false;
    if (node->is_dead)
        return false;
    if (node->requests.first && below(2))
        handle_request(node), any = true;
    else
        any = lose_process(node, below(npes));
    return any || node->requests.first;
}

static bool deliver_post(int from, int to)
{
    struct queue *post = &posts[from][to];
    struct node *node = &nodes[to];
    if (node->is_dead || from == to)
        return false;
    if (post->first) {
        struct message *message = post->first;
        if (!sheaf_journal_hear(node->journal, from, &message->head, message->body))
            fail("a message was refused", to);
        drop(post);
        return true;
    }
    if (!nodes[from].is_dead || has_parted[to][from])
        return false;
    has_parted[to][from] = true;
    sheaf_journal_lose(node->journal, from, SHEAF_NODE_CLOSED);
    return true;
}

/* The PE: undisturbed.c and agreement.c in little. */

static int team_of(int call)
{
    return call % 5 == 1 || call % 5 == 3;
}

static enum sheaf_agreement_kind kind_of(int call)
{
    return call % 5 == 2 ? SHEAF_AGREE_LIBRARY : SHEAF_AGREE_PROGRAM;
}

/* The smaller team is made anew, now and then. */
static uint64_t identity_of(int call)
{
    return team_of(call) ? 100 + (uint64_t)call / 15 : 7;
}

static int index_of(const struct pe *pe)
{
    return (int)(pe - pes);
}

static int lowest_of(int team, int node)
{
    for (int pe = 0; pe < npes; pe++)
        if (pes[pe].node == node && members[team] >> pe & 1)
            return pe;
    return -1;
}

/* Of nodes that have members: how many, and the PE that is so many nodes behind mine. */
static int nodes_of(int team)
{
    int found = 0;
    for (int node = 0; node < count; node++)
        found += lowest_of(team, node) >= 0;
    return found;
}

static int peer_of(const struct pe *pe, int team, int distance)
{
    int list[NODES], found = 0, mine = 0;
    for (int node = 0; node < count; node++) {
        if (lowest_of(team, node) < 0)
            continue;
        if (node == pe->node)
            mine = found;
        list[found++] = node;
    }
    return lowest_of(team, list[(mine + distance + found) % found]);
}

static bool send(void *self, int round, const struct sheaf_exchange_message *message)
{
    struct pe *pe = self;
    int team = team_of(pe->call), to = peer_of(pe, team, 1 << round);
    if (below(4) == 0)
        return false;
    put(&letters[team][kind_of(pe->call)][index_of(pe)][to])->exchange = *message;
    return true;
}

static bool receive(void *self, int round, struct sheaf_exchange_message *message)
{
    struct pe *pe = self;
    int team = team_of(pe->call), from = peer_of(pe, team, -(1 << round));
    struct queue *queue = &letters[team][kind_of(pe->call)][from][index_of(pe)];
    if (!queue->first || below(2))
        return false;
    *message = queue->first->exchange;
    drop(queue);
    return true;
}

static bool is_sent(void *self)
{
    (void)self;
    return below(4) != 0;
}

static void tell(void *self, uint32_t *word, uint32_t value)
{
    (void)self;
    *word = value;
}

static const struct sheaf_exchange_links links = {NULL, send, receive, is_sent, tell};

static uint64_t flags_of(int pe, int call)
{
    uint64_t its = (uint64_t)pe * CALLS + (uint64_t)call;
    return test_random(&its) | test_random(&its);
}

static void go_on(struct pe *pe, bool is_fast, uint64_t flags, uint32_t deaths)
{
    struct result *its = &results[pe->call];
    if (deaths > nodes[pe->node].deaths)
        fail("deaths count that this PE was not told of", pe->call);
    if (its->is_there && (its->flags != flags || its->deaths != deaths)) {
        bool is_lost = true; /* all that have returned otherwise */
        for (int other = 0; other < npes; other++)
            is_lost &= !(its->by >> other & 1) || nodes[pes[other].node].is_dead;
        if (!is_lost || its->is_fast)
            fail("two PEs return different things from a call", pe->call);
        *its = (struct result){.is_there = false};
    }
    its->is_there = true;
    its->is_fast |= is_fast;
    its->flags = flags;
    its->deaths = deaths;
    its->by |= 1U << index_of(pe);
    *(is_fast ? &undisturbed : &by_list) += 1;
    pe->stage = ++pe->call == CALLS ? FINISHED : NEXT;
}

static void renew(struct pe *pe, int team)
{
    if (pe->part[team].identity == identity_of(pe->call))
        return;
    pe->part[team] = (struct part){.identity = identity_of(pe->call)};
}

/* Each team made anew has a block of its own. */
static struct sheaf_team_block *block_of(int node, int team, int call)
{
    size_t bytes = sizeof(struct sheaf_team_block) + HERE * sizeof(struct sheaf_member);
    return (struct sheaf_team_block *)((char *)nodes[node].block[team] + (team ? (size_t)call / 15 : 0) * bytes);
}

static void vote(struct pe *pe, bool is_known)
{
    int team = team_of(pe->call), kind = (int)kind_of(pe->call);
    struct sheaf_vote *mine = (struct sheaf_vote *)put(&nodes[pe->node].requests)->body;
    *mine = (struct sheaf_vote){.team = pe->part[team].identity, .box = 8 + (uint64_t)pe->call * 8,
                                .kind = (uint32_t)kind, .number = pe->part[team].number[kind], .pe = index_of(pe),
                                .flags = is_known ? pe->exchange.flags : flags_of(index_of(pe), pe->call),
                                .is_known = is_known, .deaths = pe->exchange.deaths};
    mine->members[0] = members[team];
    pe->box = mine->box;
    pe->verdict.number = 0;
    pe->stage = WAITING;
}

static bool is_failed(const struct pe *pe, int team)
{
    for (int other = 0; other < npes; other++)
        if ((members[team] >> other & 1) && nodes[pe->node].died[other])
            return true;
    return false;
}

static bool has_doubts(void)
{
    return disturbing && below(disturbing) == 0;
}

static bool begin(struct pe *pe)
{
    int team = team_of(pe->call);
    enum sheaf_agreement_kind kind = kind_of(pe->call);
    struct node *node = &nodes[pe->node];
    if (!(members[team] >> index_of(pe) & 1)) {
        pe->stage = ++pe->call == CALLS ? FINISHED : NEXT;
        return true;
    }
    renew(pe, team);
    uint32_t number = ++pe->part[team].number[kind];
    pe->known = node->votes_news;
    int lowest = lowest_of(team, pe->node), rank = 0, size = 0;
    for (int other = lowest; other < npes; other++)
        if (pes[other].node == pe->node && (members[team] >> other & 1)) {
            rank += other < index_of(pe);
            size++;
        }
    pe->exchange = (struct sheaf_exchange){.links = &links, .block = block_of(pe->node, team, pe->call),
                                           .team = pe->part[team].identity, .rank = rank, .size = size,
                                           .nodes = nodes_of(team), .kind = kind, .number = number,
                                           .flags = flags_of(index_of(pe),
                                                             pe->call), .deaths = node->deaths};
    if (node->votes_waiting != 0 || is_failed(pe, team) || has_doubts()) {
        vote(pe, false);
        return true;
    }
    sheaf_exchange_begin(&pe->exchange);
    pe->stage = EXCHANGING;
    return true;
}

static void exchange(struct pe *pe)
{
    struct sheaf_exchange_links own = links;
    own.self = pe;
    pe->exchange.links = &own;
    enum sheaf_exchange_state now = sheaf_exchange_step(&pe->exchange);
    bool is_disturbed = nodes[pe->node].votes_news != pe->known || is_failed(pe,
                                                                             team_of(pe->call)) ||
                                                                                 has_doubts();
    if (now == SHEAF_EXCHANGE_DONE)
        go_on(pe, true, pe->exchange.flags, pe->exchange.deaths);
    else if (now == SHEAF_EXCHANGE_LEFT || is_disturbed)
        vote(pe, sheaf_exchange_leave(&pe->exchange));
}

/* Whether it can get further by itself, perhaps. */
static bool step(struct pe *pe)
{
    if (pe->is_dead || pe->stage == FINISHED)
        return false;
    if (pe->stage == NEXT)
        return begin(pe);
    if (pe->stage == EXCHANGING)
        exchange(pe);
    else if (pe->verdict.number != 0)
        go_on(pe, false, pe->verdict.flags, pe->verdict.deaths);
    return true;
}

static void kill_pe(int which)
{
    if (pes[which].is_dead)
        return;
    pes[which].is_dead = true;
    for (int team = 0; team < TEAMS; team++)
        for (int kind = 0; kind < SHEAF_AGREEMENTS; kind++)
            for (int to = 0; to < npes; to++)
                cut(&letters[team][kind][which][to]);
}

/* Half of the nodes with the lowest go on alone; all that end are seen to. */
static void kill_node(int which)
{
    if (nodes[which].is_dead)
        return;
    nodes[which].is_dead = true;
    for (int pe = 0; pe < npes; pe++)
        if (pes[pe].node == which)
            kill_pe(pe);
    for (int to = 0; to < count; to++)
        cut(&posts[which][to]);
}

static void start_node(int which)
{
    struct node *node = &nodes[which];
    struct sheaf_journal_user user = {node, send_post, apply, expel, end};
    size_t block = sizeof(struct sheaf_team_block) + HERE * sizeof(struct sheaf_member);
    for (int team = 0; team < TEAMS; team++) {
        size_t bytes = block * (team ? CALLS / 15 + 1 : 1);
        node->block[team] = aligned_alloc(64, bytes);
        memset(node->block[team], 0, bytes);
    }
    node->journal = sheaf_journal_create(count, which, &user);
    node->votes = sheaf_votes_create(npes, decided);
}

static void start(void)
{
    memset(nodes, 0, sizeof nodes);
    memset(pes, 0, sizeof pes);
    memset(results, 0, sizeof results);
    memset(has_parted, 0, sizeof has_parted);
    npes = votes_cast = 0;
    count = 2 + below(NODES - 1);
    for (int node = 0; node < count; node++) {
        nodes[node].npes = 1 + below(HERE);
        for (int slot = 0; slot < nodes[node].npes; slot++)
            pes[npes++] = (struct pe){.node = node, .slot = slot};
    }
    members[0] = (1U << npes) - 1;
    do
        members[1] = test_random(&state) & members[0];
    while (nodes_of(1) < 2);
    for (int node = 0; node < count; node++)
        start_node(node);
}

static void clear(void)
{
    for (int team = 0; team < TEAMS; team++)
        for (int kind = 0; kind < SHEAF_AGREEMENTS; kind++)
            for (int from = 0; from < npes; from++)
                for (int to = 0; to < npes; to++)
                    empty(&letters[team][kind][from][to]);
    for (int node = 0; node < count; node++) {
        for (int to = 0; to < count; to++)
            empty(&posts[node][to]);
        empty(&nodes[node].requests);
        sheaf_journal_destroy(nodes[node].journal);
        sheaf_votes_destroy(nodes[node].votes);
        for (int team = 0; team < TEAMS; team++)
            free(nodes[node].block[team]);
    }
}

static bool is_finished(void)
{
    for (int pe = 0; pe < npes; pe++)
        if (!pes[pe].is_dead && pes[pe].stage != FINISHED)
            return false;
    return true;
}

static void one_step(void)
{
    int what = below(8);
    if (what < 5)
        step(&pes[below(npes)]);
    else if (what < 7)
        deliver_post(below(count), below(count));
    else
        turn_agent(below(count));
}

static void harm(bool by_nodes)
{
    int living = 0, node = below(count);
    for (int i = 0; i < count; i++)
        living += !nodes[i].is_dead;
    if (by_nodes && living > 1 && below(2))
        kill_node(node);
    else
        kill_pe(below(npes));
}

/* What is under way comes to its end. */
static void settle(void)
{
    for (int quiet = 0; quiet < 40; quiet++)
        for (int from = 0; from < count; from++) {
            for (int to = 0; to < count; to++)
                if (deliver_post(from, to))
                    quiet = 0;
            if (turn_agent(from))
                quiet = 0;
        }
}

/* Of whoever has come, and of nobody else. */
static void check_flags(int call)
{
    uint64_t all = UINT64_MAX, living = UINT64_MAX;
    for (int pe = 0; pe < npes; pe++) {
        if (!(members[team_of(call)] >> pe & 1))
            continue;
        all &= flags_of(pe, call);
        living &= pes[pe].is_dead ? UINT64_MAX : flags_of(pe, call);
    }
    if ((results[call].flags & all) != all || (results[call].flags & ~living) != 0 ||
        (results[call].is_fast && results[call].flags != all))
        fail("wrong flags", call);
}

static void check(void)
{
    settle();
    for (int call = 0; call < CALLS; call++)
        if (results[call].is_there)
            check_flags(call);
    for (int node = 0; node < count; node++)
        if (!nodes[node].is_dead && sheaf_votes_waiting(nodes[node].votes) != 0)
            fail("somebody waits in the list", node);
    if (!disturbing && kills == 0 && votes_cast > 0)
        fail("the list has heard of undisturbed agreements", votes_cast);
}

static void run(void)
{
    bool by_nodes = below(3) == 0;
    kills = below(5);
    disturbing = below(2) ? 20 + below(400) : 0;
    start();
    int left = kills, between = 1 + below(3000);
    for (long i = 0; !is_finished(); i++) {
        if (i == MOST)
            fail("nobody gets further", (int)kills);
        if (left > 0 && below(between) == 0) {
            left--;
            harm(by_nodes);
        }
        one_step();
        steps_done++;
    }
    check();
    clear();
}

static void run_seed(uint64_t number)
{
    seed = number;
    state = seed * 55555;
    run();
}

int main(int argc, char **argv)
{
    int failed = test_seeds_main(argc, argv, 2000, run_seed);
    if (steps_done > 0)
        printf("%ld steps: PEs returned %u times undisturbed, %u times by the list\n", steps_done,
               undisturbed, by_list);
    return failed;
}
