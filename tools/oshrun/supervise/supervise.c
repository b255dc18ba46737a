/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loop. A job ends in phases: RUNNING, GRACE, ASKED, KILLED, COLLECTING; an ordinary one goes
 * from RUNNING to COLLECTING. Within a second of the first PE's death all phases are over.
 */
#include "oshrun/supervise/supervise.h"

#include "base/clock.h"
#include "base/times.h"
#include "oshrun/command/elf_file.h"
#include "oshrun/command/say.h"
#include "oshrun/hosts/process.h"
#include "oshrun/supervise/post_mortem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static bool exit_was_requested(struct supervisor *supervisor)
{
    const struct sheaf_control *control = supervisor->job->control;
    if (!sheaf_load_acquire(&control->exit_requested))
        return false;
    uint64_t claim = sheaf_load_acquire(&control->exit_claim);
    if (supervisor->phase == RUNNING) {
        sheaf_supervise_end(supervisor, sheaf_control_exit_status(claim), -1, sheaf_times.global_exit);
        supervisor->is_explained = true;
    }
    int pe = sheaf_control_exit_pe(claim);
    if (pe >= 0 && pe < supervisor->options->npes && supervisor->pes[pe].exited &&
        supervisor->phase == GRACE)
        supervisor->deadline = 0;
    return true;
}

static void record_exit(struct supervisor *supervisor, int pe, int status)
{
    struct pe_process *process = &supervisor->pes[pe];
    process->exited = true;
    process->status = status;
    supervisor->last_exit_ns = sheaf_clock_ns();
    supervisor->alive--;
    if (supervisor->spawn->pes[pe].foreground && isatty(0))
        tcsetpgrp(0, getpgrp());
    if (exit_was_requested(supervisor))
        return;
    if (!WIFSIGNALED(status))
        sheaf_mpi_exited(supervisor, pe);
    if (WIFSIGNALED(status) && sheaf_deaths_report(supervisor, pe, status))
        return;
    if (WIFSIGNALED(status))
        sheaf_supervise_end(supervisor, STATUS_SIGNAL + WTERMSIG(status), pe, sheaf_times.failed_others);
    else if (WEXITSTATUS(status))
        sheaf_supervise_end(supervisor, WEXITSTATUS(status), pe, sheaf_times.failed_others);
}

static void record_failure(struct supervisor *supervisor, const struct proxy_report *report)
{
    char text[512];
    const struct spawn_pe *it = &supervisor->spawn->pes[report->pe];
    const char *steps[] = {it->path, "fork", "standard input, /dev/null"};
    if (supervisor->phase != RUNNING)
        return;
    int status = report->process != STEP_EXEC                            ? 1
                 : report->value == ENOENT || report->value == ENOTDIR ? STATUS_NOT_FOUND
                                                                        : STATUS_NOT_EXECUTABLE;
    const char *machine = report->value == ENOEXEC ? sheaf_elf_other_machine(it->path) : NULL;
    snprintf(text, sizeof text, "oshrun: cannot start PE %d (%.200s): %s%s%s%s [SH903]\n", report->pe,
             steps[report->process], strerror(report->value), sheaf_limit_of(report->value),
             machine ? ": it was compiled for " : "", machine ? machine : "");
    sheaf_output_message(supervisor->output, text);
    supervisor->is_explained = true;
    sheaf_supervise_end(supervisor, status, report->pe, 0);
    if (report->process == STEP_FORK)
        supervisor->alive = supervisor->alive - (supervisor->options->npes - report->pe);
}

/* Handles the proxy's end. The proxy is the last process to end. If it ends too early, the PEs die
 * with it, and their child processes are now below oshrun. */
static void handle_proxy_end(struct supervisor *supervisor)
{
    close(supervisor->channel);
    supervisor->channel = -1;
    if (supervisor->phase < KILLED) {
        sheaf_output_message(supervisor->output, "oshrun: the process that supervises the PEs was killed "
                                                 "[SH909]\n");
        supervisor->status = STATUS_SIGNAL + SIGKILL;
        supervisor->is_explained = true;
        uint64_t until = sheaf_clock_ns() + sheaf_times.proxy_killed;
        while (sheaf_process_signal_below(SIGKILL, sheaf_pmix_server_pid(supervisor->pmix)) &&
               sheaf_clock_ns() < until)
            while (waitpid(-1, NULL, WNOHANG) > 0)
                ;
    }
    while (waitpid(supervisor->proxy, NULL, 0) < 0 && errno == EINTR)
        ;
}

