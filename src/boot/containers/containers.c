/* SPDX-License-Identifier: BSD-3-Clause
 * See containers.h. All PEs of the job take part in three fences:
 *
 *   leader   listens at a random name, and tells it                    fence
 *   members  connect to it, and tell whether they could                fence
 *   leader   proves each member, takes in its descriptors, passes all
 *            to each, and tells which containers have joined              fence
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

/* The PEs of this node after a group, by slot. */
static int *pes;
static int npes;
static int own_pes; /* of them in this PE's container */

static bool share_network(const struct sheaf_container_identity *one,
                          const struct sheaf_container_identity *other)
{
    return one->network != 0 && one->network == other->network;
}

static bool share_folder(const struct sheaf_container_identity *one,
                         const struct sheaf_container_identity *other)
{
    return one->folder != 0 && one->folder == other->folder;
}

static bool share_machine(const struct sheaf_container_identity *one,
                          const struct sheaf_container_identity *other)
{
    return one->machine != 0 && one->machine == other->machine;
}

bool sheaf_containers_find(const struct sheaf_job_map *map, int *into)
{
    bool is_found = false;
    for (int node = 0; node < map->nodes; node++) {
        into[node] = node;
        for (int other = 0; other < node && into[node] == node; other++) {
            const struct sheaf_container_identity *one = &map->where[node], *two = &map->where[other];
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

/* Whether this PE's container and some other may join. */
static bool takes_part(const struct sheaf_container_group *group)
{
    int node = group->into[group->own_node];
    for (int other = 0; other < group->map->nodes; other++)
        if (other != node && group->into[other] == node)
            return true;
    return false;
}

static int connect_to_leader(const struct sheaf_container_group *group)
{
    const struct sheaf_container_identity *own = &group->map->where[group->own_node];
    const struct sheaf_container_identity *other = &group->map->where[group->into[group->own_node]];
    void *name;
    size_t bytes;
    if (group->launcher->get(group->leader, SHEAF_CONTAINERS_PLACE, &name, &bytes) != 0)
        return -1;
    bool is_name = bytes == SHEAF_TOKEN_TEXT && !memchr(name, '/', bytes) && !((char *)name)[bytes - 1];
    int folder = share_network(own, other) ? -1 : sheaf_pe_record_open_folder();
    int fd = is_name ? sheaf_place_connect(folder, name) : -1;
    if (is_name && fd < 0)
        sheaf_debug("this PE's container cannot connect to that of PE %d, and the network is used: %s",
                    group->leader, strerror(errno));
    if (folder >= 0)
        close(folder);
    free(name);
    return fd;
}

static bool greet(const struct sheaf_container_group *group, int fd, uint64_t until_ns)
{
    struct sheaf_handshake handshake;
    enum sheaf_handshake_state state;
    sheaf_handshake_begin(&handshake, fd);
    do
        state = sheaf_passing_wait(fd, POLLIN, until_ns) ? sheaf_handshake_receive_challenge(&handshake)
                                                         : SHEAF_HANDSHAKE_FAILED;
    while (state == SHEAF_HANDSHAKE_WAITS);
    if (state == SHEAF_HANDSHAKE_FAILED ||
        !sheaf_handshake_send(&handshake, (struct sheaf_greeting){.word = SHEAF_HELLO, .node = group->me},
                              &group->secret))
        return false;
    do
        state = sheaf_passing_wait(fd, POLLIN, until_ns)
                    ? sheaf_handshake_receive(&handshake, SHEAF_WELCOME, &group->secret)
                    : SHEAF_HANDSHAKE_FAILED;
    while (state == SHEAF_HANDSHAKE_WAITS);
    return state == SHEAF_HANDSHAKE_PROVEN && handshake.received.node == group->leader;
}

/* A member's conversation with its leader, which waits for all members, and then for each. */
static void follow(struct sheaf_container_group *group, int fd)
{
    uint64_t until_ns = sheaf_clock_ns() + 2 * sheaf_times.containers_join;
    int most = group->map->npes;
    group->all = calloc((size_t)most, sizeof *group->all);
    if (group->all && greet(group, fd, until_ns) &&
        sheaf_passing_send_own(fd, &group->own, until_ns))
        group->count = sheaf_passing_receive_all(fd, group->all, most, until_ns);
    if (group->count > 0)
        sheaf_passing_send_received(fd);
    group->count = group->count < 0 ? 0 : group->count;
}

/* This PE's part in the join of containers: the leader's, a member's or none. */
static int take_part(struct sheaf_container_group *group)
{
    const struct sheaf_launcher *launcher = group->launcher;
    bool is_part = takes_part(group), leads = is_part && group->leader == group->me;
    if ((leads && sheaf_leader_open(group) != 0) || launcher->fence() != 0) {
        if (leads)
            sheaf_leader_close();
        return -1;
    }
    bool can_pass = is_part && prepare_own(&group->own);
    int fd = can_pass && !leads ? connect_to_leader(group) : -1;
    char reaches = fd >= 0;
    if (is_part && !leads && launcher->put(SHEAF_CONTAINERS_REACHES, &reaches, 1) != 0)
        return -1;
    int failed = launcher->fence();
    if (fd >= 0 && !failed)
        follow(group, fd);
    if (fd >= 0)
        close(fd);
    if (leads && failed)
        sheaf_leader_close();
    else if (leads)
        failed = sheaf_leader_serve(group);
    return failed ? -1 : launcher->fence();
}

static bool was_joined(const struct sheaf_container_group *group, int node)
{
    void *value;
    size_t bytes;
    bool is_listed = false;
    int leader = group->map->node[group->into[node]].leader;
    if (group->launcher->get(leader, SHEAF_CONTAINERS_JOINED, &value, &bytes) != 0)
        return false;
    const int32_t *joined = value;
    for (size_t i = 1; i < bytes / sizeof *joined && i <= (size_t)joined[0]; i++)
        is_listed |= joined[i] == node;
    free(value);
    return is_listed;
}

static struct sheaf_passing *passed_by(const struct sheaf_container_group *group, int pe)
{
    for (int i = 0; i < group->count; i++)
        if (group->all[i].pe == pe)
            return &group->all[i];
    return NULL;
}

/* Lists the processes of this PE's node, which has joined: each by its slot. */
static int list_processes(struct sheaf_container_group *group)
{
    const struct sheaf_job_map *map = group->map;
    int node = map->node_of[group->me];
    pes = calloc((size_t)map->npes_of[node], sizeof *pes);
    for (int pe = 0; pe < map->npes && pes; pe++) {
        if (map->node_of[pe] != node)
            continue;
        struct sheaf_passing *passing = pe == group->me ? &group->own : passed_by(group, pe);
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

static void close_others(struct sheaf_container_group *group)
{
    for (int i = 0; i < group->count; i++)
        if (group->all[i].pe >= 0)
            sheaf_passing_close(&group->all[i], 1);
    free(group->all);
}

/* Keeps in into what has come true. */
static void decide(const struct sheaf_container_group *group, int *into)
{
    for (int node = 0; node < group->map->nodes; node++)
        if (into[node] != node && !was_joined(group, node))
            into[node] = node;
}

int sheaf_containers_join(struct sheaf_job_map *map, int *into, const struct sheaf_launcher *launcher)
{
    struct sheaf_container_group group = {.map = map, .into = into, .launcher = launcher,
                                          .me = sheaf_boot.pe, .own.files = {-1, -1, -1}};
    memcpy(&group.secret, map->first.key, sizeof group.secret);
    group.own_node = map->node_of[group.me];
    group.leader = map->node[into[group.own_node]].leader;
    int failed = take_part(&group);
    if (!failed) {
        decide(&group, into);
        bool has_joined = takes_part(&group);
        own_pes = has_joined ? map->npes_of[group.own_node] : 0;
        sheaf_job_map_join(map, into);
        failed = has_joined ? list_processes(&group) : 0;
        if (!has_joined && group.own.files[SHEAF_CONTAINER_PROCESS] >= 0)
            close(group.own.files[SHEAF_CONTAINER_PROCESS]);
    }
    close_others(&group);
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
