/* SPDX-License-Identifier: BSD-3-Clause
 * See branch.h.
 */
#include "boot/launcher/rendezvous/branch.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/os/host.h"
#include "base/sanitize.h"
#include "base/times.h"
#include "boot/launcher/rendezvous/guest.h"
#include "boot/launcher/rendezvous/message.h"
#include "boot/world/pe_record.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum state { WAITS, STARTED, FAILED };

struct branch {
    const struct sheaf_rendezvous_plan *plan;
    struct sheaf_parent *parent;
    struct sheaf_guests guests;
    struct sheaf_rendezvous_peer *leaves; /* number n is leaves[n - 1] */
    int count;                            /* that have come */
    int lowest_near;
    enum state state;
    struct sheaf_poll_set set;
};

/* The root decides whether it is in the job. */
static bool admit_leaf(void *user, struct sheaf_guest *guest)
{
    struct branch *branch = user;
    if (branch->count == branch->plan->size)
        return true;
    struct sheaf_rendezvous_peer *leaf = &branch->leaves[branch->count++];
    leaf->joining = guest->joining;
    leaf->channel = guest->channel;
    guest->channel = (struct sheaf_channel){0};
    sheaf_message_send(&branch->parent->channel, SHEAF_MESSAGE_LEAF, branch->count, &leaf->joining,
                       sizeof leaf->joining);
    return true;
}

/* Leaves say nothing before START: what comes is their end. */
static void look_at_leaf(struct branch *branch, int number)
{
    struct sheaf_channel *channel = &branch->leaves[number - 1].channel;
    if (!channel->is_open || !sheaf_poll_set_events(&branch->set, channel->place, channel->fd))
        return;
    sheaf_channel_flush(channel);
    if (sheaf_channel_receive(channel) == SHEAF_RECEIVED_NOTHING && channel->error == 0)
        return;
    sheaf_channel_close(channel);
    sheaf_message_send(&branch->parent->channel, SHEAF_MESSAGE_LEAF_LOST, number, NULL, 0);
}

/* Those of other containers have nobody else who says it to their users. */
static void end_leaves(struct branch *branch, enum sheaf_end_reason reason, const char *text)
{
    struct sheaf_pe_record record;
    sheaf_pe_record_fill(&record);
    for (int i = 0; i < branch->count; i++) {
        struct sheaf_rendezvous_peer *leaf = &branch->leaves[i];
        bool is_near = leaf->joining.identity == record.identity;
        sheaf_message_send_end(&leaf->channel, is_near ? SHEAF_END_SILENT : reason, 0, text);
        sheaf_channel_close(&leaf->channel);
    }
}

static void read_end(struct branch *branch, const struct sheaf_message *end)
{
    char text[SHEAF_MESSAGE_TEXT];
    enum sheaf_end_reason reason = (enum sheaf_end_reason)end->value;
    snprintf(text, sizeof text, "%.*s", (int)end->bytes,
             end->bytes ? branch->parent->channel.body : "");
    sheaf_sanitize(text, 0);
    if (end->pe > 0 && end->pe <= branch->count) {
        struct sheaf_channel *cause = &branch->leaves[end->pe - 1].channel;
        sheaf_message_send_end(cause, reason, 0, text);
        sheaf_channel_close(cause);
        return;
    }
    sheaf_message_print_end(reason, text);
    end_leaves(branch, reason, text);
    branch->state = FAILED;
}

/* Those that the root does not name came when all ranks were there. */
static bool start_leaves(struct branch *branch, const struct sheaf_message *start)
{
    const struct sheaf_leaf_start *named = (const void *)branch->parent->channel.body;
    size_t count = start->bytes / sizeof *named;
    if (start->bytes % sizeof *named != 0 || count >= (size_t)branch->plan->size)
        return false;
    for (size_t i = 0; i < count; i++) {
        int number = named[i].number;
        if (number < 1 || number > branch->count || branch->leaves[number - 1].has_joined)
            return false;
        struct sheaf_rendezvous_peer *leaf = &branch->leaves[number - 1];
        const struct sheaf_message message = {.kind = SHEAF_MESSAGE_START, .value = named[i].lowest_near,
                                              .pe = branch->plan->rank};
        if (leaf->joining.rank < 0 || leaf->joining.rank >= branch->plan->size)
            return false;
        leaf->has_joined = true;
        leaf->channel.most_body = sheaf_message_most(1);
        if (leaf->channel.is_open)
            sheaf_channel_send(&leaf->channel, &message, NULL);
    }
    return true;
}

static bool read_start(struct branch *branch, const struct sheaf_message *start)
{
    const struct sheaf_rendezvous_plan *plan = branch->plan;
    if (start->value < 0 || start->value > plan->rank || start->pe < 0 || start->pe >= plan->size ||
        !start_leaves(branch, start))
        return false;
    branch->lowest_near = start->value;
    branch->parent->rank = start->pe;
    branch->parent->channel.most_body = sheaf_message_most(plan->size);
    branch->state = STARTED;
    return true;
}

