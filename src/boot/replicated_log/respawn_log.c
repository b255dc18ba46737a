/* SPDX-License-Identifier: BSD-3-Clause
 * See respawn_log.h.
 */
#include "boot/replicated_log/respawn_log.h"

#include "base/os/os.h"
#include "boot/replicated_log/respawn_agent.h"
#include "boot/replicated_log/node_areas.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define GONE (-1)

static struct {
    struct sheaf_control *area; /* the own one: what all have alike is read there */
    int32_t *spares; /* by node */
    int file;        /* the parts of a heap; -1: none yet */
    uint32_t deaths; /* of the rejoin that they belong to */
    uint64_t bytes;
    bool has_failed;
} all = {.file = -1};

bool sheaf_respawn_log_create(struct sheaf_control *own)
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
    return sheaf_control_location(all.area, pe)->node;
}

int sheaf_respawn_log_host_node(int pe)
{
    return sheaf_control_node(all.area, node_of(pe))->host_node;
}

void sheaf_respawn_log_count_spares(int node, uint32_t count)
{
    if (all.spares[node] != GONE)
        all.spares[node] = count < SHEAF_MOST_SPARES ? (int32_t)count : SHEAF_MOST_SPARES;
}

void sheaf_respawn_log_forget(int node)
{
    if (node >= 0 && node < all.area->nodes)
        all.spares[node] = GONE;
}

int sheaf_respawn_log_spares(void)
{
    int32_t spares = all.spares[all.area->node];
    return spares > 0 ? spares : 0;
}

bool sheaf_respawn_log_has_callers(void)
{
    for (int pe = 0; pe < all.area->world_npes; pe++) {
        int host = sheaf_respawn_log_host_node(pe);
        if (host != all.area->node && all.spares[host] != GONE &&
            sheaf_control_presence(all.area, pe) != SHEAF_PE_DEAD)
            return true;
    }
    return false;
}

/* Snapshots' copies go the same way round: see snapshot/circle.h. -1: there is none. */
static int next_host_node(int host)
{
    int nodes = all.area->nodes;
    for (int step = 1; step < nodes; step++)
        if (all.spares[(host + step) % nodes] > 0)
            return (host + step) % nodes;
    return -1;
}

static void set_host_node(int node, int host)
{
    for (int i = 0; i < sheaf_node_areas_count(); i++)
        sheaf_store_release(&sheaf_control_node(sheaf_node_area(i), node)->host_node, host);
}

static bool revive(int pe)
{
    bool is_revived = false;
    for (int i = 0; i < sheaf_node_areas_count(); i++)
        is_revived = sheaf_control_revive(sheaf_node_area(i), pe); /* alike on all */
    return is_revived;
}

uint32_t sheaf_respawn_log_grant(const struct sheaf_respawn *call)
{
    if (!is_pe(call->pe) || !is_pe(call->asker))
        return SHEAF_RESPAWN_REFUSED;
    int host = sheaf_respawn_log_host_node(call->pe);
    bool is_lost = all.spares[host] == GONE;
    if (is_lost && all.area->differs)
        return SHEAF_RESPAWN_DIFFERS;
    host = is_lost ? next_host_node(host) : host;
    if (host < 0)
        return SHEAF_RESPAWN_IS_LOST;
    if (all.spares[host] <= 0 || !revive(call->pe))
        return SHEAF_RESPAWN_REFUSED;
    all.spares[host]--;
    if (is_lost)
        set_host_node(node_of(call->pe), host);
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
bool sheaf_respawn_log_note_address(const struct sheaf_said_address *said, size_t bytes)
{
    size_t length = bytes - sizeof *said;
    if (bytes <= sizeof *said || !is_pe(said->pe) || all.area->addresses_offset == 0 ||
        length > sizeof((struct sheaf_address *)NULL)->text)
        return false;
    bool is_late = said->incarnation * 2 != sheaf_control_incarnation_state(all.area, said->pe);
    for (int i = 0; i < sheaf_node_areas_count() && !is_late; i++)
        write_address(sheaf_control_address(sheaf_node_area(i), said->pe), said + 1, length);
    return true;
}

/* Nobody reads the parts of the rejoin before any more, although they are overwritten. That rejoin
 * ended with an agreement of all its members. A new process votes in it after it has read the parts, and
 * no PE that lives begins another rejoin before the agreement has ended (survive/rejoin_far.c). */
static bool begin_parts(uint32_t deaths)
{
    if (all.file < 0)
        all.file = memfd_create("sheaf-heap", MFD_CLOEXEC);
    if (all.file < 0 || ftruncate(all.file, 0) != 0) {
        all.has_failed = true;
        return false;
    }
    for (int i = 0; i < sheaf_node_areas_count(); i++)
        sheaf_node_area(i)->joined_file = all.file;
    all.deaths = deaths;
    all.bytes = 0;
    return true;
}

/* Nobody reads the parts before the rejoin. */
bool sheaf_respawn_log_keep(const struct sheaf_heap_part *part, size_t bytes)
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

bool sheaf_respawn_log_has_failed(void)
{
    return all.has_failed;
}

static void tell_rejoin(struct sheaf_control *area, const struct sheaf_rejoin *rejoin)
{
    sheaf_store_relaxed(&area->joined_heap, rejoin->heap_bytes);
    sheaf_store_release(&area->joined, rejoin->deaths);
    sheaf_os_futex_wake(&area->joined);
}

bool sheaf_respawn_log_rejoin(const struct sheaf_rejoin *rejoin)
{
    if (rejoin->deaths != all.deaths || rejoin->heap_bytes != all.bytes || all.file < 0 ||
        rejoin->deaths <= sheaf_load_relaxed(&all.area->joined))
        return false;
    for (int i = 0; i < sheaf_node_areas_count(); i++)
        tell_rejoin(sheaf_node_area(i), rejoin);
    return true;
}

bool sheaf_respawn_log_settle(const struct sheaf_arrival *arrival)
{
    for (int i = 0; i < sheaf_node_areas_count() && is_pe(arrival->pe); i++)
        sheaf_control_settle(sheaf_node_area(i), arrival->pe, arrival->deaths);
    return is_pe(arrival->pe);
}
