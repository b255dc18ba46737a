/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See node.h. One exchange through the launcher: everybody's PE record; in a large job a second one: a
 * list for each node. The lowest PE of a node reads all records, or all lists, makes the control area at
 * the start of its own file and writes down who is where; the others read one PE record, that of the PE
 * which the launcher says is the lowest, and wait at the start of its file. Where the launcher is wrong
 * (containers; hosts played by one machine), whoever finds a stranger there reads all PE records, and a
 * PE that is not the lowest after all leaves a note.
 */
#include "boot/node.h"

#include "base/log.h"
#include "base/os/os.h"
#include "base/os/process.h"
#include "base/settings/env.h"
#include "base/times.h"
#include "boot/boot.h"
#include "boot/containers/containers.h"
#include "boot/end/exit_claim.h"
#include "boot/replicated_log/respawn_agent.h"
#include "boot/world/node_list.h"
#include "boot/world/pe_record.h"
#include "boot/world/world.h"
#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#define RECORD_KEY "record"
#define LIST_KEY   "node"

/* The start of a file, as long as there is no control area: the magic is 0 until its owner knows. */
struct node_start {
    uint64_t magic;
    struct sheaf_pe_record record; /* ELSEWHERE: whose file to go to */
};
#define ELSEWHERE UINT64_C(0x0065726568770a0d)
#define CONTAINERS UINT64_C(0x00746565656d0a0d) /* containers of one host join: all read all PE records */
#define NOWHERE   UINT64_C(0x006e6f6e65000a0d) /* the job cannot start */

static const struct sheaf_launcher *launcher;
static struct sheaf_pe_record mine;
static int mates; /* PEs of this host, where all PE records were read */
static bool has_joined; /* the containers of this job have joined, or tried to */

#define FROM_ALL (-2)

static int read_pe_record(int pe, struct sheaf_pe_record *record)
{
    void *value;
    size_t bytes;
    if (launcher->get(pe, RECORD_KEY, &value, &bytes) != 0) {
        sheaf_error("SH305 the launcher has no record of PE %d: all PEs must run the same version of Sheaf",
                    pe);
        return -1;
    }
    bool is_record = bytes >= sizeof *record && memcmp(value, SHEAF_PE_RECORD_MAGIC,
                                                       sizeof record->magic) == 0;
    if (is_record)
        memcpy(record, value, sizeof *record);
    else
        sheaf_error("SH305 the record of PE %d cannot be read: all PEs must run the same version of Sheaf",
                    pe);
    free(value);
    record->version[sizeof record->version - 1] = record->host[sizeof record->host - 1] = '\0';
    return is_record ? 0 : -1;
}

/* Whether each node's lowest PE puts a list of its node's PEs, which then serves for all their records. All
 * PEs must answer alike: another fence follows. */
static bool puts_lists(void)
{
    return launcher->near && (uint64_t)sheaf_boot.npes * sheaf_times.look_up > sheaf_times.records_most;
}

/* The number of PEs that the launcher says are near, 0 where they are not alike or not known; -1: this
 * PE is not the lowest of them. */
static int find_alike(int *pes)
{
    struct sheaf_pe_record other;
    int count = launcher->near(pes, sheaf_boot.npes);
    if (count > 0 && pes[0] != sheaf_boot.pe)
        return -1;
    for (int i = 1; i < count; i++)
        if (pes[i] >= sheaf_boot.npes || read_pe_record(pes[i], &other) != 0 ||
            !sheaf_pe_records_are_alike(&mine, &other))
            return 0;
    return count;
}

static int put_list(const int *pes, int count)
{
    size_t bytes;
    void *list = sheaf_node_list_make(&mine, pes, count, &bytes);
    int failed = list ? launcher->put(LIST_KEY, list, bytes) : -1;
    if (!list)
        sheaf_error("SH301 out of memory");
    free(list);
    return failed;
}

static int exchange_lists(void)
{
    if (!puts_lists())
        return 0;
    int *pes = malloc((size_t)sheaf_boot.npes * sizeof *pes);
    if (!pes) {
        sheaf_error("SH301 out of memory");
        return -1;
    }
    int count = find_alike(pes), failed = count >= 0 && put_list(pes, count) != 0;
    free(pes);
    return failed ? -1 : launcher->fence();
}

static void add_record(struct sheaf_job_map *map, int pe, const struct sheaf_pe_record *record,
                       bool *has_room)
{
    *has_room = *has_room && sheaf_job_map_add(map, pe, record);
    mates += record->host_identity == mine.host_identity;
}