static void lose_parent(struct branch *branch)
{
    const char *name = branch->parent->name[0] ? branch->parent->name : branch->plan->root;
    char text[SHEAF_MESSAGE_TEXT];
    snprintf(text, sizeof text,
             "%s has died, or its host is gone, before all %d processes were connected: rank %d on host %s "
             "ends",
             name, branch->plan->size, branch->plan->rank, sheaf_os_host_name().text);
    sheaf_message_print_end(SHEAF_END_DEATH, text);
    end_leaves(branch, SHEAF_END_DEATH, text);
    branch->state = FAILED;
}

static void look_at_parent(struct branch *branch)
{
    struct sheaf_channel *channel = &branch->parent->channel;
    sheaf_channel_flush(channel);
    while (branch->state == WAITS) {
        enum sheaf_received received = sheaf_channel_receive(channel);
        if (received == SHEAF_RECEIVED_NOTHING && channel->error == 0)
            return;
        const struct sheaf_message *message = sheaf_message_of(channel);
        bool is_whole = received == SHEAF_RECEIVED_MESSAGE;
        if (is_whole && message->kind == SHEAF_MESSAGE_END && message->bytes < SHEAF_MESSAGE_TEXT)
            read_end(branch, message);
        else if (!is_whole || message->kind != SHEAF_MESSAGE_START || !read_start(branch, message))
            lose_parent(branch);
    }
}

static void wait_for_news(struct branch *branch, uint64_t most_ns)
{
    struct sheaf_poll_set *set = &branch->set;
    bool has_listener = branch->guests.listeners->count > 0;
    uint64_t look = sheaf_times.listener_pauses; /* guests may be late */
    set->count = 0;
    sheaf_channel_watch(&branch->parent->channel, set, true);
    for (int i = 0; i < branch->count; i++)
        sheaf_channel_watch(&branch->leaves[i].channel, set, true);
    if (has_listener)
        sheaf_guests_watch(&branch->guests, set);
    poll(set->fds, set->count, sheaf_times_ms(has_listener && look < most_ns ? look : most_ns));
}

/* Those in the job move to the front. */
static int keep_leaves(struct branch *branch)
{
    int kept = 0;
    for (int i = 0; i < branch->count; i++) {
        struct sheaf_rendezvous_peer leaf = branch->leaves[i];
        branch->leaves[i] = (struct sheaf_rendezvous_peer){0};
        if (leaf.has_joined)
            branch->leaves[kept++] = leaf;
        else if (leaf.channel.is_open)
            sheaf_guest_tell_late(&leaf.channel, &leaf.joining, branch->plan);
    }
    return kept;
}

static bool prepare_branch(struct branch *branch)
{
    bool has_listener = branch->guests.listeners->count > 0;
    size_t leaves = (size_t)branch->plan->size;
    branch->set.most = 1 + (has_listener ? leaves + sheaf_guests_most(branch->plan) : 0);
    branch->set.fds = malloc(branch->set.most * sizeof *branch->set.fds);
    branch->guests.welcome = branch->plan->rank + 1;
    if (branch->set.fds && (!has_listener || sheaf_guests_open(&branch->guests)))
        return true;
    sheaf_error("SH301 out of memory");
    return false;
}

int sheaf_branch_await_start(const struct sheaf_rendezvous_plan *plan, struct sheaf_parent *parent,
                             struct sheaf_listeners *listeners, struct sheaf_rendezvous_peer *leaves,
                             int *lowest_near)
{
    struct branch branch = {.plan = plan, .parent = parent, .leaves = leaves,
                            .guests = {.plan = plan, .listeners = listeners}};
    /* The root's own time may have begun later. */
    uint64_t now, until = sheaf_clock_ns() + plan->timeout_ns + sheaf_times.rendezvous_slack;
    size_t start_bytes = (size_t)plan->size * sizeof(struct sheaf_leaf_start);
    if (start_bytes > parent->channel.most_body)
        parent->channel.most_body = start_bytes;
    if (!prepare_branch(&branch))
        branch.state = FAILED;
    while (branch.state == WAITS) {
        look_at_parent(&branch);
        for (int number = 1; number <= branch.count && branch.state == WAITS; number++)
            look_at_leaf(&branch, number);
        if (branch.state == WAITS && listeners->count > 0)
            sheaf_guests_look(&branch.guests, &branch.set, admit_leaf, &branch);
        if ((now = sheaf_clock_ns()) >= until && branch.state == WAITS)
            lose_parent(&branch);
        else if (branch.state == WAITS)
            wait_for_news(&branch, until - now);
    }
    sheaf_guests_close(&branch.guests);
    sheaf_listeners_close(listeners, plan);
    free(branch.set.fds);
    if (branch.state == FAILED)
        sheaf_channel_close(&parent->channel);
    *lowest_near = branch.lowest_near;
    return branch.state == STARTED ? keep_leaves(&branch) : -1;
}
