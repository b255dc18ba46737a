/* SPDX-License-Identifier: BSD-3-Clause
 * See member.h.
 */
#include "boot/launcher/rendezvous/member.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/os/host.h"
#include "base/sanitize.h"
#include "base/times.h"
#include "boot/launcher/rendezvous/contact.h"
#include "boot/launcher/rendezvous/message.h"
#include "boot/launcher/rendezvous/proof.h"
#include "boot/world/pe_record.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_RACES 3

/* The result of an attempt. TRY_AGAIN: later, from the beginning. */
enum outcome { JOINED, TRY_NEXT, TRY_AGAIN, FAILED };

/* A member on its way. */
struct member {
    struct sheaf_rendezvous_plan *plan;
    struct sheaf_parent *parent;
    struct sheaf_listeners *listeners;
    char listens_at[INET6_ADDRSTRLEN]; /* the local socket's name, where this process is to be the branch */
    int races; /* another one was about to listen at it */
    uint64_t until_ns;
    const char *why; /* of the last attempt's failure */
};

/* The next message, within so long; NULL: none has come whole. */
static const struct sheaf_message *await_message(struct sheaf_channel *channel, uint64_t until_ns)
{
    for (;;) {
        sheaf_channel_flush(channel);
        enum sheaf_received received = sheaf_channel_receive(channel);
        if (received == SHEAF_RECEIVED_MESSAGE)
            return sheaf_message_of(channel);
        uint64_t now = sheaf_clock_ns();
        if (received != SHEAF_RECEIVED_NOTHING || channel->error || now >= until_ns)
            return NULL;
        struct pollfd set = {.fd = channel->fd, .events = POLLIN};
        poll(&set, 1, sheaf_times_ms(until_ns - now));
    }
}

static enum outcome print_refusal(const struct sheaf_rendezvous_plan *plan, int refusal)
{
    static const char *const reasons[] = {
        [SHEAF_REFUSED_NO_REASON] = "it gives no reason",
        [SHEAF_REFUSED_WITHOUT_SECRET] = "it has a secret and this process has none: set the same "
                                         "SHEAF_SECRET for all processes",
        [SHEAF_REFUSED_ROOT_HAS_NONE] = "it has no secret and this process has one: set the same "
                                        "SHEAF_SECRET for all processes",
        [SHEAF_REFUSED_NEITHER] = "processes of several hosts or users need a secret: set SHEAF_SECRET for "
                                  "all of them, the same text, from \"openssl rand -hex 16\"",
        [SHEAF_REFUSED_SECRET] =
            "its secret is another one: set the same SHEAF_SECRET for all processes"};
    if (refusal < 0 || refusal > SHEAF_REFUSED_SECRET)
        refusal = SHEAF_REFUSED_NO_REASON;
    sheaf_error("SH409 rank %d of %d on host %s was refused by %s: %s", plan->rank, plan->size,
                sheaf_os_host_name().text, plan->root, reasons[refusal]);
    return FAILED;
}

static void describe_self(const struct sheaf_rendezvous_plan *plan, struct sheaf_joining *joining)
{
    struct sheaf_pe_record record;
    sheaf_pe_record_fill(&record);
    *joining = (struct sheaf_joining){
        .rank = plan->rank, .size = plan->size, .pid = record.pid, .identity = record.identity};
    snprintf(joining->host, sizeof joining->host, "%s", record.host);
}

/* Whoever listens there may be anybody: but for its welcome it is not believed, and a file or an
 * invitation may be those of a former job. */
static enum outcome refused(const struct sheaf_rendezvous_plan *plan,
                            const struct sheaf_message *answer)
{
    bool is_refusal = plan->way == SHEAF_RENDEZVOUS_BY_PORT && answer &&
                      answer->kind == SHEAF_MESSAGE_REFUSED && answer->bytes == 0;
    return is_refusal ? print_refusal(plan, answer->value) : TRY_NEXT;
}

