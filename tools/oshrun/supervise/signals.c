/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals sent to oshrun: they are forwarded to the PEs, and those that end a program end the job.
 */
#include "oshrun/supervise/supervise.h"

#include "base/clock.h"
#include "base/times.h"
#include "oshrun/command/say.h"

#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const int handled[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1,
                              SIGUSR2, SIGCONT, SIGTSTP, SIGCHLD};

/* A signal that was ignored stays ignored: nohup, and background jobs of a script, depend on it. */
void sheaf_signal_setup(struct supervisor *supervisor, struct spawn *spawn)
{
    const int terminal[] = {SIGPIPE, SIGTTIN, SIGTTOU};
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigset_t set;
    sigemptyset(&set);
    signal(SIGCHLD, SIG_DFL);
    for (size_t i = 0; i < sizeof handled / sizeof *handled; i++) {
        sigaction(handled[i], NULL, &before);
        if (before.sa_handler != SIG_IGN)
            sigaddset(&set, handled[i]);
    }
    for (int i = 0; i < 3; i++)
        sigaction(terminal[i], &ignore, &spawn->ignored[i]);
    sigprocmask(SIG_BLOCK, &set, &spawn->signals);
    supervisor->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (supervisor->signals < 0)
        sheaf_die(1, "cannot receive signals: %s%s", strerror(errno), sheaf_limit_of(errno));
}

static void end_by_signal(struct supervisor *supervisor, int number)
{
    if (supervisor->phase != RUNNING) {
        if (supervisor->phase < KILLED)
            sheaf_proxy_command(supervisor->channel, PROXY_KILL, 0);
        if (supervisor->phase < KILLED)
            supervisor->phase = KILLED;
        return;
    }
    sheaf_supervise_end(supervisor, STATUS_SIGNAL + number, -1, 0);
    supervisor->is_explained = true;
    supervisor->has_failed = false;
    supervisor->phase = ASKED;
    supervisor->deadline = sheaf_clock_ns() + sheaf_times.signal_kills; /* a second signal ends the wait */
    sheaf_proxy_command(supervisor->channel, PROXY_SIGNAL, number);
    sheaf_proxy_command(supervisor->channel, PROXY_SIGNAL, SIGCONT);
}

/* Stops the job: the PEs with a signal that they cannot ignore, then oshrun itself. oshrun continues
 * when the shell continues it, and continues the PEs. */
static void stop_job(struct supervisor *supervisor)
{
    sheaf_proxy_command(supervisor->channel, PROXY_SIGNAL, SIGSTOP);
    raise(SIGSTOP);
}

static void handle_signal(struct supervisor *supervisor, int number)
{
    switch (number) {
    case SIGINT:
    case SIGTERM:
    case SIGHUP:
        end_by_signal(supervisor, number);
        break;
    case SIGQUIT:
        sheaf_message_board(supervisor);
        break;
    case SIGTSTP:
        stop_job(supervisor);
        break;
    case SIGCHLD:
        break;
    default:
        sheaf_proxy_command(supervisor->channel, PROXY_SIGNAL, number);
    }
}

void sheaf_signal_handle(struct supervisor *supervisor)
{
    struct signalfd_siginfo info;
    while (read(supervisor->signals, &info, sizeof info) == sizeof info)
        if (supervisor->channel >= 0)
            handle_signal(supervisor, (int)info.ssi_signo);
}

bool sheaf_signal_ends(struct supervisor *supervisor)
{
    struct signalfd_siginfo info;
    while (read(supervisor->signals, &info, sizeof info) == sizeof info)
        if (info.ssi_signo == SIGINT || info.ssi_signo == SIGTERM || info.ssi_signo == SIGHUP) {
            supervisor->status = STATUS_SIGNAL + (int)info.ssi_signo;
            return true;
        }
    return false;
}
