/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The keeper process. It knows only processes: oshrun decides why a job ends.
 */
#include "oshrun/hosts/keeper.h"

#include "base/clock.h"
#include "base/times.h"
#include "oshrun/command/say.h"
#include "oshrun/hosts/preempt.h"
#include "oshrun/hosts/pe_descriptors.h"
#include "oshrun/hosts/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct keeper {
    const struct spawn *spawn;
    int npes;
    int channel;
    int signals;    /* signalfd for SIGCHLD */
    int *pids;      /* per PE; 0 once reaped */
    /* spare processes: each waits on a pipe of its own for the number of a PE */
    struct spare {
        int pid;
        int pipe;   /* writing end */
    } *spares;
    int spare_count;
};

void sheaf_keeper_command(int channel, enum keeper_order order, int value)
{
    struct keeper_command command = {order, value};
    send(channel, &command, sizeof command, MSG_NOSIGNAL);
}

static void send_report(int channel, enum keeper_news news, int pe, int value, int process)
{
    struct keeper_report report = {news, pe, value, process};
    while (send(channel, &report, sizeof report, MSG_NOSIGNAL) < 0 && errno == EINTR)
        ;
}

/* Removes spares that have ended or could not be started (pid 0), which replace no PE: they leave the
 * count that the PEs see. */
static void remove_spares(struct keeper *keeper, int count, int pid)
{
    __atomic_fetch_sub(&keeper->spawn->job->control->spares, count, __ATOMIC_ACQ_REL);
    send_report(keeper->channel, KEEPER_RESERVE_ENDED, -1, keeper->spare_count, pid);
}

static void record_spare_count(struct keeper *keeper, int pid)
{
    for (int i = 0; i < keeper->spare_count; i++) {
        if (keeper->spares[i].pid != pid)
            continue;
        close(keeper->spares[i].pipe);
        keeper->spares[i] = keeper->spares[--keeper->spare_count];
        remove_spares(keeper, 1, pid);
    }
}

/* Reaps children that have ended. Returns false when no child is left, and so no process below this
 * one. */
static bool reap_children(struct keeper *keeper)
{
    for (;;) {
        int status, pid = waitpid(-1, &status, WNOHANG);
        if (pid <= 0)
            return pid == 0;
        record_spare_count(keeper, pid);
        for (int pe = 0; pe < keeper->npes; pe++)
            if (keeper->pids[pe] == pid) {
                keeper->pids[pe] = 0;
                send_report(keeper->channel, KEEPER_EXITED, pe, status, 0);
                break;
            }
    }
}

/* Sleeps until a child ends or the time `until`. */
static void wait_for_child(struct keeper *keeper, uint64_t until)
{
    uint64_t now = sheaf_clock_ns();
    struct pollfd ready = {.fd = keeper->signals, .events = POLLIN};
    struct signalfd_siginfo info;
    int pause = until > now ? (int)((until - now) / SHEAF_MILLISECOND) + 1 : 0;
    if (poll(&ready, 1, pause) > 0 && read(keeper->signals, &info, sizeof info) < 0)
        return;
}

/* Returns true when all processes below have ended within the grace time. */
static bool all_gone_within(struct keeper *keeper, uint64_t grace)
{
    uint64_t until = sheaf_clock_ns() + grace;
    while (reap_children(keeper)) {
        if (sheaf_clock_ns() >= until)
            return false;
        wait_for_child(keeper, until);
    }
    return true;
}

static void signal_pes(struct keeper *keeper, int signal)
{
    for (int pe = 0; pe < keeper->npes; pe++)
        if (keeper->pids[pe])
            kill(-keeper->pids[pe], signal);
}

/* Kills all processes below. A process may fork while the list is read, so this is repeated until no
 * child is left. */
