/* SPDX-License-Identifier: BSD-3-Clause
 * See containers.h. All PEs of the job take part in three fences:
 *
 *   leader   listens at a random name, and tells it                    fence
 *   members  connect to it, and tell whether they could                fence
 *   leader   proves each member, takes in its descriptors, passes all
 *            to each, and tells which containers have met              fence
 *
 * So nobody waits for a member that cannot come.
 */
#include "boot/containers/containers.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/os/os.h"
#include "base/times.h"
#include "boot/containers/leader.h"
#include "boot/containers/place.h"
#include "boot/end/wake_pipe.h"
#include "boot/world/world.h"
#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The PEs of this node after a meeting, by slot. */
static int *pes;
static int npes;
static int own_pes; /* of them in this PE's container */

static bool share_network(const struct sheaf_whereabouts *one, const struct sheaf_whereabouts *other)
{
    return one->network != 0 && one->network == other->network;
}

static bool share_folder(const struct sheaf_whereabouts *one, const struct sheaf_whereabouts *other)
{
    return one->folder != 0 && one->folder == other->folder;
}

static bool share_machine(const struct sheaf_whereabouts *one, const struct sheaf_whereabouts *other)
{
    return one->machine != 0 && one->machine == other->machine;
}

bool sheaf_containers_find(const struct sheaf_job_map *map, int *into)
{
    bool is_found = false;
    for (int node = 0; node < map->nodes; node++) {
        into[node] = node;
        for (int other = 0; other < node && into[node] == node; other++) {
            const struct sheaf_whereabouts *one = &map->where[node], *two = &map->where[other];
            if (into[other] != other || !share_machine(one, two))
                continue;
            if (share_network(one, two) || share_folder(one, two))
                into[node] = other;
            else if (map->node[node].leader == sheaf_boot.pe)
                sheaf_debug("this PE is on the machine of PE %d, in another container, and reaches it by "
                            "the network: they share memory where SHEAF_NODE_DIR is a folder that both see",
                            map->node[other].leader);
        }
        is_found |= into[node] != node;
    }
    return is_found;
}

/* Descriptors that this PE passes. */
static bool prepare_own(struct sheaf_passing *own)
{
    int process = sheaf_os_open_process(getpid());
    int pipe = sheaf_image.is_static ? process : sheaf_wake_pipe_open();
    own->pe = sheaf_boot.pe;
    own->files[SHEAF_CONTAINER_PROCESS] = process < 0 ? -1 : sheaf_os_move_up(process);
    own->files[SHEAF_CONTAINER_MEMORY] = sheaf_image.fd;
    own->files[SHEAF_CONTAINER_PIPE] = sheaf_image.is_static ? own->files[SHEAF_CONTAINER_PROCESS] : pipe;
    return process >= 0 && pipe >= 0;
}

/* Whether this PE's container and some other may meet. */
static bool takes_part(const struct sheaf_meeting *meeting)
{
    int node = meeting->into[meeting->own_node];
    for (int other = 0; other < meeting->map->nodes; other++)
        if (other != node && meeting->into[other] == node)
            return true;
    return false;
}

static int connect_to_leader(const struct sheaf_meeting *meeting)
{
    const struct sheaf_whereabouts *own = &meeting->map->where[meeting->own_node];
    const struct sheaf_whereabouts *other = &meeting->map->where[meeting->into[meeting->own_node]];
    void *name;
    size_t bytes;
    if (meeting->launcher->get(meeting->leader, SHEAF_CONTAINERS_PLACE, &name, &bytes) != 0)
        return -1;
    bool is_name = bytes == SHEAF_TOKEN_TEXT && !memchr(name, '/', bytes) && !((char *)name)[bytes - 1];
    int folder = share_network(own, other) ? -1 : sheaf_pe_record_open_folder();
    int fd = is_name ? sheaf_place_connect(folder, name) : -1;
    if (is_name && fd < 0)
        sheaf_debug("this PE's container cannot connect to that of PE %d, and the network is used: %s",
                    meeting->leader, strerror(errno));
    if (folder >= 0)
        close(folder);
    free(name);
    return fd;
}

static bool greet(const struct sheaf_meeting *meeting, int fd, uint64_t until_ns)
{
    struct sheaf_handshake handshake;
    enum sheaf_handshake_state state;
    sheaf_handshake_begin(&handshake, fd);
    do
        state = sheaf_passing_wait(fd, POLLIN, until_ns) ? sheaf_handshake_receive_challenge(&handshake)
                                                         : SHEAF_HANDSHAKE_FAILED;
    while (state == SHEAF_HANDSHAKE_WAITS);
    if (state == SHEAF_HANDSHAKE_FAILED ||
        !sheaf_handshake_send(&handshake, (struct sheaf_greeting){.word = SHEAF_HELLO, .node = meeting->me},
                              &meeting->secret))
        return false;
    do
        state = sheaf_passing_wait(fd, POLLIN, until_ns)
                    ? sheaf_handshake_receive(&handshake, SHEAF_WELCOME, &meeting->secret)
                    : SHEAF_HANDSHAKE_FAILED;
    while (state == SHEAF_HANDSHAKE_WAITS);
    return state == SHEAF_HANDSHAKE_PROVEN && handshake.received.node == meeting->leader;
}

