/* SPDX-License-Identifier: BSD-3-Clause
 * See agent.h.
 */
#include "boot/replicated_log/agent.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/os/os.h"
#include "base/os/process.h"
#include "base/times.h"
#include "boot/end/exit_status.h"
#include "boot/replicated_log/locks.h"
#include "boot/replicated_log/mesh.h"
#include "boot/replicated_log/respawn_slots.h"
#include "boot/replicated_log/respawn_log.h"
#include "boot/replicated_log/votes.h"
#include "boot/replicated_log/node_areas.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

/* Requests that all nodes have to know become entries, whose kinds follow these two in the same order. */
#define ENTRY_DEATH     (SHEAF_ENTRY_OF_USER + 0) /* body: int32_t, the PE */
#define ENTRY_FAILED_START    (SHEAF_ENTRY_OF_USER + 1) /* the same, of one that was starting */
#define ENTRY_OF_REQUEST (SHEAF_ENTRY_OF_USER + 2)

#define NOBODY (-1)

static struct sheaf_control *control; /* the own area */
static struct sheaf_journal *journal;
static struct sheaf_votes *votes;
static struct sheaf_locks *locks;
static int inbox = -1;
static struct {
    size_t filled;
    char bytes[16 * SHEAF_REQUEST_MOST];
} in;

/* Of each PE of the world a descriptor that tells of its end; -1: it is not in an area that this agent
 * writes, or has ended. */
static int *processes;
static int node_events = -1; /* an epoll of these and the inbox */
static int alive; /* those that are to be started too */
static bool has_finished; /* a PE of this host has ended in order */
static bool is_deserted;  /* the job ends because nobody is left */
static uint64_t end_by; /* of all PEs of this host; 0: the job goes on */

/* Somebody has died while PEs of this node started: they end, by themselves or at that time. */
static uint64_t start_by;
static int start_lacks;

/* Its name, for messages. */
static const char *host_of(int pe)
{
    return sheaf_control_host(control, sheaf_control_location(control, pe)->node);
}

static void send(void *self, int node, const struct sheaf_journal_head *head, const void *body)
{
    (void)self;
    sheaf_mesh_send(node, head, body);
}

static void expel(void *self, int node)
{
    (void)self;
    sheaf_mesh_part(node);
}

static void kill_node(struct sheaf_control *area, int but)
{
    for (int slot = 0; slot < area->npes; slot++) {
        const struct sheaf_pe *entry = sheaf_control_pe(area, slot);
        struct sheaf_process process = {sheaf_load_acquire(&entry->pid),
                                        sheaf_load_relaxed(&entry->started)};
        if (process.started != 0 && entry->world_pe != but)
            sheaf_process_signal(&process, SIGKILL);
    }
}

static void kill_all(int but)
{
    for (int i = 0; i < sheaf_node_areas_count(); i++)
        kill_node(sheaf_node_area(i), but);
}

/* This node goes on no more: what its PEs still do must reach nobody. */
_Noreturn static void end_node(const char *why)
{
    sheaf_error("SH607 host %s: %s; the processes here end (SHEAF_FAILURES=report)",
                sheaf_control_node(control, control->node)->host, why);
    kill_all(NOBODY);
    _exit(EXIT_FAILURE);
}

static void end(void *self)
{
    (void)self;
    end_node("it cannot reach the greater part of the job any more, which goes on without it");
}

static bool is_here(int pe)
{
    return sheaf_node_area_of(pe) != NULL;
}

/* Of a PE that is. */
static struct sheaf_pe *entry_of(int pe)
{
    return sheaf_node_area_entry(sheaf_node_area_of(pe), pe);
}

/* Said before anybody goes on, to the end perhaps. */
static void say_dead(int pe)
{
    if (is_here(pe) && sheaf_control_presence(control, pe) != SHEAF_PE_DEAD)
        sheaf_warn("SH604 PE %d on host %s (process %d) has died; the job goes on (SHEAF_FAILURES=report)",
                   pe, host_of(pe), entry_of(pe)->pid);
}