static void kill_all(struct keeper *keeper)
{
    uint64_t until = sheaf_clock_ns() + sheaf_times.killed_most;
    signal_pes(keeper, SIGKILL);
    while (reap_children(keeper) && sheaf_clock_ns() < until) {
        sheaf_process_signal_below(SIGKILL, 0);
        all_gone_within(keeper, sheaf_times.killed_look);
    }
}

/* Ends the spares that are left, by closing their pipes. */
static void dismiss_spares(struct keeper *keeper)
{
    while (keeper->spare_count > 0)
        close(keeper->spares[--keeper->spare_count].pipe);
}

static void finish_job(struct keeper *keeper, uint64_t grace)
{
    dismiss_spares(keeper);
    if (all_gone_within(keeper, grace))
        return;
    sheaf_process_signal_below(SIGTERM, 0);
    sheaf_process_signal_below(SIGCONT, 0);
    if (!all_gone_within(keeper, sheaf_times.term_kills))
        kill_all(keeper);
}

static bool start_pe(struct keeper *keeper, int pe)
{
    int self = getpid(), pid = fork();
    if (pid == 0)
        sheaf_spawn_exec(keeper->spawn, pe, self, keeper->channel);
    if (pid < 0)
        return false;
    setpgid(pid, pid);
    keeper->pids[pe] = pid;
    send_report(keeper->channel, KEEPER_STARTED, pe, pid, 0);
    return true;
}

/* Closes oshrun's own descriptors, which no PE gets: the other ends of the PEs' streams above all. */
static void close_those_of_oshrun(const struct keeper *keeper, const struct pe_descriptors *away)
{
    const int kept[] = {keeper->channel, keeper->signals, keeper->spawn->job->fd, away->sockets[0],
                        away->sockets[1]};
    for (int fd = 3; fd < keeper->channel; fd++) {
        bool is_kept = false;
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            is_kept |= fd == kept[i];
        int flags = is_kept ? 0 : fcntl(fd, F_GETFD);
        if (flags > 0 && (flags & FD_CLOEXEC))
            close(fd);
    }
}

/* Spares inherit the descriptors of all PEs, of which each may replace any. */
static void start_pes(struct keeper *keeper)
{
    struct pe_descriptors away = {{-1, -1}, 0};
    bool has_spares = keeper->spawn->options->spares > 0;
    if (!has_spares)
        sheaf_pe_descriptors_put(&away, keeper->spawn);
    if (away.put >= keeper->npes)
        close_those_of_oshrun(keeper, &away);
    for (int pe = 0; pe < keeper->npes; pe++) {
        if (!sheaf_pe_descriptors_take(&away, keeper->spawn, pe) || !start_pe(keeper, pe)) {
            send_report(keeper->channel, KEEPER_FAILED, pe, errno, 1);
            return;
        }
        if (!has_spares)
            sheaf_pe_descriptors_close(keeper->spawn, pe);
    }
}

_Noreturn static void wait_in_reserve(const struct keeper *keeper, int parent, int pipe)
{
    int pe;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || read(pipe, &pe, sizeof pe) != sizeof pe)
        _exit(0);
    sheaf_spawn_exec(keeper->spawn, pe, parent, keeper->channel);
}

/* Starts the spares. They inherit all that a PE is started with, before this process closes it. A spare
 * that held the writing end of another spare's pipe would keep that one waiting. */
static void start_spares(struct keeper *keeper)
{
    int self = getpid(), wanted = keeper->spawn->options->spares;
    while (keeper->spare_count < wanted) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            break;
        int pid = fork();
        if (pid == 0) {
            close(ends[1]);
            dismiss_spares(keeper);
            wait_in_reserve(keeper, self, ends[0]);
        }
        close(ends[0]);
        if (pid < 0) {
            close(ends[1]);
            break;
        }
        keeper->spares[keeper->spare_count++] = (struct spare){pid, ends[1]};
    }
    if (keeper->spare_count < wanted)
        remove_spares(keeper, wanted - keeper->spare_count, 0);
}

