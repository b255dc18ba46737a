/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The network of storm.h, and the transport over it.
 */
#include "storm.h"
#include "unit.h"

#define SEGMENT    1460
#define PART       ((uint64_t)16384) /* sent, and dropped, as one */
#define SLOW_START (10 * SEGMENT)
#define READ       ((size_t)65536)   /* of a connection at once */
#define READY      16                /* connections in a turn, as UCX takes them */
#define EMPTY      100.0             /* nanoseconds of a turn that finds nothing */

/* A message in the stream of a connection, its header first. */
struct frame {
    struct frame *next;
    uint64_t end; /* in the stream */
    size_t header_bytes, bytes;
    bool is_answered;
    unsigned char data[];
};

/* A message that the kernel has not taken. */
struct waiting {
    struct waiting *next;
    struct sheaf_transport_message message;
};

/* One direction of a connection: the sender's link. All positions are of the stream. */
struct sheaf_transport_link {
    struct storm_pe *from, *to;
    struct sheaf_transport_link *back, *next_ready, *next_stuck, *next;
    void *peer; /* of the protocol, at the end that has connected */
    struct frame *frames, **last_frame; /* that the receiver has not read */
    struct waiting *waiting, **last_waiting;
    uint64_t written, sent, acked, arrived, read;
    uint64_t window, threshold;
    double moved, retransmit; /* the last acknowledgement; until a retransmission from then on */
    int duplicates;
    bool is_ready, is_stuck, has_timer, is_lost;
};

struct sheaf_transport_port {
    void *owner;
    struct storm_pe *pe;
    struct sheaf_transport_link *ready, **last_ready; /* with messages that have arrived */
    struct sheaf_transport_link *stuck;               /* with messages that the kernel may take now */
    uint64_t unread, waiting;
};

enum kind { RUN, REACH_PORT, DELIVER, ACKNOWLEDGE, RESEND, OPEN_WINDOW, TIMER, KILL, KNOW };
struct event {
    double at;
    uint64_t order, start; /* start: in the stream, and how much */
    void *what;
    uint32_t bytes;
    enum kind kind;
};

struct storm_counts storm_counts;
const struct storm_network *storm_network;
static const struct sheaf_transport_user *user;
static struct {
    struct event *heap;
    size_t count, room;
    uint64_t order;
    double now;
    double *sends_until, *receives_until; /* by node */
    struct sheaf_transport_link *links;
    storm_program *program;
} net;

static double later(double one, double other)
{
    return one > other ? one : other;
}