static bool tell_death(int pe)
{
    bool is_told = false;
    for (int i = 0; i < sheaf_node_areas_count(); i++)
        is_told = sheaf_control_tell_death(sheaf_node_area(i), pe); /* alike on all */
    return is_told;
}

static bool is_ending(void)
{
    bool is_claimed = false;
    for (int i = 0; i < sheaf_node_areas_count(); i++)
        is_claimed |= sheaf_load_acquire(&sheaf_node_area(i)->exit_claim) != 0;
    return end_by != 0 || is_claimed;
}

/* In its first shmem_init. Another process in its place starts without the others. */
static bool is_starting(const struct sheaf_pe *entry)
{
    return sheaf_load_acquire(&entry->state) == SHEAF_PE_ATTACHED &&
           sheaf_load_acquire(&entry->presence) == SHEAF_PE_THERE;
}

static bool are_starting(void)
{
    for (int slot = 0; slot < control->npes; slot++) {
        const struct sheaf_pe *entry = sheaf_control_pe(control, slot);
        if (processes[entry->world_pe] >= 0 && is_starting(entry))
            return true;
    }
    return false;
}

/* Where PEs wait for the launcher they hear of no death. They end with a status, see boot/end/watch.c. */
static void keep_start(void)
{
    if (start_by == 0 || sheaf_clock_ns() < start_by)
        return;
    start_by = 0;
    if (!are_starting() || is_ending())
        return;
    sheaf_error("SH609 host %s: PE %d on host %s has died before all PEs were connected: the job ends",
                sheaf_control_node(control, control->node)->host, start_lacks,
                host_of(start_lacks));
    sheaf_control_fail(control, start_lacks);
    _exit(EXIT_FAILURE);
}

/* Where the launcher has killed all there is nothing to say. */
static void say_failed_start(int pe)
{
    if (sheaf_journal_is_sequencer(journal) && alive > 0 && !are_starting())
        sheaf_warn("SH604 PE %d on host %s has died in shmem_init; the job goes on (SHEAF_FAILURES=report)",
                   pe, host_of(pe));
}

static void tell_votes(void);

static void die(int pe, void (*say)(int pe))
{
    if (pe < 0 || pe >= control->world_npes)
        return;
    say(pe);
    if (!tell_death(pe))
        return;
    if (are_starting() && start_by == 0) {
        start_by = sheaf_clock_ns() + sheaf_times.agent_last_words;
        start_lacks = pe;
    }
    sheaf_votes_die(votes, pe, control->deaths);
    tell_votes();
    sheaf_locks_die(locks, pe);
}

static void say_lost(int node)
{
    if (sheaf_journal_is_sequencer(journal) && !is_ending() && !are_starting())
        sheaf_warn("SH604 host %s is lost, and all its PEs are dead; the job goes on "
                   "(SHEAF_FAILURES=report)",
                   sheaf_control_node(control, node)->host);
}

static int compare_nodes(const void *one, const void *other)
{
    int32_t node = *(const int32_t *)one, than = *(const int32_t *)other;
    return (node > than) - (node < than);
}

/* With all nodes that they have taken in. They are in order. */
static void lose_nodes(const int32_t *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i] >= 0 && nodes[i] < control->nodes && nodes[i] != control->node)
            say_lost(nodes[i]);
    for (int pe = 0; pe < control->world_npes; pe++) {
        int32_t host = sheaf_respawn_log_host_node(pe);
        if (host != control->node && bsearch(&host, nodes, count, sizeof host, compare_nodes))
            die(pe, say_dead);
    }
}

/* Of a PE whose area this agent writes; else NULL. */
static void *box_of(int pe, uint64_t box, size_t bytes)
{
    struct sheaf_control *area = pe >= 0 && pe < control->world_npes ? sheaf_node_area_of(pe) : NULL;
    if (!area)
        return NULL;
    uint64_t from = area->arena_offset, to = from + area->arena_size - bytes;
    return box >= from && box <= to && box % 8 == 0 ? (char *)area + box : NULL;
}

