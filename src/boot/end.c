/* SPDX-License-Identifier: BSD-3-Clause
 * See end.h.
 *
 * The lowest PE of a node, its leader, tells the neighbours on the ring and leaves when its node's
 * other PEs and both neighbours have: so the one that claimed, last of its node, is last of all.
 * Neighbours that told it in their turn are not waited for: news that goes round both ways meets.
 */
#include "boot/end.h"

#include "base/clock.h"
#include "base/os.h"
#include "boot/bell.h"
#include "boot/boot.h"
#include "boot/launcher.h"
#include "boot/lifeline.h"
#include "boot/watch.h"
#include "image/image.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* Some 30 ms on an idle machine; a crowded one needs more, and somebody may be stopped. */
#define GATHER_TIME (4 * SHEAF_SECOND)
/* The program's own thread may be in the middle of a conversation with the launcher. */
#define CLOSING_TIME (500 * SHEAF_MILLISECOND)
/* From a connection's end until the news of the job's end, milliseconds in general; and until the ring,
 * which knows hosts, has said which of them is gone: a second. */
#define NEWS_TIME (1500 * SHEAF_MILLISECOND)
#define NAP_MS    1

static bool hosts_have_left; /* on the leader that claimed: written by its thread */

static struct sheaf_control *area(void)
{
    return sheaf_image.control;
}

static uint64_t claim_of(int pe, int how)
{
    return ((uint64_t)pe + 1) << 32 | (uint32_t)how;
}

static bool claim(int how)
{
    uint64_t nobody = 0;
    return !sheaf_boot.has_control ||
           __atomic_compare_exchange_n(&area()->exit_claim, &nobody, claim_of(sheaf_boot.pe, how),
                                       false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

bool sheaf_end_claim(int status)
{
    return claim(status & 0xff);
}

bool sheaf_end_claim_failure(void)
{
    return claim(SHEAF_EXIT_FAILED | EXIT_FAILURE);
}

bool sheaf_end_is_claimed(void)
{
    return sheaf_boot.has_control && sheaf_load_acquire(&area()->exit_claim) != 0;
}

bool sheaf_end_is_requested(void)
{
    return sheaf_boot.has_control && sheaf_load_acquire(&area()->exit_requested) != 0;
}

static void read_claim(int *pe, int *how)
{
    uint64_t claim = sheaf_load_acquire(&area()->exit_claim);
    *pe = sheaf_control_exit_pe(claim);
    *how = (int)(uint32_t)claim;
}

bool sheaf_end_tell_hosts(void)
{
    int pe, how;
    read_claim(&pe, &how);
    return sheaf_lifeline_tell(pe, how);
}

static bool is_mine(void)
{
    int pe, how;
    read_claim(&pe, &how);
    return pe == sheaf_boot.pe;
}

static void tell_node(void)
{
    struct sheaf_control *control = area();
    sheaf_store_release(&control->exit_requested, 1);
    for (int slot = 0; slot < control->npes; slot++)
        if (slot != sheaf_boot.slot)
            sheaf_bell_ring(sheaf_control_pe(control, slot));
    sheaf_bell_ring_own();
}

void sheaf_end_adopt(int pe, int how)
{
    uint64_t theirs = claim_of(pe, how), ours = sheaf_load_acquire(&area()->exit_claim);
    while (ours == 0 || sheaf_control_exit_pe(ours) > pe)
        if (__atomic_compare_exchange_n(&area()->exit_claim, &ours, theirs, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE)) {
            tell_node();
            return;
        }
}

/* A process that has ended counts as gone before its parent has asked for its status. */
static bool is_gone(int pid)
{
    int process = sheaf_os_open_process(pid);
    struct pollfd end = {.fd = process, .events = POLLIN};
    if (process < 0)
        return !sheaf_watch_is_alive(pid);
    bool gone = poll(&end, 1, 0) > 0;
    close(process);
    return gone;
}

/* Whether all PEs of this node have left but for this one and the one that claimed. */
static bool node_has_left(void)
{
    int pe, how;
    read_claim(&pe, &how);
    for (int slot = 0; slot < area()->npes; slot++) {
        const struct sheaf_pe *entry = sheaf_control_pe(area(), slot);
        if (slot != sheaf_boot.slot && entry->world_pe != pe &&
            !is_gone(sheaf_load_relaxed(&entry->pid)))
            return false;
    }
    return true;
}

static void *say_goodbye(void *done)
{
    sheaf_boot_close();
    __atomic_store_n((bool *)done, true, __ATOMIC_RELEASE);
    return NULL;
}

_Noreturn static void leave(void)
{
    static bool done;
    int pe, how;
    pthread_t thread;
    uint64_t until = sheaf_clock_ns() + CLOSING_TIME;
    sheaf_watch_stop();
    if (pthread_create(&thread, NULL, say_goodbye, &done) == 0)
        while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE) && sheaf_clock_ns() < until)
            poll(NULL, 0, NAP_MS);
    read_claim(&pe, &how);
    _exit(how & SHEAF_EXIT_FAILED ? how & 0xff : 0);
}

/* The leader that claimed keeps the thread until its own end. */
static int lead(void)
{
    static int said = -1;
    int pe, how;
    read_claim(&pe, &how);
    if (said != pe && !sheaf_end_tell_hosts())
        sheaf_store_release(&area()->exit_is_local, 1);
    said = pe;
    if (!sheaf_lifeline_is_over(pe) || !node_has_left())
        return NAP_MS;
    if (!is_mine())
        leave();
    __atomic_store_n(&hosts_have_left, true, __ATOMIC_RELEASE);
    return NAP_MS;
}

int sheaf_end_turn(void)
{
    if (!sheaf_end_is_requested())
        return -1;
    if (sheaf_boot.slot == 0)
        return lead();
    if (!is_mine())
        leave();
    return -1;
}

bool sheaf_end_gather(void)
{
    uint64_t until = sheaf_clock_ns() + GATHER_TIME;
    if (!sheaf_boot.has_control || !sheaf_watch_is_there())
        return false;
    tell_node();
    while (sheaf_clock_ns() < until && !sheaf_load_acquire(&area()->exit_is_local)) {
        bool leads = sheaf_boot.slot == 0;
        if (is_mine() && (leads ? __atomic_load_n(&hosts_have_left, __ATOMIC_ACQUIRE) : node_has_left()))
            return true;
        poll(NULL, 0, NAP_MS);
    }
    return false;
}

void sheaf_end_await(void)
{
    uint64_t until = sheaf_clock_ns() + NEWS_TIME;
    bool requested = false;
    while (sheaf_clock_ns() < until) {
        if (!requested && sheaf_end_is_requested()) {
            requested = true;
            until = sheaf_clock_ns() + GATHER_TIME;
        }
        poll(NULL, 0, NAP_MS);
    }
}
