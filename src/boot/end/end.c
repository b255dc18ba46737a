/* SPDX-License-Identifier: BSD-3-Clause
 * See end.h.
 *
 * The lowest PE of a node, its leader, tells the neighbours on the ring and leaves when its node's
 * other PEs and both neighbours have: so the one that claimed, last of its node, is last of all.
 * Neighbours that told it in their turn are not waited for: news that goes round both ways meets.
 */
#include "boot/end/end.h"

#include "base/clock.h"
#include "base/os/process.h"
#include "base/times.h"
#include "boot/end/wake_pipe.h"
#include "boot/end/exit_claim.h"
#include "boot/end/watch_hosts.h"
#include "boot/launcher/connection.h"
#include "boot/world/world.h"
#include "image/image.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>


static bool hosts_have_left; /* on the leader that claimed: written by its thread */

static struct sheaf_control *area(void)
{
    return sheaf_image.control;
}

static bool is_mine(void)
{
    int pe, how;
    sheaf_exit_claim_read(&pe, &how);
    return pe == sheaf_boot.pe;
}

/* Whether all PEs of this node have left but for this one and the one that claimed. */
static bool node_has_left(void)
{
    int pe, how;
    sheaf_exit_claim_read(&pe, &how);
    for (int slot = 0; slot < area()->npes; slot++) {
        const struct sheaf_pe *entry = sheaf_control_pe(area(), slot);
        if (slot != sheaf_boot.slot && entry->world_pe != pe &&
            !sheaf_process_has_ended(sheaf_load_relaxed(&entry->pid)))
            return false;
    }
    return true;
}

static void *say_goodbye(void *done)
{
    sheaf_connection_end();
    __atomic_store_n((bool *)done, true, __ATOMIC_RELEASE);
    return NULL;
}

_Noreturn static void leave(void)
{
    static bool done;
    int pe, how;
    pthread_t thread;
    uint64_t until = sheaf_clock_ns() + sheaf_times.launcher_goodbye;
    sheaf_exit_claim_leave();
    if (pthread_create(&thread, NULL, say_goodbye, &done) == 0)
        while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE) && sheaf_clock_ns() < until)
            poll(NULL, 0, sheaf_times_ms(sheaf_times.end_look));
    sheaf_exit_claim_read(&pe, &how);
    bool has_status = how & SHEAF_EXIT_FAILED || sheaf_connection_launcher()->starts_each_alone;
    _exit(has_status ? how & 0xff : 0);
}

/* The leader that claimed keeps the thread until its own end. */
static int lead(void)
{
    static int said = -1;
    int pe, how;
    sheaf_exit_claim_read(&pe, &how);
    if (said != pe && !sheaf_watch_hosts_tell_claim())
        sheaf_store_release(&area()->exit_is_local, 1);
    said = pe;
    if (!sheaf_watch_hosts_is_over(pe) || !node_has_left())
        return sheaf_times_ms(sheaf_times.end_look);
    if (!is_mine())
        leave();
    __atomic_store_n(&hosts_have_left, true, __ATOMIC_RELEASE);
    return sheaf_times_ms(sheaf_times.end_look);
}

int sheaf_end_turn(void)
{
    if (!sheaf_exit_claim_is_announced())
        return -1;
    if (sheaf_boot.slot == 0)
        return lead();
    if (!is_mine())
        leave();
    return -1;
}

bool sheaf_end_gather(void)
{
    uint64_t until = sheaf_clock_ns() + sheaf_times.all_leave;
    if (!sheaf_boot.has_control || !sheaf_wake_pipe_exists() || sheaf_watch_hosts_has_agent())
        return false;
    sheaf_exit_claim_announce();
    while (sheaf_clock_ns() < until && !sheaf_load_acquire(&area()->exit_is_local)) {
        bool leads = sheaf_boot.slot == 0;
        if (is_mine() && (leads ? __atomic_load_n(&hosts_have_left, __ATOMIC_ACQUIRE) : node_has_left()))
            return true;
        poll(NULL, 0, sheaf_times_ms(sheaf_times.end_look));
    }
    return false;
}

void sheaf_end_await(void)
{
    uint64_t until = sheaf_clock_ns() + sheaf_times.end_news;
    bool requested = false;
    while (sheaf_clock_ns() < until) {
        if (!requested && sheaf_exit_claim_is_announced()) {
            requested = true;
            until = sheaf_clock_ns() + sheaf_times.all_leave;
        }
        poll(NULL, 0, sheaf_times_ms(sheaf_times.end_look));
    }
}
