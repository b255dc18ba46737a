/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sheaf-agent, the agent of a host: where deaths are reported in a job of several nodes, the lowest PE of
 * each starts it (boot/replicated_log/agent_start.c), with the open files of
 * boot/replicated_log/passed.h. It outlives the node's PEs. Its first process checks what it was given,
 * forks the agent, and ends: so the agent is no child of the PE's, which the program might wait for.
 * Arguments: none.
 */
#include "base/os/os.h"
#include "base/os/process.h"
#include "base/times.h"
#include "boot/replicated_log/agent.h"
#include "boot/replicated_log/passed.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whoever waits for the end of the PE's output must not wait for this process. Standard error is kept. */
static void close_others(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
#ifdef SYS_close_range
    if (syscall(SYS_close_range, SHEAF_PASSED_END, ~0u, 0) == 0)
        return;
#endif
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    for (rlim_t fd = SHEAF_PASSED_END; fd < files.rlim_max && fd < 65536; fd++)
        close((int)fd);
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

/* It has a descriptor of each PE of its host. */
static void raise_file_limit(void)
{
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
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
    } turns = {.size = sizeof turns, .nice = getpriority(PRIO_PROCESS, 0),
               .runtime_ns = sheaf_times.agent_slice};
    syscall(SYS_sched_setattr, 0, &turns, 0);
}

static void report(int error)
{
    ssize_t done = write(SHEAF_PASSED_REPORT, &error, sizeof error);
    (void)done; /* the PE sees the end */
}

/* Other PEs of the node find the pipe by these. */
static int tell_node(struct sheaf_control *area)
{
    struct stat pipe;
    const struct sheaf_process self = sheaf_process_self();
    if (fstat(SHEAF_PASSED_INBOX, &pipe) != 0)
        return -1;
    area->agent_pipe = SHEAF_PASSED_INBOX;
    area->agent_inode = (uint32_t)pipe.st_ino;
    area->agent_started = self.started;
    sheaf_store_release(&area->agent_pid, self.pid);
    sheaf_os_futex_wake((uint32_t *)&area->agent_pid);
    return 0;
}

_Noreturn static void be_agent(struct sheaf_control *area)
{
    setsid();
    report(tell_node(area) == 0 ? 0 : errno);
    close(SHEAF_PASSED_AREA);
    close(SHEAF_PASSED_STRUCT);
    close(SHEAF_PASSED_REPORT);
    sheaf_agent_run(area, SHEAF_PASSED_INBOX);
}

/* 0, or an errno. */
static int start(struct sheaf_control *area)
{
    char address[SHEAF_MESH_ADDRESS] = "";
    if (sheaf_mesh_open(area->nodes, area->node, address) != 0 ||
        sheaf_passed_answer(SHEAF_PASSED_STRUCT, address) != 0)
        return errno;
    pid_t pid = fork();
    if (pid == 0)
        be_agent(area);
    return pid < 0 ? errno : 0;
}

int main(int argc, char **argv)
{
    (void)argv;
    struct sheaf_control *area =
        argc == 1 ? sheaf_passed_take(SHEAF_PASSED_AREA, SHEAF_PASSED_STRUCT) : NULL;
    if (!area && (argc != 1 || errno == EBADF)) {
        fputs("sheaf-agent: shmem_init starts this program, on each host of a job that goes on when a PE "
              "dies (SHEAF_FAILURES=report); it has nothing to do by itself\n", stderr);
        return EXIT_FAILURE;
    }
    int error = area ? 0 : errno;
    if (!error) {
        ignore_signals();
        close_others();
        raise_file_limit();
        ask_for_short_turns();
        error = start(area);
    }
    if (error)
        report(error);
    return error ? EXIT_FAILURE : EXIT_SUCCESS;
}
