/* SPDX-License-Identifier: BSD-3-Clause
 * See route.h.
 */
#include "core/access/route.h"

#include "base/log.h"
#include "boot/boot.h"
#include "core/memory/check.h"
#include "core/access/chaos/chaos.h"
#include "core/access/copy/copier.h"
#include "core/access/inline.h"
#include "core/pe/job.h"
#include "core/pe/poll.h"
#include "core/memory/symmetric.h"
#include "core/memory/space.h"
#include "core/memory/team_blocks.h"
#include "image/image.h"

#include <stdlib.h>

struct sheaf_route sheaf_route;

static void open_inline(void)
{
    char *data;
    size_t data_length;
    const struct sheaf_segment *heap = &sheaf_image.segments[SHEAF_SEGMENT_HEAP];
    sheaf_image_largest_data(&data, &data_length);
    struct sheaf_inline_route route = {
        .base = sheaf_image.base,
        .stride = sheaf_image.window_stride,
        .first = sheaf_route.first,
        .count = sheaf_route.count,
        .pe = sheaf_job.pe,
        .npes = sheaf_job.npes,
        .heap = (uintptr_t)heap->start,
        .heap_length = heap->length,
        .data = (uintptr_t)data,
        .data_length = sheaf_image.segments[SHEAF_SEGMENT_DATA].length ? data_length : 0,
    };
    sheaf_inline_open(&route);
}

/* Whether the node's PEs have consecutive numbers, so that a range check finds the near PEs. */
static bool is_range(void)
{
    int last = sheaf_boot_pe_at(sheaf_boot.node_npes - 1);
    return last - sheaf_boot_pe_at(0) + 1 == sheaf_boot.node_npes;
}

static uintptr_t offset_of(int slot)
{
    return sheaf_image.base + (uintptr_t)slot * sheaf_image.window_stride;
}

/* The table is kept for the next initialization. Without memory for it every call takes the slow path. */
static const uintptr_t *make_offsets(void)
{
    static uintptr_t *offsets;
    if (!offsets)
        offsets = malloc((size_t)sheaf_boot.node_npes * sizeof *offsets);
    for (int slot = 0; offsets && slot < sheaf_boot.node_npes; slot++)
        offsets[slot] = sheaf_boot_pe_at(slot) == sheaf_job.pe ? 0 : offset_of(slot);
    return offsets;
}

static void set_atomics(unsigned count)
{
    sheaf_route.atomics = count;
    sheaf_route.fetches = sheaf_poll_counts ? 0 : count;
}

static void set_comparisons(unsigned count)
{
    sheaf_route.comparisons = count;
    sheaf_route.tests = sheaf_poll_counts ? 0 : count;
}

/* The inline forms of fence and quiet handle neither the copier nor chaos. */
static bool has_inline(void)
{
    return !sheaf_copier_is_on() && !sheaf_chaos_is_on;
}

void sheaf_route_open(bool is_counted)
{
    const uintptr_t *offsets = make_offsets();
    bool is_open = offsets && is_range() && !sheaf_job_checks_args() && !is_counted &&
                   !sheaf_chaos_is_on;
    sheaf_route = (struct sheaf_route){
        .offsets = offsets,
        .first = (unsigned)sheaf_boot_pe_at(0),
        .count = is_open ? (unsigned)sheaf_boot.node_npes : 0,
    };
    sheaf_route.reads = sheaf_poll_counts ? 0 : sheaf_route.count;
    set_atomics(sheaf_route.count);
    set_comparisons(sheaf_job_checks_args() ? 0 : SHMEM_CMP_GE + 1);
    if (has_inline())
        open_inline();
}

bool sheaf_route_is_held;
static struct {
    unsigned count, atomics;
} saved; /* their values before the hold */

void sheaf_route_hold(void)
{
    saved.count = sheaf_route.count;
    saved.atomics = sheaf_route.atomics;
    sheaf_route_is_held = true;
    sheaf_route.count = 0;
    set_atomics(0);
}

void sheaf_route_let_go(void)
{
    if (!sheaf_route_is_held)
        return;
    sheaf_route_is_held = false;
    sheaf_route.count = saved.count;
    set_atomics(saved.atomics);
}

/* Inline forms have one count for all operations. */
void sheaf_route_open_atomics(bool open)
{
    sheaf_route_let_go();
    set_atomics(open ? sheaf_route.count : 0);
    if (open && has_inline())
        open_inline();
    else
        sheaf_inline_close();
}

void sheaf_route_close(void)
{
    sheaf_route_is_held = false;
    sheaf_inline_close();
    sheaf_route.count = sheaf_route.reads = 0;
    set_atomics(0);
    set_comparisons(0);
}

/* Computed by slot, which also serves a node whose PEs are not consecutive. */
static void *near_copy(const void *local, int pe)
{
    if (sheaf_boot_node_of(pe) != sheaf_boot.node)
        return NULL;
    return (void *)((uintptr_t)local + offset_of(sheaf_boot_slot_of(pe)));
}

bool sheaf_route_is_on_node(int pe, const char *call)
{
    sheaf_job_require(call);
    if (pe < 0 || pe >= sheaf_job.npes)
        sheaf_fatal("SH101 %s: PE %d is out of range: this job has PEs 0 to %d", call, pe,
                    sheaf_job.npes - 1);
    if (sheaf_job_checks_args())
        sheaf_check_thread(call);
    return sheaf_boot_node_of(pe) == sheaf_boot.node;
}

static void require_copy(const void *local, int pe, const char *call)
{
    if (sheaf_team_memory_holds(local, 1))
        sheaf_team_blocks_require_member(local, pe, call);
    else
        sheaf_space_require_member(local, pe, call);
}

void *sheaf_route_slow(const void *local, size_t bytes, int pe, const char *call)
{
    bool is_on_node = sheaf_route_is_on_node(pe, call);
    sheaf_check_size(bytes, call);
    if (sheaf_job_checks_args()) {
        sheaf_symmetric_require(local, bytes, call);
    } else if (!is_on_node) {
        /* A far PE has no window where a wild address would fault. */
        sheaf_symmetric_require_ends(local, bytes, call);
    }
    if (bytes != 0)
        require_copy(local, pe, call);
    return near_copy(local, pe);
}

static void *pointer_slowly(const void *local, int pe)
{
    if (pe < 0 || pe >= sheaf_job.npes || !sheaf_symmetric_on(local, pe))
        return NULL;
    if (pe == sheaf_job.pe)
        return (void *)(uintptr_t)local;
    if (sheaf_chaos_is_on)
        sheaf_chaos_expect_stores(pe);
    return near_copy(local, pe);
}

void *sheaf_route_pointer(const void *local, int pe)
{
    if (!sheaf_route_is_near(pe) || !sheaf_symmetric_in_world(local))
        return pointer_slowly(local, pe);
    return sheaf_route_near(local, pe);
}
