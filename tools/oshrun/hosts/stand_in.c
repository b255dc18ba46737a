/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See stand_in.h, and boot/order/stand_in.h for what the node's keeper says to it. It runs the program and
 * ends as that does. When a signal has ended the program and the job goes on, it stays: as long as it is
 * there, the launcher takes the PE for alive, and keeps its output and its input open. It may have guests,
 * processes for PEs whose hosts are lost: then it stays until they have ended, too.
 */
#include "oshrun/hosts/stand_in.h"

#include "base/os/os.h"
#include "base/os/process.h"
#include "base/times.h"
#include "boot/order/stand_in.h"
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

/* A place that this process starts processes for. The first is its own. */
struct place {
    int guest;    /* as the keeper calls it; 0: its own */
    volatile sig_atomic_t child; /* 0: none */
    int process;  /* tells of the child's end */
    int last;     /* how the child before has ended */
    bool is_new;  /* the child has taken a dead one's place, or the one before had */
    bool is_over; /* no successor comes: it has ended in order, or failed for good */
    bool is_missed; /* a successor might come, and the job goes on */
};

static int orders, news; /* the ends that are this process's */
static int others_end;   /* of orders, until there is a keeper, so that its end shows; -1: closed */
static bool has_keeper;
static struct place *places;
static struct pollfd *set; /* their children's ends, and orders */
static volatile sig_atomic_t place_count;

/* The launcher's signals are the program's. */
static void pass_on(int number)
{
    bool is_passed = false;
    for (int i = 0; i < place_count; i++)
        if (places[i].child > 0)
            is_passed |= kill(places[i].child, number) == 0;
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

/* The other ends are opened by who is told of these. */
static void open_pipes(long spares)
{
    int to_me[2], from_me[2];
    char text[128];
    if (pipe2(to_me, O_CLOEXEC | O_NONBLOCK) != 0 || pipe2(from_me, O_CLOEXEC | O_NONBLOCK) != 0)
        sheaf_die(1, "cannot start: %s", strerror(errno));
    orders = to_me[0];
    others_end = to_me[1];
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
    int why = errno;
    sheaf_say("%s: %s", argv[0], strerror(why));
    _exit(why == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE);
}

/* Its number, or -errno. */
static int start(char **argv, struct place *place, const char *where)
{
    int parent = getpid(), pid = fork();
    if (pid == 0)
        become(argv, parent, where);
    if (pid < 0)
        return -errno;
    place->process = sheaf_os_open_process(pid);
    place->child = pid;
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

static void note_end(struct place *place)
{
    place->child = 0;
    if (place->process >= 0)
        close(place->process);
    place->process = -1;
}

/* The child has ended, or is about to. */
static void reap(struct place *place)
{
    while (waitpid(place->child, &place->last, 0) < 0)
        if (errno != EINTR)
            exit(1);
    note_end(place);
}

_Noreturn static void end_job(int status)
{
    for (int i = 0; i < place_count; i++)
        if (places[i].child > 0) {
            kill(places[i].child, SIGKILL);
            reap(&places[i]);
        }
    exit(status & 0xff);
}

static void block_signals(bool are_blocked)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(are_blocked ? SIG_BLOCK : SIG_UNBLOCK, &all, NULL);
}

/* NULL: no memory. */
static struct place *add_place(int guest)
{
    block_signals(true); /* their handler reads the list */
    size_t count = (size_t)place_count + 1;
    struct pollfd *more = realloc(set, (count + 1) * sizeof *more);
    set = more ? more : set;
    struct place *grown = more ? realloc(places, count * sizeof *grown) : NULL;
    if (grown) {
        places = grown;
        places[place_count] = (struct place){.guest = guest, .process = -1};
        place_count++;
    }
    block_signals(false);
    return grown ? &grown[place_count - 1] : NULL;
}

static struct place *find_place(int guest)
{
    for (int i = 0; i < place_count; i++)
        if (places[i].guest == guest)
            return &places[i];
    return add_place(guest);
}

/* In a dead one's place. The keeper may have seen the child's end first. */
static int succeed(char **argv, const struct sheaf_stand_in_order *order)
{
    char where[sizeof order->place];
    struct place *place = find_place(order->guest);
    if (!place)
        return -ENOMEM;
    memcpy(where, order->place, sizeof where);
    where[sizeof where - 1] = '\0';
    if (place->child > 0)
        reap(place);
    place->is_new = true;
    place->is_over = place->is_missed = false;
    return start(argv, place, where);
}

/* Its pipe ends with it from now on. */
static void heed_keeper(void)
{
    has_keeper = true;
    if (others_end >= 0)
        close(others_end);
    others_end = -1;
}

static void obey(char **argv, const struct sheaf_stand_in_order *order)
{
    if (order->what == SHEAF_STAND_IN_END)
        end_job(order->status);
    if (order->what == SHEAF_STAND_IN_KEPT) {
        heed_keeper();
        return;
    }
    if (order->what != SHEAF_STAND_IN_START) /* no keeper's */
        return;
    struct sheaf_stand_in_news done = {.guest = order->guest, .pid = succeed(argv, order)};
    if (done.pid > 0)
        done.started = sheaf_process_of_child(done.pid).started;
    if (write(news, &done, sizeof done) != sizeof done)
        end_job(1);
}

static void listen(char **argv)
{
    struct sheaf_stand_in_order order;
    ssize_t got;
    while ((got = read(orders, &order, sizeof order)) == sizeof order)
        obey(argv, &order);
    has_keeper &= got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR)); /* a part is no keeper's */
}

