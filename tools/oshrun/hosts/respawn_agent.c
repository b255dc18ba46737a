/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See respawn_agent.h; boot/replicated_log/respawn_agent.h has the commands of the node's agent. A respawn
 * agent starts the program and ends with the program's status. When a signal has ended the program and the
 * job goes on, it stays, so that the launcher takes the PE for alive and keeps its output and input open.
 * It may also run processes of adopted PEs, whose hosts are lost: then it stays until those have ended,
 * too.
 */
#include "oshrun/hosts/respawn_agent.h"

#include "base/os/os.h"
#include "base/os/process.h"
#include "base/times.h"
#include "boot/replicated_log/respawn_agent.h"
#include "oshrun/command/say.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A PE for which this process starts processes. The first slot is that of its own PE. */
struct slot {
    int adopted;  /* the number in a command; 0: the own PE */
    volatile sig_atomic_t child; /* 0: none */
    int process;  /* descriptor that becomes readable when the child ends */
    int last;     /* wait status of the last child that has ended */
    bool is_new;  /* the child, or the one before it, is a new process of a dead PE */
    bool is_over; /* no new process will start: the PE has finalized, or has failed finally */
    bool is_missed; /* a new process may start, and the job goes on */
};

static int commands, replies; /* the ends of the pipes that this process uses */
static int others_end;        /* the writing end of commands, until there is an agent; -1: closed */
static bool has_agent;
static struct slot *slots;
static struct pollfd *set; /* the ends of children, and commands */
static volatile sig_atomic_t slot_count;

/* Forwards the launcher's signals to the program. */
static void forward_signal(int number)
{
    bool is_passed = false;
    for (int i = 0; i < slot_count; i++)
        if (slots[i].child > 0)
            is_passed |= kill(slots[i].child, number) == 0;
    if (!is_passed)
        _exit(128 + number);
}

static void set_signals(void (*handler)(int))
{
    static const int passed[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++)
        sigaction(passed[i], &action, NULL);
    signal(SIGPIPE, handler == SIG_DFL ? SIG_DFL : SIG_IGN);
}

static unsigned long inode_of(int fd)
{
    struct stat file;
    return fstat(fd, &file) == 0 ? (unsigned long)file.st_ino : 0;
}

/* Makes the pipes. The node's agent opens their other ends, by the variable. */
static void open_pipes(long spares)
{
    int to_me[2], from_me[2];
    char text[128];
    if (pipe2(to_me, O_CLOEXEC | O_NONBLOCK) != 0 || pipe2(from_me, O_CLOEXEC | O_NONBLOCK) != 0)
        sheaf_die_at_start();
    commands = to_me[0];
    others_end = to_me[1];
    replies = from_me[1];
    snprintf(text, sizeof text, "%d %d %lu %d %lu %ld", (int)getpid(), commands, inode_of(commands),
             replies, inode_of(replies), spares);
    setenv(SHEAF_RESPAWN_AGENT_VARIABLE, text, 1);
    close(from_me[0]);
}

/* Runs the program in the child. No child may outlive this process, since no other process would end
 * it. */
_Noreturn static void exec_program(char **argv, int parent, const char *slot)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    set_signals(SIG_DFL);
    if (slot)
        setenv(SHEAF_RESPAWN_SLOT_VARIABLE, slot, 1);
    execvp(argv[0], argv);
    int why = errno;
    sheaf_say("%s: %s", argv[0], strerror(why));
    _exit(why == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE);
}

/* Starts a child. Returns its pid, or -errno. */
static int start_child(char **argv, struct slot *slot, const char *where)
{
    int parent = getpid(), pid = fork();
    if (pid == 0)
        exec_program(argv, parent, where);
    if (pid < 0)
        return -errno;
    slot->process = sheaf_os_open_process(pid);
    slot->child = pid;
    return pid;
}

_Noreturn static void end_with(int status)
{
    struct rlimit none = {0, 0};
    if (WIFEXITED(status))
        exit(WEXITSTATUS(status));
    setrlimit(RLIMIT_CORE, &none); /* the program itself has written a core file where one was wanted */
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    exit(128 + WTERMSIG(status));
}

static void record_end(struct slot *slot)
{
    slot->child = 0;
    if (slot->process >= 0)
        close(slot->process);
    slot->process = -1;
}

/* Reaps the child, which has ended or is about to. */
static void reap_child(struct slot *slot)
{
    while (waitpid(slot->child, &slot->last, 0) < 0)
        if (errno != EINTR)
            exit(1);
    record_end(slot);
}

_Noreturn static void end_job(int status)
{
    for (int i = 0; i < slot_count; i++)
        if (slots[i].child > 0) {
            kill(slots[i].child, SIGKILL);
            reap_child(&slots[i]);
        }
    exit(status & 0xff);
}

static void block_signals(bool are_blocked)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(are_blocked ? SIG_BLOCK : SIG_UNBLOCK, &all, NULL);
}

/* Adds a slot. Returns NULL where there is no memory. */
static struct slot *add_slot(int adopted)
{
    block_signals(true); /* their handler reads the list */
    size_t count = (size_t)slot_count + 1;
    struct pollfd *more = realloc(set, (count + 1) * sizeof *more);
    set = more ? more : set;
    struct slot *grown = more ? realloc(slots, count * sizeof *grown) : NULL;
    if (grown) {
        slots = grown;
        slots[slot_count] = (struct slot){.adopted = adopted, .process = -1};
        slot_count++;
    }
    block_signals(false);
    return grown ? &grown[slot_count - 1] : NULL;
}

