/* SPDX-License-Identifier: BSD-3-Clause
 * See root.h. A process that connects is a guest (guest.h) until it has shown the secret, and then a peer.
 * A branch (branch.h) tells of the processes that have come to it.
 */
#include "boot/launcher/rendezvous/root.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/os/host.h"
#include "base/sanitize.h"
#include "base/times.h"
#include "boot/launcher/rendezvous/guest.h"
#include "boot/launcher/rendezvous/message.h"
#include "boot/world/pe_record.h"
#include "hosts/admission.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define SPARE_FILES 64 /* descriptors for the program and the library, beside those of peers */

struct gathering {
    struct sheaf_rendezvous_plan *plan;
    struct sheaf_rendezvous_peer *peers;
    struct sheaf_guests guests;
    int joined;
    bool has_failed;
    struct sheaf_poll_set set;
};

/* One that has shown the secret: of another process than the branch's that tells of it. */
struct newcomer {
    const struct sheaf_joining *joining;
    struct sheaf_channel *channel; /* its own, or its branch's */
    int branch, number;            /* number 0: it is here */
};

/* Whether the rank is the lowest of its host among those that are connected here; it speaks for them. */
static bool is_first_near(const struct gathering *gathering, int rank)
{
    const struct sheaf_rendezvous_peer *peers = gathering->peers;
    int own = gathering->plan->rank;
    for (int other = 0; other < gathering->plan->size; other++)
        if ((other == own || (other < rank && peers[other].channel.is_open)) &&
            peers[other].joining.identity == peers[rank].joining.identity)
            return false;
    return true;
}

/* The root has said it for its own host. The process itself that is the reason says it too. */
static void end_peers(struct gathering *gathering, enum sheaf_end_reason reason, const char *text)
{
    struct sheaf_rendezvous_peer *peers = gathering->peers;
    for (int rank = 0; rank < gathering->plan->size; rank++)
        if (peers[rank].channel.is_open)
            sheaf_message_send_end(&peers[rank].channel,
                                   is_first_near(gathering, rank) ? reason : SHEAF_END_SILENT, 0, text);
    for (int rank = 0; rank < gathering->plan->size; rank++)
        sheaf_channel_close(&peers[rank].channel);
}

__attribute__((format(printf, 4, 5))) static void end_gathering(struct gathering *gathering,
                                                                const struct newcomer *cause,
                                                                enum sheaf_end_reason reason,
                                                                const char *format, ...)
{
    char text[SHEAF_MESSAGE_TEXT];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    sheaf_sanitize(text, 0);
    sheaf_message_print_end(reason, text);
    if (cause)
        sheaf_message_send_end(cause->channel, reason, cause->number, text);
    end_peers(gathering, reason, text);
    gathering->has_failed = true;
}

/* What it says of itself has been proven; is it what this job lacks? */
static void admit_newcomer(struct gathering *gathering, const struct newcomer *newcomer)
{
    const struct sheaf_rendezvous_plan *plan = gathering->plan;
    const struct sheaf_joining *joining = newcomer->joining;
    if (joining->size != plan->size) {
        end_gathering(gathering, newcomer, SHEAF_END_MISMATCH,
                      "rank %d on host %s (process %d) is one of %d processes, and rank %d on host %s "
                      "waits for %d: give all the same %s",
                      joining->rank, joining->host, joining->pid, joining->size, plan->rank,
                      gathering->peers[plan->rank].joining.host, plan->size, plan->size_name);
        return;
    }
    if (joining->rank < 0 || joining->rank >= plan->size)
        return;
    struct sheaf_rendezvous_peer *peer = &gathering->peers[joining->rank];
    if (peer->has_joined) {
        end_gathering(gathering, newcomer, SHEAF_END_MISMATCH,
                      "two processes are rank %d: process %d on host %s, and process %d on host %s: give "
                      "each a %s of its own, from 0 to %d",
                      joining->rank, peer->joining.pid, peer->joining.host, joining->pid,
                      joining->host, plan->rank_name, plan->size - 1);
        return;
    }
    peer->joining = *joining;
    peer->has_joined = true;
    peer->branch = newcomer->branch;
    peer->number = newcomer->number;
    if (peer->number == 0) {
        peer->channel = *newcomer->channel;
        *newcomer->channel = (struct sheaf_channel){0};
    }
    gathering->joined++;
}

static bool admit_guest(void *gathering, struct sheaf_guest *guest)
{
    const struct newcomer newcomer = {.joining = &guest->joining, .channel = &guest->channel};
    admit_newcomer(gathering, &newcomer);
    return !((struct gathering *)gathering)->has_failed;
}

static void lose_rank(struct gathering *gathering, int rank)
{
    const struct sheaf_joining *joining = &gathering->peers[rank].joining;
    sheaf_channel_close(&gathering->peers[rank].channel);
    end_gathering(
        gathering, NULL, SHEAF_END_DEATH,
        "rank %d on host %s (process %d) has died before all %d processes were connected: the job ends",
        rank, joining->host, joining->pid, gathering->plan->size);
}