/* Whether the job may go on without the child: a signal has ended it, or it was a new process, which may
 * have failed before it had met the others. */
static bool may_be_borne(const struct place *place)
{
    return WIFSIGNALED(place->last) || (place->is_new && WEXITSTATUS(place->last) != 0);
}

static void reap_ended(void)
{
    for (int i = 0; i < place_count; i++)
        if (places[i].child > 0 && waitpid(places[i].child, &places[i].last, WNOHANG) > 0) {
            note_end(&places[i]);
            places[i].is_over = !may_be_borne(&places[i]);
        }
}

/* Of a place whose child is dead: a keeper that is there goes on without it. */
static void note_missed(void)
{
    for (int i = 0; i < place_count; i++)
        places[i].is_missed |= places[i].child == 0 && !places[i].is_over && has_keeper;
}


/* Waits until a child has ended or the keeper has said something. */
static void attend(char **argv)
{
    int count = place_count, wait_ms = -1;
    for (int i = 0; i < count; i++) {
        set[i] = (struct pollfd){.fd = places[i].process, .events = POLLIN};
        if (places[i].child > 0 && places[i].process < 0)
            wait_ms = sheaf_times_ms(sheaf_times.stand_in_look);
    }
    set[count] = (struct pollfd){.fd = has_keeper || others_end >= 0 ? orders : -1, .events = POLLIN};
    poll(set, (nfds_t)count + 1, wait_ms);
    reap_ended();
    listen(argv);
    note_missed();
}

static bool is_awaited(const struct place *place)
{
    return place->child > 0 || (has_keeper && !place->is_over);
}

/* Of a place where nothing follows. A killed process that the job went on without is no failure of the
 * job's. */
static bool is_borne(const struct place *place)
{
    return WIFSIGNALED(place->last) && (place->is_new || place->is_missed);
}

/* As its own place has, unless that was borne; else as the first guest that has failed. */
_Noreturn static void end_as_places(void)
{
    for (int i = 0; i < place_count; i++)
        if (places[i].last != 0 && !is_borne(&places[i]))
            end_with(places[i].last);
    exit(0);
}

#define OPTION "--stand-in="

bool sheaf_stand_in_is_meant(int argc, char **argv)
{
    return argc > 2 && !strncmp(argv[1], OPTION, strlen(OPTION));
}

_Noreturn void sheaf_stand_in(char **argv)
{
    char *end;
    long spares = strtol(argv[1] + strlen(OPTION), &end, 10);
    if (*end || spares < 0 || spares > SHEAF_MOST_SPARES)
        sheaf_die(STATUS_USAGE, "%s: expected a number from 0 to %d", argv[1], SHEAF_MOST_SPARES);
    argv += 2;
    open_pipes(spares);
    struct place *own = add_place(0);
    if (!own)
        sheaf_die(1, "no memory");
    set_signals(pass_on);
    if (start(argv, own, NULL) < 0)
        sheaf_die(1, "cannot start %s: %s", argv[0], strerror(errno));
    for (;;) {
        bool is_needed = false;
        for (int i = 0; i < place_count; i++)
            is_needed |= is_awaited(&places[i]);
        if (!is_needed)
            end_as_places();
        attend(argv);
    }
}
