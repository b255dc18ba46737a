/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The proxy process. It knows only processes: oshrun decides why a job ends.
 */
#include "oshrun/hosts/proxy.h"

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

struct proxy {
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

void sheaf_proxy_command(int channel, enum proxy_order order, int value)
{
    struct proxy_command command = {order, value};
    send(channel, &command, sizeof command, MSG_NOSIGNAL);
}

static void send_report(int channel, enum proxy_news news, int pe, int value, int process)
{
    struct proxy_report report = {news, pe, value, process};
    while (send(channel, &report, sizeof report, MSG_NOSIGNAL) < 0 && errno == EINTR)
        ;
}

/* Removes spares that have ended or could not be started (pid 0), which replace no PE: they leave the
 * count that the PEs see. */
static void remove_spares(struct proxy *proxy, int count, int pid)
{
    __atomic_fetch_sub(&proxy->spawn->job->control->spares, count, __ATOMIC_ACQ_REL);
    send_report(proxy->channel, PROXY_RESERVE_ENDED, -1, proxy->spare_count, pid);
}

static void record_spare_count(struct proxy *proxy, int pid)
{
    for (int i = 0; i < proxy->spare_count; i++) {
        if (proxy->spares[i].pid != pid)
            continue;
        close(proxy->spares[i].pipe);
        proxy->spares[i] = proxy->spares[--proxy->spare_count];
        remove_spares(proxy, 1, pid);
    }
}

/* Reaps children that have ended. Returns false when no child is left, and so no process below this
 * one. */
static bool reap_children(struct proxy *proxy)
{
    for (;;) {
        int status, pid = waitpid(-1, &status, WNOHANG);
        if (pid <= 0)
            return pid == 0;
        record_spare_count(proxy, pid);
        for (int pe = 0; pe < proxy->npes; pe++)
            if (proxy->pids[pe] == pid) {
                proxy->pids[pe] = 0;
                send_report(proxy->channel, PROXY_EXITED, pe, status, 0);
                break;
            }
    }
}

/* Sleeps until a child ends or the time `until`. */
static void wait_for_child(struct proxy *proxy, uint64_t until)
{
    uint64_t now = sheaf_clock_ns();
    struct pollfd ready = {.fd = proxy->signals, .events = POLLIN};
    struct signalfd_siginfo info;
    int pause = until > now ? (int)((until - now) / SHEAF_MILLISECOND) + 1 : 0;
    if (poll(&ready, 1, pause) > 0 && read(proxy->signals, &info, sizeof info) < 0)
        return;
}

/* Returns true when all processes below have ended within the grace time. */
static bool all_gone_within(struct proxy *proxy, uint64_t grace)
{
    uint64_t until = sheaf_clock_ns() + grace;
    while (reap_children(proxy)) {
        if (sheaf_clock_ns() >= until)
            return false;
        wait_for_child(proxy, until);
    }
    return true;
}

static void signal_pes(struct proxy *proxy, int signal)
{
    for (int pe = 0; pe < proxy->npes; pe++)
        if (proxy->pids[pe])
            kill(-proxy->pids[pe], signal);
}

/* Kills all processes below. A process may fork while the list is read, so this is repeated until no
 * child is left. */
static void kill_all(struct proxy *proxy)
{
    uint64_t until = sheaf_clock_ns() + sheaf_times.killed_most;
    signal_pes(proxy, SIGKILL);
    while (reap_children(proxy) && sheaf_clock_ns() < until) {
        sheaf_process_signal_below(SIGKILL, 0);
        all_gone_within(proxy, sheaf_times.killed_look);
    }
}

/* Ends the spares that are left, by closing their pipes. */
static void dismiss_spares(struct proxy *proxy)
{
    while (proxy->spare_count > 0)
        close(proxy->spares[--proxy->spare_count].pipe);
}

static void finish_job(struct proxy *proxy, uint64_t grace)
{
    dismiss_spares(proxy);
    if (all_gone_within(proxy, grace))
        return;
    sheaf_process_signal_below(SIGTERM, 0);
    sheaf_process_signal_below(SIGCONT, 0);
    if (!all_gone_within(proxy, sheaf_times.term_kills))
        kill_all(proxy);
}

static bool start_pe(struct proxy *proxy, int pe)
{
    int self = getpid(), pid = fork();
    if (pid == 0)
        sheaf_spawn_exec(proxy->spawn, pe, self, proxy->channel);
    if (pid < 0)
        return false;
    setpgid(pid, pid);
    proxy->pids[pe] = pid;
    send_report(proxy->channel, PROXY_STARTED, pe, pid, 0);
    return true;
}

/* Closes oshrun's own descriptors, which no PE gets: the other ends of the PEs' streams above all. */
static void close_those_of_oshrun(const struct proxy *proxy, const struct pe_descriptors *away)
{
    const int kept[] = {proxy->channel, proxy->signals, proxy->spawn->job->fd, away->sockets[0],
                        away->sockets[1]};
    for (int fd = 3; fd < proxy->channel; fd++) {
        bool is_kept = false;
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            is_kept |= fd == kept[i];
        int flags = is_kept ? 0 : fcntl(fd, F_GETFD);
        if (flags > 0 && (flags & FD_CLOEXEC))
            close(fd);
    }
}

/* Spares inherit the descriptors of all PEs, of which each may replace any. */
static void start_pes(struct proxy *proxy)
{
    struct pe_descriptors away = {{-1, -1}, 0};
    bool has_spares = proxy->spawn->options->spares > 0;
    if (!has_spares)
        sheaf_pe_descriptors_put(&away, proxy->spawn);
    if (away.put >= proxy->npes)
        close_those_of_oshrun(proxy, &away);
    for (int pe = 0; pe < proxy->npes; pe++) {
        if (!sheaf_pe_descriptors_take(&away, proxy->spawn, pe) || !start_pe(proxy, pe)) {
            send_report(proxy->channel, PROXY_FAILED, pe, errno, STEP_FORK);
            return;
        }
        if (!has_spares)
            sheaf_pe_descriptors_close(proxy->spawn, pe);
    }
}

_Noreturn static void wait_in_reserve(const struct proxy *proxy, int parent, int pipe)
{
    int pe;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || read(pipe, &pe, sizeof pe) != sizeof pe)
        _exit(0);
    sheaf_spawn_exec(proxy->spawn, pe, parent, proxy->channel);
}