/* The name of a parent that is not the root. */
static void name_parent(struct sheaf_parent *parent, int welcome)
{
    if (welcome > 0)
        snprintf(parent->name, sizeof parent->name, "rank %d of this host, through which others connect,",
                 welcome - 1);
}

/* A branch answers once it has reached the root itself. */
static enum outcome shake_hands(const struct member *member, bool is_local)
{
    const struct sheaf_rendezvous_plan *plan = member->plan;
    struct sheaf_channel *channel = &member->parent->channel;
    struct sheaf_challenges challenges;
    struct sheaf_hello hello = {.has_secret = plan->secret[0] != '\0'};
    struct sheaf_join join;
    struct sheaf_proof proof;
    uint64_t silent = sheaf_clock_ns() + sheaf_times.guest_silent;
    memcpy(hello.magic, SHEAF_HELLO_MAGIC, sizeof hello.magic);
    if (!sheaf_challenge_make(&hello.challenge))
        return TRY_NEXT;
    sheaf_message_send(channel, SHEAF_MESSAGE_HELLO, 0, &hello, sizeof hello);
    const struct sheaf_message *answer = await_message(channel, is_local ? member->until_ns : silent);
    if (!answer && channel->error == 0)
        errno = ETIMEDOUT;
    if (!answer && is_local)
        return TRY_AGAIN;
    if (!answer || answer->kind != SHEAF_MESSAGE_CHALLENGE ||
        answer->bytes != sizeof challenges.root)
        return refused(plan, answer);
    challenges.member = hello.challenge;
    memcpy(&challenges.root, channel->body, sizeof challenges.root);
    describe_self(plan, &join.joining);
    sheaf_proof_of_member(plan->secret, &challenges, &join.joining, &join.proof);
    sheaf_message_send(channel, SHEAF_MESSAGE_JOIN, 0, &join, sizeof join);
    answer = await_message(channel, sheaf_clock_ns() + sheaf_times.guest_silent);
    sheaf_proof_of_root(plan->secret, &challenges, &join.joining, &proof);
    if (!answer || answer->kind != SHEAF_MESSAGE_WELCOME || answer->bytes != sizeof proof ||
        !sheaf_proof_is_equal((const struct sheaf_proof *)channel->body, &proof))
        return refused(plan, answer);
    name_parent(member->parent, answer->value);
    return JOINED;
}

/* Without a secret the root believes processes of this host alone, by the local socket, at which it
 * listens before it does at any port: it may have begun since that was tried. */
static int prefer_local(const struct sheaf_contact *local, int fd)
{
    int other = local->port == 0 ? sheaf_contact_connect(local, 0) : -1;
    if (other < 0)
        return fd;
    close(fd);
    return other;
}

static enum outcome shake_hands_on(const struct member *member, int fd, bool is_local)
{
    struct sheaf_channel *channel = &member->parent->channel;
    sheaf_channel_open(channel, fd, sizeof(struct sheaf_message), SHEAF_MESSAGE_JOINS,
                       sheaf_times.host_unanswered);
    enum outcome outcome = shake_hands(member, is_local);
    if (outcome != JOINED)
        sheaf_channel_close(channel);
    return outcome;
}

/* At a port, or without a secret, where there are no branches. */
static enum outcome try_root(const struct member *member, const struct sheaf_contacts *contacts, int which)
{
    int fd = sheaf_contact_connect(&contacts->at[which], sheaf_times.rendezvous_connects);
    if (fd >= 0 && !member->plan->secret[0])
        fd = prefer_local(&contacts->at[0], fd);
    return fd < 0 ? TRY_NEXT : shake_hands_on(member, fd, false);
}

/* The local socket of this host is the root's, or its branch's. Where nobody listens at it, this process
 * does from now on, and is the branch once it has reached the root. Another one may have the name and not
 * listen yet, or never. */
