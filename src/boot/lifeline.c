/* SPDX-License-Identifier: BSD-3-Clause
 * See lifeline.h.
 */
#include "boot/lifeline.h"

#include "base/log.h"
#include "base/names.h"
#include "base/process.h"
#include "boot/boot.h"
#include "boot/end.h"
#include "boot/watch.h"
#include "image/image.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define KEY         "life"
#define JOIN_MS     5000 /* a ring that has not closed by then stays open */
#define WAIT_MS     (2 * JOIN_MS) /* for the neighbour that joins here: then nobody may any more */
#define AGAIN_MS    250  /* attempts that have failed are made again */
/* Init waits so long for the ring, which takes some ms: the death of a host before it would not be noticed. */
#define INIT_MS 1000
#define PATIENCE_MS 1000 /* a launcher that ends the job itself has killed us by then */
#define MOST_NAMED  16
#define KILL_MS     300  /* from the request to the launcher until this node's PEs are killed */

static bool has_ring;       /* an address was published */
static bool is_joining;     /* the next host's leader is being reached */
static int64_t give_up_at, close_at, again_at;
static bool is_waiting;     /* the host before has not joined, and may */
static char *next_address;  /* of the next host's leader */
static bool is_held;        /* between hold and release */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool sheaf_lifeline_tell(int pe, int how)
{
    if (sheaf_boot.nodes > 1 && !has_ring)
        return false;
    if (has_ring)
        sheaf_ring_say_ending(pe, how);
    return true;
}

bool sheaf_lifeline_is_over(int pe)
{
    return sheaf_boot.nodes == 1 || (has_ring && sheaf_ring_is_over(pe));
}

static void heed_end(void)
{
    int pe, how;
    sheaf_ring_told(&pe, &how);
    if (pe >= 0 && pe < sheaf_boot.npes)
        sheaf_end_adopt(pe, how);
}

/* Takes in what neighbours say for so long, or until one says that the job ends. */
static void listen_ms(int ms)
{
    struct pollfd fds[SHEAF_RING_LINKS];
    int64_t end = now_ms() + ms;
    for (int64_t now = now_ms(); now < end && !sheaf_end_is_requested(); now = now_ms()) {
        int node;
        size_t count = sheaf_ring_watch(fds);
        if (poll(fds, count, (int)(end - now)) > 0 &&
            sheaf_ring_read(fds, count, &node) == SHEAF_RING_TOLD)
            heed_end();
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
        const struct sheaf_pe *entry = sheaf_control_pe(sheaf_image.control, slot);
        struct sheaf_process process = {sheaf_load_acquire(&entry->pid),
                                        sheaf_load_relaxed(&entry->started)};
        if (slot != sheaf_boot.slot && process.started != 0)
            sheaf_process_signal(&process, SIGKILL);
    }
}

/* The launcher may be what is gone, and a request to it never return: it gets a thread. */
void sheaf_lifeline_end_job(void)
{
    pthread_t thread;
    sheaf_end_tell_hosts();
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
                                     : "has closed its connection: a PE there has died, or left "
                                       "without shmem_finalize, or the host is gone";
}

/* "2, 3": the first few of a node. */
static void list_pes(int node, char *text, size_t size)
{
    int count = 0;
    size_t used = 0;
    for (int pe = 0; pe < sheaf_boot.npes; pe++)
        if (sheaf_boot_node_of(pe) == node && count++ < MOST_NAMED)
            used += (size_t)snprintf(text + used, size - used, used ? ", %d" : "%d", pe);
    if (count > MOST_NAMED)
        snprintf(text + used, size - used, " and %d more", count - MOST_NAMED);
}

static void on_news(enum sheaf_ring_news news, int node)
{
    if (news == SHEAF_RING_TOLD)
        heed_end();
    if (news == SHEAF_RING_ENDED && !sheaf_end_is_requested())
        listen_ms(PATIENCE_MS);
    if (sheaf_end_is_requested() || !__atomic_load_n(&is_held, __ATOMIC_ACQUIRE) ||
        sheaf_watch_is_stopped())
        return;
    if (sheaf_end_claim_failure()) {
        char pes[256];
        list_pes(node, pes, sizeof pes);
        sheaf_error("host %s, which has PE %s, %s; the job ends",
                    sheaf_boot_host_of(sheaf_boot_leader_of(node)), pes, what_happened(news));
    }
    sheaf_lifeline_end_job();
}

