/* SPDX-License-Identifier: BSD-3-Clause
 * See watch_hosts.h.
 */
#include "boot/end/watch_hosts.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/settings/env.h"
#include "base/times.h"
#include "boot/end/wake_pipe.h"
#include "boot/end/exit_claim.h"
#include "boot/launcher/kvs.h"
#include "boot/world/world.h"
#include "image/image.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEY         "ring"

static bool has_ring;       /* an address was published */
static bool is_joining;     /* the next host's leader is being reached */
static uint64_t give_up_ns, close_ns, again_ns;
static bool is_waiting;     /* the host before has not joined, and may */
static char *next_address;  /* of the next host's leader */
static bool is_held;        /* between hold and release */
static void (*tell_agent)(int pe, int status);

void sheaf_watch_hosts_set_agent(void (*tell)(int pe, int status))
{
    tell_agent = tell;
}

bool sheaf_watch_hosts_has_agent(void)
{
    return tell_agent != NULL;
}

static bool tell(int pe, int how)
{
    if (tell_agent)
        tell_agent(pe, how & 0xff);
    if (sheaf_boot.nodes > 1 && !has_ring)
        return false;
    if (has_ring)
        sheaf_ring_say_ending(pe, how);
    return true;
}

bool sheaf_watch_hosts_tell_claim(void)
{
    int pe, how;
    sheaf_exit_claim_read(&pe, &how);
    return tell(pe, how);
}

bool sheaf_watch_hosts_is_over(int pe)
{
    return sheaf_boot.nodes == 1 || (has_ring && sheaf_ring_is_over(pe));
}

static void heed_end(void)
{
    int pe, how;
    sheaf_ring_told(&pe, &how);
    if (pe >= 0 && pe < sheaf_boot.npes)
        sheaf_exit_claim_adopt(pe, how);
}

void sheaf_watch_hosts_listen(uint64_t ns)
{
    struct pollfd fds[SHEAF_RING_POLLS];
    uint64_t now, until = sheaf_clock_ns() + ns;
    while ((now = sheaf_clock_ns()) < until && !sheaf_exit_claim_is_announced()) {
        int node;
        size_t count = sheaf_ring_watch(fds);
        if (poll(fds, count, sheaf_times_ms(until - now)) > 0 &&
            sheaf_ring_read(fds, count, &node) == SHEAF_RING_TOLD)
            heed_end();
    }
}

size_t sheaf_watch_hosts_gather(struct pollfd fds[SHEAF_RING_POLLS])
{
    return __atomic_load_n(&has_ring, __ATOMIC_ACQUIRE) ? sheaf_ring_watch(fds) : 0;
}

int sheaf_watch_hosts_timeout(void)
{
    bool is_short = __atomic_load_n(&is_joining, __ATOMIC_ACQUIRE) ||
                    __atomic_load_n(&is_waiting, __ATOMIC_ACQUIRE);
    return is_short ? sheaf_times_ms(sheaf_times.host_joins_look) : -1;
}

static int next_node(void)
{
    return (sheaf_boot.node + 1) % sheaf_boot.nodes;
}

static void look_after_joining(void)
{
    uint64_t now = sheaf_clock_ns();
    bool is_joined = sheaf_ring_is_joined();
    if (!is_joined && now >= again_ns && next_address) {
        again_ns = now + sheaf_times.host_joins_again;
        sheaf_ring_reach(next_node(), next_address);
    }
    if (!is_joined && now < give_up_ns)
        return;
    __atomic_store_n(&is_joining, false, __ATOMIC_RELEASE);
    if (is_joined)
        return;
    sheaf_ring_give_up();
    sheaf_debug("no connection to the next host's leader in %g s: the launcher alone watches that host",
                (double)sheaf_times.host_joins / 1e9);
}

static void look_after_waiting(void)
{
    if (sheaf_ring_is_open() && sheaf_clock_ns() < close_ns)
        return;
    sheaf_ring_close();
    __atomic_store_n(&is_waiting, false, __ATOMIC_RELEASE);
}

enum sheaf_ring_news sheaf_watch_hosts_read(const struct pollfd *fds, size_t count, int *node)
{
    enum sheaf_ring_news news = sheaf_ring_read(fds, count, node);
    if (news == SHEAF_RING_TOLD)
        heed_end();
    return news;
}

void sheaf_watch_hosts_tend(void)
{
    if (__atomic_load_n(&is_joining, __ATOMIC_ACQUIRE))
        look_after_joining();
    if (__atomic_load_n(&is_waiting, __ATOMIC_ACQUIRE))
        look_after_waiting();
}

bool sheaf_watch_hosts_is_held(void)
{
    return __atomic_load_n(&is_held, __ATOMIC_ACQUIRE);
}

void sheaf_watch_hosts_publish(void)
{
    char address[SHEAF_RING_ADDRESS];
    bool is_off = sheaf_settings_choice("SHEAF_FAILURE_DETECTOR") == SHEAF_FAILURE_DETECTOR_OFF;
    bool has_agents = sheaf_image.control && sheaf_image.control->reports_failures; /* these see hosts
                                                                                        die */
    if (has_ring || is_off || has_agents || sheaf_boot.nodes == 1 || sheaf_boot.slot != 0 ||
        !sheaf_wake_pipe_exists())
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
    uint64_t now = sheaf_clock_ns();
    again_ns = now + sheaf_times.host_joins_again;
    give_up_ns = now + sheaf_times.host_joins;
    close_ns = now + 2 * sheaf_times.host_joins; /* for the host before, which may have begun later */
    __atomic_store_n(&is_waiting, true, __ATOMIC_RELEASE);
    __atomic_store_n(&is_joining, true, __ATOMIC_RELEASE);
}

/* The thread joins. */
static void wait_until_joined(void)
{
    const struct timespec look = sheaf_times_spec(sheaf_times.host_joins_init_look);
    uint64_t until = sheaf_clock_ns() + sheaf_times.host_joins_init;
    while (!sheaf_ring_is_joined() && sheaf_clock_ns() < until)
        nanosleep(&look, NULL);
}

void sheaf_watch_hosts_hold(void)
{
    static bool is_reaching;
    __atomic_store_n(&is_held, true, __ATOMIC_RELEASE);
    if (!has_ring)
        return;
    if (!is_reaching)
        reach_next();
    sheaf_ring_say(SHEAF_RING_HOLD);
    sheaf_wake_pipe_wake_own();
    if (!is_reaching)
        wait_until_joined();
    is_reaching = true;
}

void sheaf_watch_hosts_release(void)
{
    __atomic_store_n(&is_held, false, __ATOMIC_RELEASE);
    if (has_ring)
        sheaf_ring_say(SHEAF_RING_RELEASE);
}