static void respawn_pe(struct keeper *keeper, int pe)
{
    if (keeper->spare_count == 0) {
        send_report(keeper->channel, KEEPER_FAILED, pe, EAGAIN, 1);
        return;
    }
    struct spare spare = keeper->spares[--keeper->spare_count];
    keeper->pids[pe] = spare.pid;
    send_report(keeper->channel, KEEPER_STARTED, pe, spare.pid, 0);
    ssize_t ignored = write(spare.pipe, &pe, sizeof pe);
    (void)ignored;
    close(spare.pipe);
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Closes the descriptors of output, input and the job's memory: only oshrun and the PEs may hold them,
 * so that the reader at the other end sees their end. */
static void close_other_descriptors(const struct keeper *keeper)
{
    int *kept = calloc((size_t)keeper->spare_count + 2, sizeof *kept), count = 0;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; null >= 0 && fd < 3; fd++)
        dup2(null, fd);
    if (!kept)
        _exit(1);
    kept[count++] = keeper->channel;
    kept[count++] = keeper->signals;
    for (int i = 0; i < keeper->spare_count; i++)
        kept[count++] = keeper->spares[i].pipe;
    qsort(kept, (size_t)count, sizeof *kept, by_number);
    unsigned first = 3;
    for (int i = 0; i < count; first = (unsigned)kept[i++] + 1)
        sheaf_process_close_between(first, (unsigned)kept[i] - 1);
    sheaf_process_close_between(first, UINT_MAX);
    free(kept);
}

/* Carries out oshrun's commands until one ends this process, or until oshrun is gone. */
static void serve_oshrun(struct keeper *keeper)
{
    for (;;) {
        struct pollfd ready[2] = {{.fd = keeper->channel, .events = POLLIN},
                                  {.fd = keeper->signals, .events = POLLIN}};
        struct signalfd_siginfo info;
        struct keeper_command command;
        if (poll(ready, 2, -1) < 0 && errno != EINTR)
            break;
        if (ready[1].revents && read(keeper->signals, &info, sizeof info) > 0)
            reap_children(keeper);
        if (!ready[0].revents)
            continue;
        ssize_t length = recv(keeper->channel, &command, sizeof command, 0);
        if (length < 0 && errno == EINTR)
            continue;
        if (length != sizeof command || command.order == KEEPER_KILL)
            break;
        if (command.order == KEEPER_FINISH) {
            finish_job(keeper, (uint64_t)command.value * SHEAF_MILLISECOND);
            return;
        }
        if (command.order == KEEPER_RESPAWN)
            respawn_pe(keeper, command.value);
        else
            signal_pes(keeper, command.value);
    }
    kill_all(keeper);
}

_Noreturn static void run_keeper(const struct spawn *spawn, int channel)
{
    struct keeper keeper = {.spawn = spawn, .npes = spawn->options->npes, .channel = channel};
    sigset_t children, all;
    setpgid(0, 0);
    close(spawn->job->parent_pipe); /* only oshrun holds the writing end */
    prctl(PR_SET_NAME, "sheaf-keeper");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    keeper.signals = signalfd(-1, &children, SFD_CLOEXEC);
    keeper.pids = calloc((size_t)keeper.npes, sizeof *keeper.pids);
    keeper.spares = calloc((size_t)spawn->options->spares + 1, sizeof *keeper.spares);
    if (keeper.signals < 0 || !keeper.pids || !keeper.spares)
        _exit(1);
    start_pes(&keeper);
    start_spares(&keeper);
    close_other_descriptors(&keeper);
    sheaf_preempt_start(spawn->job->control);
    serve_oshrun(&keeper);
    _exit(0);
}

int sheaf_keeper_start(const struct spawn *spawn, int *pid)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        sheaf_die_at_start();
    *pid = fork();
    if (*pid < 0)
        sheaf_die_at_start();
    if (*pid == 0) {
        close(ends[0]);
        run_keeper(spawn, ends[1]);
    }
    close(ends[1]);
    return ends[0];
}
