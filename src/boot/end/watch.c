/* SPDX-License-Identifier: BSD-3-Clause
 * See watch.h.
 */
#include "boot/end/watch.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/os/process.h"
#include "base/times.h"
#include "boot/end/abort.h"
#include "boot/end/wake_pipe.h"
#include "boot/end/exit_claim.h"
#include "boot/end/end.h"
#include "boot/end/exit_status.h"
#include "boot/end/watch_hosts.h"
#include "boot/launcher/rendezvous/identifier.h"
#include "boot/world/world.h"
#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_NAMED 16 /* PEs of a host, in a message */

/* Descriptors to poll but those of the ring. */
enum { OWN = 4 };

static const struct sheaf_launcher *launcher;
static int agent = -1; /* tells of the agent's end; -1: there is none */
static int wake_pipe = -1; /* reading end; -1 where there is none */
static int (*run_task)(unsigned words);

/* The PE that this one watches: the next of its node that has not finalized. */
static struct {
    int slot;
    int process; /* a descriptor that tells of its end; -1: nobody is watched */
} next = {.process = -1};

static struct sheaf_pe *next_entry(void)
{
    return sheaf_control_pe(sheaf_image.control, next.slot);
}

static bool next_has_finalized(void)
{
    return sheaf_load_acquire(&next_entry()->state) == SHEAF_PE_FINALIZED;
}

static bool roused_within(uint64_t ns)
{
    struct pollfd stop = {.fd = wake_pipe, .events = POLLIN};
    poll(&stop, 1, sheaf_times_ms(ns));
    return sheaf_exit_claim_is_leaving() || sheaf_exit_claim_is_announced();
}

/* Whether the job goes on without the PE that is watched, which has ended: the others are told then. One
 * whose shmem_init was not over is missed: a start by an identifier fails, and any other job ends. One that
 * has exited has done so on purpose. */
static bool is_borne(void)
{
    struct sheaf_control *control = sheaf_image.control;
    int status, pid = sheaf_control_pid_shown(next_entry()), pe = next_entry()->world_pe;
    bool is_up = sheaf_load_acquire(&next_entry()->state) == SHEAF_PE_INITIALIZED;
    /* A new process of a dead PE is not up yet. */
    if (!is_up && control->nodes > 1 && sheaf_control_incarnation_state(control, pe) > 1)
        return true;
    bool fails_start = !is_up && control->nodes == 1 && sheaf_identifier_plan();
    if (!control->reports_failures || (!is_up && !fails_start))
        return false;
    if (!fails_start && sheaf_exit_status(next.process, sheaf_control_pid_here(next_entry()), &status) &&
        WIFEXITED(status))
        return false;
    if (control->nodes > 1) /* the agent says it, and tells the others */
        return true;
    bool is_news = sheaf_control_list_death(control, next.slot);
    if (is_news && fails_start)
        sheaf_boot_say_missed(pe, sheaf_boot_host_of(pe), pid);
    else if (is_news) /* said before anybody goes on, to the end perhaps */
        sheaf_warn("SH604 PE %d on host %s (process %d) has died; the job goes on (SHEAF_FAILURES=report)",
                   pe, sheaf_boot_host_of(pe), pid);
    sheaf_control_count_deaths(control);
    return true;
}

/* The PE that is watched has ended. Launchers end the job of one that failed, and say so; one that
 * leaves with status 0 they may pass over. */
static void report(void)
{
    int status = -1, pid = sheaf_control_pid_shown(next_entry()), pe = next_entry()->world_pe;
    if (is_borne())
        return;
    bool is_apart = sheaf_container_is_number(next_entry()->pid);
    bool is_up = sheaf_load_acquire(&next_entry()->state) == SHEAF_PE_INITIALIZED;
    bool left = is_up && sheaf_exit_status(next.process, sheaf_control_pid_here(next_entry()), &status) &&
                status == 0;
    bool is_told = sheaf_exit_claim_is_made();
    bool is_first = left || launcher->lost; /* no launcher says it before */
    if (roused_within(is_first  ? 0
                      : is_told ? sheaf_times.launcher_ends_told
                                : sheaf_times.launcher_ends_job))
        return;
    if (sheaf_exit_claim_failure())
        sheaf_error(left ? "SH602 PE %d on host %s (process %d) has left with status 0 without "
                           "shmem_finalize: the job ends"
                    : is_apart && status < 0
                         ? "SH601 PE %d on host %s (process %d) has died, or has left without "
                           "shmem_finalize: the job ends"
                         : "SH601 PE %d on host %s (process %d) has died: the job ends",
                    pe, sheaf_boot_host_of(pe), pid);
    sheaf_abort_job();
}

