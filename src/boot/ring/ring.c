/* SPDX-License-Identifier: BSD-3-Clause
 * See ring.h.
 *
 * The first connection that is welcomed stays, and the listening sockets close. Only then comes HOLD, after
 * which an end is news.
 */
#include "boot/ring/ring.h"

#include "base/times.h"
#include "boot/ring/frame.h"
#include "hosts/admission.h"
#include "hosts/attempts.h"
#include "hosts/channel.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

_Static_assert(SHEAF_RING_ADDRESS >= SHEAF_ADMISSION_ADDRESS, "where it listens is said in it");
_Static_assert(2 * SHEAF_INTERFACES + SHEAF_GUESTS + 1 + 2 <= SHEAF_RING_POLLS,
               "listeners and attempts, guests, both neighbours");

/* Beside the words of ring.h. */
enum {
    PIECE = 16, /* of a frame: its bytes follow */
    TAKEN       /* the last piece has been taken in */
};

struct message {
    uint32_t bytes; /* of a piece, which follow */
    uint32_t word;
    int32_t node;   /* the sender's */
    int32_t pe;     /* of ENDING: who ends the job; of a piece: bytes of the frame behind it */
    int32_t how;    /* see boot/end/end.h */
};

enum side { BEFORE, NEXT };

struct neighbour {
    struct sheaf_channel channel;
    int node;
    bool was_joined;
    bool is_held; /* its end is news */
    int end_pe;   /* whose end of the job it knows of; -1: nobody's */
    struct sheaf_frames frames;
};

/* All under the lock: the thread that polls, and whoever says a word. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sheaf_admission admission;
static struct sheaf_attempts attempts;
static struct neighbour neighbours[2];
static int my_node, guest_node, next_node;
static enum sheaf_ring_word said = SHEAF_RING_RELEASE;
static int said_pe = -1, said_how;
static int told_pe, told_how;
static size_t largest_frame; /* that a neighbour may send */
static struct sheaf_ring_frame arrived; /* bytes NULL: none */

static void send_word(struct neighbour *neighbour, uint32_t word)
{
    const struct message message = {.word = word, .node = my_node, .pe = said_pe, .how = said_how};
    if (neighbour->channel.is_open)
        sheaf_channel_send(&neighbour->channel, &message, NULL);
}

static void join_neighbour(enum side side, int node, int fd)
{
    struct neighbour *neighbour = &neighbours[side];
    *neighbour = (struct neighbour){.node = node, .was_joined = true, .end_pe = -1};
    sheaf_channel_open(&neighbour->channel, fd, sizeof(struct message), SHEAF_FRAME_PIECE,
                       sheaf_times.host_unanswered);
    send_word(neighbour, said);
}

static bool expects_guest(const struct sheaf_greeting *hello)
{
    return hello->node == guest_node;
}

static void admit_guest(int fd, const struct sheaf_greeting *hello)
{
    join_neighbour(BEFORE, hello->node, fd);
    sheaf_admission_close(&admission);
}

int sheaf_ring_open(int node, int guest, char address[SHEAF_RING_ADDRESS])
{
    static const struct sheaf_admission_user user = {expects_guest, admit_guest};
    pthread_mutex_lock(&lock);
    my_node = node;
    guest_node = guest;
    int failed = sheaf_admission_open(&admission, 1, &user, address), error = errno;
    admission.welcome.node = node;
    pthread_mutex_unlock(&lock);
    errno = error;
    return failed;
}

void sheaf_ring_close(void)
{
    pthread_mutex_lock(&lock);
    sheaf_admission_close(&admission);
    pthread_mutex_unlock(&lock);
}

bool sheaf_ring_is_open(void)
{
    pthread_mutex_lock(&lock);
    bool is_open = sheaf_admission_is_open(&admission);
    pthread_mutex_unlock(&lock);
    return is_open;
}

void sheaf_ring_reach(int node, const char *address)
{
    pthread_mutex_lock(&lock);
    next_node = node;
    if (!neighbours[NEXT].channel.is_open)
        sheaf_attempts_begin(&attempts, address, &(struct sheaf_greeting){.node = my_node});
    pthread_mutex_unlock(&lock);
}

