/* SPDX-License-Identifier: BSD-3-Clause
 * See lifeline.h.
 */
#include "boot/lifeline.h"

#include "base/log.h"
#include "base/names.h"
#include "boot/boot.h"
#include "boot/watch.h"
#include "image/image.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define KEY         "life"
#define JOIN_MS     5000 /* a ring that has not closed by then stays open */
#define PATIENCE_MS 1000 /* a launcher that ends the job itself has killed us by then */
#define KILL_MS     300  /* from the request to the launcher until this node's PEs are killed */

static bool has_ring;       /* an address was published */
static bool is_joining;     /* the next host's leader is being reached */
static int64_t give_up_at;
static bool is_held;        /* between hold and release */
static bool is_explained;   /* a neighbour has said that the job ends */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool sheaf_lifeline_claim(int status)
{
    struct sheaf_control *control = sheaf_image.control;
    uint32_t nobody = 0;
    if (!sheaf_boot.has_control)
        return true;
    if (!__atomic_compare_exchange_n(&control->exit_claimed, &nobody, 1, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
        return false;
    control->exit_status = status;
    control->exit_pe = sheaf_boot.slot;
    return true;
}

void sheaf_lifeline_ending(void)
{
    if (has_ring)
        sheaf_ring_say(SHEAF_RING_ENDING);
}

/* Takes in what neighbours say for so long, or until one says that the job ends. */
static void listen_ms(int ms)
{
    struct pollfd fds[SHEAF_RING_LINKS];
    int64_t end = now_ms() + ms;
    for (int64_t now = now_ms(); now < end && !is_explained; now = now_ms()) {
        int node;
        size_t count = sheaf_ring_watch(fds);
        if (poll(fds, count, (int)(end - now)) > 0)
            is_explained = sheaf_ring_read(fds, count, &node) == SHEAF_RING_TOLD;
    }
}

static void *ask_launcher(void *unused)
{
    (void)unused;
    sheaf_boot_abort(EXIT_FAILURE);
    return NULL;
}

/* The node's lowest PE goes last: it tells other hosts. */
static void kill_node(int first)
{
    for (int slot = sheaf_boot.node_npes - 1; slot >= first; slot--) {
        int pid = sheaf_load_acquire(&sheaf_control_pe(sheaf_image.control, slot)->pid);
        if (slot != sheaf_boot.slot && pid > 0)
            kill(pid, SIGKILL);
    }
}

/* The launcher may be what is gone, and a request to it never return: it gets a thread. */
void sheaf_lifeline_end_job(void)
{
    pthread_t thread;
    sheaf_lifeline_ending();
    if (pthread_create(&thread, NULL, ask_launcher, NULL) == 0)
        pthread_detach(thread);
    poll(NULL, 0, KILL_MS);
    kill_node(1);
    poll(NULL, 0, sheaf_boot.slot == 0 ? 0 : KILL_MS);
    kill_node(0);
    _exit(EXIT_FAILURE);
}

static const char *what_happened(enum sheaf_ring_news news)
{
    return news == SHEAF_RING_SILENT ? "does not answer any more: the host or its network is down"
                                     : "has closed its connection: that PE or its host is gone";
}

static void on_news(enum sheaf_ring_news news, int node)
{
    int pe = sheaf_boot_leader_of(node);
    if (news == SHEAF_RING_TOLD)
        is_explained = true;
    if (news == SHEAF_RING_ENDED)
        listen_ms(PATIENCE_MS);
    if (!__atomic_load_n(&is_held, __ATOMIC_ACQUIRE) || sheaf_watch_is_stopped())
        return;
    if (sheaf_lifeline_claim(EXIT_FAILURE) && !is_explained)
        sheaf_error("host %s, where PE %d runs, %s; the job ends", sheaf_boot_host_of(pe), pe,
                    what_happened(news));
    sheaf_lifeline_end_job();
}

size_t sheaf_lifeline_gather(struct pollfd fds[SHEAF_RING_LINKS])
{
    return __atomic_load_n(&has_ring, __ATOMIC_ACQUIRE) ? sheaf_ring_watch(fds) : 0;
}

int sheaf_lifeline_timeout(void)
{
    return __atomic_load_n(&is_joining, __ATOMIC_ACQUIRE) ? 100 : -1;
}

void sheaf_lifeline_look(const struct pollfd *fds, size_t count)
{
    int node = 0;
    enum sheaf_ring_news news = sheaf_ring_read(fds, count, &node);
    if (news != SHEAF_RING_NOTHING)
        on_news(news, node);
    if (!__atomic_load_n(&is_joining, __ATOMIC_ACQUIRE))
        return;
    bool joined = sheaf_ring_is_joined();
    if (!joined && now_ms() < give_up_at)
        return;
    __atomic_store_n(&is_joining, false, __ATOMIC_RELEASE);
    if (joined)
        return;
    sheaf_ring_give_up();
    sheaf_debug("no connection to the next host's leader in %d s: the launcher alone watches that host",
                JOIN_MS / 1000);
}

void sheaf_lifeline_publish(void)
{
    char address[SHEAF_RING_ADDRESS];
    const char *wanted = getenv("SHEAF_LIFELINE");
    bool is_off = wanted && sheaf_names_find(sheaf_lifeline_names, wanted) == SHEAF_LIFELINE_OFF;
    if (has_ring || is_off || sheaf_boot.nodes == 1 || sheaf_boot.slot != 0 || !sheaf_watch_is_there())
        return;
    if (sheaf_ring_open(sheaf_boot.node, address) != 0)
        sheaf_debug("no ring of hosts: %s; the launcher alone watches them", strerror(errno));
    else if (sheaf_boot_put(KEY, address, strlen(address) + 1) == 0)
        __atomic_store_n(&has_ring, true, __ATOMIC_RELEASE);
}

static void reach_next(void)
{
    void *address;
    size_t bytes;
    int next = (sheaf_boot.node + 1) % sheaf_boot.nodes;
    give_up_at = now_ms() + JOIN_MS;
    __atomic_store_n(&is_joining, true, __ATOMIC_RELEASE);
    if (sheaf_boot_get(sheaf_boot_leader_of(next), KEY, &address, &bytes) != 0)
        return;
    if (bytes > 0 && ((char *)address)[bytes - 1] == '\0')
        sheaf_ring_reach(next, address);
    free(address);
}

void sheaf_lifeline_hold(void)
{
    static bool is_reaching;
    __atomic_store_n(&is_held, true, __ATOMIC_RELEASE);
    if (!has_ring)
        return;
    if (!is_reaching)
        reach_next();
    is_reaching = true;
    sheaf_ring_say(SHEAF_RING_HOLD);
    sheaf_watch_wake();
}

void sheaf_lifeline_release(void)
{
    __atomic_store_n(&is_held, false, __ATOMIC_RELEASE);
    if (has_ring)
        sheaf_ring_say(SHEAF_RING_RELEASE);
}