/* Goes on round the node to somebody who is there. */
static void watch_next(void)
{
    int npes = sheaf_image.control->npes;
    for (int steps = 1; steps < npes && next.process < 0; steps++) {
        next.slot = (next.slot + 1) % npes;
        if (next.slot == sheaf_image.slot)
            return;
        const struct sheaf_process process = sheaf_control_process(next_entry());
        next.process = sheaf_process_watch(&process);
        if (next.process < 0 && errno == ESRCH && !next_has_finalized())
            report();
    }
}

static void lose_next(void)
{
    if (!sheaf_exit_claim_is_announced() && !next_has_finalized())
        report();
    close(next.process);
    next.process = -1;
    if (!sheaf_exit_claim_is_announced())
        watch_next();
}

static const char *what_happened(enum sheaf_ring_news news)
{
    return news == SHEAF_RING_SILENT ? "does not answer any more: the host or its network is down"
                                     : "has closed its connection: a PE there has died, or left "
                                       "without shmem_finalize, or the host is gone";
}

/* "2, 3": the first few of a node. */
static void list_pes(int node, char *text, size_t size)
{
    int count = 0;
    size_t used = 0;
    for (int pe = 0; pe < sheaf_boot.npes; pe++)
        if (sheaf_boot_node_of(pe) == node && count++ < MOST_NAMED)
            used += (size_t)snprintf(text + used, size - used, used ? ", %d" : "%d", pe);
    if (count > MOST_NAMED)
        snprintf(text + used, size - used, " and %d more", count - MOST_NAMED);
}

static void on_host(enum sheaf_ring_news news, int node)
{
    if (news == SHEAF_RING_ENDED && !sheaf_exit_claim_is_announced())
        sheaf_watch_hosts_listen(sheaf_times.host_end_news);
    if (sheaf_exit_claim_is_announced() || !sheaf_watch_hosts_is_held() ||
        sheaf_exit_claim_is_leaving())
        return;
    if (sheaf_exit_claim_failure()) {
        char pes[256];
        list_pes(node, pes, sizeof pes);
        sheaf_error("SH603 host %s, which has PE %s, %s; the job ends",
                    sheaf_boot_host_of(sheaf_boot_leader_of(node)), pes, what_happened(news));
    }
    sheaf_abort_job();
}

static void look_at_hosts(const struct pollfd *set, size_t ring)
{
    int node = 0;
    enum sheaf_ring_news news = sheaf_watch_hosts_read(set, ring, &node);
    if (news != SHEAF_RING_NOTHING && news != SHEAF_RING_FRAME)
        on_host(news, node);
    sheaf_watch_hosts_tend();
}

/* It ends after all PEs of its node, or kills them, or leaves it to them to end a job that has failed.
 * Others take them for dead from now on. */
static void lose_agent(void)
{
    int pe, how;
    sheaf_exit_claim_read(&pe, &how);
    if (how & SHEAF_EXIT_FAILED)
        sheaf_abort_job();
    kill(getpid(), SIGKILL);
}

/* A PE that has died, as its broken connection to the rendezvous shows. PEs of its node see more of it, and
 * the next host by the ring: they say so first. */
static struct {
    int pe; /* -1: none */
    uint64_t until_ns;
} lost = {.pe = -1};

static bool has_finalized(int pe)
{
    return sheaf_boot_node_of(pe) == sheaf_boot.node &&
           sheaf_load_acquire(&sheaf_control_pe(sheaf_image.control, sheaf_boot_slot_of(pe))->state) ==
               SHEAF_PE_FINALIZED;
}

static void note_lost(int pe)
{
    bool is_news = pe >= 0 && !sheaf_exit_claim_is_announced() && !has_finalized(sheaf_boot.pe);
    if (!is_news || sheaf_image.control->reports_failures || has_finalized(pe))
        return;
    lost.pe = pe;
    lost.until_ns = sheaf_clock_ns() + sheaf_times.launcher_ends_job;
}

static void say_lost(int pe)
{
    if (sheaf_exit_claim_failure())
        sheaf_error("SH601 PE %d on host %s has died: the job ends", pe, sheaf_boot_host_of(pe));
}

static void look_at_lost(void)
{
    if (lost.pe < 0 || sheaf_clock_ns() < lost.until_ns)
        return;
    say_lost(lost.pe);
    sheaf_abort_job();
}