/* Starts the spares. They inherit all that a PE is started with, before this process closes it. A spare
 * that held the writing end of another spare's pipe would keep that one waiting. */
static void start_spares(struct proxy *proxy)
{
    int self = getpid(), wanted = proxy->spawn->options->spares;
    while (proxy->spare_count < wanted) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            break;
        int pid = fork();
        if (pid == 0) {
            close(ends[1]);
            dismiss_spares(proxy);
            wait_in_reserve(proxy, self, ends[0]);
        }
        close(ends[0]);
        if (pid < 0) {
            close(ends[1]);
            break;
        }
        proxy->spares[proxy->spare_count++] = (struct spare){pid, ends[1]};
    }
    if (proxy->spare_count < wanted)
        remove_spares(proxy, wanted - proxy->spare_count, 0);
}

static void respawn_pe(struct proxy *proxy, int pe)
{
    if (proxy->spare_count == 0) {
        send_report(proxy->channel, PROXY_FAILED, pe, EAGAIN, STEP_FORK);
        return;
    }
    struct spare spare = proxy->spares[--proxy->spare_count];
    proxy->pids[pe] = spare.pid;
    send_report(proxy->channel, PROXY_STARTED, pe, spare.pid, 0);
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
static void close_other_descriptors(const struct proxy *proxy)
{
    int *kept = calloc((size_t)proxy->spare_count + 2, sizeof *kept), count = 0;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; null >= 0 && fd < 3; fd++)
        dup2(null, fd);
    if (!kept)
        _exit(1);
    kept[count++] = proxy->channel;
    kept[count++] = proxy->signals;
    for (int i = 0; i < proxy->spare_count; i++)
        kept[count++] = proxy->spares[i].pipe;
    qsort(kept, (size_t)count, sizeof *kept, by_number);
    unsigned first = 3;
    for (int i = 0; i < count; first = (unsigned)kept[i++] + 1)
        sheaf_process_close_between(first, (unsigned)kept[i] - 1);
    sheaf_process_close_between(first, UINT_MAX);
    free(kept);
}

/* Carries out oshrun's commands until one ends this process, or until oshrun is gone. */
static void serve_oshrun(struct proxy *proxy)
{
    for (;;) {
        struct pollfd ready[2] = {{.fd = proxy->channel, .events = POLLIN},
                                  {.fd = proxy->signals, .events = POLLIN}};
        struct signalfd_siginfo info;
        struct proxy_command command;
        if (poll(ready, 2, -1) < 0 && errno != EINTR)
            break;
        if (ready[1].revents && read(proxy->signals, &info, sizeof info) > 0)
            reap_children(proxy);
        if (!ready[0].revents)
            continue;
        ssize_t length = recv(proxy->channel, &command, sizeof command, 0);
        if (length < 0 && errno == EINTR)
            continue;
        if (length != sizeof command || command.order == PROXY_KILL)
            break;
        if (command.order == PROXY_FINISH) {
            finish_job(proxy, (uint64_t)command.value * SHEAF_MILLISECOND);
            return;
        }
        if (command.order == PROXY_RESPAWN)
            respawn_pe(proxy, command.value);
        else
            signal_pes(proxy, command.value);
    }
    kill_all(proxy);
}

_Noreturn static void run_proxy(const struct spawn *spawn, int channel)
{
    struct proxy proxy = {.spawn = spawn, .npes = spawn->options->npes, .channel = channel};
    sigset_t children, all;
    setpgid(0, 0);
    close(spawn->job->parent_pipe); /* only oshrun holds the writing end */
    prctl(PR_SET_NAME, "sheaf-proxy");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    proxy.signals = signalfd(-1, &children, SFD_CLOEXEC);
    proxy.pids = calloc((size_t)proxy.npes, sizeof *proxy.pids);
    proxy.spares = calloc((size_t)spawn->options->spares + 1, sizeof *proxy.spares);
    if (proxy.signals < 0 || !proxy.pids || !proxy.spares)
        _exit(1);
    start_pes(&proxy);
    start_spares(&proxy);
    close_other_descriptors(&proxy);
    sheaf_preempt_start(spawn->job->control);
    serve_oshrun(&proxy);
    _exit(0);
}

int sheaf_proxy_start(const struct spawn *spawn, int *pid)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        sheaf_die_at_start();
    *pid = fork();
    if (*pid < 0)
        sheaf_die_at_start();
    if (*pid == 0) {
        close(ends[0]);
        run_proxy(spawn, ends[1]);
    }
    close(ends[1]);
    return ends[0];
}