bool sheaf_ring_is_joined(void)
{
    pthread_mutex_lock(&lock);
    bool is_joined = neighbours[NEXT].channel.is_open;
    pthread_mutex_unlock(&lock);
    return is_joined;
}

void sheaf_ring_give_up(void)
{
    pthread_mutex_lock(&lock);
    sheaf_attempts_close(&attempts);
    pthread_mutex_unlock(&lock);
}

size_t sheaf_ring_watch(struct pollfd fds[SHEAF_RING_POLLS])
{
    struct sheaf_poll_set set = {.fds = fds, .most = SHEAF_RING_POLLS};
    pthread_mutex_lock(&lock);
    sheaf_admission_watch(&admission, &set);
    sheaf_attempts_watch(&attempts, &set);
    for (int side = BEFORE; side <= NEXT; side++)
        sheaf_channel_watch(&neighbours[side].channel, &set, true);
    pthread_mutex_unlock(&lock);
    return set.count;
}

static void drop_neighbour(struct neighbour *neighbour)
{
    sheaf_channel_close(&neighbour->channel);
    sheaf_frames_free(&neighbour->frames);
}

/* The next one, where it may go. */
static void send_piece(struct neighbour *neighbour)
{
    struct message head = {.word = PIECE, .node = my_node};
    const char *bytes = sheaf_frames_next(&neighbour->frames, &head.bytes, &head.pe);
    if (bytes)
        sheaf_channel_send(&neighbour->channel, &head, bytes);
}

/* A frame that has not been taken by now is not waited for any more. */
static enum sheaf_ring_news keep_frame(struct neighbour *neighbour)
{
    struct sheaf_frames *frames = &neighbour->frames;
    if (frames->in_filled < frames->in_length)
        return SHEAF_RING_NOTHING;
    free(arrived.bytes);
    arrived = (struct sheaf_ring_frame){frames->in, frames->in_length, neighbour == &neighbours[NEXT]};
    frames->in = NULL;
    return SHEAF_RING_FRAME;
}

static enum sheaf_ring_news read_word(struct neighbour *neighbour, const struct message *message)
{
    neighbour->is_held = message->word == SHEAF_RING_HOLD;
    if (message->word != SHEAF_RING_ENDING)
        return SHEAF_RING_NOTHING;
    neighbour->end_pe = told_pe = message->pe;
    told_how = message->how;
    return SHEAF_RING_TOLD;
}

/* A whole message has come. What no leader sends ends the connection. */
static enum sheaf_ring_news read_message(struct neighbour *neighbour)
{
    const struct sheaf_channel *channel = &neighbour->channel;
    const struct message *message = (const struct message *)channel->head;
    if (message->word >= SHEAF_RING_HOLD && message->word <= SHEAF_RING_ENDING && message->bytes == 0)
        return read_word(neighbour, message);
    if (message->word == PIECE && sheaf_frames_receive(&neighbour->frames, channel->body, message->bytes,
                                                       message->pe, largest_frame)) {
        send_word(neighbour, TAKEN);
        return keep_frame(neighbour);
    }
    if (message->word == TAKEN && message->bytes == 0) {
        neighbour->frames.is_under_way = false;
        send_piece(neighbour);
    } else {
        drop_neighbour(neighbour);
    }
    return SHEAF_RING_NOTHING;
}

static enum sheaf_ring_news end_neighbour(struct neighbour *neighbour, int reason)
{
    bool is_news = neighbour->is_held, has_closed = reason == 0 || reason == ECONNRESET;
    drop_neighbour(neighbour);
    return !is_news ? SHEAF_RING_NOTHING : has_closed ? SHEAF_RING_ENDED : SHEAF_RING_SILENT;
}

