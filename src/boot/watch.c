/* SPDX-License-Identifier: BSD-3-Clause
 * See watch.h.
 */
#include "boot/watch.h"

#include "base/log.h"
#include "boot/boot.h"
#include "boot/lifeline.h"
#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A launcher that ends the job itself does so first, with its own status and words. */
#define PATIENCE_MS  2000
#define EXPLAINED_MS 500

static const struct sheaf_launcher *launcher;
static int event = -1; /* rouses the thread; -1 where there is none */
static bool is_stopped;

void sheaf_watch_lost_launcher(const char *how)
{
    static bool is_said;
    if (!__atomic_exchange_n(&is_said, true, __ATOMIC_ACQ_REL))
        sheaf_error("the launcher's daemon on host %s is gone: %s; the job ends",
                    sheaf_boot_host_of(sheaf_boot.pe), how);
    _exit(1);
}

static int open_process(int pid)
{
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, pid, 0);
#else
    (void)pid;
    errno = ENOSYS;
    return -1;
#endif
}

/* The next PE of this node round the ring that has not finalized and ended; what has ended without
 * is reported through *dead. Returns a descriptor that tells of its end; -1 when there is none. */
static int watch_next(int *slot, int *dead)
{
    struct sheaf_control *control = sheaf_image.control;
    for (int steps = 1; steps < control->npes; steps++) {
        *slot = (*slot + 1) % control->npes;
        if (*slot == sheaf_image.slot)
            break;
        struct sheaf_pe *entry = sheaf_control_pe(control, *slot);
        int process = open_process(sheaf_load_relaxed(&entry->pid));
        if (process >= 0)
            return process;
        if (errno == ESRCH && sheaf_load_acquire(&entry->state) != SHEAF_PE_FINALIZED) {
            *dead = *slot;
            return -1;
        }
    }
    return -1;
}

static bool stopped_within(int milliseconds)
{
    struct pollfd stop = {.fd = event, .events = POLLIN};
    poll(&stop, 1, milliseconds);
    return sheaf_watch_is_stopped();
}

static void report(int slot)
{
    const struct sheaf_pe *entry = sheaf_control_pe(sheaf_image.control, slot);
    /* With a reason already given the launcher has been asked to end the job. */
    bool is_explained = sheaf_load_acquire(&sheaf_image.control->exit_claimed) != 0;
    if (stopped_within(is_explained ? EXPLAINED_MS : PATIENCE_MS))
        return;
    if (sheaf_lifeline_claim(EXIT_FAILURE))
        sheaf_error("PE %d on host %s (process %d) has died: the job ends", entry->world_pe,
                    sheaf_boot_host_of(entry->world_pe), entry->pid);
    sheaf_lifeline_end_job();
}

static void *watch(void *unused)
{
    int slot = sheaf_image.slot, dead = -1;
    int process = watch_next(&slot, &dead);
    (void)unused;
    while (!sheaf_watch_is_stopped() && dead < 0) {
        struct pollfd set[3 + SHEAF_RING_LINKS] = {
            {.fd = event, .events = POLLIN},
            {.fd = launcher->descriptor(), .events = POLLRDHUP},
            {.fd = process, .events = POLLIN}};
        size_t ring = sheaf_lifeline_gather(set + 3);
        eventfd_t roused;
        if (poll(set, 3 + ring, sheaf_lifeline_timeout()) < 0)
            continue;
        if (set[0].revents) {
            eventfd_read(event, &roused);
            continue;
        }
        if (set[1].revents)
            sheaf_watch_lost_launcher("it has closed its connection to this PE");
        sheaf_lifeline_look(set + 3, ring);
        if (!set[2].revents)
            continue;
        close(process);
        process = -1;
        if (sheaf_load_acquire(&sheaf_control_pe(sheaf_image.control, slot)->state) ==
            SHEAF_PE_FINALIZED)
            process = watch_next(&slot, &dead);
        else
            dead = slot;
    }
    if (dead >= 0)
        report(dead);
    if (process >= 0)
        close(process);
    return NULL;
}

static bool launcher_has_closed(void)
{
    struct pollfd connection = {.fd = launcher->descriptor(), .events = POLLRDHUP};
    return poll(&connection, 1, 0) > 0;
}

static void on_news(int signal_number)
{
    int error = errno;
    (void)signal_number;
    if (!__atomic_load_n(&is_stopped, __ATOMIC_ACQUIRE) && launcher_has_closed())
        sheaf_watch_lost_launcher("it has closed its connection to this PE");
    errno = error;
}

/* Without a thread: the kernel sends a signal when there is news from the launcher. One that
 * programs hardly use. */
static void watch_by_signal(void)
{
    int number = SIGRTMAX - 5, fd = launcher->descriptor();
    struct sigaction now = {.sa_handler = on_news, .sa_flags = SA_RESTART}, before;
    sigemptyset(&now.sa_mask);
    if (sigaction(number, NULL, &before) != 0 || before.sa_handler != SIG_DFL ||
        sigaction(number, &now, NULL) != 0)
        return;
    fcntl(fd, F_SETOWN, getpid());
    fcntl(fd, F_SETSIG, number);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC);
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
    event = eventfd(0, EFD_CLOEXEC);
    if (event < 0)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void sheaf_watch_stop(void)
{
    __atomic_store_n(&is_stopped, true, __ATOMIC_RELEASE);
    sheaf_watch_wake();
}

bool sheaf_watch_is_stopped(void)
{
    return __atomic_load_n(&is_stopped, __ATOMIC_ACQUIRE);
}

void sheaf_watch_wake(void)
{
    if (event >= 0)
        eventfd_write(event, 1);
}

bool sheaf_watch_is_there(void)
{
    return event >= 0;
}