static uint64_t least(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

static void raise(uint64_t *most, uint64_t value)
{
    *most = value > *most ? value : *most;
}

static bool is_before(const struct event *one, const struct event *other)
{
    return one->at < other->at || (one->at == other->at && one->order < other->order);
}

static void add(enum kind kind, double at, void *what, uint64_t start, uint64_t bytes)
{
    if (net.count == net.room) {
        bool were_engine = storm_own_allocations(false);
        net.room = net.room ? 2 * net.room : 4096;
        net.heap = realloc(net.heap, net.room * sizeof *net.heap);
        storm_own_allocations(were_engine);
        CHECK(net.heap != NULL);
    }
    struct event event = {at, net.order++, start, what, (uint32_t)bytes, kind};
    size_t place = net.count++;
    for (; place > 0 && is_before(&event, &net.heap[(place - 1) / 2]); place = (place - 1) / 2)
        net.heap[place] = net.heap[(place - 1) / 2];
    net.heap[place] = event;
}

static struct event take(void)
{
    struct event first = net.heap[0], last = net.heap[--net.count];
    size_t place = 0;
    for (size_t child = 1; child < net.count; child = 2 * place + 1) {
        if (child + 1 < net.count && is_before(&net.heap[child + 1], &net.heap[child]))
            child++;
        if (!is_before(&net.heap[child], &last))
            break;
        net.heap[place] = net.heap[child];
        place = child;
    }
    net.heap[place] = last;
    return first;
}

void storm_schedule(struct storm_pe *pe, double at)
{
    if (!pe->is_scheduled)
        add(RUN, later(at, pe->now), pe, 0, 0);
    pe->is_scheduled = true;
}

static void wake(struct storm_pe *pe)
{
    pe->has_news = true;
    storm_schedule(pe, net.now);
}

static void arm(struct sheaf_transport_link *link)
{
    if (!link->has_timer)
        add(TIMER, link->moved + link->retransmit, link, 0, 0);
    link->has_timer = true;
}

/* Sends what the windows allow. */
static void pump(struct sheaf_transport_link *link, double at)
{
    while (!link->is_lost && link->sent < link->written) {
        uint64_t rest = link->written - link->sent, ends = link->acked + link->window,
                 closes = link->read + storm_network->receives, to = least(ends, closes);
        uint64_t bytes = to > link->sent ? least(least(rest, to - link->sent), PART) : 0;
        if (bytes < least(rest, SEGMENT))
            return;
        double *sends = &net.sends_until[link->from->node];
        *sends = later(at, *sends) + (double)bytes * storm_network->per_byte;
        add(REACH_PORT, *sends + storm_network->latency, link, link->sent, bytes);
        if (link->sent == link->acked)
            link->moved = at;
        link->sent += bytes;
        arm(link);
    }
}

static void reach_port(const struct event *event)
{
    struct sheaf_transport_link *link = event->what;
    double *receives = &net.receives_until[link->to->node];
    double takes = (double)event->bytes * storm_network->per_byte;
    uint64_t held = *receives > net.now ? (uint64_t)((*receives - net.now) / storm_network->per_byte) : 0;
    if (link->to->is_gone)
        return;
    if (held + event->bytes > storm_network->port) {
        storm_counts.dropped++;
        return;
    }
    raise(&storm_counts.most_in_port, held + event->bytes);
    *receives = later(net.now, *receives) + takes;
    add(DELIVER, *receives, link, event->start, event->bytes);
}

static void put_into_ready(struct sheaf_transport_link *link)
{
    struct sheaf_transport_port *port = link->to->port;
    if (link->is_ready || !link->frames || link->frames->end > link->arrived)
        return;
    link->is_ready = true;
    link->next_ready = NULL;
    *port->last_ready = link;
    port->last_ready = &link->next_ready;
}

static void deliver(const struct event *event)
{
    struct sheaf_transport_link *link = event->what;
    struct sheaf_transport_port *port = link->to->port;
    if (link->to->is_gone || link->is_lost)
        return;
    if (event->start != link->arrived) {
        if (event->start > link->arrived && ++link->duplicates == 3)
            add(RESEND, net.now + storm_network->latency, link, link->arrived, 0);
        return;
    }
    link->arrived += event->bytes;
    link->duplicates = 0;
    port->unread += event->bytes;
    raise(&storm_counts.most_unread, port->unread);
    add(ACKNOWLEDGE, net.now + storm_network->latency, link, link->arrived, 0);
    put_into_ready(link);
    wake(link->to);
}

static void resend(struct sheaf_transport_link *link, uint64_t window)
{
    storm_counts.retransmitted++;
    link->threshold = link->window / 2 > 2 * SEGMENT ? link->window / 2 : 2 * SEGMENT;
    link->window = window;
    link->sent = link->acked;
    pump(link, net.now);
}

static void stick(struct sheaf_transport_link *link)
{
    if (link->is_stuck)
        return;
    link->is_stuck = true;
    link->next_stuck = link->from->port->stuck;
    link->from->port->stuck = link;
}

static void acknowledge(const struct event *event)
{
    struct sheaf_transport_link *link = event->what;
    if (event->start <= link->acked || link->from->is_gone)
        return;
    uint64_t bytes = event->start - link->acked;
    link->window += link->window < link->threshold ? bytes : bytes * SEGMENT / link->window;
    link->acked = event->start;
    link->sent = link->sent > link->acked ? link->sent : link->acked;
    link->moved = net.now;
    link->retransmit = storm_network->retransmit;
    pump(link, net.now);
    if (link->waiting) {
        stick(link);
        wake(link->from);
    }
}

static void lose(struct sheaf_transport_link *link)
{
    link->is_lost = true;
    storm_counts.lost += !link->to->is_gone;
    stick(link);
    wake(link->from);
}

static void look_at_timer(struct sheaf_transport_link *link)
{
    link->has_timer = false;
    if (link->is_lost || link->from->is_gone || link->sent == link->acked)
        return;
    if (net.now < link->moved + link->retransmit) {
        arm(link);
    } else if (net.now >= link->moved + storm_network->unheard) {
        lose(link);
    } else {
        link->retransmit = 2 * link->retransmit;
        resend(link, SEGMENT);
        arm(link);
    }
}

/* The kernel takes the message; whether it has room for it. */
static bool write_message(struct sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    size_t all = message->header_bytes + message->bytes;
    uint64_t buffered = link->written - link->acked;
    if (buffered > 0 && buffered + all > storm_network->sends)
        return false;
    storm_own_allocations(false);
    struct frame *frame = malloc(sizeof *frame + all);
    storm_own_allocations(true);
    *frame = (struct frame){NULL, link->written + all, message->header_bytes, message->bytes, message->is_answered};
    memcpy(frame->data, message->header, message->header_bytes);
    if (message->bytes)
        memcpy(frame->data + message->header_bytes, message->source, message->bytes);
    *link->last_frame = frame;
    link->last_frame = &frame->next;
    link->written += all;
    storm_counts.messages++;
    storm_me->sent++;
    storm_work(storm_network->overhead + (double)message->bytes * storm_network->per_byte);
    pump(link, link->from->now);
    return true;
}

static void send_message(struct sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    struct sheaf_transport_port *port = link->from->port;
    if (link->is_lost || (!link->waiting && write_message(link, message))) {
        user->sent(message->operation, NULL);
        return;
    }
    storm_own_allocations(false);
    struct waiting *waiting = malloc(sizeof *waiting);
    storm_own_allocations(true);
    *waiting = (struct waiting){NULL, *message};
    *link->last_waiting = waiting;
    link->last_waiting = &waiting->next;
    raise(&storm_counts.most_waiting, ++port->waiting);
}

static void end_first_waiting(struct sheaf_transport_link *link)
{
    struct waiting *waiting = link->waiting;
    link->waiting = waiting->next;
    if (!link->waiting)
        link->last_waiting = &link->waiting;
    link->from->port->waiting--;
    user->sent(waiting->message.operation, NULL);
    storm_own_allocations(false);
    free(waiting);
    storm_own_allocations(true);
}

/* Messages that waited go on. */
static bool write_stuck(struct sheaf_transport_port *port)
{
    bool any = false;
    while (port->stuck) {
        struct sheaf_transport_link *link = port->stuck;
        port->stuck = link->next_stuck;
        link->is_stuck = false;
        if (link->is_lost && link->peer)
            user->lost(link->peer, "unheard");
        while (link->waiting && (link->is_lost || write_message(link, &link->waiting->message))) {
            end_first_waiting(link);
            any = true;
        }
    }
    return any;
}

static size_t read_frame(struct sheaf_transport_link *link)
{
    struct frame *frame = link->frames;
    size_t all = frame->header_bytes + frame->bytes;
    const struct sheaf_transport_arrival arrival = {
        .header = frame->data, .header_bytes = frame->header_bytes,
        .data = frame->bytes ? frame->data + frame->header_bytes : NULL, .bytes = frame->bytes,
        .origin = frame->is_answered ? link->back : NULL};
    link->frames = frame->next;
    if (!link->frames)
        link->last_frame = &link->frames;
    user->arrived(link->to->port->owner, &arrival);
    storm_own_allocations(false);
    free(frame);
    storm_own_allocations(true);
    return all;
}

static void read_link(struct sheaf_transport_link *link)
{
    size_t bytes = 0;
    uint64_t before = link->read;
    storm_work(storm_network->overhead);
    while (link->frames && link->frames->end <= link->arrived && bytes < READ) {
        size_t taken = read_frame(link);
        storm_work((double)taken * storm_network->per_byte + EMPTY);
        bytes += taken;
    }
    link->read += bytes;
    link->to->port->unread -= bytes;
    if (before + storm_network->receives < link->sent + SEGMENT)
        add(OPEN_WINDOW, link->to->now + storm_network->latency, link, 0, 0);
    put_into_ready(link);
}

static bool turn(struct sheaf_transport_port *port)
{
    bool any = write_stuck(port);
    storm_work(EMPTY);
    for (int i = 0; i < READY && port->ready; i++) {
        struct sheaf_transport_link *link = port->ready;
        port->ready = link->next_ready;
        if (!port->ready)
            port->last_ready = &port->ready;
        link->is_ready = false;
        read_link(link);
        any = true;
    }
    return any;
}

static struct sheaf_transport_link *make_link(struct storm_pe *from, struct storm_pe *to, void *peer)
{
    struct sheaf_transport_link *link = malloc(sizeof *link);
    *link = (struct sheaf_transport_link){.from = from, .to = to, .peer = peer, .window = SLOW_START,
                                          .threshold = UINT64_MAX, .retransmit = storm_network->retransmit,
                                          .next = net.links};
    link->last_frame = &link->frames;
    link->last_waiting = &link->waiting;
    net.links = link;
    return link;
}

static struct sheaf_transport_link *connect_to(struct sheaf_transport_port *port, const void *address, size_t length,
                                               void *peer, const char **why)
{
    int number;
    (void)length, (void)why;
    memcpy(&number, address, sizeof number);
    storm_own_allocations(false);
    struct sheaf_transport_link *link = make_link(port->pe, &storm_pes[number], peer);
    link->back = make_link(&storm_pes[number], port->pe, NULL);
    link->back->back = link;
    storm_own_allocations(true);
    return link;
}

/* The protocol knows that the peer has died. */
static void give_up(struct sheaf_transport_link *link)
{
    link->is_lost = true;
    while (link->waiting)
        end_first_waiting(link);
}

static int start(const struct sheaf_transport_user *of, struct sheaf_transport_abilities *abilities)
{
    (void)abilities;
    user = of;
    return 0;
}

static void stop(void)
{
}

static struct sheaf_transport_port *open_port(void *owner, const char **why)
{
    (void)why;
    storm_own_allocations(false);
    struct sheaf_transport_port *port = calloc(1, sizeof *port);
    storm_own_allocations(true);
    port->owner = owner;
    port->pe = storm_me;
    port->last_ready = &port->ready;
    return storm_me->port = port;
}

static void close_port(struct sheaf_transport_port *port)
{
    storm_own_allocations(false);
    free(port);
}

static int address_of(struct sheaf_transport_port *port, void **address, size_t *length, const char **why)
{
    (void)why;
    *address = calloc(1, *length = 8);
    memcpy(*address, &port->pe->pe, sizeof port->pe->pe);
    return 0;
}

static int no_descriptor(struct sheaf_transport_port *port)
{
    (void)port;
    return -1;
}

const struct sheaf_transport sheaf_transport_storm = {
    .name = "storm", .title = "storm", .start = start, .stop = stop, .open = open_port, .close = close_port,
    .address = address_of, .connect = connect_to, .send = send_message, .turn = turn,
    .descriptor = no_descriptor, .give_up = give_up};

static void run_pe(struct storm_pe *pe)
{
    pe->is_scheduled = false;
    if (pe->is_gone)
        return;
    if (net.now >= pe->stopped_from && net.now < pe->stopped_until) {
        storm_schedule(pe, pe->stopped_until);
        return;
    }
    storm_enter(pe);
    pe->now = later(pe->now, net.now);
    pe->has_news = false;
    storm_own_allocations(true);
    if (pe->is_to_hear)
        sheaf_msg_forget_dead();
    pe->is_to_hear = false;
    bool has_moved = net.program(pe);
    storm_own_allocations(false);
    if (has_moved || pe->has_news)
        storm_schedule(pe, pe->now);
}

/* is_known: all others are told; else its processes end, and its host is silent. */
static void end_node(int node, bool is_known)
{
    for (int i = 0; i < storm_npes; i++) {
        struct storm_pe *pe = &storm_pes[i];
        if (pe->node == node) {
            pe->is_gone = true;
            pe->is_dead = is_known;
        } else if (is_known) {
            pe->is_to_hear = true;
            wake(pe);
        }
    }
}

void storm_kill(int node, double at, double known)
{
    add(KILL, at, NULL, (uint64_t)node, 0);
    add(KNOW, known, NULL, (uint64_t)node, 0);
}

static void handle(const struct event *event)
{
    struct sheaf_transport_link *link = event->what;
    switch (event->kind) {
    case RUN:
        run_pe(event->what);
        break;
    case REACH_PORT:
        reach_port(event);
        break;
    case DELIVER:
        deliver(event);
        break;
    case ACKNOWLEDGE:
        acknowledge(event);
        break;
    case RESEND:
        if (!link->is_lost && event->start >= link->acked && link->sent > event->start)
            resend(link, link->window / 2 > SEGMENT ? link->window / 2 : SEGMENT);
        break;
    case OPEN_WINDOW:
        pump(link, net.now);
        break;
    case TIMER:
        look_at_timer(link);
        break;
    case KILL:
    case KNOW:
        end_node((int)event->start, event->kind == KNOW);
        break;
    }
}

void storm_free_links(void)
{
    while (net.links) {
        struct sheaf_transport_link *link = net.links;
        net.links = link->next;
        while (link->frames) {
            struct frame *next = link->frames->next;
            free(link->frames);
            link->frames = next;
        }
        free(link);
    }
}

void storm_run(storm_program *program)
{
    int nodes = (storm_npes - 1) / storm_per_node + 1;
    net.sends_until = calloc((size_t)nodes, sizeof *net.sends_until);
    net.receives_until = calloc((size_t)nodes, sizeof *net.receives_until);
    net.program = program;
    net.now = 0;
    storm_counts = (struct storm_counts){0};
    while (net.count > 0) {
        struct event event = take();
        net.now = event.at;
        handle(&event);
    }
    free(net.sends_until);
    free(net.receives_until);
}