static void answer(const struct sheaf_lock_call *call, const struct sheaf_lock_answer *what)
{
    struct sheaf_lock_answer *there = box_of(call->pe, call->box, sizeof *there);
    if (!there)
        return;
    sheaf_store_relaxed(&there->is_refused, what->is_refused);
    sheaf_store_relaxed(&there->from, what->from);
    sheaf_store_release(&there->number, what->number);
    sheaf_os_futex_wake(&there->number);
}

/* What the votes have decided by an entry. */
static struct {
    struct decision {
        struct sheaf_verdict *there;
        struct sheaf_verdict verdict;
    } *list;
    size_t count, room;
} decisions;

static void decided(int pe, uint64_t box, const struct sheaf_verdict *verdict)
{
    struct sheaf_verdict *there = box_of(pe, box, sizeof *there);
    if (!there)
        return;
    if (decisions.count == decisions.room) {
        decisions.room = 2 * decisions.room + 16;
        decisions.list = realloc(decisions.list, decisions.room * sizeof *decisions.list);
    }
    if (!decisions.list)
        end_node("no memory");
    decisions.list[decisions.count++] = (struct decision){there, *verdict};
}

/* The number is written last, and slept on. */
static void tell_decision(struct sheaf_verdict *there, const struct sheaf_verdict *verdict)
{
    sheaf_store_relaxed(&there->flags, verdict->flags);
    sheaf_store_relaxed(&there->deaths, verdict->deaths);
    sheaf_store_relaxed(&there->is_mixed, verdict->is_mixed);
    sheaf_store_relaxed(&there->joined, verdict->joined);
    sheaf_store_release(&there->number, verdict->number);
    sheaf_os_futex_wake(&there->number);
}

static void tell_waiting(void)
{
    uint32_t waiting = sheaf_votes_waiting(votes);
    for (int i = 0; i < sheaf_node_areas_count(); i++)
        sheaf_store_release(&sheaf_node_area(i)->votes_waiting, waiting);
}

/* A PE starts a fast agreement only while votes_waiting is 0, and reads votes_news before it. So
 * votes_waiting is written first, and both before decided PEs wake. See survive/agree/undisturbed.c. */
static void tell_votes(void)
{
    tell_waiting();
    for (int i = 0; i < sheaf_node_areas_count(); i++) {
        struct sheaf_control *area = sheaf_node_area(i);
        sheaf_store_release(&area->votes_news, area->votes_news + 1);
        sheaf_os_futex_wake(&area->votes_news);
    }
    for (size_t i = 0; i < decisions.count; i++)
        tell_decision(decisions.list[i].there, &decisions.list[i].verdict);
    decisions.count = 0;
}

static void fail_to_start(int pe, const char *why);

/* Its node's home is this one. */
static void start(int pe)
{
    struct sheaf_control *area = sheaf_node_area_of(pe);
    if (!area)
        area = sheaf_node_areas_adopt(sheaf_control_location(control, pe)->node);
    tell_waiting(); /* there too */
    alive++;
    if (!area) {
        fail_to_start(pe, strerror(errno));
        return;
    }
    sheaf_store_release(&sheaf_node_area_entry(area, pe)->state, (uint32_t)SHEAF_PE_LAUNCHED);
    sheaf_respawn_slots_start(area, pe);
}

static void respawn(const struct sheaf_respawn *call)
{
    uint32_t said = sheaf_respawn_log_grant(call);
    struct sheaf_respawn_answer *there = box_of(call->asker, call->box, sizeof *there);
    if (said == SHEAF_RESPAWN_GRANTED && sheaf_respawn_log_host_node(call->pe) == control->node)
        start(call->pe);
    if (!there)
        return;
    sheaf_store_relaxed(&there->is_granted, said);
    sheaf_store_release(&there->number, call->number);
    sheaf_os_futex_wake(&there->number);
}