/* One that was not admitted is no loss. */
static void lose_leaf(struct gathering *gathering, int branch, int number)
{
    for (int rank = 0; rank < gathering->plan->size; rank++)
        if (number > 0 && gathering->peers[rank].branch == branch &&
            gathering->peers[rank].number == number) {
            lose_rank(gathering, rank);
            return;
        }
}

/* Handles a branch's message before START: a leaf has come to it, or has died. False: it is neither. */
static bool read_message(struct gathering *gathering, int rank)
{
    struct sheaf_channel *channel = &gathering->peers[rank].channel;
    const struct sheaf_message *message = sheaf_message_of(channel);
    struct sheaf_joining joining;
    if (message->kind == SHEAF_MESSAGE_LEAF_LOST && message->bytes == 0) {
        lose_leaf(gathering, rank, message->value);
        return true;
    }
    if (message->kind != SHEAF_MESSAGE_LEAF || message->bytes != sizeof joining || message->value <= 0)
        return false;
    memcpy(&joining, channel->body, sizeof joining);
    joining.host[sizeof joining.host - 1] = '\0';
    const struct newcomer leaf = {
        .joining = &joining, .channel = channel, .branch = rank, .number = message->value};
    admit_newcomer(gathering, &leaf);
    return true;
}

static void look_at_peer(struct gathering *gathering, int rank)
{
    struct sheaf_channel *channel = &gathering->peers[rank].channel;
    if (!channel->is_open || !sheaf_poll_set_events(&gathering->set, channel->place, channel->fd))
        return;
    sheaf_channel_flush(channel);
    enum sheaf_received received = SHEAF_RECEIVED_MESSAGE;
    while (!gathering->has_failed && channel->error == 0 && received == SHEAF_RECEIVED_MESSAGE) {
        received = sheaf_channel_receive(channel);
        if (received == SHEAF_RECEIVED_MESSAGE && !read_message(gathering, rank))
            received = SHEAF_RECEIVED_WRONG;
    }
    if (!gathering->has_failed && (received != SHEAF_RECEIVED_NOTHING || channel->error != 0))
        lose_rank(gathering, rank);
}

static void look_at_all(struct gathering *gathering)
{
    for (int rank = 0; rank < gathering->plan->size && !gathering->has_failed; rank++)
        look_at_peer(gathering, rank);
    if (!gathering->has_failed)
        sheaf_guests_look(&gathering->guests, &gathering->set, admit_guest, gathering);
}

static void wait_for_all(struct gathering *gathering, uint64_t most_ns)
{
    struct sheaf_poll_set *set = &gathering->set;
    set->count = 0;
    sheaf_guests_watch(&gathering->guests, set);
    for (int rank = 0; rank < gathering->plan->size; rank++)
        sheaf_channel_watch(&gathering->peers[rank].channel, set, true);
    uint64_t look = sheaf_times.listener_pauses; /* guests may be late */
    poll(set->fds, set->count, sheaf_times_ms(most_ns < look ? most_ns : look));
}

/* "3, 5-7 and 12 more" */
static void list_missing(const struct gathering *gathering, char *text, size_t size)
{
    int missing = gathering->plan->size - gathering->joined;
    size_t used = 0;
    text[0] = '\0';
    for (int rank = 0; rank < gathering->plan->size && missing > 0; rank++) {
        int last = rank;
        if (gathering->peers[rank].has_joined)
            continue;
        while (last + 1 < gathering->plan->size && !gathering->peers[last + 1].has_joined)
            last++;
        if (used > size - 60) {
            snprintf(text + used, size - used, " and %d more", missing);
            return;
        }
        used += (size_t)snprintf(text + used, size - used, last > rank ? "%s%d-%d" : "%s%d",
                                 used ? ", " : "", rank, last);
        missing -= last - rank + 1;
        rank = last;
    }
}

static void say_missing(struct gathering *gathering)
{
    const struct sheaf_rendezvous_plan *plan = gathering->plan;
    const struct sheaf_guests *guests = &gathering->guests;
    char ranks[200], refused[120] = "", advice[160];
    if (guests->lacks_files)
        snprintf(advice, sizeof advice, "Rank %d has no open file left for more: raise the hard limit "
                 "(ulimit -Hn)", plan->rank);
    else
        snprintf(advice, sizeof advice, "Start them with the same %s, or wait longer: "
                 "SHEAF_RENDEZVOUS_TIMEOUT", plan->where_name);
    list_missing(gathering, ranks, sizeof ranks);
    if (guests->refused)
        snprintf(refused, sizeof refused,
                 " (%d without the right secret were refused, the last on %s)", guests->refused,
                 guests->refused_from);
    end_gathering(gathering, NULL, SHEAF_END_MISSING,
                  "%d of %d processes have not come to %s on host %s within %g s: rank %s is missing%s. %s",
                  plan->size - gathering->joined, plan->size, plan->where, sheaf_os_host_name().text,
                  (double)plan->timeout_ns / 1e9, ranks, refused,
                  advice);
}