/* Room for one more of count records; it doubles, since nodes are few beside PEs. */
static bool grow_records(struct sheaf_pe_record **records, int count)
{
    if ((count & (count - 1)) != 0)
        return true;
    size_t room = count ? 2 * (size_t)count : 1;
    struct sheaf_pe_record *grown = realloc(*records, room * sizeof **records);
    *records = grown ? grown : *records;
    return grown != NULL;
}

/* Reads the list of each PE that is in none yet: those are nodes' lowest. *records gets one record for
 * each, owners[pe] its index. Returns their number; 0: a node has no list; -1: without memory. */
static int read_lists(int *owners, struct sheaf_pe_record **records)
{
    int nodes = 0;
    for (int pe = 0; pe < sheaf_boot.npes; pe++) {
        void *value;
        size_t bytes;
        if (owners[pe] >= 0)
            continue;
        if (!grow_records(records, nodes))
            return -1;
        if (launcher->get(pe, LIST_KEY, &value, &bytes) != 0)
            return 0;
        bool is_list = sheaf_node_list_read(value, bytes, pe, sheaf_boot.npes, nodes, owners,
                                            &(*records)[nodes]);
        free(value);
        if (!is_list)
            return 0;
        nodes++;
    }
    return nodes;
}

/* The map from the nodes' lists. Returns 1 where a node has none, so that each PE's record is to be
 * read; 0; or -1 without memory. */
static int map_from_lists(struct sheaf_job_map *map)
{
    int *owners = malloc((size_t)sheaf_boot.npes * sizeof *owners);
    struct sheaf_pe_record *records = NULL;
    bool has_room = owners != NULL;
    for (int pe = 0; has_room && pe < sheaf_boot.npes; pe++)
        owners[pe] = -1;
    int nodes = has_room ? read_lists(owners, &records) : -1;
    for (int pe = 0; nodes > 0 && pe < sheaf_boot.npes; pe++)
        add_record(map, pe, &records[owners[pe]], &has_room);
    free(owners);
    free(records);
    if (nodes > 0)
        sheaf_debug("read %d lists, in place of %d PEs' records", nodes, sheaf_boot.npes);
    return nodes < 0 || !has_room ? -1 : nodes == 0;
}

static int read_all_pe_records(struct sheaf_job_map *map)
{
    struct sheaf_pe_record record;
    mates = 0;
    if (!sheaf_job_map_create(map, sheaf_boot.npes)) {
        sheaf_error("SH301 out of memory");
        return -1;
    }
    int remains = puts_lists() ? map_from_lists(map) : 1;
    if (remains < 0)
        sheaf_error("SH301 out of memory");
    if (remains <= 0)
        return remains;
    for (int pe = 0; pe < sheaf_boot.npes; pe++)
        if (read_pe_record(pe, &record) != 0 || !sheaf_job_map_add(map, pe, &record))
            return -1;
        else
            mates += record.host_identity == mine.host_identity;
    return 0;
}

/* PE 0 says it for all; the others give it the time to, since the job may end with the first. */
static int refuse(const struct sheaf_job_map *map)
{
    if (sheaf_boot.pe != 0) {
        poll(NULL, 0, sheaf_times_ms(sheaf_times.mismatch_said));
        return -1;
    }
    if (!map->version_mismatch) {
        sheaf_error("SH205 PE %d on %s has SHEAF_ONNODE=%s, PE 0 on %s SHEAF_ONNODE=%s: give all PEs the "
                    "same (mpirun -x, srun --export=ALL, mpiexec.hydra -genvall)", map->disagrees,
                    map->other.host, sheaf_onnode_names[map->other.is_apart], map->first.host,
                    sheaf_onnode_names[map->first.is_apart]);
        return -1;
    }
    sheaf_error("SH305 PE %d on %s runs Sheaf %s, PE 0 on %s Sheaf %s (library/layout): install the same "
                "version on all hosts",
                map->version_mismatch, map->other.host, map->other.version, map->first.host,
                map->first.version);
    return -1;
}

