/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The stacks of all threads of the PEs, from an installed debugger: eu-stack or gdb. A PE is stopped while
 * its stacks are read. Each may take some seconds: a PE that is stuck in the kernel is left out. For a
 * Python PE the frames of its program follow, from py-spy or from gdb with the script that comes with
 * Python's debugging information.
 */
#include "oshrun/supervise/stacks.h"

#include "base/clock.h"
#include "base/sanitize.h"
#include "base/times.h"
#include "common/ask.h"
#include "oshrun/command/options.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The arguments of the tools: argv[0] is the tool's path, "PID" stands for the process. */
static char *const eu_stack[] = {NULL, "-l", "-p", "PID", NULL};
static char *const gdb[] = {NULL, "-nx", "-batch", "-p", "PID", "-ex", "thread apply all backtrace",
                            NULL};

static char *const py_spy[] = {NULL, "dump", "--pid", "PID", NULL};
static char *const gdb_python[] = {NULL, "-nx", "-batch", "-p", "PID", "-ex",
                                   "thread apply all py-bt", NULL};

static pid_t start_tool(char *tool, char *const *words, int pid, int *reader)
{
    char *argv[16], number[16];
    int ends[2], count = 0;
    pid_t child = -1;
    posix_spawn_file_actions_t actions;
    snprintf(number, sizeof number, "%d", pid);
    argv[count++] = tool;
    for (words++; *words; words++)
        argv[count++] = strcmp(*words, "PID") ? *words : number;
    argv[count] = NULL;
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    if (posix_spawn(&child, tool, &actions, NULL, argv, environ))
        child = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (child < 0)
        close(ends[0]);
    *reader = ends[0];
    return child;
}

/* Whether a line of the tool's output has a thread or a frame. */
static bool is_frame(const char *line)
{
    return line[0] == '#' || !strncmp(line, "Thread ", 7) || !strncmp(line, "TID ", 4) ||
           (line[0] == ' ' && line[1] != '\0');
}

static int copy_lines(int reader, FILE *out)
{
    uint64_t until = sheaf_clock_ns() + sheaf_times.debugger_most;
    char buffer[4096], line[600];
    size_t length = 0;
    int printed = 0;
    for (uint64_t now = sheaf_clock_ns(); now < until; now = sheaf_clock_ns()) {
        struct pollfd ready = {.fd = reader, .events = POLLIN};
        if (poll(&ready, 1, (int)((until - now) / SHEAF_MILLISECOND) + 1) <= 0)
            continue;
        ssize_t count = read(reader, buffer, sizeof buffer);
        if (count <= 0)
            break;
        for (ssize_t i = 0; i < count; i++) {
            if (buffer[i] != '\n') {
                if (length + 1 < sizeof line)
                    line[length++] = buffer[i];
                continue;
            }
            line[length] = '\0';
            length = 0;
            if (is_frame(line)) {
                sheaf_sanitize(line, 0);
                fprintf(out, "oshrun:     %s\n", line);
                printed += line[0] == '#' || line[0] == ' ';
            }
        }
    }
    return printed;
}

/* Prints the frames. Returns how many the tool has found. */
static int print_frames(int pid, char *tool, char *const *words, FILE *out)
{
    int reader, status;
    pid_t child = start_tool(tool, words, pid, &reader);
    if (child < 0)
        return 0;
    int printed = copy_lines(reader, out);
    close(reader);
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    return printed;
}

/* Whether a process is Python's: by its program, or by Python's library in it. */
static bool is_python(int pid)
{
    char path[64], line[512];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    FILE *maps = fopen(path, "re");
    while (maps && !found && fgets(line, sizeof line, maps)) {
        const char *slash = strrchr(line, '/');
        found = slash && (!strncmp(slash, "/libpython3", 11) || !strncmp(slash, "/python3", 8));
    }
    if (maps)
        fclose(maps);
    return found;
}

static void print_python(int pid, FILE *out)
{
    char *tool = sheaf_program_search("py-spy");
    char *const *words = tool ? py_spy : gdb_python;
    if (!tool)
        tool = sheaf_program_search("gdb");
    fputs("oshrun:   Python:\n", out);
    if (!tool || print_frames(pid, tool, words, out) == 0)
        fputs("oshrun:     frames of Python need py-spy (pip install py-spy), or gdb and Python's "
              "debugging information (Debian: python3-dbg)\n",
              out);
    free(tool);
}

static void print_pe(const struct sheaf_report_pe *pe, char *tool, char *const *words, FILE *out)
{
    fprintf(out, "oshrun: stacks of PE %d (pid %d):\n", pe->pe, pe->pid);
    if (print_frames(pe->pid, tool, words, out) == 0)
        fprintf(out,
                "oshrun:     %s could not read them; ptrace may be forbidden "
                "(kernel.yama.ptrace_scope)\n",
                tool);
    if (is_python(pe->pid))
        print_python(pe->pid, out);
}

/* Prints one line for each other host. */
static void print_other_hosts(const struct sheaf_report *report, FILE *out)
{
    for (int i = 0; i < report->npes; i++) {
        const struct sheaf_report_pe *pe = &report->pes[i];
        int first = 0, count = 0;
        while (first < i && (report->pes[first].is_here || strcmp(report->pes[first].host, pe->host) != 0))
            first++;
        if (pe->is_here || pe->life > SHEAF_LIFE_STOPPED || first < i)
            continue;
        for (int k = i; k < report->npes; k++)
            count += !report->pes[k].is_here && strcmp(report->pes[k].host, pe->host) == 0;
        fprintf(out, "oshrun: stacks of host %s, which has PE %d", pe->host, pe->pe);
        if (count > 1)
            fprintf(out, " and %d more", count - 1);
        fputs(": oshrun --why --stacks there\n", out);
    }
}

void sheaf_stacks_print(const struct sheaf_report *report, FILE *out)
{
    char *const *words = gdb;
    char *tool = sheaf_program_search("gdb");
    if (!tool) {
        tool = sheaf_program_search("eu-stack");
        words = eu_stack;
    }
    if (!tool) {
        fputs("oshrun: --stacks needs gdb, or eu-stack of elfutils, and neither is installed\n",
              out);
        return;
    }
    for (int i = 0; i < report->npes; i++)
        if (report->pes[i].is_here)
            print_pe(&report->pes[i], tool, words, out);
    free(tool);
}

void sheaf_stacks_print_elsewhere(const struct sheaf_report *report, const struct sheaf_report_job *job,
                                  FILE *out)
{
    char text[4096];
    ssize_t length;
    fflush(out);
    int answer = job->control->nodes > 1 ? sheaf_ask_for_stacks(report, job) : -1;
    if (answer < 0) {
        print_other_hosts(report, out);
        return;
    }
    while ((length = read(answer, text, sizeof text)) > 0)
        fwrite(text, 1, (size_t)length, out);
    close(answer);
}