/* Of a branch, the START of each that has come to it. */
static size_t fill_leaves(const struct gathering *gathering, int branch, const int *lowest,
                          struct sheaf_leaf_start *leaves)
{
    size_t count = 0;
    for (int rank = 0; rank < gathering->plan->size; rank++)
        if (gathering->peers[rank].number > 0 && gathering->peers[rank].branch == branch)
            leaves[count++] = (struct sheaf_leaf_start){gathering->peers[rank].number, lowest[rank]};
    return count;
}

static int lowest_near_of(const struct sheaf_rendezvous_peer *peers, int rank)
{
    int lowest = 0;
    while (lowest < rank && peers[lowest].joining.identity != peers[rank].joining.identity)
        lowest++;
    return lowest;
}

/* False without memory. */
static bool start_peers(struct gathering *gathering, int *lowest_near)
{
    const struct sheaf_rendezvous_plan *plan = gathering->plan;
    struct sheaf_rendezvous_peer *peers = gathering->peers;
    int *lowest = calloc((size_t)plan->size, sizeof *lowest);
    struct sheaf_leaf_start *leaves = calloc((size_t)plan->size, sizeof *leaves);
    for (int rank = 0; rank < plan->size && lowest && leaves; rank++)
        lowest[rank] = lowest_near_of(peers, rank);
    for (int rank = 0; rank < plan->size && lowest && leaves; rank++) {
        if (!peers[rank].channel.is_open)
            continue;
        size_t count = fill_leaves(gathering, rank, lowest, leaves);
        const struct sheaf_message start = {.bytes = (uint32_t)(count * sizeof *leaves),
                                            .kind = SHEAF_MESSAGE_START,
                                            .value = lowest[rank],
                                            .pe = plan->rank};
        sheaf_channel_send(&peers[rank].channel, &start, leaves);
        peers[rank].channel.most_body = sheaf_message_most(1 + (int)count);
    }
    bool is_done = lowest && leaves;
    if (is_done)
        *lowest_near = lowest[plan->rank];
    free(lowest);
    free(leaves);
    return is_done;
}

static void join_self(struct gathering *gathering)
{
    struct sheaf_rendezvous_peer *self = &gathering->peers[gathering->plan->rank];
    struct sheaf_pe_record record;
    sheaf_pe_record_fill(&record);
    self->joining = (struct sheaf_joining){.rank = gathering->plan->rank,
                                           .size = gathering->plan->size,
                                           .pid = record.pid,
                                           .identity = record.identity};
    snprintf(self->joining.host, sizeof self->joining.host, "%s", record.host);
    self->has_joined = true;
    gathering->joined = 1;
}

/* A connection for each process at most: of other hosts mostly one. The program keeps its limit where that
 * is large enough. */
static void raise_files(int size)
{
    struct rlimit limit;
    rlim_t wanted = (rlim_t)size + SHEAF_GUESTS + SPARE_FILES;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = limit.rlim_max < 2 * wanted ? limit.rlim_max : 2 * wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static bool prepare_gathering(struct gathering *gathering)
{
    int size = gathering->plan->size;
    gathering->set.most = (size_t)size + sheaf_guests_most(gathering->plan);
    gathering->set.fds = malloc(gathering->set.most * sizeof *gathering->set.fds);
    join_self(gathering);
    raise_files(size);
    return sheaf_guests_open(&gathering->guests) && gathering->set.fds;
}

int sheaf_root_gather(struct sheaf_rendezvous_plan *plan, struct sheaf_listeners *listeners,
                      struct sheaf_rendezvous_peer *peers, int *lowest_near)
{
    struct gathering gathering = {
        .plan = plan, .peers = peers, .guests = {.plan = plan, .listeners = listeners}};
    uint64_t now, until = sheaf_clock_ns() + plan->timeout_ns;
    bool has_memory = prepare_gathering(&gathering);
    while (has_memory && !gathering.has_failed && gathering.joined < plan->size) {
        if ((now = sheaf_clock_ns()) >= until) {
            say_missing(&gathering);
            break;
        }
        wait_for_all(&gathering, until - now);
        look_at_all(&gathering);
    }
    sheaf_guests_close(&gathering.guests);
    if (has_memory && !gathering.has_failed)
        has_memory = start_peers(&gathering, lowest_near);
    bool has_failed = gathering.has_failed || !has_memory;
    if (!has_memory)
        sheaf_error("SH301 out of memory");
    if (has_failed)
        sheaf_listeners_close(listeners, plan);
    sheaf_listeners_remove_file(listeners, plan);
    free(gathering.set.fds);
    return has_failed ? -1 : 0;
}