size_t sheaf_lifeline_gather(struct pollfd fds[SHEAF_RING_LINKS])
{
    return __atomic_load_n(&has_ring, __ATOMIC_ACQUIRE) ? sheaf_ring_watch(fds) : 0;
}

int sheaf_lifeline_timeout(void)
{
    bool is_short = __atomic_load_n(&is_joining, __ATOMIC_ACQUIRE) ||
                    __atomic_load_n(&is_waiting, __ATOMIC_ACQUIRE);
    return is_short ? 100 : -1;
}

static int next_node(void)
{
    return (sheaf_boot.node + 1) % sheaf_boot.nodes;
}

static void look_after_joining(void)
{
    int64_t now = now_ms();
    bool is_joined = sheaf_ring_is_joined();
    if (!is_joined && now >= again_at && next_address) {
        again_at = now + AGAIN_MS;
        sheaf_ring_reach(next_node(), next_address);
    }
    if (!is_joined && now < give_up_at)
        return;
    __atomic_store_n(&is_joining, false, __ATOMIC_RELEASE);
    if (is_joined)
        return;
    sheaf_ring_give_up();
    sheaf_debug("no connection to the next host's leader in %d s: the launcher alone watches that host",
                JOIN_MS / 1000);
}

static void look_after_waiting(void)
{
    if (sheaf_ring_is_open() && now_ms() < close_at)
        return;
    sheaf_ring_close();
    __atomic_store_n(&is_waiting, false, __ATOMIC_RELEASE);
}

void sheaf_lifeline_look(const struct pollfd *fds, size_t count)
{
    int node = 0;
    enum sheaf_ring_news news = sheaf_ring_read(fds, count, &node);
    if (news != SHEAF_RING_NOTHING)
        on_news(news, node);
    if (__atomic_load_n(&is_joining, __ATOMIC_ACQUIRE))
        look_after_joining();
    if (__atomic_load_n(&is_waiting, __ATOMIC_ACQUIRE))
        look_after_waiting();
}

void sheaf_lifeline_publish(void)
{
    char address[SHEAF_RING_ADDRESS];
    const char *wanted = getenv("SHEAF_LIFELINE");
    bool is_off = wanted && sheaf_names_find(sheaf_lifeline_names, wanted) == SHEAF_LIFELINE_OFF;
    if (has_ring || is_off || sheaf_boot.nodes == 1 || sheaf_boot.slot != 0 || !sheaf_watch_is_there())
        return;
    int before = (sheaf_boot.node + sheaf_boot.nodes - 1) % sheaf_boot.nodes;
    if (sheaf_ring_open(sheaf_boot.node, before, address) != 0)
        sheaf_debug("no ring of hosts: %s; the launcher alone watches them", strerror(errno));
    else if (sheaf_boot_put(KEY, address, strlen(address) + 1) == 0)
        __atomic_store_n(&has_ring, true, __ATOMIC_RELEASE);
    else
        sheaf_ring_close();
}

/* The first attempt; the thread makes the others. */
static void reach_next(void)
{
    void *address;
    size_t bytes;
    if (sheaf_boot_get(sheaf_boot_leader_of(next_node()), KEY, &address, &bytes) != 0)
        address = NULL;
    if (address && (bytes == 0 || ((char *)address)[bytes - 1] != '\0')) {
        free(address);
        address = NULL;
    }
    if (address)
        sheaf_ring_reach(next_node(), address);
    next_address = address;
    again_at = now_ms() + AGAIN_MS;
    give_up_at = now_ms() + JOIN_MS;
    close_at = now_ms() + WAIT_MS;
    __atomic_store_n(&is_waiting, true, __ATOMIC_RELEASE);
    __atomic_store_n(&is_joining, true, __ATOMIC_RELEASE);
}

/* The thread joins. */
static void wait_until_joined(void)
{
    for (int64_t end = now_ms() + INIT_MS; !sheaf_ring_is_joined() && now_ms() < end;)
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

void sheaf_lifeline_hold(void)
{
    static bool is_reaching;
    __atomic_store_n(&is_held, true, __ATOMIC_RELEASE);
    if (!has_ring)
        return;
    if (!is_reaching)
        reach_next();
    sheaf_ring_say(SHEAF_RING_HOLD);
    sheaf_watch_wake();
    if (!is_reaching)
        wait_until_joined();
    is_reaching = true;
}

void sheaf_lifeline_release(void)
{
    __atomic_store_n(&is_held, false, __ATOMIC_RELEASE);
    if (has_ring)
        sheaf_ring_say(SHEAF_RING_RELEASE);
}
