/* SPDX-License-Identifier: BSD-3-Clause
 * See journal.h.
 */
#include "boot/replicated_log/journal.h"

#include <stdlib.h>
#include <string.h>

/* A node tells the length of its log after so many entries. */
#define ACK_EVERY 16

/* A message that is retained: an entry, or a submission. */
struct kept {
    struct kept *next;
    struct sheaf_journal_head head;
    char body[];
};

struct list {
    struct kept *first, **end;
};

struct node {
    bool is_out;       /* the log has written it off */
    bool is_gone;      /* its connection has ended; the log may not say so yet */
    enum sheaf_node_end how;
    uint64_t out_at;   /* the entry that has written it off */
    bool has_reported; /* to this node, which takes over */
    uint64_t answered; /* the last question that it has answered */
    uint64_t length;   /* of its log, as far as it has told */
    uint64_t number;   /* of its last submission in my log */
};

struct sheaf_journal {
    struct sheaf_journal_user user;
    int nodes, me, sequencer;
    bool is_active;       /* this node is the sequencer, and numbers */
    bool has_ended;
    uint64_t length, stable, submitted;
    uint64_t last_out;    /* the last entry that writes a node off */
    uint64_t asked;       /* the number of my last question */
    struct list entries;  /* those behind stable */
    struct list pending;  /* submitted here, and not in the log yet */
    struct list held;     /* submissions of others, until this node numbers */
    struct node node[];
};

static void list_open(struct list *list)
{
    *list = (struct list){NULL, NULL};
}

static bool list_add(struct list *list, const struct sheaf_journal_head *head, const void *body)
{
    struct kept *kept = malloc(sizeof *kept + head->bytes);
    if (!kept)
        return false;
    *kept = (struct kept){.head = *head};
    if (head->bytes)
        memcpy(kept->body, body, head->bytes);
    if (!list->first)
        list->end = &list->first;
    *list->end = kept;
    list->end = &kept->next;
    return true;
}

static void list_drop_first(struct list *list)
{
    struct kept *first = list->first;
    list->first = first->next;
    free(first);
}

static void list_empty(struct list *list)
{
    while (list->first)
        list_drop_first(list);
}

struct sheaf_journal *sheaf_journal_create(int nodes, int node, const struct sheaf_journal_user *user)
{
    struct sheaf_journal *journal = calloc(1, sizeof *journal + (size_t)nodes * sizeof journal->node[0]);
    if (!journal)
        return NULL;
    journal->user = *user;
    journal->nodes = nodes;
    journal->me = node;
    journal->is_active = node == 0;
    list_open(&journal->entries);
    list_open(&journal->pending);
    list_open(&journal->held);
    return journal;
}

void sheaf_journal_destroy(struct sheaf_journal *journal)
{
    list_empty(&journal->entries);
    list_empty(&journal->pending);
    list_empty(&journal->held);
    free(journal);
}

bool sheaf_journal_is_settled(const struct sheaf_journal *journal)
{
    return !journal->pending.first;
}

bool sheaf_journal_is_sequencer(const struct sheaf_journal *journal)
{
    return journal->is_active;
}

static void end_self(struct sheaf_journal *journal)
{
    if (journal->has_ended)
        return;
    journal->has_ended = true;
    journal->user.end(journal->user.self);
}

static bool is_there(const struct sheaf_journal *journal, int node)
{
    return !journal->node[node].is_out && !journal->node[node].is_gone;
}

static void send_message(struct sheaf_journal *journal, int node, const struct sheaf_journal_head *head,
                         const void *body)
{
    if (node != journal->me && is_there(journal, node))
        journal->user.send(journal->user.self, node, head, body);
}

static void send_word(struct sheaf_journal *journal, int node, enum sheaf_journal_word word)
{
    struct sheaf_journal_head head = {.word = (uint16_t)word, .node = journal->me,
                                      .position = journal->length, .stable = journal->stable};
    send_message(journal, node, &head, NULL);
}

/* Entries that all live nodes hold are never asked for again. */
static void trim_entries(struct sheaf_journal *journal)
{
    while (journal->entries.first && journal->entries.first->head.position <= journal->stable)
        list_drop_first(&journal->entries);
}

/* A node that is gone counts until it is written off: others may still reach it, and it may be the next
 * sequencer, which then needs the entries that it lacks. */
static void count_stable(struct sheaf_journal *journal)
{
    uint64_t least = journal->length;
    for (int node = 0; node < journal->nodes; node++) {
        const struct node *it = &journal->node[node];
        if (node != journal->me && !it->is_out && it->length < least)
            least = it->length;
    }
    if (least > journal->stable)
        journal->stable = least;
    trim_entries(journal);
}