/* By a PE, which also tells its launcher: that may have been told to let a job go on. Respawn agents end
 * with its status. */
static void end_job(const struct sheaf_job_end *end)
{
    if (end_by != 0)
        return;
    end_by = sheaf_clock_ns() + sheaf_times.agent_last_words;
    sheaf_respawn_slots_end(end->status);
    kill_all(end->pe);
}

static bool has_any(uint32_t presence)
{
    int pe = 0;
    while (pe < control->world_npes && sheaf_control_presence(control, pe) != presence)
        pe++;
    return pe < control->world_npes;
}

/* That all die in shmem_init is for others to tell: keep_start, the launcher. */
static bool has_begun(void)
{
    int slot = 0;
    while (slot < control->npes &&
           sheaf_load_acquire(&sheaf_control_pe(control, slot)->state) < SHEAF_PE_INITIALIZED)
        slot++;
    return slot < control->npes;
}

/* New processes that have not rejoined yet cannot go on alone. */
static void require_member(void)
{
    const struct sheaf_job_end end = {NOBODY, EXIT_FAILURE};
    if (is_ending() || has_any(SHEAF_PE_THERE) || !has_begun())
        return;
    if (sheaf_journal_is_sequencer(journal))
        sheaf_error("SH605 all PEs are dead%s: the job ends",
                    has_any(SHEAF_PE_STARTED) ? ", but for new ones that are not connected yet" : "");
    is_deserted = true;
    end_job(&end);
}

static void keep_end(void)
{
    if (end_by != 0 && sheaf_clock_ns() > end_by)
        kill_all(NOBODY);
}

static void cast(const void *vote, size_t bytes)
{
    if (sheaf_votes_cast(votes, vote, bytes))
        tell_votes();
}

static void apply_request(unsigned request, const void *body, size_t bytes)
{
    if (request == SHEAF_REQUEST_VOTE)
        cast(body, bytes);
    else if (request == SHEAF_REQUEST_LOCK && bytes == sizeof(struct sheaf_lock_call))
        sheaf_locks_call(locks, body);
    else if (request == SHEAF_REQUEST_RESPAWN && bytes == sizeof(struct sheaf_respawn))
        respawn(body);
    else if (request == SHEAF_REQUEST_ADDRESS)
        sheaf_respawn_log_note_address(body, bytes);
    else if (request == SHEAF_REQUEST_HEAP)
        sheaf_respawn_log_keep(body, bytes);
    else if (request == SHEAF_REQUEST_REJOIN && bytes == sizeof(struct sheaf_rejoin))
        sheaf_respawn_log_rejoin(body);
    else if (request == SHEAF_REQUEST_SETTLE && bytes == sizeof(struct sheaf_arrival))
        sheaf_respawn_log_settle(body);
    else if (request == SHEAF_REQUEST_END && bytes == sizeof(struct sheaf_job_end))
        end_job(body);
    if (sheaf_respawn_log_has_failed())
        end_node("no memory");
}

static void apply_node_ends(unsigned kind, const void *body, size_t bytes)
{
    int32_t nodes[SHEAF_JOURNAL_MOST_BYTES / sizeof(int32_t)];
    size_t count = bytes / sizeof *nodes;
    memcpy(nodes, body, bytes);
    for (size_t i = 0; i < count; i++)
        sheaf_respawn_log_forget(nodes[i]);
    if (kind != SHEAF_ENTRY_NODE_LEFT)
        lose_nodes(nodes, count);
}

static void apply(void *self, const struct sheaf_journal_head *head, const void *body)
{
    int32_t pe;
    (void)self;
    if (head->kind >= ENTRY_OF_REQUEST) {
        apply_request(head->kind - ENTRY_OF_REQUEST, body, head->bytes);
        return;
    }
    if (head->kind < SHEAF_ENTRY_OF_USER) {
        apply_node_ends(head->kind, body, head->bytes);
    } else if (head->bytes == sizeof pe) {
        memcpy(&pe, body, sizeof pe);
        die(pe, head->kind == ENTRY_DEATH ? say_dead : say_failed_start);
    }
    require_member();
}

