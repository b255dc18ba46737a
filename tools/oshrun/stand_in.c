/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See stand_in.h, and boot/order/stand_in.h for what the node's keeper says to it. It runs the program and
 * ends as that does. When a signal has ended the program and the job goes on, it stays: as long as it is
 * there, the launcher takes the PE for alive, and keeps its output and its input open.
 */
#include "stand_in.h"

#include "base/os/os.h"
#include "boot/order/stand_in.h"
#include "options.h"

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

static int orders, news; /* the ends that are this process's */
static volatile sig_atomic_t child; /* 0: none */

/* The launcher's signals are the program's. */
static void pass_on(int number)
{
    if (child > 0)
        kill(child, number);
    else
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

/* The other ends are opened by who is told of these. */
static void open_pipes(long spares)
{
    int to_me[2], from_me[2];
    char text[128];
    if (pipe2(to_me, O_CLOEXEC | O_NONBLOCK) != 0 || pipe2(from_me, O_CLOEXEC | O_NONBLOCK) != 0)
        sheaf_die(1, "cannot start: %s", strerror(errno));
    close(to_me[1]);
    orders = to_me[0];
    news = from_me[1];
    snprintf(text, sizeof text, "%d %d %lu %d %lu %ld", (int)getpid(), orders, inode_of(orders), news,
             inode_of(news), spares);
    setenv(SHEAF_STAND_IN_VARIABLE, text, 1);
    close(from_me[0]);
}

/* A child that outlived this process would be nobody's. */
_Noreturn static void become(char **argv, int parent, const char *place)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    set_signals(SIG_DFL);
    if (place)
        setenv(SHEAF_PLACE_VARIABLE, place, 1);
    execvp(argv[0], argv);
    fprintf(stderr, "oshrun: %s: %s\n", argv[0], strerror(errno));
    _exit(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE);
}

/* Its number, or -errno. */
static int start(char **argv, const char *place)
{
    int parent = getpid(), pid = fork();
    if (pid == 0)
        become(argv, parent, place);
    if (pid < 0)
        return -errno;
    child = pid;
    return pid;
}

_Noreturn static void end_with(int status)
{
    struct rlimit none = {0, 0};
    if (WIFEXITED(status))
        exit(WEXITSTATUS(status));
    setrlimit(RLIMIT_CORE, &none); /* the program has left one where it was wanted */
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    exit(128 + WTERMSIG(status));
}

/* The child has ended, or is about to. */
static int last; /* how the child before has ended */
static int reap(void)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            exit(1);
    child = 0;
    return status;
}

_Noreturn static void end_job(int status)
{
    if (child > 0) {
        kill(child, SIGKILL);
        reap();
    }
    exit(status & 0xff);
}

/* The keeper may have seen the child's end first. */
static void obey(char **argv, const struct sheaf_stand_in_order *order)
{
    char place[sizeof order->place];
    if (order->what == SHEAF_STAND_IN_END)
        end_job(order->status);
    memcpy(place, order->place, sizeof place);
    place[sizeof place - 1] = '\0';
    if (child > 0)
        reap();
    struct sheaf_stand_in_news done = {start(argv, place)};
    if (write(news, &done, sizeof done) != sizeof done)
        end_job(1);
}

/* Whether there is a keeper that may still say something. */
static bool listen(char **argv)
{
    struct sheaf_stand_in_order order;
    ssize_t got = read(orders, &order, sizeof order);
    if (got == sizeof order)
        obey(argv, &order);
    return got == sizeof order || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/* The keeper has ended. A killed process that the job went on without is no failure of the job's. */
_Noreturn static void end_as_borne(bool was_borne)
{
    if (was_borne && WIFSIGNALED(last))
        exit(0);
    end_with(last);
}

/* Whether the job may go on without the child: a signal has ended it, or it was a new process, which may
 * have failed before it had met the others. */
static bool may_be_borne(int status, bool is_new)
{
    return WIFSIGNALED(status) || (is_new && WEXITSTATUS(status) != 0);
}

/* How the child has ended is how this process does, unless the job goes on. Returns then, with another
 * child perhaps. */
static void bear(char **argv, bool is_new)
{
    last = reap();
    if (!may_be_borne(last, is_new))
        end_with(last);
    if (!listen(argv))
        end_as_borne(is_new);
}

/* Before the program has told the keeper of this process its pipe is silent; when the keeper has ended the
 * child does. */
static void attend(char **argv)
{
    int process = sheaf_os_open_process(child), watched = child;
    struct pollfd set[2] = {{.fd = process, .events = POLLIN}, {.fd = orders, .events = POLLIN}};
    while (process >= 0 && child == watched && !set[0].revents)
        if (poll(set, 2, -1) > 0 && !set[0].revents && set[1].revents && !listen(argv))
            set[1].fd = -1;
    close(process);
}

/* The child is dead. Another takes its place, or the keeper ends, with the job. */
static void await_successor(char **argv)
{
    struct pollfd set = {.fd = orders, .events = POLLIN};
    while (child == 0) {
        if (!listen(argv))
            end_as_borne(true);
        if (child == 0)
            poll(&set, 1, -1);
    }
}

#define OPTION "--stand-in="

bool sheaf_stand_in_is_meant(int argc, char **argv)
{
    return argc > 2 && !strncmp(argv[1], OPTION, strlen(OPTION));
}

_Noreturn void sheaf_stand_in(char **argv)
{
    bool is_new = false;
    char *end;
    long spares = strtol(argv[1] + strlen(OPTION), &end, 10);
    if (*end || spares < 0 || spares > SHEAF_MOST_SPARES)
        sheaf_die(STATUS_USAGE, "%s: expected a number from 0 to %d", argv[1], SHEAF_MOST_SPARES);
    argv += 2;
    open_pipes(spares);
    set_signals(pass_on);
    if (start(argv, NULL) < 0)
        sheaf_die(1, "cannot start %s: %s", argv[0], strerror(errno));
    for (;;) {
        int watched = child;
        attend(argv);
        if (child == watched)
            bear(argv, is_new);
        is_new = true;
        if (child == 0)
            await_successor(argv);
    }
}
