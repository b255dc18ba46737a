/* SPDX-License-Identifier: BSD-3-Clause
 * See leader.h.
 */
#include "boot/containers/leader.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/times.h"
#include "boot/containers/place.h"
#include "hosts/admission.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct member {
    int pe;
    int fd;          /* -1: it has not connected, or has failed */
    bool is_awaited; /* it has connected, and has not passed its descriptors yet */
    bool has_passed;
    struct sheaf_passing passing;
};

static struct {
    char name[SHEAF_TOKEN_TEXT];
    int folder;
    int listeners[2], count; /* abstract, and in the folder */
    struct sheaf_admission admission;
    struct member *members; /* in the order of their PEs */
    int most;
} leader;

static int joins(const struct sheaf_container_group *group, int node)
{
    return group->into[node] == group->own_node;
}

static bool lists_members(const struct sheaf_container_group *group)
{
    const struct sheaf_job_map *map = group->map;
    int pes = 0;
    for (int node = 0; node < map->nodes; node++)
        pes += joins(group, node) ? map->npes_of[node] : 0;
    leader.members = calloc((size_t)pes, sizeof *leader.members);
    leader.most = 0;
    for (int pe = 0; pe < map->npes && leader.members; pe++)
        if (pe != group->me && joins(group, map->node_of[pe]))
            leader.members[leader.most++] = (struct member){.pe = pe, .fd = -1};
    return leader.members != NULL;
}

static struct member *member_of(int pe)
{
    for (int i = 0; i < leader.most; i++)
        if (leader.members[i].pe == pe)
            return &leader.members[i];
    return NULL;
}

static void listen_at(int folder)
{
    int fd = sheaf_place_listen(folder, leader.name, SHEAF_BACKLOG + leader.most);
    if (fd >= 0)
        leader.listeners[leader.count++] = fd;
    else
        sheaf_debug("no socket for containers of this host %s: %s",
                    folder < 0 ? "of an abstract name" : "in SHEAF_NODE_DIR", strerror(errno));
}

int sheaf_leader_open(const struct sheaf_container_group *group)
{
    leader.count = 0;
    leader.folder = sheaf_pe_record_open_folder();
    if (lists_members(group) && sheaf_place_make_name(leader.name)) {
        listen_at(-1);
        if (leader.folder >= 0) {
            sheaf_place_sweep(leader.folder, sheaf_times.containers_join);
            listen_at(leader.folder);
        }
    }
    const char *name = leader.count > 0 ? leader.name : "";
    return group->launcher->put(SHEAF_CONTAINERS_PLACE, name, strlen(name) + 1);
}

static bool expects(const struct sheaf_greeting *hello)
{
    const struct member *member = member_of(hello->node);
    return member && member->is_awaited && member->fd < 0;
}

static void admit(int fd, const struct sheaf_greeting *hello)
{
    member_of(hello->node)->fd = fd;
}

static void note_who_reaches(const struct sheaf_container_group *group)
{
    for (int i = 0; i < leader.most; i++) {
        void *value;
        size_t bytes;
        struct member *member = &leader.members[i];
        if (group->launcher->get(member->pe, SHEAF_CONTAINERS_REACHES, &value, &bytes) != 0)
            continue;
        member->is_awaited = bytes == 1 && *(const char *)value == 1;
        free(value);
    }
}

static void lose(struct member *member)
{
    if (member->has_passed)
        sheaf_passing_close(&member->passing, 1);
    if (member->fd >= 0)
        close(member->fd);
    member->fd = -1;
    member->is_awaited = member->has_passed = false;
}

static void hear(struct member *member)
{
    member->has_passed = sheaf_passing_receive_own(member->fd, &member->passing);
    if (!member->has_passed || member->passing.pe != member->pe)
        lose(member);
    member->is_awaited = false;
}

static bool awaits_any(void)
{
    for (int i = 0; i < leader.most; i++)
        if (leader.members[i].is_awaited)
            return true;
    return false;
}

static void look(struct sheaf_poll_set *set)
{
    set->count = 0;
    sheaf_admission_watch(&leader.admission, set);
    size_t first = set->count;
    for (int i = 0; i < leader.most; i++)
        sheaf_poll_set_add(set, leader.members[i].is_awaited ? leader.members[i].fd : -1, POLLIN);
    if (poll(set->fds, set->count, sheaf_times_ms(sheaf_times.containers_look)) <= 0)
        return;
    for (int i = 0; i < leader.most; i++)
        if (leader.members[i].fd >= 0 && set->fds[first + (size_t)i].revents)
            hear(&leader.members[i]);
    sheaf_admission_read(&leader.admission, set);
}

