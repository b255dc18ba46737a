/* SPDX-License-Identifier: BSD-3-Clause
 * See member.h.
 */
#include "boot/launcher/rendezvous/member.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/os/host.h"
#include "base/tame.h"
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

/* The result of an attempt. */
enum outcome { JOINED, TRY_AGAIN, FAILED };

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

static void print_end(const struct sheaf_channel *channel, const struct sheaf_message *end)
{
    char text[SHEAF_MESSAGE_TEXT];
    snprintf(text, sizeof text, "%.*s", (int)end->bytes, end->bytes ? channel->body : "");
    sheaf_tame(text, 0);
    sheaf_message_print_end((enum sheaf_end_reason)end->value, text);
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
    bool is_refusal = answer && answer->kind == SHEAF_MESSAGE_REFUSED && answer->bytes == 0;
    return is_refusal && plan->way == SHEAF_MEET_AT_PORT ? print_refusal(plan, answer->value)
                                                         : TRY_AGAIN;
}

static enum outcome shake_hands(const struct sheaf_rendezvous_plan *plan,
                                struct sheaf_channel *root)
{
    struct sheaf_challenges challenges;
    struct sheaf_hello hello = {.has_secret = plan->secret[0] != '\0'};
    struct sheaf_join join;
    struct sheaf_proof proof;
    uint64_t until = sheaf_clock_ns() + sheaf_times.guest_silent;
    memcpy(hello.magic, SHEAF_HELLO_MAGIC, sizeof hello.magic);
    if (!sheaf_challenge_make(&hello.challenge))
        return TRY_AGAIN;
    sheaf_message_send(root, SHEAF_MESSAGE_HELLO, 0, &hello, sizeof hello);
    const struct sheaf_message *answer = await_message(root, until);
    if (!answer && root->error == 0)
        errno = ETIMEDOUT;
    if (!answer || answer->kind != SHEAF_MESSAGE_CHALLENGE ||
        answer->bytes != sizeof challenges.root)
        return refused(plan, answer);
    challenges.member = hello.challenge;
    memcpy(&challenges.root, root->body, sizeof challenges.root);
    describe_self(plan, &join.joining);
    sheaf_proof_of_member(plan->secret, &challenges, &join.joining, &join.proof);
    sheaf_message_send(root, SHEAF_MESSAGE_JOIN, 0, &join, sizeof join);
    answer = await_message(root, until);
    sheaf_proof_of_root(plan->secret, &challenges, &join.joining, &proof);
    if (answer && answer->kind == SHEAF_MESSAGE_WELCOME && answer->bytes == sizeof proof &&
        sheaf_proof_is_equal((const struct sheaf_proof *)root->body, &proof))
        return JOINED;
    return refused(plan, answer);
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

static enum outcome try_contact(const struct sheaf_rendezvous_plan *plan,
                                const struct sheaf_contacts *contacts, int which,
                                struct sheaf_channel *root)
{
    int fd = sheaf_contact_connect(&contacts->at[which], sheaf_times.rendezvous_connects);
    if (fd >= 0 && !plan->secret[0])
        fd = prefer_local(&contacts->at[0], fd);
    if (fd < 0)
        return TRY_AGAIN;
    sheaf_channel_open(root, fd, sizeof(struct sheaf_message), SHEAF_MESSAGE_JOINS,
                       sheaf_times.host_unanswered);
    enum outcome outcome = shake_hands(plan, root);
    if (outcome != JOINED)
        sheaf_channel_close(root);
    return outcome;
}

/* why: what the last attempt has met. */
static enum outcome try_all(struct sheaf_rendezvous_plan *plan, struct sheaf_channel *root,
                            uint64_t until_ns, const char **why)
{
    struct sheaf_contacts contacts;
    enum outcome outcome = TRY_AGAIN;
    const char *why_none = sheaf_contacts_find(plan, &contacts);
    if (why_none)
        *why = why_none;
    for (int i = 0; i < contacts.count && outcome == TRY_AGAIN && sheaf_clock_ns() < until_ns; i++) {
        errno = 0;
        outcome = try_contact(plan, &contacts, i, root);
        *why = errno == EPERM             ? "another user's process listens there"
               : errno && errno != EAGAIN ? strerror(errno)
                                          : "who listens there is not of this job";
    }
    return outcome;
}

static int late(const struct sheaf_rendezvous_plan *plan, const char *why)
{
    sheaf_error("SH408 rank %d of %d on host %s has not found %s within %g s: %s. That process "
                "%s, or its job was complete or has ended; start all processes within "
                "SHEAF_RENDEZVOUS_TIMEOUT, with the same %s and a %s each",
                plan->rank, plan->size, sheaf_os_host_name().text, plan->root,
                (double)plan->timeout_ns / 1e9, why,
                plan->way == SHEAF_MEET_BY_ID ? "has not called shmemx_init_uid, as one of the ranks"
                                              : "has not started",
                plan->where_name, plan->rank_name);
    return -1;
}

/* The root tells that all are there, or that they are not to come; its own time may have begun
 * later. */
static int await_start(const struct sheaf_rendezvous_plan *plan, struct sheaf_channel *root,
                       int *root_pe, int *lowest_near)
{
    uint64_t until = sheaf_clock_ns() + plan->timeout_ns + sheaf_times.rendezvous_slack;
    const struct sheaf_message *message = await_message(root, until);
    if (message && message->kind == SHEAF_MESSAGE_START && message->value >= 0 &&
        message->value <= plan->rank && message->pe >= 0 && message->pe < plan->size) {
        *lowest_near = message->value;
        *root_pe = message->pe;
        root->most_body = (size_t)plan->size < UINT32_MAX / SHEAF_MESSAGE_FENCES
                              ? (size_t)plan->size * SHEAF_MESSAGE_FENCES
                              : UINT32_MAX;
        return 0;
    }
    if (message && message->kind == SHEAF_MESSAGE_END)
        print_end(root, message);
    else
        sheaf_error("SH609 %s has died, or its host is gone, before all %d processes had met: rank %d on "
                    "host %s ends",
                    plan->root, plan->size, plan->rank, sheaf_os_host_name().text);
    sheaf_channel_close(root);
    return -1;
}

int sheaf_member_join(struct sheaf_rendezvous_plan *plan, struct sheaf_channel *root, int *root_pe,
                      int *lowest_near)
{
    uint64_t until = sheaf_clock_ns() + plan->timeout_ns, pause = sheaf_times.rendezvous_again;
    const char *why = "there was no time to try";
    for (;;) {
        enum outcome outcome = try_all(plan, root, until, &why);
        if (outcome == JOINED)
            return await_start(plan, root, root_pe, lowest_near);
        if (outcome == FAILED)
            return -1;
        if (sheaf_clock_ns() >= until)
            return late(plan, why);
        poll(NULL, 0, sheaf_times_ms(pause));
        if (pause < sheaf_times.rendezvous_again_most)
            pause += pause;
    }
}
