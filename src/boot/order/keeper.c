/* SPDX-License-Identifier: BSD-3-Clause
 * See keeper.h.
 */
#include "boot/order/keeper.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/os/os.h"
#include "base/os/process.h"
#include "boot/end/exit_status.h"
#include "boot/order/locks.h"
#include "boot/order/post.h"
#include "boot/order/votes.h"
#include "boot/world/world.h"
#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENTRY_DEATH (SHEAF_ENTRY_OF_USER + 0) /* body: int32_t, the PE */
#define ENTRY_VOTE  (SHEAF_ENTRY_OF_USER + 1)
#define ENTRY_LOCK  (SHEAF_ENTRY_OF_USER + 2)

#define SETTLING (5 * SHEAF_SECOND) /* after the last PE's end */
#define PARTING  SHEAF_SECOND
#define TURN     (SHEAF_MILLISECOND / 10)

static struct sheaf_control *control;
static struct sheaf_journal *journal;
static struct sheaf_votes *votes;
static struct sheaf_locks *locks;
static int inbox = -1;
static struct {
    size_t filled;
    char bytes[16 * SHEAF_ERRAND_MOST];
} in;

/* Of each PE of the node a descriptor that tells of its end; -1: it has ended. */
static int *processes;
static int alive;

static void send(void *self, int node, const struct sheaf_order_head *head, const void *body)
{
    (void)self;
    sheaf_post_send(node, head, body);
}

static void expel(void *self, int node)
{
    (void)self;
    sheaf_post_part(node);
}

/* This node goes on no more: what its PEs still do must reach nobody. */
_Noreturn static void end_node(const char *why)
{
    sheaf_error("host %s: %s; the processes here end (SHEAF_FAILURES=report)",
                sheaf_control_node(control, control->node)->host, why);
    for (int slot = 0; slot < control->npes; slot++) {
        const struct sheaf_pe *entry = sheaf_control_pe(control, slot);
        struct sheaf_process process = {sheaf_load_acquire(&entry->pid),
                                        sheaf_load_relaxed(&entry->started)};
        if (process.started != 0)
            sheaf_process_signal(&process, SIGKILL);
    }
    _exit(EXIT_FAILURE);
}

static void end(void *self)
{
    (void)self;
    end_node("it cannot reach the greater part of the job any more, which goes on without it");
}

static bool is_here(int pe)
{
    return sheaf_control_seat(control, pe)->node == control->node;
}

/* Said before anybody goes on, to the end perhaps. */
static void say_dead(int pe)
{
    if (is_here(pe) && sheaf_control_presence(control, pe) == SHEAF_PE_THERE)
        sheaf_warn("PE %d on host %s (process %d) has died; the job goes on (SHEAF_FAILURES=report)", pe,
                   sheaf_boot_host_of(pe), sheaf_control_pe(control, sheaf_control_seat(control,
                                                                                        pe)->slot)->pid);
}

static void die(int pe)
{
    if (pe < 0 || pe >= control->world_npes)
        return;
    say_dead(pe);
    if (!sheaf_control_tell_death(control, pe))
        return;
    sheaf_votes_die(votes, pe);
    sheaf_locks_die(locks, pe);
}

static bool is_ending(void)
{
    return sheaf_load_acquire(&control->exit_claim) != 0;
}

static void say_lost(int node)
{
    if (sheaf_journal_is_sequencer(journal) && !is_ending())
        sheaf_warn("host %s is lost, and all its PEs are dead; the job goes on (SHEAF_FAILURES=report)",
                   sheaf_control_node(control, node)->host);
}

static void lose_node(int node)
{
    if (node < 0 || node >= control->nodes || node == control->node)
        return;
    say_lost(node);
    for (int pe = 0; pe < control->world_npes; pe++)
        if (sheaf_control_seat(control, pe)->node == node)
            die(pe);
}

static void apply(void *self, const struct sheaf_order_head *head, const void *body)
{
    int32_t which;
    (void)self;
    if (head->kind == ENTRY_VOTE) {
        sheaf_votes_cast(votes, body, head->bytes);
        return;
    }
    if (head->kind == ENTRY_LOCK && head->bytes == sizeof(struct sheaf_lock_call)) {
        sheaf_locks_call(locks, body);
        return;
    }
    if (head->bytes != sizeof which)
        return;
    memcpy(&which, body, sizeof which);
    if (head->kind == ENTRY_DEATH)
        die(which);
    else if (head->kind == SHEAF_ENTRY_NODE_LOST || head->kind == SHEAF_ENTRY_NODE_SILENT)
        lose_node(which);
}