static void expel_node(struct sheaf_journal *journal, int node, unsigned kind)
{
    if (node < 0 || node >= journal->nodes)
        return;
    if (node == journal->me) {
        end_self(journal);
        return;
    }
    if (is_there(journal, node))
        send_word(journal, node, SHEAF_JOURNAL_OUT);
    journal->node[node].is_out = true;
    journal->node[node].out_at = journal->last_out = journal->length;
    journal->node[node].how = kind == SHEAF_ENTRY_NODE_SILENT ? SHEAF_NODE_SILENT : SHEAF_NODE_CLOSED;
    journal->user.expel(journal->user.self, node);
}

static void drop_pending(struct sheaf_journal *journal, uint64_t number)
{
    while (journal->pending.first && journal->pending.first->head.number <= number)
        list_drop_first(&journal->pending);
}

/* The entry is the next of the log. */
static void take_entry(struct sheaf_journal *journal, const struct sheaf_journal_head *head,
                       const void *body)
{
    if (!list_add(&journal->entries, head, body)) {
        end_self(journal);
        return;
    }
    journal->length = head->position;
    if (head->number)
        journal->node[head->node].number = head->number;
    if (head->number && head->node == journal->me)
        drop_pending(journal, head->number);
    journal->user.apply(journal->user.self, head, body);
    for (uint32_t at = 0; head->kind < SHEAF_ENTRY_OF_USER && at < head->bytes; at += sizeof(int32_t)) {
        int32_t node;
        memcpy(&node, (const char *)body + at, sizeof node);
        expel_node(journal, node, head->kind);
    }
}

static void send_to_all(struct sheaf_journal *journal, const struct sheaf_journal_head *head,
                        const void *body)
{
    for (int node = 0; node < journal->nodes; node++)
        send_message(journal, node, head, body);
}

/* By the sequencer. It sends the entry before it applies it: applying an entry may end this node. */
static void append_entry(struct sheaf_journal *journal, unsigned kind, int node, uint64_t number,
                         const void *body, uint32_t bytes)
{
    struct sheaf_journal_head head = {.bytes = bytes, .word = SHEAF_JOURNAL_ENTRY, .kind = (uint16_t)kind,
                                      .node = node, .number = number, .position = journal->length + 1,
                                      .stable = journal->stable};
    send_to_all(journal, &head, body);
    take_entry(journal, &head, body);
}

/* A submission becomes an entry once, although its node submits it again to the next sequencer. */
static void number_submission(struct sheaf_journal *journal, const struct sheaf_journal_head *head,
                              const void *body)
{
    const struct node *node = &journal->node[head->node];
    if (!node->is_out && head->number == node->number + 1)
        append_entry(journal, head->kind, head->node, head->number, body, head->bytes);
}

void sheaf_journal_submit(struct sheaf_journal *journal, unsigned kind, const void *body, uint32_t bytes)
{
    struct sheaf_journal_head head = {.bytes = bytes, .word = SHEAF_JOURNAL_SUBMIT, .kind = (uint16_t)kind,
                                      .node = journal->me, .number = ++journal->submitted};
    if (journal->has_ended)
        return;
    if (journal->is_active)
        number_submission(journal, &head, body);
    else if (!list_add(&journal->pending, &head, body))
        end_self(journal);
    else
        send_message(journal, journal->sequencer, &head, body);
}

static const enum sheaf_entry_kind entry_of[] = {[SHEAF_NODE_CLOSED] = SHEAF_ENTRY_NODE_LOST,
                                                [SHEAF_NODE_SILENT] = SHEAF_ENTRY_NODE_SILENT,
                                                [SHEAF_NODE_LEFT] = SHEAF_ENTRY_NODE_LEFT};

#define MOST_NODES (SHEAF_JOURNAL_MOST_BYTES / sizeof(int32_t)) /* that one entry names */

/* Nodes that have ended so and are not written off: at most MOST_NODES. Returns how many. */
static uint32_t find_gone(const struct sheaf_journal *journal, enum sheaf_node_end how,
                          int32_t nodes[MOST_NODES])
{
    uint32_t count = 0;
    for (int node = 0; node < journal->nodes && count < MOST_NODES; node++)
        if (!journal->node[node].is_out && journal->node[node].is_gone && journal->node[node].how == how)
            nodes[count++] = node;
    return count;
}

/* One entry for all nodes that have ended so. An entry for each would be 225,000 messages where a third of
 * 1,000 nodes is cut off. */
static void write_off(struct sheaf_journal *journal, enum sheaf_node_end how)
{
    int32_t nodes[MOST_NODES];
    uint32_t count;
    while (!journal->has_ended && (count = find_gone(journal, how, nodes)) > 0)
        append_entry(journal, entry_of[how], journal->me, 0, nodes, count * (uint32_t)sizeof *nodes);
}