static enum outcome try_host(struct member *member, const struct sheaf_contact *local)
{
    struct sheaf_listeners *listeners = member->listeners;
    if (listeners->count > 0 && strcmp(member->listens_at, local->address) == 0)
        return TRY_NEXT;
    sheaf_listeners_close(listeners, member->plan);
    int fd = sheaf_contact_connect(local, 0);
    if (fd >= 0)
        return shake_hands_on(member, fd, true);
    if (errno != ECONNREFUSED)
        return TRY_NEXT;
    snprintf(member->listens_at, sizeof member->listens_at, "%s", local->address);
    bool is_taken = !sheaf_listeners_open_local(listeners, local, member->plan) && errno == EADDRINUSE;
    return is_taken && member->races++ < MOST_RACES ? TRY_AGAIN : TRY_NEXT;
}

/* Those from first on. */
static enum outcome try_contacts(struct member *member, const struct sheaf_contacts *contacts, int first)
{
    enum outcome outcome = TRY_NEXT;
    for (int i = first; i < contacts->count && outcome == TRY_NEXT && sheaf_clock_ns() < member->until_ns;
         i++) {
        const struct sheaf_contact *contact = &contacts->at[i];
        errno = 0;
        outcome = contact->port == 0 && member->plan->secret[0] ? try_host(member, contact)
                                                                : try_root(member, contacts, i);
        member->why = outcome == TRY_AGAIN       ? "the process of this host that was to reach it has ended"
                      : errno == EPERM           ? "another user's process listens there"
                      : errno && errno != EAGAIN ? strerror(errno)
                                                 : "who listens there is not of this job";
    }
    return outcome;
}

/* The other PEs of a host need no address: they reach the first one of it. */
static enum outcome try_all(struct member *member)
{
    struct sheaf_contacts contacts;
    const char *why_none = sheaf_contacts_find(member->plan, &contacts);
    int found = contacts.count;
    enum outcome outcome = try_contacts(member, &contacts, 0);
    if (outcome == TRY_NEXT && !why_none) {
        why_none = sheaf_contacts_resolve(member->plan, &contacts);
        outcome = try_contacts(member, &contacts, found);
    }
    if (why_none)
        member->why = why_none;
    return outcome;
}

static void say_late(const struct member *member)
{
    const struct sheaf_rendezvous_plan *plan = member->plan;
    sheaf_error("SH408 rank %d of %d on host %s has not found %s within %g s: %s. That process "
                "%s, or its job was complete or has ended; start all processes within "
                "SHEAF_RENDEZVOUS_TIMEOUT, with the same %s and a %s each",
                plan->rank, plan->size, sheaf_os_host_name().text, plan->root,
                (double)plan->timeout_ns / 1e9, member->why,
                plan->way == SHEAF_RENDEZVOUS_BY_ID ? "has not called shmemx_init_uid, as one of the ranks"
                                              : "has not started",
                plan->where_name, plan->rank_name);
}

int sheaf_member_join(struct sheaf_rendezvous_plan *plan, struct sheaf_parent *parent,
                      struct sheaf_listeners *listeners)
{
    struct member member = {.plan = plan, .parent = parent, .listeners = listeners,
                            .until_ns = sheaf_clock_ns() + plan->timeout_ns,
                            .why = "there was no time to try"};
    uint64_t pause = sheaf_times.rendezvous_again;
    enum outcome outcome = try_all(&member);
    while ((outcome == TRY_NEXT || outcome == TRY_AGAIN) && sheaf_clock_ns() < member.until_ns) {
        poll(NULL, 0, sheaf_times_ms(pause));
        if (pause < sheaf_times.rendezvous_again_most)
            pause += pause;
        outcome = try_all(&member);
    }
    if (outcome == JOINED)
        return 0;
    if (outcome != FAILED)
        say_late(&member);
    sheaf_listeners_close(listeners, plan);
    return -1;
}