static struct slot *find_slot(int adopted)
{
    for (int i = 0; i < slot_count; i++)
        if (slots[i].adopted == adopted)
            return &slots[i];
    return add_slot(adopted);
}

/* Starts a new process of a dead PE. The agent may have seen the old process's end before this process
 * has. */
static int start_respawned(char **argv, const struct sheaf_respawn_command *command)
{
    char where[sizeof command->slot];
    struct slot *slot = find_slot(command->adopted);
    if (!slot)
        return -ENOMEM;
    memcpy(where, command->slot, sizeof where);
    where[sizeof where - 1] = '\0';
    if (slot->child > 0)
        reap_child(slot);
    slot->is_new = true;
    slot->is_over = slot->is_missed = false;
    return start_child(argv, slot, where);
}

/* Closes this process's writing end: now only the agent has one, so the pipe ends with the agent. */
static void record_agent(void)
{
    has_agent = true;
    if (others_end >= 0)
        close(others_end);
    others_end = -1;
}

static void carry_out_command(char **argv, const struct sheaf_respawn_command *command)
{
    if (command->what == SHEAF_RESPAWN_COMMAND_END)
        end_job(command->status);
    if (command->what == SHEAF_RESPAWN_COMMAND_STAY) {
        record_agent();
        return;
    }
    if (command->what != SHEAF_RESPAWN_COMMAND_START) /* no agent sends such a command */
        return;
    struct sheaf_respawn_reply done = {.adopted = command->adopted, .pid = start_respawned(argv, command)};
    if (done.pid > 0)
        done.started = sheaf_process_of_child(done.pid).started;
    if (write(replies, &done, sizeof done) != sizeof done)
        end_job(1);
}

static void read_commands(char **argv)
{
    struct sheaf_respawn_command command;
    ssize_t got;
    while ((got = read(commands, &command, sizeof command)) == sizeof command)
        carry_out_command(argv, &command);
    /* an incomplete command comes from no agent */
    has_agent &= got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Whether the job may go on without the child: a signal has ended it, or it was a new process, which
 * may have failed before it joined the others. */
static bool job_may_survive(const struct slot *slot)
{
    return WIFSIGNALED(slot->last) || (slot->is_new && WEXITSTATUS(slot->last) != 0);
}

static void reap_ended(void)
{
    for (int i = 0; i < slot_count; i++)
        if (slots[i].child > 0 && waitpid(slots[i].child, &slots[i].last, WNOHANG) > 0) {
            record_end(&slots[i]);
            slots[i].is_over = !job_may_survive(&slots[i]);
        }
}

/* Records that the job goes on without a PE whose child is dead, where the PE has an agent. */
static void record_missed(void)
{
    for (int i = 0; i < slot_count; i++)
        slots[i].is_missed |= slots[i].child == 0 && !slots[i].is_over && has_agent;
}


/* Waits until a child has ended or the agent has sent a command. */
static void wait_for_event(char **argv)
{
    int count = slot_count, wait_ms = -1;
    for (int i = 0; i < count; i++) {
        set[i] = (struct pollfd){.fd = slots[i].process, .events = POLLIN};
        if (slots[i].child > 0 && slots[i].process < 0)
            wait_ms = sheaf_times_ms(sheaf_times.respawn_agent_look);
    }
    set[count] = (struct pollfd){.fd = has_agent || others_end >= 0 ? commands : -1, .events = POLLIN};
    poll(set, (nfds_t)count + 1, wait_ms);
    reap_ended();
    read_commands(argv);
    record_missed();
}

static bool is_awaited(const struct slot *slot)
{
    return slot->child > 0 || (has_agent && !slot->is_over);
}

/* Whether the job went on without a PE that gets no new process. The death of such a process is no
 * failure of the job. */
static bool job_survived(const struct slot *slot)
{
    return WIFSIGNALED(slot->last) && (slot->is_new || slot->is_missed);
}

/* Ends this process with the status of its own PE, unless the job went on without that PE; otherwise
 * with the status of the first adopted PE that has failed. */
_Noreturn static void end_as_slots(void)
{
    for (int i = 0; i < slot_count; i++)
        if (slots[i].last != 0 && !job_survived(&slots[i]))
            end_with(slots[i].last);
    exit(0);
}

#define OPTION "--respawn-agent="
#define FORMER_OPTION "--stand-in=" /* the option's former name */

bool sheaf_respawn_agent_is_wanted(int argc, char **argv)
{
    return argc > 2 && (!strncmp(argv[1], OPTION, strlen(OPTION)) ||
                        !strncmp(argv[1], FORMER_OPTION, strlen(FORMER_OPTION)));
}

_Noreturn void sheaf_respawn_agent(char **argv)
{
    char *end;
    long spares = strtol(strchr(argv[1], '=') + 1, &end, 10);
    if (*end || spares < 0 || spares > SHEAF_MOST_SPARES)
        sheaf_die(STATUS_USAGE, "%s: expected a number from 0 to %d", argv[1], SHEAF_MOST_SPARES);
    argv += 2;
    open_pipes(spares);
    struct slot *own = add_slot(0);
    if (!own)
        sheaf_die(1, "no memory");
    set_signals(forward_signal);
    if (start_child(argv, own, NULL) < 0)
        sheaf_die(1, "cannot start %s: %s", argv[0], strerror(errno));
    for (;;) {
        bool is_needed = false;
        for (int i = 0; i < slot_count; i++)
            is_needed |= is_awaited(&slots[i]);
        if (!is_needed)
            end_as_slots();
        wait_for_event(argv);
    }
}