/* A silent node may be alive, and think the same of this one. Once all nodes know that it is written off,
 * nobody is left who would go on with it. */
static bool may_live(const struct sheaf_journal *journal, const struct node *node)
{
    bool is_known = node->is_out && node->out_at <= journal->stable;
    return !(node->is_out || node->is_gone) || (node->how == SHEAF_NODE_SILENT && !is_known);
}

/* answering: only nodes that have answered the last question count as reachable. */
static bool has_majority(const struct sheaf_journal *journal, bool answering)
{
    int here = 0, all = 0;
    bool has_lowest = false;
    for (int node = 0; node < journal->nodes; node++) {
        const struct node *it = &journal->node[node];
        bool counts = may_live(journal, it), is_silent = answering && it->answered != journal->asked;
        bool is_here = is_there(journal, node) && (node == journal->me || !is_silent);
        here += is_here;
        has_lowest |= counts && all == 0 && is_here;
        all += counts;
    }
    return 2 * here > all || (2 * here == all && has_lowest);
}

static bool has_silent(const struct sheaf_journal *journal)
{
    for (int node = 0; node < journal->nodes; node++)
        if (!journal->node[node].is_out && journal->node[node].is_gone &&
            journal->node[node].how == SHEAF_NODE_SILENT)
            return true;
    return false;
}

/* A node that receives nothing, but whose messages arrive, would otherwise write off all others, one
 * after the other. A question that a majority has not answered yet serves for the next silent node too:
 * answers still have to come. So a third of 1,000 nodes that is cut off costs 8 questions, not 300. */
static void ask_all_nodes(struct sheaf_journal *journal)
{
    if (!has_majority(journal, true))
        return;
    struct sheaf_journal_head head = {.word = SHEAF_JOURNAL_ASK, .node = journal->me,
                                      .number = ++journal->asked};
    send_to_all(journal, &head, NULL);
}

static void write_off_gone(struct sheaf_journal *journal)
{
    if (!has_majority(journal, false)) {
        end_self(journal);
        return;
    }
    if (has_silent(journal) && !has_majority(journal, true))
        return;
    for (enum sheaf_node_end how = SHEAF_NODE_CLOSED; how <= SHEAF_NODE_LEFT && !journal->has_ended; how++)
        write_off(journal, how);
    count_stable(journal);
}

/* Entries that the node may lack. */
static void send_from(struct sheaf_journal *journal, int node, uint64_t length)
{
    for (struct kept *kept = journal->entries.first; kept; kept = kept->next)
        if (kept->head.position > length)
            send_message(journal, node, &kept->head, kept->body);
}

static void number_held(struct sheaf_journal *journal)
{
    while (journal->held.first && !journal->has_ended) {
        number_submission(journal, &journal->held.first->head, journal->held.first->body);
        list_drop_first(&journal->held);
    }
}

static void number_pending(struct sheaf_journal *journal)
{
    struct list mine = journal->pending;
    list_open(&journal->pending);
    while (mine.first && !journal->has_ended) {
        number_submission(journal, &mine.first->head, mine.first->body);
        list_drop_first(&mine);
    }
    list_empty(&mine);
}

static bool all_have_reported(const struct sheaf_journal *journal)
{
    for (int node = 0; node < journal->nodes; node++)
        if (node != journal->me && is_there(journal, node) && !journal->node[node].has_reported)
            return false;
    return true;
}

static void take_over_log(struct sheaf_journal *journal)
{
    if (journal->is_active || !all_have_reported(journal))
        return;
    if (!has_majority(journal, false)) {
        end_self(journal);
        return;
    }
    journal->is_active = true;
    for (int node = 0; node < journal->nodes; node++)
        journal->node[node].answered = journal->asked; /* by their reports */
    for (int node = 0; node < journal->nodes; node++)
        send_from(journal, node, journal->node[node].length);
    write_off_gone(journal);
    number_pending(journal);
    number_held(journal);
}

static int lowest_there(const struct sheaf_journal *journal)
{
    int node = 0;
    while (!is_there(journal, node))
        node++;
    return node;
}

/* From now on this node takes entries from that sequencer alone. */
static void report_to(struct sheaf_journal *journal, int sequencer)
{
    journal->sequencer = sequencer;
    send_from(journal, sequencer, 0);
    send_word(journal, sequencer, SHEAF_JOURNAL_REPORT);
    for (struct kept *kept = journal->pending.first; kept; kept = kept->next)
        send_message(journal, sequencer, &kept->head, kept->body);
}

/* A node is gone, or has reported. */
static void reconsider_sequencer(struct sheaf_journal *journal)
{
    if (journal->has_ended)
        return;
    int lowest = lowest_there(journal);
    if (journal->is_active)
        write_off_gone(journal);
    else if (lowest != journal->me && lowest != journal->sequencer)
        report_to(journal, lowest);
    else if (lowest == journal->me) {
        journal->sequencer = lowest;
        take_over_log(journal);
    }
}