static void look_at_launcher(void)
{
    if (!sheaf_exit_claim_is_announced() || launcher->lost)
        launcher->closed();
    if (launcher->lost)
        note_lost(launcher->lost());
}

/* Looks at what the poll has brought. Returns the wake words. */
static unsigned look(const struct pollfd *set, size_t ring)
{
    if (set[0].revents)
        return sheaf_wake_pipe_drain(wake_pipe);
    if (set[1].revents)
        look_at_launcher();
    look_at_hosts(set + OWN, ring);
    if (set[2].revents)
        lose_next();
    if (set[3].revents)
        lose_agent();
    return 0;
}

/* The sooner of two; -1: never. */
static int sooner(int one, int other)
{
    return one < 0 || (other >= 0 && other < one) ? other : one;
}

/* How long to sleep at most. */
static int sleep_ms(int task)
{
    int end = sheaf_end_turn(), lost_ms = lost.pe < 0 ? -1 : sheaf_times_ms(sheaf_times.host_joins_look);
    return end >= 0 ? end : sooner(sooner(sheaf_watch_hosts_timeout(), lost_ms), task);
}

/* See boot/replicated_log/agent.h. */
static int open_agent(void)
{
    const struct sheaf_process process = sheaf_control_agent(sheaf_image.control);
    return process.pid > 0 ? sheaf_process_watch(&process) : -1;
}

static void *watch(void *unused)
{
    unsigned words = 0;
    (void)unused;
    next.slot = sheaf_image.slot;
    agent = open_agent();
    watch_next();
    while (!sheaf_exit_claim_is_leaving()) {
        int task = run_task && !sheaf_exit_claim_is_announced() ? run_task(words) : -1;
        struct pollfd set[OWN + SHEAF_RING_POLLS] = {
            {.fd = wake_pipe, .events = POLLIN}, {.fd = -1}, {.fd = next.process, .events = POLLIN},
            {.fd = agent, .events = POLLIN}};
        launcher->watch(&set[1]);
        size_t ring = sheaf_watch_hosts_gather(set + OWN);
        words = 0;
        if (poll(set, OWN + ring, sleep_ms(task)) > 0)
            words = look(set, ring);
        else
            look_at_hosts(set + OWN, 0);
        look_at_lost();
    }
    return NULL;
}

void sheaf_watch_set_task(int (*task)(unsigned words))
{
    run_task = task;
}

static bool launcher_has_closed(void)
{
    struct pollfd connection;
    launcher->watch(&connection);
    return poll(&connection, 1, 0) > 0;
}

/* Nobody else says it in a static program. */
static void end_for_lost(int pe)
{
    if (pe < 0 || has_finalized(sheaf_boot.pe) || has_finalized(pe))
        return;
    say_lost(pe);
    launcher->abort(EXIT_FAILURE);
    _exit(EXIT_FAILURE);
}

static void on_news(int signal_number)
{
    int error = errno;
    (void)signal_number;
    if (!sheaf_exit_claim_is_leaving() && launcher_has_closed())
        launcher->closed();
    if (!sheaf_exit_claim_is_leaving() && launcher->lost)
        end_for_lost(launcher->lost());
    errno = error;
}

static void signal_when_ready(int fd)
{
    fcntl(fd, F_SETOWN, getpid());
    fcntl(fd, F_SETSIG, SIGRTMAX - 5);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC);
}

/* Without a thread: the kernel sends a signal when there is news from the launcher. One that
 * programs hardly use. */
static void watch_by_signal(void)
{
    struct pollfd connection;
    launcher->watch(&connection);
    int number = SIGRTMAX - 5;
    struct sigaction now = {.sa_handler = on_news, .sa_flags = SA_RESTART}, before;
    sigemptyset(&now.sa_mask);
    if (sigaction(number, NULL, &before) != 0 || before.sa_handler != SIG_DFL ||
        sigaction(number, &now, NULL) != 0)
        return;
    if (launcher->watch_each)
        launcher->watch_each(signal_when_ready);
    else
        signal_when_ready(connection.fd);
}

void sheaf_watch_start(const struct sheaf_launcher *with)
{
    pthread_t thread;
    sigset_t all, before;
    launcher = with;
    if (sheaf_image.is_static) {
        watch_by_signal();
        return;
    }
    wake_pipe = sheaf_wake_pipe_create(sheaf_control_pe(sheaf_image.control, sheaf_boot.slot));
    if (wake_pipe < 0)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