static void gather(void)
{
    uint64_t until_ns = sheaf_clock_ns() + sheaf_times.containers_join;
    struct sheaf_poll_set set = {.most = sheaf_admission_most(&leader.admission) + (size_t)leader.most};
    set.fds = calloc(set.most, sizeof *set.fds);
    while (set.fds && awaits_any() && sheaf_clock_ns() < until_ns)
        look(&set);
    free(set.fds);
}

/* Whether all PEs of a container have passed their descriptors. */
static bool is_whole(const struct sheaf_container_group *group, int node)
{
    for (int i = 0; i < leader.most; i++)
        if (group->map->node_of[leader.members[i].pe] == node && !leader.members[i].has_passed)
            return false;
    return true;
}

/* The nodes that join, this PE's first; 0: it joins nobody. */
static int list_whole(const struct sheaf_container_group *group, int32_t *nodes)
{
    int count = 0;
    for (int node = 0; node < group->map->nodes && is_whole(group, group->own_node); node++)
        if (joins(group, node) && is_whole(group, node))
            nodes[count++] = node;
    return count > 1 ? count : 0;
}

/* Members of containers that are not whole are told that nobody joins them. */
static void drop_others(const struct sheaf_container_group *group, const int32_t *nodes, int count)
{
    for (int i = 0; i < leader.most; i++) {
        bool is_listed = false;
        for (int n = 0; n < count; n++)
            is_listed |= nodes[n] == group->map->node_of[leader.members[i].pe];
        if (!is_listed)
            lose(&leader.members[i]);
    }
}

/* Fills group->all. */
static bool collect(struct sheaf_container_group *group)
{
    group->all = calloc((size_t)leader.most + 1, sizeof *group->all);
    for (int i = 0; i < leader.most && group->all; i++)
        if (leader.members[i].has_passed)
            group->all[group->count++] = leader.members[i].passing;
    return group->all != NULL;
}

/* This PE's descriptors and all others', to each. */
static void pass_on(const struct sheaf_container_group *group)
{
    uint64_t until_ns = sheaf_clock_ns() + sheaf_times.containers_join;
    struct sheaf_passing *table = calloc((size_t)group->count + 1, sizeof *table);
    if (table) {
        table[0] = group->own;
        memcpy(table + 1, group->all, (size_t)group->count * sizeof *table);
    }
    for (int i = 0; i < leader.most; i++)
        if (leader.members[i].has_passed)
            leader.members[i].is_awaited =
                table && sheaf_passing_send_all(leader.members[i].fd, table, group->count + 1, until_ns);
    for (int i = 0; i < leader.most; i++)
        if (leader.members[i].has_passed && !(leader.members[i].is_awaited &&
                                              sheaf_passing_await_received(leader.members[i].fd, until_ns)))
            leader.members[i].has_passed = false;
    free(table);
}

static void close_all(void)
{
    sheaf_admission_close(&leader.admission);
    for (int i = 0; i < leader.most; i++)
        if (leader.members[i].fd >= 0)
            close(leader.members[i].fd);
    free(leader.members);
    leader.members = NULL;
    leader.most = 0;
}

/* Returns how many nodes have joined. */
static int bring_together(struct sheaf_container_group *group, int32_t *nodes)
{
    static const struct sheaf_admission_user user = {expects, admit};
    if (leader.count == 0 || sheaf_admission_open_on(&leader.admission, leader.listeners, leader.count,
                                                     leader.most, &group->secret, &user) != 0)
        return 0;
    leader.admission.welcome.node = group->me;
    note_who_reaches(group);
    gather();
    int count = list_whole(group, nodes);
    drop_others(group, nodes, count);
    if (count == 0 || !collect(group))
        return 0;
    pass_on(group);
    return list_whole(group, nodes);
}

static void remove_name(void)
{
    if (leader.folder < 0)
        return;
    sheaf_place_remove(leader.folder, leader.name);
    close(leader.folder);
}

void sheaf_leader_close(void)
{
    remove_name();
    while (leader.count > 0)
        close(leader.listeners[--leader.count]);
    close_all();
}

int sheaf_leader_serve(struct sheaf_container_group *group)
{
    int32_t *joined = calloc((size_t)group->map->nodes + 1, sizeof *joined), none = 0;
    remove_name();
    if (joined)
        joined[0] = bring_together(group, joined + 1);
    close_all();
    int failed = group->launcher->put(SHEAF_CONTAINERS_JOINED, joined ? joined : &none,
                                        (joined ? (size_t)joined[0] + 1 : 1) * sizeof *joined);
    free(joined);
    return failed;
}