void sheaf_journal_lose(struct sheaf_journal *journal, int node, enum sheaf_node_end how)
{
    struct node *it = &journal->node[node];
    if (journal->has_ended || it->is_gone || it->is_out || node == journal->me)
        return;
    it->is_gone = true;
    it->how = how;
    if (journal->is_active && how == SHEAF_NODE_SILENT)
        ask_all_nodes(journal);
    reconsider_sequencer(journal);
}

static bool is_entry(const struct sheaf_journal *journal, const struct sheaf_journal_head *head)
{
    bool is_of_node = head->kind < SHEAF_ENTRY_OF_USER;
    return head->node >= 0 && head->node < journal->nodes && head->kind >= SHEAF_ENTRY_NODE_LOST &&
           (!is_of_node || (head->bytes > 0 && head->bytes % sizeof(int32_t) == 0)) &&
           (head->number == 0) == is_of_node;
}

static void hear_stable(struct sheaf_journal *journal, uint64_t stable)
{
    if (stable > journal->stable && stable <= journal->length)
        journal->stable = stable;
    trim_entries(journal);
}

/* From the sequencer, or from a node that reports to this one: all are entries of one log. An entry at
 * another position than the next comes from a former sequencer, or for the second time. */
static bool hear_entry(struct sheaf_journal *journal, int from, const struct sheaf_journal_head *head,
                       const void *body)
{
    if (!is_entry(journal, head))
        return false;
    bool is_for_takeover = from > journal->me && !journal->is_active;
    if (head->position != journal->length + 1 || (from != journal->sequencer && !is_for_takeover))
        return true;
    take_entry(journal, head, body);
    if (from != journal->sequencer)
        return true;
    hear_stable(journal, head->stable);
    if (journal->length % ACK_EVERY == 0 || head->kind < SHEAF_ENTRY_OF_USER)
        send_word(journal, from, SHEAF_JOURNAL_ACK);
    return true;
}

static bool hear_submission(struct sheaf_journal *journal, int from, const struct sheaf_journal_head *head,
                            const void *body)
{
    if (head->node != from || head->kind < SHEAF_ENTRY_OF_USER || head->number == 0)
        return false;
    if (journal->is_active)
        number_submission(journal, head, body);
    else if (!list_add(&journal->held, head, body))
        end_self(journal);
    return true;
}

/* Once all nodes have the entry that writes a node off, they are told at once: see may_live. */
static void count_and_tell(struct sheaf_journal *journal)
{
    bool was_known = journal->last_out <= journal->stable;
    count_stable(journal);
    for (int node = 0; node < journal->nodes; node++)
        if (!was_known && journal->last_out <= journal->stable)
            send_word(journal, node, SHEAF_JOURNAL_ACK);
}

static void hear_length(struct sheaf_journal *journal, int from, uint64_t length, bool is_report)
{
    struct node *node = &journal->node[from];
    if (length > node->length && length <= journal->length)
        node->length = length;
    node->has_reported |= is_report;
    if (journal->is_active)
        count_and_tell(journal);
    if (is_report)
        reconsider_sequencer(journal);
}

static void answer_question(struct sheaf_journal *journal, int node, uint64_t number)
{
    struct sheaf_journal_head head = {.word = SHEAF_JOURNAL_ANSWER, .node = journal->me, .number = number};
    send_message(journal, node, &head, NULL);
}

bool sheaf_journal_hear(struct sheaf_journal *journal, int from, const struct sheaf_journal_head *head,
                        const void *body)
{
    if (journal->has_ended || !is_there(journal, from))
        return true;
    switch (head->word) {
    case SHEAF_JOURNAL_SUBMIT:
        return hear_submission(journal, from, head, body);
    case SHEAF_JOURNAL_ENTRY:
        return hear_entry(journal, from, head, body);
    case SHEAF_JOURNAL_ACK:
        if (from == journal->sequencer)
            hear_stable(journal, head->stable);
        hear_length(journal, from, head->position, false);
        return true;
    case SHEAF_JOURNAL_REPORT:
        hear_length(journal, from, head->position, true);
        return true;
    case SHEAF_JOURNAL_ASK:
        answer_question(journal, from, head->number);
        return true;
    case SHEAF_JOURNAL_ANSWER:
        journal->node[from].answered = head->number;
        reconsider_sequencer(journal);
        return true;
    case SHEAF_JOURNAL_OUT:
        end_self(journal);
        return true;
    case SHEAF_JOURNAL_BYE:
        sheaf_journal_lose(journal, from, SHEAF_NODE_LEFT);
        return true;
    default:
        return false;
    }
}