static void read_proxy_reports(struct supervisor *supervisor)
{
    struct proxy_report report;
    for (;;) {
        ssize_t length = recv(supervisor->channel, &report, sizeof report, MSG_DONTWAIT);
        if (length < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (length != sizeof report) {
            handle_proxy_end(supervisor);
            return;
        }
        if (report.news == PROXY_STARTED)
            supervisor->pes[report.pe].pid = report.value;
        else if (report.news == PROXY_EXITED)
            record_exit(supervisor, report.pe, report.value);
        else if (report.news == PROXY_RESERVE_ENDED)
            sheaf_deaths_in_reserve(supervisor, report.process, report.value);
        else
            record_failure(supervisor, &report);
    }
}

/* Ends the job where its output has no reader or cannot be written: then the job has no purpose. */
static void check_output(struct supervisor *supervisor)
{
    int error = sheaf_output_error(supervisor->output);
    if (!error || supervisor->phase != RUNNING)
        return;
    if (error != EPIPE) {
        char text[160];
        snprintf(text, sizeof text, "oshrun: cannot write the output: %s [SH904]\n", strerror(error));
        sheaf_output_message(supervisor->output, text);
    }
    supervisor->is_explained = true;
    sheaf_supervise_end(supervisor, error == EPIPE ? STATUS_SIGNAL + SIGPIPE : 1, -1, 0);
    supervisor->has_failed = false;
}

static void check_time(struct supervisor *supervisor, uint64_t now)
{
    const struct options *options = supervisor->options;
    if (!options->timeout_ns || supervisor->phase != RUNNING ||
        now - supervisor->started_ns < options->timeout_ns)
        return;
    char text[96];
    snprintf(text, sizeof text, "oshrun: the time limit of %g s is over [SH906]\n",
             (double)(options->timeout_ns - 1) / 1e9);
    if (!options->quiet) {
        sheaf_output_message(supervisor->output, text);
        sheaf_message_board(supervisor);
    }
    supervisor->is_explained = true;
    sheaf_supervise_end(supervisor, STATUS_TIMEOUT, -1, 0);
}

/* Whether oshrun's caller has ended, in whatever way: the kernel then gives oshrun another parent. */
static bool is_orphan(const struct supervisor *supervisor)
{
    return supervisor->options->end_with && getppid() != supervisor->options->end_with;
}

static void check_caller(struct supervisor *supervisor)
{
    char text[96];
    if (supervisor->phase != RUNNING || !is_orphan(supervisor))
        return;
    snprintf(text, sizeof text, "oshrun: --end-with %d: this process has ended, or did not start oshrun "
    "[SH909]\n",
             supervisor->options->end_with);
    if (!supervisor->options->quiet)
        sheaf_output_message(supervisor->output, text);
    sheaf_supervise_end(supervisor, STATUS_SIGNAL + SIGHUP, -1, 0);
    supervisor->is_explained = true;
    supervisor->has_failed = false;
}

/* Moves from one phase of the end to the next. */
static void advance_phase(struct supervisor *supervisor)
{
    uint64_t now = sheaf_clock_ns();
    check_caller(supervisor);
    check_output(supervisor);
    check_time(supervisor, now);
    exit_was_requested(supervisor);
    sheaf_mpi_check(supervisor);
    sheaf_deaths_respawn(supervisor);
    sheaf_missed_check(supervisor);
    sheaf_mismatch_check(supervisor);
    sheaf_stall_check(supervisor);
    if (supervisor->alive <= 0 && supervisor->phase < KILLED) {
        sheaf_proxy_command(supervisor->channel, PROXY_FINISH,
                             sheaf_times_ms(supervisor->phase == RUNNING ? sheaf_times.leftovers_end
                                                                         : sheaf_times.leftovers_failed));
        supervisor->phase = COLLECTING;
    } else if (supervisor->phase == GRACE && now >= supervisor->deadline) {
        sheaf_proxy_command(supervisor->channel, PROXY_SIGNAL, SIGTERM);
        sheaf_proxy_command(supervisor->channel, PROXY_SIGNAL, SIGCONT);
        supervisor->phase = ASKED;
        supervisor->deadline = now + sheaf_times.term_kills;
    } else if (supervisor->phase == ASKED && now >= supervisor->deadline) {
        sheaf_proxy_command(supervisor->channel, PROXY_KILL, 0);
        supervisor->phase = KILLED;
    }
}

/* Waits for news from all descriptors, for one tick at most, and handles it. */
static void wait_for_news(struct supervisor *supervisor, struct pollfd *set)
{
    int outputs = sheaf_output_watch(supervisor->output, set), count = outputs;
    struct pollfd *signals = &set[count++], *mpi = &set[count++], *pmix = &set[count++];
    struct pollfd *channel = NULL, *terminal = NULL;
    *signals = (struct pollfd){.fd = supervisor->signals, .events = POLLIN};
    *mpi = (struct pollfd){.fd = sheaf_pmi_server_descriptor(supervisor->mpi), .events = POLLIN};
    *pmix = (struct pollfd){.fd = sheaf_pmix_server_descriptor(supervisor->pmix), .events = POLLIN};
    if (supervisor->channel >= 0) {
        channel = &set[count++];
        *channel = (struct pollfd){.fd = supervisor->channel, .events = POLLIN};
    }
    if (sheaf_input_wants(supervisor->input)) {
        terminal = &set[count++];
        *terminal = (struct pollfd){.fd = 0, .events = POLLIN};
    }
    int look_ms = sheaf_times_ms(sheaf_times.control_look);
    if (poll(set, (nfds_t)count, sheaf_deaths_tick(supervisor, look_ms)) < 0)
        return;
    if (signals->revents)
        sheaf_signal_handle(supervisor);
    sheaf_output_move(supervisor->output, set);
    sheaf_input_move(supervisor->input, terminal && terminal->revents);
    if (mpi->revents)
        sheaf_pmi_server_serve(supervisor->mpi);
    if (pmix->revents)
        sheaf_pmix_server_serve(supervisor->pmix);
    if (channel && channel->revents)
        read_proxy_reports(supervisor);
}

/* Writes the PEs' last output, then oshrun's. A slow reader is waited for, unless a signal comes. */
static void flush_output(struct supervisor *supervisor, struct pollfd *set)
{
    bool said = false;
    for (;;) {
        sheaf_output_drain(supervisor->output);
        if (!said && !sheaf_output_has_streams(supervisor->output)) {
            said = true;
            sheaf_message_culprit(supervisor);
            continue;
        }
        if (!sheaf_output_is_pending(supervisor->output))
            return;
        int count = sheaf_output_watch(supervisor->output, set);
        set[count] = (struct pollfd){.fd = supervisor->signals, .events = POLLIN};
        int tick = supervisor->options->end_with ? sheaf_times_ms(sheaf_times.control_look) : -1;
        if (poll(set, (nfds_t)count + 1, tick) > 0 && set[count].revents && sheaf_signal_ends(supervisor))
            return;
        if (is_orphan(supervisor))
            return;
    }
}

int sheaf_supervise(struct supervisor *supervisor)
{
    struct pollfd set[SHEAF_OUTPUT_POLLS + 5];
    supervisor->alive = supervisor->options->npes;
    supervisor->culprit = -1;
    supervisor->started_ns = sheaf_clock_ns();
    while (supervisor->channel >= 0) {
        wait_for_news(supervisor, set);
        if (supervisor->channel >= 0)
            advance_phase(supervisor);
    }
    sheaf_pmix_server_finish(supervisor->pmix);
    char *saved = sheaf_post_mortem_write(supervisor);
    flush_output(supervisor, set);
    if (saved && !supervisor->options->quiet) {
        sheaf_output_message(supervisor->output, saved);
        flush_output(supervisor, set);
    }
    free(saved);
    return supervisor->status;
}