static struct node_start *map_start(int fd)
{
    void *start = mmap(NULL, sheaf_os_page_size(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return start == MAP_FAILED ? NULL : start;
}

static void unmap_start(struct node_start *start)
{
    munmap(start, sheaf_os_page_size());
}

static void announce(uint64_t *magic, uint64_t value)
{
    __atomic_store_n(magic, value, __ATOMIC_RELEASE);
    sheaf_os_futex_wake((uint32_t *)magic);
}

/* Tells those that come to this PE's file where to go, or that there is nowhere to go. */
static void leave_note(uint64_t what, const struct sheaf_pe_record *record)
{
    struct node_start *start = map_start(sheaf_image.fd);
    if (!start)
        return;
    if (record)
        start->record = *record;
    announce(&start->magic, what);
    unmap_start(start);
}

static struct sheaf_process process_of(const struct sheaf_pe_record *record, int pe)
{
    struct sheaf_process passed;
    return sheaf_containers_process(pe, &passed) ? passed
                                                 : (struct sheaf_process){record->pid, record->started};
}

/* The file of a process of this node. */
static int open_file(const struct sheaf_pe_record *record, int pe)
{
    struct sheaf_process owner = process_of(record, pe);
    int fd = sheaf_process_open_file(&owner, record->file, record->file_inode,
                                     sheaf_image.fd), error = errno;
    bool has_ended = fd < 0 && (error == ESRCH || sheaf_process_has_ended(owner.pid));
    errno = error;
    if (has_ended)
        sheaf_boot_say_missed(pe, record->host, record->pid);
    else if (fd < 0)
        sheaf_error("SH307 cannot open /proc/%d/fd/%d, the memory of PE %d on this host: %s", record->pid,
                    record->file, pe,
                    errno == ESTALE       ? "another file is there"
                    : !sheaf_os_has_proc() ? "/proc is not mounted: mount it, or start with oshrun"
                                          : strerror(errno));
    return fd;
}

/* Waits until the owner of the file has written something at its start: returns what, or NOWHERE
 * when the owner is gone. */
static uint64_t await_word(struct node_start *start, const struct sheaf_process *owner)
{
    uint64_t known = has_joined ? CONTAINERS : 0;
    for (;;) {
        uint64_t magic = __atomic_load_n(&start->magic, __ATOMIC_ACQUIRE);
        if (magic != 0 && magic != known)
            return magic;
        if (!sheaf_process_is_there(owner))
            return NOWHERE;
        sheaf_os_futex_wait((uint32_t *)&start->magic, (uint32_t)magic, sheaf_times.node_file_look);
    }
}

/* Goes to the file of a PE of this node, and on to where a note there says; returns a descriptor of
 * the file that holds the control area, -1, or FROM_ALL: containers join first. */
static int go_to(struct sheaf_pe_record record, int pe)
{
    for (int steps = 0; steps < 4; steps++) {
        int fd = open_file(&record, pe);
        struct node_start *start = fd < 0 ? NULL : map_start(fd);
        if (!start)
            return -1;
        struct sheaf_process owner = process_of(&record, pe);
        uint64_t what = await_word(start, &owner);
        if (what == ELSEWHERE)
            record = start->record;
        unmap_start(start);
        if (what == SHEAF_CONTROL_MAGIC)
            return fd;
        close(fd);
        if (what == CONTAINERS)
            return FROM_ALL;
        if (what != ELSEWHERE)
            return -1;
    }
    return -1;
}

/* Elsewhere nobody tells of deaths, and core says so. Static programs have no thread that could. */
static bool reports_failures(void)
{
    bool is_wanted = sheaf_settings_choice("SHEAF_FAILURES") == SHEAF_FAILURES_REPORT;
    return is_wanted && !sheaf_pe_record_is_apart() && !sheaf_image.is_static;
}

/* Where new processes may take dead PEs' places: oshrun --spare, and the respawn agents that it
 * starts. */
static int plan_spares(struct sheaf_control *header)
{
    const char *text = getenv(SHEAF_RESPAWN_AGENT_VARIABLE);
    int spares = 0;
    if (!text || sscanf(text, "%*d %*d %*u %*d %*u %d", &spares) != 1 || spares <= 0 ||
        !header->reports_failures || header->nodes == 1)
        return 0;
    header->spares = spares < SHEAF_MOST_SPARES ? spares : SHEAF_MOST_SPARES;
    if (sheaf_control_plan_addresses(header) == 0)
        return 0;
    sheaf_error("SH607 oshrun --spare: the control area of %d PEs has no room for their addresses; raise "
                "the file size limit (ulimit -f)", header->world_npes);
    return -1;
}

static void write_locations(struct sheaf_control *control, const struct sheaf_job_map *map)
{
    int *next = calloc((size_t)map->nodes, sizeof *next);
    if (!next) {
        sheaf_fatal("SH301 out of memory");
    }
    for (int pe = 0; pe < map->npes; pe++) {
        int node = map->node_of[pe], slot = next[node]++;
        if (control->locations_offset)
            *sheaf_control_location(control, pe) = (struct sheaf_pe_location){.node = node, .slot = slot};
        if (node == control->node)
            sheaf_control_pe(control, slot)->world_pe = pe;
    }
    for (int node = 0; node < map->nodes; node++)
        *sheaf_control_node(control, node) = map->node[node];
    free(next);
}

/* Makes the control area in this PE's own file. */
static int make_area(const struct sheaf_job_map *map)
{
    struct sheaf_control header;
    int node = map->node_of[sheaf_boot.pe];
    if (sheaf_control_plan(&header, map->npes_of[node], map->npes, map->nodes,
                           sheaf_image.slot_offset) != 0) {
        sheaf_error("SH304 cannot plan the control area of %d PEs: %s%s", map->npes_of[node],
                    strerror(errno), errno == ENOSPC ? "; raise the file size limit (ulimit -f)" : "");
        return -1;
    }
    header.node = node;
    header.differs = (uint32_t)map->differs;
    memcpy(header.job_key, map->first.key, sizeof header.job_key);
    if (map->nodes > 1) /* the same on all, and half of the key's bits remain unknown */
        header.job_id = header.job_key[0] ^ header.job_key[1];
    header.slot_stride = sheaf_image.slot_size;
    header.usable_cpus = 1;
    header.host_npes = mates;
    header.reports_failures = reports_failures();
    if (plan_spares(&header) != 0)
        return -1;
    if (sheaf_containers_own_pes() > 0)
        header.launcher_pid = 0;
    else if (sheaf_image.job)
        header.launcher_pid = sheaf_image.job->launcher_pid;
    struct sheaf_control *control =
        mmap(NULL, header.arena_offset, PROT_READ | PROT_WRITE, MAP_SHARED, sheaf_image.fd, 0);
    if (control == MAP_FAILED) {
        sheaf_error("SH304 cannot map the control area: %s", strerror(errno));
        return -1;
    }
    sheaf_control_write(control, &header);
    write_locations(control, map);
    announce(&control->magic, SHEAF_CONTROL_MAGIC);
    munmap(control, header.arena_offset);
    return fcntl(sheaf_image.fd, F_DUPFD_CLOEXEC, 3);
}

/* With all PE records read: makes the area, or goes to who does. */
static int connect_by_map(const struct sheaf_job_map *map)
{
    struct sheaf_pe_record record;
    if (map->version_mismatch || map->disagrees)
        return refuse(map);
    int leader = map->node[map->node_of[sheaf_boot.pe]].leader;
    if (leader == sheaf_boot.pe)
        return make_area(map);
    if (read_pe_record(leader, &record) != 0)
        return -1;
    leave_note(ELSEWHERE, &record);
    return go_to(record, leader);
}

/* Containers of one host become one node. Whoever waits at this PE's file is to take part. */
static int join_containers(struct sheaf_job_map *map)
{
    int failed = 0, *into = calloc((size_t)map->nodes, sizeof *into);
    if (!into) {
        sheaf_error("SH301 out of memory");
        return -1;
    }
    if (!map->version_mismatch && !map->disagrees && sheaf_containers_find(map, into)) {
        leave_note(CONTAINERS, NULL);
        failed = sheaf_containers_join(map, into, launcher);
        has_joined = true;
    }
    int pes = failed ? 0 : map->npes_of[map->node_of[sheaf_boot.pe]];
    mates = mates < pes ? pes : mates;
    free(into);
    return failed;
}

/* Returns a descriptor of the file with the control area, or -1. */
static int connect_node(void)
{
    int fd = FROM_ALL, lowest = launcher->lowest_near();
    struct sheaf_pe_record record;
    if (lowest >= 0 && lowest < sheaf_boot.pe) {
        if (read_pe_record(lowest, &record) != 0)
            return -1;
        if (strcmp(record.version, mine.version) == 0 && record.identity == mine.identity)
            fd = go_to(record, lowest);
    }
    if (fd != FROM_ALL)
        return fd;
    struct sheaf_job_map map;
    fd = read_all_pe_records(&map) == 0 && join_containers(&map) == 0 ? connect_by_map(&map) : -1;
    sheaf_job_map_destroy(&map);
    if (fd < 0)
        leave_note(NOWHERE, NULL);
    return fd;
}

/* See boot/replicated_log/respawn_agent.h. What this process starts has none. */
static void note_respawn_agent(struct sheaf_pe *mine)
{
    const char *text = getenv(SHEAF_RESPAWN_AGENT_VARIABLE);
    unsigned long orders, news;
    if (text && sscanf(text, "%d %d %lu %d %lu", &mine->respawn_agent, &mine->respawn_agent_pipe[0],
                       &orders,
                       &mine->respawn_agent_pipe[1], &news) == 5) {
        mine->respawn_agent_inode[0] = (uint32_t)orders;
        mine->respawn_agent_inode[1] = (uint32_t)news;
    } else {
        mine->respawn_agent = 0;
    }
    unsetenv(SHEAF_RESPAWN_AGENT_VARIABLE);
}

static void take_location(void)
{
    struct sheaf_control *control = sheaf_image.control;
    struct sheaf_pe_location location = {.slot = sheaf_boot.pe};
    if (control->nodes > 1)
        location = *sheaf_control_location(control, sheaf_boot.pe);
    sheaf_image_take_slot(location.slot);
    sheaf_boot.node = location.node;
    sheaf_boot.nodes = control->nodes;
    sheaf_boot.slot = location.slot;
    sheaf_boot.node_npes = control->npes;
    sheaf_boot.host_npes = control->host_npes;
    struct sheaf_pe *entry = sheaf_control_pe(control, location.slot);
    note_respawn_agent(entry);
    sheaf_store_relaxed(&entry->started, mine.started);
    if (sheaf_containers_own_pes() > 0) {
        memcpy(entry->own_host, mine.host, sizeof entry->own_host - 1);
        sheaf_store_relaxed(&entry->own_pid, mine.pid);
        sheaf_store_relaxed(&entry->own_namespace, sheaf_container_namespace(0));
    }
    sheaf_store_release(&entry->pid, process_of(&mine, sheaf_boot.pe).pid);
    sheaf_store_release(&entry->state, SHEAF_PE_ATTACHED);
}

/* PEs that are apart know their own processors alone. Bound ones have as many each. */
static int with_those_apart(const struct sheaf_control *control, int cpus)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN), all = (long)cpus * control->host_npes / control->npes;
    return all == cpus || online < cpus ? cpus : all > online ? (int)online : (int)all;
}