/* All PEs here have mapped their memory by now. */
static void open_places(void)
{
    bool can_start = control->spares > 0 && sheaf_respawn_slots_open();
    sheaf_mesh_set_note(can_start ? (uint32_t)control->spares : 0);
}

static void reach(const struct sheaf_agent_request *request)
{
    static bool has_places;
    char text[SHEAF_MESH_ADDRESS];
    size_t bytes = request->bytes - sizeof *request;
    if (bytes == 0 || bytes >= sizeof text)
        return;
    memcpy(text, request + 1, bytes);
    text[bytes] = '\0';
    if (!has_places)
        open_places();
    has_places = true;
    sheaf_mesh_reach(request->node, text);
}

static void handle_request(const struct sheaf_agent_request *request)
{
    if (request->kind == SHEAF_REQUEST_REACH)
        reach(request);
    else if (request->kind > SHEAF_REQUEST_REACH && request->kind < SHEAF_REQUESTS)
        sheaf_journal_submit(journal, ENTRY_OF_REQUEST + request->kind, request + 1,
                             request->bytes - (uint32_t)sizeof *request);
}

static void handle_requests(void)
{
    size_t at = 0;
    while (in.filled - at >= sizeof(struct sheaf_agent_request)) {
        _Alignas(8) char whole[SHEAF_REQUEST_MOST];
        struct sheaf_agent_request *request = (struct sheaf_agent_request *)whole;
        memcpy(request, in.bytes + at, sizeof *request);
        if (request->bytes < sizeof *request || request->bytes > SHEAF_REQUEST_MOST)
            end_node("a process of the job has written nonsense to its agent");
        if (in.filled - at < request->bytes)
            break;
        memcpy(whole, in.bytes + at, request->bytes);
        handle_request(request);
        at += request->bytes;
    }
    memmove(in.bytes, in.bytes + at, in.filled - at);
    in.filled -= at;
}

/* All that has been written by now. */
static void empty_inbox(void)
{
    ssize_t got;
    while ((got = read(inbox, in.bytes + in.filled, sizeof in.bytes - in.filled)) > 0) {
        in.filled += (size_t)got;
        handle_requests();
    }
}

static bool was_killed(int pe)
{
    int status;
    return !sheaf_exit_status(processes[pe], entry_of(pe)->pid, &status) || !WIFEXITED(status);
}

/* By a signal, between its shmem_init and shmem_finalize; whatever else ends a PE ends the job, and
 * others see to that. A new process that has not rejoined is missed however it ends. */
static bool has_died(int pe)
{
    const struct sheaf_pe *entry = entry_of(pe);
    if (sheaf_load_acquire(&entry->presence) == SHEAF_PE_STARTED)
        return !is_ending();
    return sheaf_load_acquire(&entry->state) == SHEAF_PE_INITIALIZED && !is_ending() && was_killed(pe);
}

/* By a signal, in its shmem_init, where no other PE of its node sees it. Until the agents are connected
 * those of other nodes wait for them, and not for long. */
static bool has_died_starting(int pe)
{
    return alive == 1 && is_starting(entry_of(pe)) && sheaf_mesh_is_complete() && !is_ending() &&
           was_killed(pe);
}

/* It has ended, and not by a signal. Another PE of its node sees that, where there is one; of a node that
 * was taken in none may. */
static void require_finished(int pe)
{
    const struct sheaf_pe *entry = entry_of(pe);
    struct sheaf_job_end end = {pe, EXIT_FAILURE};
    bool is_seen = alive > 1 && sheaf_node_area_of(pe) == control;
    if (is_seen || sheaf_load_acquire(&entry->state) != SHEAF_PE_INITIALIZED || is_ending())
        return;
    sheaf_error("SH602 PE %d on host %s (process %d) has left without shmem_finalize: the job ends", pe,
                host_of(pe), entry->pid);
    sheaf_journal_submit(journal, ENTRY_OF_REQUEST + SHEAF_REQUEST_END, &end, sizeof end);
}