/* Of a PE of this node; else NULL. */
static void *box_of(int pe, uint64_t box, size_t bytes)
{
    uint64_t from = control->arena_offset, to = from + control->arena_size - bytes;
    bool is_ours = pe >= 0 && pe < control->world_npes && is_here(pe);
    return is_ours && box >= from && box <= to && box % 8 == 0 ? (char *)control + box : NULL;
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

/* The number is written last, and slept on. */
static void decided(int pe, uint64_t box, const struct sheaf_verdict *verdict)
{
    struct sheaf_verdict *there = box_of(pe, box, sizeof *there);
    if (!there)
        return;
    sheaf_store_relaxed(&there->flags, verdict->flags);
    sheaf_store_relaxed(&there->deaths, verdict->deaths);
    sheaf_store_relaxed(&there->is_mixed, verdict->is_mixed);
    sheaf_store_relaxed(&there->joined, verdict->joined);
    sheaf_store_release(&there->number, verdict->number);
    sheaf_os_futex_wake(&there->number);
}

static void reach(const struct sheaf_errand *errand)
{
    char text[SHEAF_POST_ADDRESS];
    size_t bytes = errand->bytes - sizeof *errand;
    if (bytes == 0 || bytes >= sizeof text)
        return;
    memcpy(text, errand + 1, bytes);
    text[bytes] = '\0';
    sheaf_post_reach(errand->node, text);
}

static void run_errand(const struct sheaf_errand *errand)
{
    if (errand->kind == SHEAF_ERRAND_REACH)
        reach(errand);
    else if (errand->kind == SHEAF_ERRAND_VOTE || errand->kind == SHEAF_ERRAND_LOCK)
        sheaf_journal_submit(journal, errand->kind == SHEAF_ERRAND_VOTE ? ENTRY_VOTE : ENTRY_LOCK,
                             errand + 1,
                             errand->bytes - (uint32_t)sizeof *errand);
}

static void run_errands(void)
{
    size_t at = 0;
    while (in.filled - at >= sizeof(struct sheaf_errand)) {
        _Alignas(8) char whole[SHEAF_ERRAND_MOST];
        struct sheaf_errand *errand = (struct sheaf_errand *)whole;
        memcpy(errand, in.bytes + at, sizeof *errand);
        if (errand->bytes < sizeof *errand || errand->bytes > SHEAF_ERRAND_MOST)
            end_node("a process of the job has written nonsense to its keeper");
        if (in.filled - at < errand->bytes)
            break;
        memcpy(whole, in.bytes + at, errand->bytes);
        run_errand(errand);
        at += errand->bytes;
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
        run_errands();
    }
}

/* By a signal, between its shmem_init and shmem_finalize; whatever else ends a PE ends the job, and
 * others see to that. */
static bool has_died(int slot)
{
    const struct sheaf_pe *entry = sheaf_control_pe(control, slot);
    int status;
    if (sheaf_load_acquire(&entry->state) != SHEAF_PE_INITIALIZED || is_ending())
        return false;
    return !sheaf_exit_status(processes[slot], entry->pid, &status) || !WIFEXITED(status);
}

/* What it has said last comes before its death. */
static void lose_process(int slot)
{
    int32_t pe = sheaf_control_pe(control, slot)->world_pe;
    empty_inbox();
    if (has_died(slot))
        sheaf_journal_submit(journal, ENTRY_DEATH, &pe, sizeof pe);
    if (processes[slot] >= 0)
        close(processes[slot]);
    processes[slot] = -1;
    alive--;
}

static void watch_processes(void)
{
    processes = calloc((size_t)control->npes, sizeof *processes);
    if (!processes)
        end_node("no memory");
    alive = control->npes;
    for (int slot = 0; slot < control->npes; slot++) {
        processes[slot] = sheaf_os_open_process(sheaf_load_relaxed(&sheaf_control_pe(control, slot)->pid));
        if (processes[slot] < 0)
            lose_process(slot);
    }
}

static bool heard(int node, const struct sheaf_order_head *head, const void *body)
{
    return sheaf_journal_hear(journal, node, head, body);
}

static void lost(int node, enum sheaf_node_end how)
{
    sheaf_journal_lose(journal, node, how);
}

static const struct sheaf_post_user post_user = {heard, lost};

static void note_complete(void)
{
    if (sheaf_load_relaxed(&control->keeper_is_ready) || !sheaf_post_is_complete())
        return;
    sheaf_store_release(&control->keeper_is_ready, 1);
    sheaf_os_futex_wake(&control->keeper_is_ready);
}

/* The inbox, this node's PEs, the post. */
static struct pollfd *set;

static void turn(int timeout)
{
    size_t npes = (size_t)control->npes;
    set[0] = (struct pollfd){.fd = inbox, .events = POLLIN};
    for (size_t slot = 0; slot < npes; slot++)
        set[1 + slot] = (struct pollfd){.fd = processes[slot], .events = POLLIN};
    size_t links = sheaf_post_watch(set + 1 + npes, sheaf_post_most());
    if (poll(set, 1 + npes + links, timeout) < 0)
        links = 0;
    if (set[0].revents)
        empty_inbox();
    for (size_t slot = 0; slot < npes; slot++)
        if (processes[slot] >= 0 && set[1 + slot].revents)
            lose_process((int)slot);
    sheaf_post_read(set + 1 + npes, links, &post_user);
    note_complete();
}

/* Others are told of what has happened here, and that this is the end. */
static void leave(void)
{
    struct sheaf_order_head bye = {.word = SHEAF_ORDER_BYE, .node = control->node};
    uint64_t until = sheaf_clock_ns() + SETTLING;
    while (!sheaf_journal_is_settled(journal) && sheaf_clock_ns() < until && !is_ending())
        turn(50);
    for (int node = 0; node < control->nodes; node++) {
        sheaf_post_send(node, &bye, NULL);
        sheaf_post_part(node);
    }
    until = sheaf_clock_ns() + PARTING;
    while (!sheaf_post_is_done() && sheaf_clock_ns() < until)
        turn(50);
    _exit(EXIT_SUCCESS);
}

/* Nothing of the PE's is held open: whoever waits for its end must not wait for this process's.
 * Standard error is kept. */
static void close_others(void)
{
    int most = (int)sysconf(_SC_OPEN_MAX), null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    most = most > 0 && most < 65536 ? most : 65536;
    for (int fd = STDERR_FILENO + 1; fd < most; fd++)
        if (fd != inbox && !sheaf_post_has(fd))
            close(fd);
}

static void ignore_signals(void)
{
    sigset_t none;
    static const int ignored[] = {SIGTERM, SIGINT, SIGHUP, SIGPIPE};
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        signal(ignored[i], SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Linux 6.12 lets a process that asks for short turns have one at once, before those whose turn is not
 * over: what it does takes microseconds, and PEs wait for it. Others pay no heed. */
static void ask_for_short_turns(void)
{
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime_ns, deadline_ns, period_ns;
    } turns = {.size = sizeof turns, .nice = getpriority(PRIO_PROCESS, 0), .runtime_ns = TURN};
    syscall(SYS_sched_setattr, 0, &turns, 0);
}

_Noreturn void sheaf_keeper_run(int pipe)
{
    struct sheaf_journal_user user = {.send = send, .apply = apply, .expel = expel, .end = end};
    control = sheaf_image.control;
    inbox = pipe;
    prctl(PR_SET_NAME, "sheaf-keeper");
    sheaf_log_release(); /* its PE was starting, and kept errors back */
    ignore_signals();
    ask_for_short_turns();
    close_others();
    journal = sheaf_journal_create(control->nodes, control->node, &user);
    votes = sheaf_votes_create(control->world_npes, decided);
    set = calloc(1 + (size_t)control->npes + sheaf_post_most(), sizeof *set);
    locks = sheaf_locks_create(answer);
    if (!journal || !votes || !locks || !set)
        end_node("no memory");
    fcntl(inbox, F_SETFL, O_NONBLOCK);
    watch_processes();
    while (alive > 0)
        turn(sheaf_post_timeout());
    leave();
    _exit(EXIT_SUCCESS);
}
