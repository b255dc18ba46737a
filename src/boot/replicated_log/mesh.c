/* SPDX-License-Identifier: BSD-3-Clause
 * See mesh.h.
 */
#include "boot/replicated_log/mesh.h"

#include "base/clock.h"
#include "base/times.h"
#include "hosts/admission.h"
#include "hosts/attempts.h"
#include "hosts/channel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

_Static_assert(SHEAF_MESH_ADDRESS >= SHEAF_ADMISSION_ADDRESS, "where it listens is said in it");
_Static_assert(sizeof(struct sheaf_journal_head) <= SHEAF_CHANNEL_HEAD, "the head of a message");

/* Of a connection. LIVENESS carries a byte now and then, which is read soon: when its process ends its
 * kernel says so in order, which of a connection with unread messages it does not. */
enum purpose { DATA, LIVENESS };

struct peer {
    char *address; /* NULL: not known */
    struct sheaf_attempts attempts; /* to connect to a lower node */
    struct sheaf_channel data;
    bool was_joined; /* data was open once */
    bool is_parted, is_shut; /* nothing more is sent, and all has been */
    bool is_live;
    int liveness; /* the descriptor of that connection */
    uint64_t heard_ns; /* when data last brought a message */
    uint64_t acknowledged_ns; /* when all that was sent had been acknowledged */
    bool is_asked;            /* by a byte of liveness, since then */
    uint32_t note;
};

static struct {
    int nodes, me;
    int missing; /* connections that are still to come */
    struct peer *peers; /* by node */
    struct sheaf_admission admission;
    uint64_t again_ns; /* the next attempts */
    uint64_t heartbeat_ns; /* the next heartbeats; 0: none yet */
} mesh;

static bool is_reached(const struct peer *peer, uint32_t purpose)
{
    return purpose == LIVENESS ? peer->is_live : peer->was_joined;
}

static void settle_connection(int node, int fd, const struct sheaf_greeting *greeting)
{
    struct peer *peer = &mesh.peers[node];
    if (greeting->purpose == LIVENESS) {
        sheaf_interface_keep_asking(fd, sheaf_times.agent_unanswered);
        peer->is_live = true;
        peer->liveness = fd;
    } else {
        sheaf_channel_open(&peer->data, fd, sizeof(struct sheaf_journal_head), SHEAF_JOURNAL_MOST_BYTES,
                           sheaf_times.agent_unanswered);
        peer->was_joined = true;
        peer->note = greeting->note;
    }
    mesh.again_ns = 0; /* the second connection comes at once */
    if (--mesh.missing == 0)
        sheaf_admission_close(&mesh.admission);
}

/* A guest that comes before this node was told of it comes again: until then this node's note is not
 * known. */
static bool expects_guest(const struct sheaf_greeting *hello)
{
    return hello->node > mesh.me && hello->node < mesh.nodes && hello->purpose <= LIVENESS &&
           mesh.peers[hello->node].address && !is_reached(&mesh.peers[hello->node], hello->purpose);
}

static void admit_guest(int fd, const struct sheaf_greeting *hello)
{
    settle_connection(hello->node, fd, hello);
}

int sheaf_mesh_open(int nodes, int node, char address[SHEAF_MESH_ADDRESS])
{
    static const struct sheaf_admission_user user = {expects_guest, admit_guest};
    mesh.nodes = nodes;
    mesh.me = node;
    mesh.missing = 2 * (nodes - 1);
    mesh.peers = calloc((size_t)nodes, sizeof *mesh.peers);
    if (!mesh.peers || sheaf_admission_open(&mesh.admission, nodes, &user, address) != 0)
        return -1;
    mesh.admission.welcome.node = node;
    return 0;
}

bool sheaf_mesh_reach(int node, const char *address)
{
    struct sheaf_token secret;
    if (node < 0 || node >= mesh.nodes || node == mesh.me || !sheaf_token_parse(address, &secret))
        return false;
    free(mesh.peers[node].address);
    mesh.peers[node].address = strdup(address);
    return mesh.peers[node].address != NULL;
}

int sheaf_mesh_lacks(void)
{
    for (int node = 0; node < mesh.nodes; node++)
        if (node != mesh.me && !(mesh.peers[node].was_joined && mesh.peers[node].is_live))
            return node;
    return -1;
}

bool sheaf_mesh_is_complete(void)
{
    return mesh.missing == 0;
}

void sheaf_mesh_set_note(uint32_t note)
{
    mesh.admission.welcome.note = note;
}

