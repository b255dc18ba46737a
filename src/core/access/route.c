/* SPDX-License-Identifier: BSD-3-Clause
 * See route.h.
 */
#include "core/access/route.h"

#include "base/keep_errno.h"
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

/* The PEs that the fast path serves once all windows are mapped. Until then the slow path serves them, and
 * maps the windows of those that are accessed. */
static struct {
    unsigned pes;       /* of this node; 0: none, for another reason than the windows */
    bool with_atomics;
    bool with_floats;   /* of the atomic operations set and swap of floating-point numbers */
} fast_path;

/* After so many calls by the slow path for each window that is left, all are mapped. A call takes 30 to 45
 * ns longer there, and a window 15 to 30 us to map. So slow calls and windows together take at most twice
 * what the cheaper of the two would have taken. */
#define CALLS_PER_WINDOW 500
static unsigned slow_calls; /* threads may lose some */

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
        .count = fast_path.pes,
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
    sheaf_store_release(&sheaf_route.atomics, count);
    sheaf_store_release(&sheaf_route.fetches, sheaf_poll_counts ? 0 : count);
    bool has_floats = sheaf_load_relaxed(&fast_path.with_floats);
    sheaf_store_release(&sheaf_route.floats, has_floats && !sheaf_poll_counts ? count : 0);
}

void sheaf_route_open_floats(void)
{
    sheaf_store_relaxed(&fast_path.with_floats, true);
    set_atomics(sheaf_load_relaxed(&sheaf_route.atomics));
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

bool sheaf_route_is_held;
static struct {
    unsigned count, atomics;
} saved; /* their values before the hold */

/* All windows are mapped. Other threads may be in calls. */
static void open_fast_path(void)
{
    unsigned atomics = fast_path.with_atomics ? fast_path.pes : 0;
    sheaf_store_release(&sheaf_route.reads, sheaf_poll_counts ? 0 : fast_path.pes);
    saved.count = fast_path.pes;
    saved.atomics = atomics;
    if (!sheaf_route_is_held) {
        sheaf_store_release(&sheaf_route.count, fast_path.pes);
        set_atomics(atomics);
    }
    if (has_inline() && fast_path.with_atomics)
        open_inline();
    if (!has_inline()) /* meanwhile the copier may have started */
        sheaf_inline_close();
}

void sheaf_route_open(bool is_counted)
{
    const uintptr_t *offsets = make_offsets();
    bool is_open = offsets && is_range() && !sheaf_job_checks_args() && !is_counted &&
                   !sheaf_chaos_is_on;
    fast_path.pes = is_open ? (unsigned)sheaf_boot.node_npes : 0;
    fast_path.with_atomics = true;
    slow_calls = 0;
    sheaf_route = (struct sheaf_route){.offsets = offsets, .first = (unsigned)sheaf_boot_pe_at(0)};
    set_comparisons(sheaf_job_checks_args() ? 0 : SHMEM_CMP_GE + 1);
    if (sheaf_image.windows_left == 0)
        open_fast_path();
}

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
    fast_path.with_atomics = open;
    set_atomics(open ? sheaf_route.count : 0);
    if (open && has_inline() && sheaf_route.count > 0)
        open_inline();
    else
        sheaf_inline_close();
}

void sheaf_route_close(void)
{
    sheaf_route_is_held = false;
    fast_path.pes = 0;
    sheaf_inline_close();
    sheaf_route.count = sheaf_route.reads = 0;
    set_atomics(0);
    set_comparisons(0);
}

/* Maps the window of a PE that may be accessed for the first time. */
static __attribute__((noinline)) void require_window(int slot)
{
    SHEAF_KEEP_ERRNO;
    unsigned calls = sheaf_load_relaxed(&slow_calls) + 1;
    unsigned left = (unsigned)sheaf_load_relaxed(&sheaf_image.windows_left);
    bool maps_all = fast_path.pes > 0 && calls / CALLS_PER_WINDOW >= left;
    sheaf_store_relaxed(&slow_calls, calls);
    if ((maps_all ? sheaf_image_map_windows() : sheaf_image_map_window(slot)) != 0)
        sheaf_end_job();
    if (fast_path.pes > 0 && sheaf_load_acquire(&sheaf_image.windows_left) == 0)
        open_fast_path();
}

/* Computed by slot, which also serves a node whose PEs are not consecutive. */
static void *near_copy(const void *local, int pe)
{
    if (sheaf_boot_node_of(pe) != sheaf_boot.node)
        return NULL;
    int slot = sheaf_boot_slot_of(pe);
    if (sheaf_unlikely(sheaf_load_acquire(&sheaf_image.windows_left) != 0))
        require_window(slot);
    return (void *)((uintptr_t)local + offset_of(slot));
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

static __attribute__((noinline)) void *pointer_slowly(const void *local, int pe)
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