static enum sheaf_ring_news read_neighbour(struct neighbour *neighbour)
{
    struct sheaf_channel *channel = &neighbour->channel;
    enum sheaf_ring_news news = SHEAF_RING_NOTHING;
    sheaf_channel_flush(channel); /* of a failure receive tells as well */
    while (channel->is_open && news == SHEAF_RING_NOTHING) {
        enum sheaf_received received = sheaf_channel_receive(channel);
        if (received == SHEAF_RECEIVED_NOTHING && channel->error == 0)
            break;
        if (received == SHEAF_RECEIVED_MESSAGE)
            news = read_message(neighbour);
        else if (received == SHEAF_RECEIVED_WRONG)
            drop_neighbour(neighbour);
        else
            return end_neighbour(neighbour, sheaf_channel_reason(channel, received));
    }
    return news;
}

enum sheaf_ring_news sheaf_ring_read(const struct pollfd *fds, size_t count, int *node)
{
    struct sheaf_poll_set set = {.fds = (struct pollfd *)fds, .count = count, .most = count};
    struct sheaf_greeting welcome;
    enum sheaf_ring_news news = SHEAF_RING_NOTHING;
    pthread_mutex_lock(&lock);
    for (int side = BEFORE; side <= NEXT && news == SHEAF_RING_NOTHING; side++) {
        struct neighbour *neighbour = &neighbours[side];
        const struct sheaf_channel *channel = &neighbour->channel;
        bool has_events = sheaf_poll_set_events(&set, channel->place, channel->fd) != 0;
        if (!channel->is_open || !(has_events || channel->error != 0))
            continue;
        *node = neighbour->node;
        news = read_neighbour(neighbour);
    }
    sheaf_admission_read(&admission, &set);
    int fd = sheaf_attempts_read(&attempts, &set, &welcome);
    if (fd >= 0)
        join_neighbour(NEXT, next_node, fd);
    pthread_mutex_unlock(&lock);
    return news;
}

static void say_to_all(enum sheaf_ring_word word)
{
    said = word;
    for (int side = BEFORE; side <= NEXT; side++)
        send_word(&neighbours[side], word);
}

void sheaf_ring_say(enum sheaf_ring_word word)
{
    pthread_mutex_lock(&lock);
    say_to_all(word);
    pthread_mutex_unlock(&lock);
}

void sheaf_ring_accept_frames(size_t largest)
{
    pthread_mutex_lock(&lock);
    largest_frame = largest < INT32_MAX ? largest : INT32_MAX;
    pthread_mutex_unlock(&lock);
}

bool sheaf_ring_send(bool to_next, const void *bytes, size_t length)
{
    struct neighbour *neighbour = &neighbours[to_next ? NEXT : BEFORE];
    pthread_mutex_lock(&lock);
    bool is_sent = neighbour->channel.is_open && length <= INT32_MAX &&
                   sheaf_frames_add(&neighbour->frames, bytes, (uint32_t)length);
    if (is_sent)
        send_piece(neighbour);
    pthread_mutex_unlock(&lock);
    return is_sent;
}

bool sheaf_ring_take(struct sheaf_ring_frame *frame)
{
    pthread_mutex_lock(&lock);
    *frame = arrived;
    arrived.bytes = NULL;
    pthread_mutex_unlock(&lock);
    return frame->bytes != NULL;
}

void sheaf_ring_say_ending(int pe, int how)
{
    pthread_mutex_lock(&lock);
    said_pe = pe;
    said_how = how;
    say_to_all(SHEAF_RING_ENDING);
    pthread_mutex_unlock(&lock);
}

void sheaf_ring_told(int *pe, int *how)
{
    pthread_mutex_lock(&lock);
    *pe = told_pe;
    *how = told_how;
    pthread_mutex_unlock(&lock);
}

bool sheaf_ring_is_over(int pe)
{
    pthread_mutex_lock(&lock);
    bool is_over = true;
    for (int side = BEFORE; side <= NEXT; side++)
        is_over &= neighbours[side].was_joined &&
                   (!neighbours[side].channel.is_open || neighbours[side].end_pe == pe);
    pthread_mutex_unlock(&lock);
    return is_over;
}