uint32_t sheaf_mesh_note_of(int node)
{
    return node == mesh.me ? mesh.admission.welcome.note : mesh.peers[node].note;
}

static void connect_to_lower(void)
{
    if (sheaf_mesh_is_complete() || sheaf_clock_ns() < mesh.again_ns)
        return;
    mesh.again_ns = sheaf_clock_ns() + sheaf_times.agent_connects_again;
    for (int node = 0; node < mesh.me; node++) {
        struct peer *peer = &mesh.peers[node];
        const struct sheaf_greeting hello = {.node = mesh.me, .note = mesh.admission.welcome.note,
                                             .purpose = peer->was_joined ? LIVENESS : DATA};
        if (peer->address && !peer->is_live)
            sheaf_attempts_begin(&peer->attempts, peer->address, &hello);
    }
}

size_t sheaf_mesh_most(void)
{
    return sheaf_admission_most(&mesh.admission) + (size_t)mesh.nodes * (1 + SHEAF_INTERFACES);
}

/* Messages are read once all nodes are connected: an entry of the log made before would not come to all. */
size_t sheaf_mesh_watch(struct pollfd *fds, size_t count)
{
    struct sheaf_poll_set set = {.fds = fds, .most = count};
    sheaf_admission_watch(&mesh.admission, &set);
    for (struct peer *peer = mesh.peers; peer < mesh.peers + mesh.nodes; peer++) {
        sheaf_attempts_watch(&peer->attempts, &set);
        sheaf_channel_watch(&peer->data, &set, peer->is_parted || sheaf_mesh_is_complete());
    }
    return set.count;
}

int sheaf_mesh_timeout(void)
{
    for (int node = 0; node < mesh.nodes; node++)
        if (mesh.peers[node].data.error != 0)
            return 0;
    if (!sheaf_mesh_is_complete())
        return sheaf_times_ms(sheaf_times.agent_connects_again);
    uint64_t now_ns = sheaf_clock_ns();
    if (mesh.nodes == 1)
        return -1;
    return mesh.heartbeat_ns <= now_ns ? 0 : sheaf_times_ms(mesh.heartbeat_ns - now_ns) + 1;
}

static void flush_data(struct peer *peer)
{
    sheaf_channel_flush(&peer->data);
    if (peer->is_parted && !peer->is_shut && peer->data.error == 0 &&
        sheaf_send_queue_length(&peer->data.out) == 0) {
        shutdown(peer->data.fd, SHUT_WR);
        peer->is_shut = true;
    }
}

void sheaf_mesh_send(int node, const struct sheaf_journal_head *head, const void *body)
{
    struct peer *peer = &mesh.peers[node];
    if (peer->data.is_open && !peer->is_parted)
        sheaf_channel_send(&peer->data, head, body);
}

void sheaf_mesh_part(int node)
{
    struct peer *peer = &mesh.peers[node];
    if (!peer->data.is_open || peer->is_parted)
        return;
    peer->is_parted = true;
    flush_data(peer);
}

bool sheaf_mesh_is_done(void)
{
    for (struct peer *peer = mesh.peers; peer < mesh.peers + mesh.nodes; peer++)
        if (peer->data.is_open && peer->is_parted && peer->data.error == 0)
            return false;
    return true;
}

/* Takes the bytes of ask_by_liveness; 0: the end of the connection follows. */
static ssize_t read_rest(int fd)
{
    char bytes[64];
    ssize_t count;
    do
        count = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
    while (count > 0);
    return count;
}

/* A kernel resets the connection of a process that has ended without reading all, and one that it has
 * given up though its process lives: the other connection tells them apart. */
static bool has_ended(const struct peer *peer)
{
    struct pollfd end = {.fd = peer->liveness, .events = POLLIN};
    return peer->is_live && poll(&end, 1, sheaf_times_ms(sheaf_times.agent_ended)) == 1 &&
           read_rest(end.fd) == 0;
}

static void end_data(int node, int reason, const struct sheaf_mesh_user *user)
{
    struct peer *peer = &mesh.peers[node];
    bool is_news = !peer->is_parted;
    bool has_closed = reason == 0 || (reason == ECONNRESET && is_news && has_ended(peer));
    sheaf_channel_close(&peer->data);
    if (is_news)
        user->lost(node, has_closed ? SHEAF_NODE_CLOSED : SHEAF_NODE_SILENT);
}

/* The last messages of a node are read before its end is told. A message that no agent sends ends the
 * connection. */