/* What it has said last comes before its death. */
static void lose_process(int32_t pe)
{
    empty_inbox();
    bool has_failed_start = has_died_starting(pe), is_dead = has_failed_start || has_died(pe);
    if (is_dead)
        sheaf_journal_submit(journal, has_failed_start ? ENTRY_FAILED_START : ENTRY_DEATH, &pe, sizeof pe);
    else
        require_finished(pe);
    has_finished |= !is_dead;
    if (processes[pe] >= 0)
        close(processes[pe]);
    processes[pe] = -1;
    alive--;
}

/* Without a descriptor of each process deaths would be missed. */
_Noreturn static void end_short_of_files(void)
{
    for (int pe = 0; pe < control->world_npes; pe++) /* room for those with which PEs are killed */
        if (processes[pe] >= 0)
            close(processes[pe]);
    end_node("it has too few open files to watch all processes here: raise the hard limit (ulimit -Hn)");
}

/* pe NOBODY: the inbox. */
static void add_to_events(int pe, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)pe << 32 | (uint32_t)fd};
    if (epoll_ctl(node_events, EPOLL_CTL_ADD, fd, &event) != 0)
        end_node(strerror(errno));
}

static void watch_process(int pe, const struct sheaf_process *process)
{
    processes[pe] = sheaf_process_watch(process);
    if (processes[pe] < 0 && (errno == EMFILE || errno == ENFILE))
        end_short_of_files();
    if (processes[pe] < 0)
        lose_process(pe);
    else
        add_to_events(pe, processes[pe]);
}

static void watch_processes(void)
{
    size_t pes = (size_t)control->world_npes;
    processes = calloc(pes, sizeof *processes);
    if (!processes)
        end_node("no memory");
    memset(processes, 0xff, pes * sizeof *processes); /* -1 */
    node_events = epoll_create1(EPOLL_CLOEXEC);
    if (node_events < 0)
        end_short_of_files();
    add_to_events(NOBODY, inbox);
    alive = control->npes;
    for (int slot = 0; slot < control->npes; slot++) {
        const struct sheaf_pe *entry = sheaf_control_pe(control, slot);
        const struct sheaf_process process = sheaf_control_process(entry);
        watch_process(entry->world_pe, &process);
    }
}

/* The death of a process that could not be started. */
static void fail_to_start(int32_t pe, const char *why)
{
    sheaf_warn("SH606 a new process for PE %d on host %s cannot be started: %s", pe, host_of(pe),
               why);
    sheaf_journal_submit(journal, ENTRY_DEATH, &pe, sizeof pe);
    alive--;
}

static void hear_respawn_agent(int respawn_agent)
{
    struct sheaf_started started;
    while (sheaf_respawn_slots_hear(respawn_agent, &started)) {
        if (started.process.pid < 0)
            fail_to_start(started.pe, "its respawn agent is gone, or out of processes");
        else
            watch_process(started.pe, &started.process);
    }
}

static bool heard(int node, const struct sheaf_journal_head *head, const void *body)
{
    return sheaf_journal_hear(journal, node, head, body);
}

static void lost(int node, enum sheaf_node_end how)
{
    sheaf_journal_lose(journal, node, how);
}

static const struct sheaf_mesh_user mesh_user = {heard, lost};

static void note_complete(void)
{
    if (sheaf_load_relaxed(&control->agent_is_ready))
        return;
    sheaf_store_relaxed(&control->agent_lacks, sheaf_mesh_lacks());
    if (!sheaf_mesh_is_complete())
        return;
    for (int node = 0; node < control->nodes; node++)
        sheaf_respawn_log_count_spares(node, sheaf_mesh_note_of(node));
    sheaf_store_release(&control->agent_is_ready, 1);
    sheaf_os_futex_wake(&control->agent_is_ready);
}

enum { MOST_EVENTS = 64 }; /* of a turn; the others come in the next */