/* A member's conversation with its leader, which waits for all members, and then for each. */
static void follow(struct sheaf_meeting *meeting, int fd)
{
    uint64_t until_ns = sheaf_clock_ns() + 2 * sheaf_times.containers_meet;
    int most = meeting->map->npes;
    meeting->all = calloc((size_t)most, sizeof *meeting->all);
    if (meeting->all && greet(meeting, fd, until_ns) &&
        sheaf_passing_send_own(fd, &meeting->own, until_ns))
        meeting->count = sheaf_passing_receive_all(fd, meeting->all, most, until_ns);
    if (meeting->count > 0)
        sheaf_passing_send_received(fd);
    meeting->count = meeting->count < 0 ? 0 : meeting->count;
}

/* What this PE's part in the meeting is. */
static int take_part(struct sheaf_meeting *meeting)
{
    const struct sheaf_launcher *launcher = meeting->launcher;
    bool is_part = takes_part(meeting), leads = is_part && meeting->leader == meeting->me;
    if ((leads && sheaf_leader_open(meeting) != 0) || launcher->fence() != 0) {
        if (leads)
            sheaf_leader_close();
        return -1;
    }
    bool can_pass = is_part && prepare_own(&meeting->own);
    int fd = can_pass && !leads ? connect_to_leader(meeting) : -1;
    char reaches = fd >= 0;
    if (is_part && !leads && launcher->put(SHEAF_CONTAINERS_REACHES, &reaches, 1) != 0)
        return -1;
    int failed = launcher->fence();
    if (fd >= 0 && !failed)
        follow(meeting, fd);
    if (fd >= 0)
        close(fd);
    if (leads && failed)
        sheaf_leader_close();
    else if (leads)
        failed = sheaf_leader_serve(meeting);
    return failed ? -1 : launcher->fence();
}

static bool has_met(const struct sheaf_meeting *meeting, int node)
{
    void *value;
    size_t bytes;
    bool is_listed = false;
    int leader = meeting->map->node[meeting->into[node]].leader;
    if (meeting->launcher->get(leader, SHEAF_CONTAINERS_MET, &value, &bytes) != 0)
        return false;
    const int32_t *met = value;
    for (size_t i = 1; i < bytes / sizeof *met && i <= (size_t)met[0]; i++)
        is_listed |= met[i] == node;
    free(value);
    return is_listed;
}

static struct sheaf_passing *passed_by(const struct sheaf_meeting *meeting, int pe)
{
    for (int i = 0; i < meeting->count; i++)
        if (meeting->all[i].pe == pe)
            return &meeting->all[i];
    return NULL;
}

/* Lists the processes of this PE's node, which has met: each by its slot. */
static int list_processes(struct sheaf_meeting *meeting)
{
    const struct sheaf_job_map *map = meeting->map;
    int node = map->node_of[meeting->me];
    pes = calloc((size_t)map->npes_of[node], sizeof *pes);
    for (int pe = 0; pe < map->npes && pes; pe++) {
        if (map->node_of[pe] != node)
            continue;
        struct sheaf_passing *passing = pe == meeting->me ? &meeting->own : passed_by(meeting, pe);
        if (!passing) {
            sheaf_error("SH307 PE %d, in another container of this host, has not passed its memory", pe);
            return -1;
        }
        if (!sheaf_container_list(npes, passing->files))
            break;
        passing->pe = -1; /* its descriptors are the list's */
        pes[npes++] = pe;
    }
    if (pes && npes == map->npes_of[node])
        return 0;
    sheaf_error("SH301 out of memory");
    return -1;
}

static void close_others(struct sheaf_meeting *meeting)
{
    for (int i = 0; i < meeting->count; i++)
        if (meeting->all[i].pe >= 0)
            sheaf_passing_close(&meeting->all[i], 1);
    free(meeting->all);
}

/* Keeps in into what has come true. */
static void decide(const struct sheaf_meeting *meeting, int *into)
{
    for (int node = 0; node < meeting->map->nodes; node++)
        if (into[node] != node && !has_met(meeting, node))
            into[node] = node;
}

int sheaf_containers_meet(struct sheaf_job_map *map, int *into, const struct sheaf_launcher *launcher)
{
    struct sheaf_meeting meeting = {.map = map, .into = into, .launcher = launcher, .me = sheaf_boot.pe,
                                    .own.files = {-1, -1, -1}};
    memcpy(&meeting.secret, map->first.key, sizeof meeting.secret);
    meeting.own_node = map->node_of[meeting.me];
    meeting.leader = map->node[into[meeting.own_node]].leader;
    int failed = take_part(&meeting);
    if (!failed) {
        decide(&meeting, into);
        bool has_joined = takes_part(&meeting);
        own_pes = has_joined ? map->npes_of[meeting.own_node] : 0;
        sheaf_job_map_join(map, into);
        failed = has_joined ? list_processes(&meeting) : 0;
        if (!has_joined && meeting.own.files[SHEAF_CONTAINER_PROCESS] >= 0)
            close(meeting.own.files[SHEAF_CONTAINER_PROCESS]);
    }
    close_others(&meeting);
    return failed;
}

int sheaf_containers_own_pes(void)
{
    return own_pes;
}

bool sheaf_containers_process(int pe, struct sheaf_process *process)
{
    for (int slot = 0; slot < npes; slot++)
        if (pes[slot] == pe) {
            *process = (struct sheaf_process){.pid = sheaf_container_number(slot)};
            return true;
        }
    return false;
}