static void hear_data(int node, const struct sheaf_mesh_user *user)
{
    struct peer *peer = &mesh.peers[node];
    struct sheaf_channel *data = &peer->data;
    while (data->is_open) {
        enum sheaf_received received = sheaf_channel_receive(data);
        if (received == SHEAF_RECEIVED_NOTHING && data->error == 0)
            return;
        const struct sheaf_journal_head *head = (const void *)data->head;
        peer->heard_ns = sheaf_clock_ns();
        if (received == SHEAF_RECEIVED_MESSAGE && head->word == SHEAF_JOURNAL_HEARTBEAT)
            continue;
        if (received != SHEAF_RECEIVED_MESSAGE)
            end_data(node, sheaf_channel_reason(data, received), user);
        else if (!peer->is_parted && !user->heard(node, head, data->body))
            end_data(node, 0, user);
    }
}

static void read_peer(int node, const struct sheaf_poll_set *set, const struct sheaf_mesh_user *user)
{
    struct peer *peer = &mesh.peers[node];
    struct sheaf_greeting welcome;
    int fd = peer->is_live ? -1 : sheaf_attempts_read(&peer->attempts, set, &welcome);
    if (fd >= 0)
        settle_connection(node, fd, &welcome);
    if (!peer->data.is_open ||
        !(sheaf_poll_set_events(set, peer->data.place, peer->data.fd) || peer->data.error != 0))
        return;
    flush_data(peer);
    hear_data(node, user);
}

/* A kernel tries again after 0.2, 0.4, 0.8 and 1.6 s. A byte on the other connection, two heartbeats
 * later, makes further tries between these. */
static void ask_by_liveness(struct peer *peer)
{
    ssize_t ignored = send(peer->liveness, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)ignored;
    peer->is_asked = true;
}

/* Whether the host's kernel has acknowledged nothing for too long, however late this process is. */
static bool is_silent(struct peer *peer, uint64_t now_ns)
{
    uint64_t since_ns = now_ns - peer->acknowledged_ns;
    if (!sheaf_interface_is_unacknowledged(peer->data.fd, 0) ||
        (peer->is_asked && !sheaf_interface_is_unacknowledged(peer->liveness, 0))) {
        peer->acknowledged_ns = now_ns;
        peer->is_asked = false;
        return false;
    }
    if (!peer->is_asked && since_ns >= 2 * sheaf_times.heartbeat_every)
        ask_by_liveness(peer);
    return since_ns >= sheaf_times.heartbeat_unanswered &&
           sheaf_interface_is_unacknowledged(peer->data.fd, sheaf_times.heartbeat_unanswered);
}

/* A host is silent when its kernel does not acknowledge what is sent to it, so each agent sends something.
 * An agent that is stopped with its host's other processes (a paused container) would leave heartbeats
 * unread until no more fit: it gets none, and its kernel still answers. */
static void send_heartbeat(int node, uint64_t now_ns, const struct sheaf_mesh_user *user)
{
    static const struct sheaf_journal_head heartbeat = {.word = SHEAF_JOURNAL_HEARTBEAT};
    struct peer *peer = &mesh.peers[node];
    if (!peer->data.is_open || peer->is_parted)
        return;
    read_rest(peer->liveness);
    if (is_silent(peer, now_ns))
        end_data(node, ETIMEDOUT, user);
    else if (now_ns - peer->heard_ns < sheaf_times.heartbeat_rests)
        sheaf_mesh_send(node, &heartbeat, NULL);
}

/* An agent that comes late was stopped, perhaps with all others: it hears them anew. */
static void send_heartbeats(const struct sheaf_mesh_user *user)
{
    uint64_t now_ns = sheaf_clock_ns();
    if (!sheaf_mesh_is_complete() || now_ns < mesh.heartbeat_ns)
        return;
    bool is_late = now_ns - mesh.heartbeat_ns > sheaf_times.heartbeat_every;
    mesh.heartbeat_ns = now_ns + sheaf_times.heartbeat_every;
    for (int node = 0; node < mesh.nodes; node++) {
        if (is_late)
            mesh.peers[node].heard_ns = now_ns;
        send_heartbeat(node, now_ns, user);
    }
}

void sheaf_mesh_read(const struct pollfd *fds, size_t count, const struct sheaf_mesh_user *user)
{
    const struct sheaf_poll_set set = {.fds = (struct pollfd *)fds, .count = count, .most = count};
    sheaf_admission_read(&mesh.admission, &set);
    for (int node = 0; node < mesh.nodes; node++)
        read_peer(node, &set, user);
    connect_to_lower();
    send_heartbeats(user);
}