/* Reads the inbox, and looks at the PEs that have ended. An event names its descriptor too: another
 * process may have taken the PE's place since. */
static void look_at_node(void)
{
    struct epoll_event events[MOST_EVENTS];
    int count = epoll_wait(node_events, events, MOST_EVENTS, 0);
    for (int i = 0; i < count; i++) {
        int pe = (int32_t)(events[i].data.u64 >> 32), fd = (int32_t)events[i].data.u64;
        if (pe == NOBODY)
            empty_inbox();
        else if (processes[pe] == fd)
            lose_process(pe);
    }
}

/* node_events, the respawn agents that have been asked, the mesh: what poll has an entry for. The PEs have
 * none: with an entry for each poll refused a set larger than the limit on open files. */
static struct pollfd *set;

static void turn(int timeout)
{
    struct pollfd *respawn_agents = set + 1;
    bool all_wait, has_news = false;
    size_t asked = sheaf_respawn_slots_watch(respawn_agents, &all_wait);
    struct pollfd *mesh = respawn_agents + asked;
    size_t links = sheaf_mesh_watch(mesh, sheaf_mesh_most());
    set[0] = (struct pollfd){.fd = node_events, .events = POLLIN};
    if (poll(set, 1 + asked + links, all_wait ? timeout : 0) < 0)
        asked = links = 0;
    for (size_t i = 0; i < asked; i++)
        has_news |= respawn_agents[i].revents != 0;
    look_at_node();
    for (int slot = 0; slot < control->npes && (has_news || !all_wait); slot++)
        hear_respawn_agent(slot);
    sheaf_mesh_read(mesh, links, &mesh_user);
    note_complete();
}

/* All PEs here are dead, and others may call for new ones. */
static bool is_awaited(void)
{
    return !has_finished &&
        !is_ending() && sheaf_respawn_log_spares() > 0 && sheaf_respawn_log_has_callers();
}

/* Others are told of what has happened here, and that this is the end. */
static void leave(void)
{
    struct sheaf_journal_head bye = {.word = SHEAF_JOURNAL_BYE, .node = control->node};
    uint64_t until = sheaf_clock_ns() + sheaf_times.agent_settles;
    while (!sheaf_journal_is_settled(journal) && sheaf_clock_ns() < until && (!is_ending() || is_deserted))
        turn(sheaf_times_ms(sheaf_times.agent_end_look));
    for (int node = 0; node < control->nodes; node++) {
        sheaf_mesh_send(node, &bye, NULL);
        sheaf_mesh_part(node);
    }
    until = sheaf_clock_ns() + sheaf_times.agent_parts;
    while (!sheaf_mesh_is_done() && sheaf_clock_ns() < until)
        turn(sheaf_times_ms(sheaf_times.agent_end_look));
    _exit(EXIT_SUCCESS);
}

_Noreturn void sheaf_agent_run(struct sheaf_control *area, int pipe)
{
    struct sheaf_journal_user user = {.send = send, .apply = apply, .expel = expel, .end = end};
    control = area;
    inbox = pipe;
    sheaf_respawn_slots_begin(control);
    journal = sheaf_journal_create(control->nodes, control->node, &user);
    votes = sheaf_votes_create(control->world_npes, decided);
    set = calloc(1 + (size_t)control->npes + sheaf_mesh_most(), sizeof *set);
    locks = sheaf_locks_create(answer);
    if (!journal || !votes || !locks || !set || !sheaf_node_areas_begin(control) ||
        !sheaf_respawn_log_create(control))
        end_node("no memory");
    fcntl(inbox, F_SETFL, O_NONBLOCK);
    watch_processes();
    while (alive > 0 || is_awaited()) {
        turn(end_by != 0 || start_by != 0 ? sheaf_times_ms(sheaf_times.agent_end_look)
                                          : sheaf_mesh_timeout());
        keep_start();
        keep_end();
    }
    leave();
    _exit(EXIT_SUCCESS);
}