/* While no thread watches over the node's PEs yet. One that has no location has a PE record. */
static bool all_live(void)
{
    struct sheaf_control *control = sheaf_image.control;
    for (int slot = 0; slot < control->npes; slot++) {
        const struct sheaf_pe *entry = sheaf_control_pe(control, slot);
        struct sheaf_pe_record record = {.pid = sheaf_load_acquire(&entry->pid)};
        if ((record.pid == 0 && read_pe_record(entry->world_pe, &record) != 0) ||
            !sheaf_process_has_ended(process_of(&record, entry->world_pe).pid))
            continue;
        if (sheaf_exit_claim_failure())
            sheaf_boot_say_missed(entry->world_pe, mine.host, record.pid);
        return false;
    }
    return true;
}

/* Each PE may be bound to a processor of its own: together they have what any of them has. Containers
 * have a quota each. */
static int count_cpus(struct sheaf_control *control)
{
    uint64_t cpus[SHEAF_CPU_WORDS];
    int count = 0, own_pes = sheaf_containers_own_pes(), online = (int)sysconf(_SC_NPROCESSORS_ONLN);
    sheaf_os_affinity(cpus, SHEAF_CPU_WORDS);
    for (int i = 0; i < SHEAF_CPU_WORDS; i++)
        if (cpus[i])
            __atomic_fetch_or(&control->cpus[i], cpus[i], __ATOMIC_RELAXED);
    if (own_pes > 0)
        __atomic_fetch_add(&control->cpu_shares,
                           (uint32_t)(sheaf_os_within_quota(online) * 1000 / own_pes), __ATOMIC_RELAXED);
    if (!sheaf_control_barrier_while(control, all_live))
        return -1;
    for (int i = 0; i < SHEAF_CPU_WORDS; i++)
        count += __builtin_popcountll(sheaf_load_relaxed(&control->cpus[i]));
    count = with_those_apart(control, count);
    int quota = own_pes > 0 ? (int)((sheaf_load_relaxed(&control->cpu_shares) + 999) / 1000)
                            : sheaf_os_within_quota(count);
    sheaf_store_relaxed(&control->usable_cpus, count < quota ? count : quota);
    return 0;
}

int sheaf_node_join(const struct sheaf_launcher *with)
{
    launcher = with;
    sheaf_pe_record_fill(&mine);
    if (sheaf_boot.pe == 0 && getrandom(mine.key, sizeof mine.key, 0) != sizeof mine.key) {
        sheaf_error("SH308 the system has no random numbers: %s", strerror(errno));
        return -1;
    }
    if (launcher->put(RECORD_KEY, &mine, sizeof mine) != 0 || launcher->fence() != 0 ||
        exchange_lists() != 0)
        return -1;
    int fd = connect_node();
    if (fd < 0)
        return -1;
    int failed = sheaf_image_attach_own(fd);
    close(fd);
    if (failed)
        return -1;
    take_location();
    return count_cpus(sheaf_image.control);
}
