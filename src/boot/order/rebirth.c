/* SPDX-License-Identifier: BSD-3-Clause
 * See rebirth.h.
 */
#include "boot/order/rebirth.h"

#include "base/os/os.h"
#include "boot/order/stand_in.h"
#include "boot/order/wards.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define GONE (-1)

static struct {
    struct sheaf_control *area; /* the own one: what all have alike is read there */
    int32_t *spares; /* by node */
    int file;        /* the parts of a heap; -1: none yet */
    uint32_t deaths; /* of the meeting that they belong to */
    uint64_t bytes;
    bool has_failed;
} all = {.file = -1};

bool sheaf_rebirth_create(struct sheaf_control *own)
{
    all.area = own;
    all.spares = calloc((size_t)own->nodes, sizeof *all.spares);
    return all.spares != NULL;
}

static bool is_pe(int pe)
{
    return pe >= 0 && pe < all.area->world_npes;
}

static int node_of(int pe)
{
    return sheaf_control_seat(all.area, pe)->node;
}

int sheaf_rebirth_home_of(int pe)
{
    return sheaf_control_node(all.area, node_of(pe))->home;
}

void sheaf_rebirth_count_spares(int node, uint32_t count)
{
    if (all.spares[node] != GONE)
        all.spares[node] = count < SHEAF_MOST_SPARES ? (int32_t)count : SHEAF_MOST_SPARES;
}

void sheaf_rebirth_forget(int node)
{
    if (node >= 0 && node < all.area->nodes)
        all.spares[node] = GONE;
}

int sheaf_rebirth_spares(void)
{
    int32_t spares = all.spares[all.area->node];
    return spares > 0 ? spares : 0;
}

bool sheaf_rebirth_has_callers(void)
{
    for (int pe = 0; pe < all.area->world_npes; pe++) {
        int home = sheaf_rebirth_home_of(pe);
        if (home != all.area->node && all.spares[home] != GONE &&
            sheaf_control_presence(all.area, pe) != SHEAF_PE_DEAD)
            return true;
    }
    return false;
}

/* Snapshots' copies go the same way round: see snapshot/circle.h. -1: there is none. */
static int next_home(int home)
{
    int nodes = all.area->nodes;
    for (int step = 1; step < nodes; step++)
        if (all.spares[(home + step) % nodes] > 0)
            return (home + step) % nodes;
    return -1;
}

static void set_home(int node, int home)
{
    for (int i = 0; i < sheaf_wards_count(); i++)
        sheaf_store_release(&sheaf_control_node(sheaf_ward(i), node)->home, home);
}

static bool revive(int pe)
{
    bool is_revived = false;
    for (int i = 0; i < sheaf_wards_count(); i++)
        is_revived = sheaf_control_revive(sheaf_ward(i), pe); /* alike on all */
    return is_revived;
}

uint32_t sheaf_rebirth_grant(const struct sheaf_respawn *call)
{
    if (!is_pe(call->pe) || !is_pe(call->asker))
        return SHEAF_RESPAWN_REFUSED;
    int home = sheaf_rebirth_home_of(call->pe);
    bool is_lost = all.spares[home] == GONE;
    if (is_lost && all.area->differs)
        return SHEAF_RESPAWN_DIFFERS;
    home = is_lost ? next_home(home) : home;
    if (home < 0)
        return SHEAF_RESPAWN_IS_LOST;
    if (all.spares[home] <= 0 || !revive(call->pe))
        return SHEAF_RESPAWN_REFUSED;
    all.spares[home]--;
    if (is_lost)
        set_home(node_of(call->pe), home);
    return SHEAF_RESPAWN_GRANTED;
}

/* The sequence is odd while an address is written. */
static void write_address(struct sheaf_address *address, const void *text, size_t bytes)
{
    uint32_t sequence = address->sequence;
    sheaf_store_relaxed(&address->sequence, sequence + 1);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memcpy(address->text, text, bytes);
    sheaf_store_relaxed(&address->bytes, (uint32_t)bytes);
    sheaf_store_release(&address->sequence, sequence + 2);
}

/* The address of a former process of the PE comes too late. */
bool sheaf_rebirth_note_address(const struct sheaf_said_address *said, size_t bytes)
{
    size_t length = bytes - sizeof *said;
    if (bytes <= sizeof *said || !is_pe(said->pe) || all.area->addresses_offset == 0 ||
        length > sizeof((struct sheaf_address *)NULL)->text)
        return false;
    bool is_late = said->life * 2 != sheaf_control_lives(all.area, said->pe);
    for (int i = 0; i < sheaf_wards_count() && !is_late; i++)
        write_address(sheaf_control_address(sheaf_ward(i), said->pe), said + 1, length);
    return true;
}

/* Nobody reads the parts of the meeting before any more, although they are overwritten. That meeting
 * ended with an agreement of all its members. A new process votes in it after it has read the parts, and
 * no PE that lives begins another meeting before the agreement has ended (survive/rejoin_far.c: meet). */
static bool begin_parts(uint32_t deaths)
{
    if (all.file < 0)
        all.file = memfd_create("sheaf-heap", MFD_CLOEXEC);
    if (all.file < 0 || ftruncate(all.file, 0) != 0) {
        all.has_failed = true;
        return false;
    }
    for (int i = 0; i < sheaf_wards_count(); i++)
        sheaf_ward(i)->joined_file = all.file;
    all.deaths = deaths;
    all.bytes = 0;
    return true;
}

/* Nobody reads the parts before the meeting. */
bool sheaf_rebirth_keep(const struct sheaf_heap_part *part, size_t bytes)
{
    if (bytes < sizeof *part || part->deaths <= sheaf_load_relaxed(&all.area->joined) ||
        (part->offset == 0 && !begin_parts(part->deaths)))
        return false;
    size_t length = bytes - sizeof *part;
    if (part->deaths != all.deaths || part->offset != all.bytes)
        return false;
    if (pwrite(all.file, part + 1, length, (off_t)part->offset) != (ssize_t)length)
        all.has_failed = true;
    all.bytes += length;
    return !all.has_failed;
}

bool sheaf_rebirth_has_failed(void)
{
    return all.has_failed;
}

static void tell_meeting(struct sheaf_control *area, const struct sheaf_meeting *meeting)
{
    sheaf_store_relaxed(&area->joined_heap, meeting->heap_bytes);
    sheaf_store_release(&area->joined, meeting->deaths);
    sheaf_os_futex_wake(&area->joined);
}

bool sheaf_rebirth_meet(const struct sheaf_meeting *meeting)
{
    if (meeting->deaths != all.deaths || meeting->heap_bytes != all.bytes || all.file < 0 ||
        meeting->deaths <= sheaf_load_relaxed(&all.area->joined))
        return false;
    for (int i = 0; i < sheaf_wards_count(); i++)
        tell_meeting(sheaf_ward(i), meeting);
    return true;
}

bool sheaf_rebirth_settle(const struct sheaf_arrival *arrival)
{
    for (int i = 0; i < sheaf_wards_count() && is_pe(arrival->pe); i++)
        sheaf_control_settle(sheaf_ward(i), arrival->pe, arrival->deaths);
    return is_pe(arrival->pe);
}
