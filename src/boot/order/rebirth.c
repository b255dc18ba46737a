/* SPDX-License-Identifier: BSD-3-Clause
 * See rebirth.h.
 */
#include "boot/order/rebirth.h"

#include "base/os/os.h"
#include "boot/order/stand_in.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define GONE (-1)

static struct {
    struct sheaf_control *area;
    int32_t *spares; /* by node */
    int file;        /* the parts of a heap; -1: none yet */
    uint32_t deaths; /* of the meeting that they belong to */
    uint64_t bytes;
    bool has_failed;
} all = {.file = -1};

bool sheaf_rebirth_create(struct sheaf_control *control)
{
    all.area = control;
    all.spares = calloc((size_t)control->nodes, sizeof *all.spares);
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
        int node = node_of(pe);
        if (node != all.area->node && all.spares[node] != GONE &&
            sheaf_control_presence(all.area, pe) != SHEAF_PE_DEAD)
            return true;
    }
    return false;
}

uint32_t sheaf_rebirth_grant(const struct sheaf_respawn *call)
{
    if (!is_pe(call->pe) || !is_pe(call->asker))
        return SHEAF_RESPAWN_REFUSED;
    int32_t *spares = &all.spares[node_of(call->pe)];
    if (*spares == GONE)
        return SHEAF_RESPAWN_IS_LOST;
    if (*spares <= 0 || !sheaf_control_revive(all.area, call->pe))
        return SHEAF_RESPAWN_REFUSED;
    --*spares;
    return SHEAF_RESPAWN_GRANTED;
}

/* A word that has begun is odd until all is written. */
static void write_address(struct sheaf_address *address, const void *text, size_t bytes)
{
    uint32_t sequence = address->sequence;
    sheaf_store_relaxed(&address->sequence, sequence + 1);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memcpy(address->text, text, bytes);
    sheaf_store_relaxed(&address->bytes, (uint32_t)bytes);
    sheaf_store_release(&address->sequence, sequence + 2);
}

/* What a process of an earlier life has said comes too late. */
bool sheaf_rebirth_note_address(const struct sheaf_said_address *said, size_t bytes)
{
    size_t length = bytes - sizeof *said;
    if (bytes <= sizeof *said || !is_pe(said->pe) || all.area->addresses_offset == 0 ||
        length > sizeof((struct sheaf_address *)NULL)->text)
        return false;
    if (said->life * 2 == sheaf_control_lives(all.area, said->pe))
        write_address(sheaf_control_address(all.area, said->pe), said + 1, length);
    return true;
}

static bool begin(uint32_t deaths)
{
    if (all.file < 0)
        all.file = memfd_create("sheaf-heap", MFD_CLOEXEC);
    if (all.file < 0 || ftruncate(all.file, 0) != 0) {
        all.has_failed = true;
        return false;
    }
    all.area->joined_file = all.file;
    all.deaths = deaths;
    all.bytes = 0;
    return true;
}

/* Nobody reads them before the meeting. */
bool sheaf_rebirth_keep(const struct sheaf_heap_part *part, size_t bytes)
{
    if (bytes < sizeof *part || part->deaths <= sheaf_load_relaxed(&all.area->joined) ||
        (part->offset == 0 && !begin(part->deaths)))
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

bool sheaf_rebirth_meet(const struct sheaf_meeting *meeting)
{
    if (meeting->deaths != all.deaths || meeting->heap_bytes != all.bytes || all.file < 0 ||
        meeting->deaths <= sheaf_load_relaxed(&all.area->joined))
        return false;
    sheaf_store_relaxed(&all.area->joined_heap, meeting->heap_bytes);
    sheaf_store_release(&all.area->joined, meeting->deaths);
    sheaf_os_futex_wake(&all.area->joined);
    return true;
}

bool sheaf_rebirth_settle(const struct sheaf_arrival *arrival)
{
    if (is_pe(arrival->pe))
        sheaf_control_settle(all.area, arrival->pe, arrival->deaths);
    return is_pe(arrival->pe);
}
