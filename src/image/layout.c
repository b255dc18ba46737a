/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The layout that all PEs of a node agree on: the size of the heap's range, its side of the data image,
 * and its alignment. Address spaces differ from PE to PE (randomization, memory checkers, limits). So
 * layouts are tried, best first, until one fits on every PE. Each PE chooses the heap's exact address
 * itself: in its windows data and heap of every slot are as far apart as its own.
 */
#include "image/image_internal.h"

#include "base/log.h"
#include "base/os/os.h"
#include "base/os/process.h"
#include "base/times.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEAST_HEAP ((size_t)1 << 20)

/* Largest gap between two slots' windows. Nothing is mapped there, so an address past a PE's variables
 * faults; malloc's memory lies up to 1 GiB past them by randomization. The gap is smaller where heaps are
 * small and PEs are many: narrow windows share page tables. */
#define MOST_GAP ((size_t)2 << 30)
#define FEW_PES  16 /* 2 GiB between windows cost 4 KiB of page tables for each PE that is touched */

/* Largest distance between heap and data image in valgrind, which shadows addresses in windows too. */
#define MOST_DEAR_ROOM ((size_t)1 << 30)

/* Addresses left free above the windows for the copies of memory spaces, beside the length of all windows.
 * AddressSanitizer takes an eighth of the address space behind a program at its bottom, and the spaces lie
 * behind that. */
#define SPACES_ROOM ((size_t)1 << (SHEAF_ADDRESS_BITS - 2))

/* Nothing is mapped below this address: null pointers fault. */
#define LEAST_ADDRESS ((uintptr_t)65536)

/* Where the heap may lie, best first. Just below the program nothing grows, so windows can be narrow and
 * share page tables: that halves the page tables of 256 PEs. Above the data brk needs room to grow;
 * programs at the bottom of the address space have their heap there. */
static const struct position {
    bool below;
    size_t room; /* between heap and data image */
} positions[] = {
    {true, (size_t)64 << 20},   {true, (size_t)256 << 20}, {true, (size_t)1 << 30},
    {false, (size_t)16 << 30},  {false, (size_t)4 << 30},  {false, (size_t)2 << 30},
    {false, (size_t)1 << 30},   {false, (size_t)256 << 20}, {false, (size_t)64 << 20},
    {false, (size_t)16 << 20},  {false, (size_t)2 << 20},  {true, (size_t)16 << 30},
    {true, (size_t)4 << 30},    {true, (size_t)16 << 20},  {true, (size_t)2 << 20},
};
#define POSITIONS (sizeof positions / sizeof *positions)

/* One way to place heap and windows. Sizes are the same on all PEs; the heap's address is not. */
struct layout {
    size_t heap;      /* bytes of range, with team memory */
    size_t alignment; /* of the heap's first byte: a power of two, at least SHEAF_HUGE_PAGE */
    const struct position *position;
};

/* The requirements of the node, equal on all PEs, computed from what each has published. */
struct demand {
    size_t data_length;
    size_t heap_wish;
    bool required;       /* some PE's user asked for this much heap: less is a failure */
    bool has_team_memory; /* no PE's addresses are limited */
    bool data_is_symmetric;
    bool same_program;
};

/* Which windows are mapped. The lock is for threads whose first accesses to a PE come at the same time. */
static struct {
    bool *is_mapped;          /* of each slot */
    bool asks_for_huge_pages; /* see sheaf_image_asks_for_huge_pages() */
    pthread_mutex_t lock;
} windows = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct sheaf_pe *pe_entry(int slot)
{
    return sheaf_control_pe(sheaf_image.control, slot);
}

static uint64_t inode_of(int fd)
{
    struct stat file;
    return fstat(fd, &file) == 0 ? file.st_ino : 0;
}

static void publish_file(struct sheaf_pe *mine)
{
    mine->file = sheaf_image.has_own_file ? sheaf_image.fd : -1;
    mine->file_inode = inode_of(sheaf_image.fd);
    mine->data_file_offset = sheaf_image.slot_offset;
}

static void raise_most(uint64_t *most, uint64_t value)
{
    uint64_t now = sheaf_load_relaxed(most);
    while (value > now &&
           !__atomic_compare_exchange_n(most, &now, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void add_demand(struct sheaf_demand *all, size_t heap_wish, bool required)
{
    raise_most(&all->most_data, sheaf_image.data_length);
    raise_most(&all->least_data, ~(uint64_t)sheaf_image.data_length);
    raise_most(&all->least_heap, ~(uint64_t)heap_wish);
    raise_most(&all->most_program, sheaf_executable.hash);
    raise_most(&all->least_program, ~(uint64_t)sheaf_executable.hash);
    if (required)
        sheaf_store_relaxed(&all->heap_is_required, 1);
    if (sheaf_image_is_limited())
        sheaf_store_relaxed(&all->has_limited, 1);
}

static void publish_demand(size_t heap_wish, bool required)
{
    struct sheaf_pe *mine = pe_entry(sheaf_image.slot);
    add_demand(&sheaf_image.control->demand, heap_wish, required);
    mine->data_address = (uint64_t)(uintptr_t)sheaf_image.data;
    mine->data_length = sheaf_image.data_length;
    mine->executable = sheaf_executable.hash;
    memcpy(mine->build_id, sheaf_executable.build_id, sizeof mine->build_id);
    publish_file(mine);
}

static struct demand collect_demand(void)
{
    const struct sheaf_demand *all = &sheaf_image.control->demand;
    bool same_program = all->most_program == ~all->least_program && !sheaf_image.control->differs;
    bool same_data = all->most_data > 0 && all->most_data == ~all->least_data;
    return (struct demand){.data_length = all->most_data,
                           .heap_wish = ~all->least_heap,
                           .required = all->heap_is_required != 0,
                           .has_team_memory = !all->has_limited,
                           .data_is_symmetric = same_data && same_program,
                           .same_program = same_program};
}

/* The heap's address on this PE; 0: the layout has none. A remote address uses this PE's own distance
 * between data and heap, so that distance may differ from PE to PE. The alignment must not. */
static uintptr_t heap_address(const struct layout *layout, size_t data_length)
{
    uintptr_t data = (uintptr_t)sheaf_image.data;
    size_t room = layout->position->room;
    if (!layout->position->below)
        return sheaf_round_up(data + data_length + room, layout->alignment);
    if (data < layout->heap + room)
        return 0;
    return (data - layout->heap - room) & ~(uintptr_t)(layout->alignment - 1);
}

/* A PE without data image may put its heap anywhere. */
static char *reserve_heap(const struct layout *layout, size_t data_length)
{
    if (!sheaf_image.data)
        return sheaf_image_reserve_congruent(layout->heap, layout->alignment, 0);
    uintptr_t address = heap_address(layout, data_length);
    if (address < LEAST_ADDRESS || (address + layout->heap) >> SHEAF_ADDRESS_BITS != 0)
        return NULL;
    return sheaf_image_reserve((char *)address, layout->heap);
}

/* The range of one window in local addresses: from the lower of data and heap to the end of the higher. It
 * includes data that is not symmetric, so that a fault can name the PE of the copy. */
static void window_range(const struct demand *demand, const char *heap, size_t heap_length,
                         uintptr_t *low, uintptr_t *high)
{
    uintptr_t data = (uintptr_t)sheaf_image.data;
    *low = (uintptr_t)heap;
    *high = *low + heap_length;
    if (!data)
        return;
    *low = data < *low ? data : *low;
    *high = data + demand->data_length > *high ? data + demand->data_length : *high;
    for (int i = 0; i < sheaf_executable.constant_count; i++) {
        uintptr_t start = (uintptr_t)sheaf_executable.constants[i].start;
        uintptr_t end = start + sheaf_executable.constants[i].length;
        *low = start < *low ? start : *low;
        *high = end > *high ? end : *high;
    }
}

/* Reserves all slots' windows, one after another. Copies of the heap are aligned as the heap is, up to
 * SHEAF_HUGE_PAGE. A program at the bottom of the address space has its memory spaces above its heap: room
 * for their copies is then left above the windows (space.c). */
static bool reserve_windows_apart(const struct layout *layout, uintptr_t low, uintptr_t high, size_t gap,
                                  size_t most)
{
    size_t slots = (size_t)sheaf_image.control->npes;
    size_t stride = sheaf_round_up(high - low + gap, SHEAF_HUGE_PAGE);
    if (slots > ((size_t)1 << SHEAF_ADDRESS_BITS) / stride || slots * stride > most)
        return false;
    bool is_dear = sheaf_image_is_limited() || sheaf_os_is_in_valgrind();
    size_t room = layout->position->below || is_dear ? 0 : slots * stride + SPACES_ROOM;
    char *window = sheaf_image_reserve_below(slots * stride, room, SHEAF_HUGE_PAGE, low);
    if (!window)
        return false;
    sheaf_image.window = window;
    sheaf_image.window_length = slots * stride;
    sheaf_image.window_stride = stride;
    sheaf_image.base = (uintptr_t)window - low;
    return true;
}

/* Reserves windows with a gap of MOST_GAP for few PEs, with a smaller one where the address space is
 * limited. */
static bool reserve_windows(const struct demand *demand, const struct layout *layout, const char *start,
                            size_t most)
{
    size_t heap = layout->heap < demand->heap_wish ? layout->heap : demand->heap_wish; /* no team memory */
    size_t gap = layout->position->room + heap / 2;
    uintptr_t low, high;
    window_range(demand, start, layout->heap, &low, &high);
    if (sheaf_image.control->npes <= FEW_PES && !sheaf_os_is_in_valgrind() &&
        reserve_windows_apart(layout, low, high, MOST_GAP, most / 2))
        return true;
    return reserve_windows_apart(layout, low, high, gap < MOST_GAP ? gap : MOST_GAP, most);
}

/* Reserves heap and windows according to the layout. */
static bool try_layout(const struct demand *demand, const struct layout *layout)
{
    size_t most = sheaf_image_space_left();
    if (sheaf_os_is_in_valgrind() && layout->position->room > MOST_DEAR_ROOM)
        return false;
    char *heap = layout->heap < most ? reserve_heap(layout, demand->data_length) : NULL;
    if (!heap)
        return false;
    if (!reserve_windows(demand, layout, heap, most - layout->heap)) {
        munmap(heap, layout->heap);
        return false;
    }
    sheaf_image.heap = heap;
    sheaf_image.heap_length = layout->heap;
    return true;
}

static void undo_layout(void)
{
    munmap(sheaf_image.heap, sheaf_image.heap_length);
    munmap(sheaf_image.window, sheaf_image.window_length);
    sheaf_image.heap = sheaf_image.window = NULL;
}

/* Collective: whether the layout fits on every PE; if so it stays reserved here. All know the count of
 * misfits before the trial: no PE counts between the barriers. */
static bool agree_on_layout(const struct demand *demand, const struct layout *layout)
{
    static uint32_t before;
    uint32_t *misfits = &sheaf_image.control->demand.misfits;
    bool mine = try_layout(demand, layout);
    if (!mine)
        __atomic_fetch_add(misfits, 1, __ATOMIC_RELAXED);
    bool has_met = sheaf_control_barrier(sheaf_image.control);
    uint32_t now = sheaf_load_relaxed(misfits);
    bool all = now == before;
    before = now;
    all = sheaf_control_barrier(sheaf_image.control) && has_met && all;
    if (mine && !all)
        undo_layout();
    return all;
}

/* The heap's largest size is half a slot: the next PE's data follows. */
static size_t most_heap(void)
{
    return sheaf_image.slot_size / 2;
}

static bool choose_position(const struct demand *demand, struct layout *layout)
{
    for (size_t choice = 0; choice < POSITIONS; choice++) {
        layout->position = &positions[choice];
        if (agree_on_layout(demand, layout))
            return true;
    }
    return false;
}

/* The heap's range with as much again for team memory; 0 where that leaves memory spaces, which come behind
 * the range in the slot, less than half of what there is. */
static size_t range_with_team_memory(size_t heap, size_t most)
{
    return heap < most / 4 ? 2 * sheaf_round_up(heap, SHEAF_HUGE_PAGE) : 0;
}

static bool choose_layout(const struct demand *demand, struct layout *layout)
{
    size_t wish = sheaf_round_up(demand->heap_wish ? demand->heap_wish : 1, sheaf_os_page_size());
    layout->heap = demand->has_team_memory ? range_with_team_memory(wish, most_heap()) : 0;
    layout->alignment = sheaf_image_best_alignment(wish);
    if (layout->heap && choose_position(demand, layout))
        return true;
    for (layout->heap = wish;; layout->heap = sheaf_round_up(layout->heap / 2, LEAST_HEAP)) {
        layout->alignment = sheaf_image_best_alignment(layout->heap);
        if (choose_position(demand, layout))
            return true;
        if (!demand->required && layout->heap > LEAST_HEAP)
            continue;
        layout->alignment = SHEAF_HUGE_PAGE;
        return choose_position(demand, layout);
    }
}

int sheaf_image_map_shared(char *where, size_t length, int fd, uint64_t offset)
{
    void *got = mmap(where, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
                     fd, (off_t)offset);
    return got == MAP_FAILED ? -1 : 0;
}

static void advise_heap(char *heap, size_t length)
{
    madvise(heap, length, MADV_HUGEPAGE);
    if (length > SHEAF_DUMP_LIMIT)
        madvise(heap + SHEAF_DUMP_LIMIT, length - SHEAF_DUMP_LIMIT, MADV_DONTDUMP);
}

static int map_own_heap(void)
{
    uint64_t offset = sheaf_image.slot_offset + sheaf_image.slot_size / 2;
    pe_entry(sheaf_image.slot)->heap_file_offset = offset;
    pe_entry(sheaf_image.slot)->heap_address = (uint64_t)(uintptr_t)sheaf_image.heap;
    if (sheaf_image_map_shared(sheaf_image.heap, sheaf_image.heap_length, sheaf_image.fd, offset) != 0)
        return -1;
    advise_heap(sheaf_image.heap, sheaf_image.heap_length);
    return 0;
}

/* Whether a process has died or dies soon: it closes its descriptors some time before it counts as dead. */
static bool is_dying(const struct sheaf_process *process)
{
    uint64_t until = sheaf_clock_ns() + sheaf_times.dying_most;
    while (sheaf_process_is_there(process) && sheaf_clock_ns() < until)
        poll(NULL, 0, sheaf_times_ms(sheaf_times.dying_look));
    return !sheaf_process_is_there(process);
}

/* A PE that has closed the descriptor since it was loaded cannot be reached any more. Where deaths are
 * reported, a dead PE is no error here: the others learn of it otherwise. */
int sheaf_image_open_slot(int slot)
{
    const struct sheaf_pe *pe = pe_entry(slot);
    if (pe->file < 0 || slot == sheaf_image.slot)
        return sheaf_image.fd;
    struct sheaf_process owner = sheaf_control_process(pe);
    if (pe->agent_file >= 0) /* the agent outlives the PE */
        owner = sheaf_control_agent(sheaf_image.control);
    int fd = sheaf_process_open_file(&owner, pe->agent_file >= 0 ? pe->agent_file : pe->file,
                                     pe->file_inode,
                                     sheaf_image.fd);
    int error = errno;
    if (fd < 0 && sheaf_image.control->reports_failures && is_dying(&owner))
        return -1;
    errno = error;
    if (fd < 0)
        sheaf_error("SH307 cannot open /proc/%d/fd/%d, the memory of PE %d: %s", pe->pid, pe->file,
                    pe->world_pe,
                    errno != ENOENT && errno != ESTALE ? strerror(errno)
                    : !sheaf_os_has_proc() ? "/proc is not mounted: mount it, or start with oshrun"
                                           : "its program has closed that descriptor before shmem_init");
    return fd;
}

bool sheaf_image_asks_for_huge_pages(void)
{
    char text[128];
    return sheaf_os_read_file("/sys/kernel/mm/transparent_hugepage/shmem_enabled", text, sizeof text) > 0 &&
           strstr(text, "[advise]");
}

static int map_window(int slot, int fd)
{
    uintptr_t offset = sheaf_image.base + (uintptr_t)slot * sheaf_image.window_stride;
    char *data = (char *)((uintptr_t)sheaf_image.data + offset);
    char *heap = (char *)((uintptr_t)sheaf_image.heap + offset);
    const struct sheaf_pe *pe = pe_entry(slot);
    if ((sheaf_image.data_is_symmetric &&
         (sheaf_image_map_shared(data, sheaf_image.data_length, fd, pe->data_file_offset) != 0 ||
          sheaf_image_map_constants(offset, fd, pe->data_file_offset) != 0)) ||
        sheaf_image_map_shared(heap, sheaf_image.heap_length, fd, pe->heap_file_offset) != 0) {
        sheaf_error("SH303 cannot map the windows of %d PEs: %s (is vm.max_map_count below %d?)",
                    sheaf_image.control->npes, strerror(errno), 8 * sheaf_image.control->npes + 1000);
        return -1;
    }
    if (windows.asks_for_huge_pages)
        madvise(heap, sheaf_image.heap_length, MADV_HUGEPAGE);
    return 0;
}

static int open_window_file(int slot)
{
    if ((pe_entry(slot)->file < 0 || slot == sheaf_image.slot) && !sheaf_image_require_file()) {
        sheaf_error("SH310 the program has closed descriptor %d, through which it has the job's memory, "
                    "before its first access to PE %d: let it close only those that it has opened, or set "
                    "SHEAF_WINDOWS=start", sheaf_image.fd, pe_entry(slot)->world_pe);
        return -1;
    }
    return sheaf_image_open_slot(slot);
}

/* Called with the lock held. */
static int map_window_once(int slot)
{
    if (windows.is_mapped[slot])
        return 0;
    int fd = open_window_file(slot), failed = fd < 0 ? -1 : map_window(slot, fd);
    if (fd >= 0 && fd != sheaf_image.fd)
        close(fd);
    if (failed)
        return -1;
    sheaf_store_release(&windows.is_mapped[slot], true);
    sheaf_store_release(&sheaf_image.windows_left, sheaf_image.windows_left - 1);
    if (sheaf_image.windows_left == 0)
        sheaf_image_close_constants();
    return 0;
}

int sheaf_image_map_window(int slot)
{
    if (sheaf_load_acquire(&sheaf_image.windows_left) == 0 || sheaf_load_acquire(&windows.is_mapped[slot]))
        return 0;
    pthread_mutex_lock(&windows.lock);
    int failed = map_window_once(slot);
    madvise(sheaf_image.window + (size_t)slot * sheaf_image.window_stride, sheaf_image.window_stride,
            MADV_DONTDUMP);
    pthread_mutex_unlock(&windows.lock);
    return failed;
}

int sheaf_image_map_windows(void)
{
    if (sheaf_load_acquire(&sheaf_image.windows_left) == 0)
        return 0;
    int npes = sheaf_image.control->npes, failed = 0;
    pthread_mutex_lock(&windows.lock);
    for (int i = 0; i < npes && !failed; i++) /* not all the same PE's at the same time */
        failed = map_window_once((sheaf_image.slot + i) % npes);
    madvise(sheaf_image.window, sheaf_image.window_length, MADV_DONTDUMP);
    pthread_mutex_unlock(&windows.lock);
    return failed;
}

/* From now on windows can be mapped. */
static int prepare_windows(void)
{
    windows.asks_for_huge_pages = sheaf_image_asks_for_huge_pages();
    windows.is_mapped = calloc((size_t)sheaf_image.control->npes, sizeof *windows.is_mapped);
    if (!windows.is_mapped) {
        sheaf_error("SH301 out of memory");
        return -1;
    }
    if (sheaf_image.data_is_symmetric && sheaf_image_open_constants() != 0) {
        sheaf_error("SH306 cannot copy the program's constants: %s", strerror(errno));
        return -1;
    }
    madvise(sheaf_image.window, sheaf_image.window_length, MADV_DONTDUMP);
    sheaf_store_release(&sheaf_image.windows_left, sheaf_image.control->npes);
    return 0;
}

/* Bytes start to end - 1 of the heap's range are team memory; none where start is not below end. */
static void list_team_memory(size_t start, size_t end)
{
    bool is_there = start < end && end <= sheaf_image.heap_length;
    sheaf_image.team = (struct sheaf_segment){is_there ? sheaf_image.heap + start : NULL,
                                              is_there ? end - start : 0};
}

static void list_segments(size_t heap_wish)
{
    struct sheaf_segment data = {0}, heap = {sheaf_image.heap, sheaf_image.heap_length};
    if (sheaf_image.data_is_symmetric)
        data = sheaf_executable_data(&sheaf_executable);
    if (heap_wish < heap.length)
        heap.length = heap_wish;
    sheaf_image.segments[SHEAF_SEGMENT_DATA] = data;
    sheaf_image.segments[SHEAF_SEGMENT_HEAP] = heap;
    list_team_memory(sheaf_round_up(heap.length, SHEAF_HUGE_PAGE), sheaf_image.heap_length);
}

/* The heap is already reserved. */
static int map_layout(const struct layout *layout, const struct demand *demand)
{
    sheaf_image.data_is_symmetric = demand->data_is_symmetric;
    sheaf_image.heap_alignment = layout->alignment;
    if (map_own_heap() == 0)
        return 0;
    sheaf_error("SH302 cannot map the symmetric heap of %zu MiB: %s", layout->heap >> 20, strerror(errno));
    return -1;
}

/* Notes the layout for a process that replaces a dead PE later. */
static void note_layout(const struct layout *layout)
{
    if (sheaf_image.slot != 0)
        return;
    sheaf_image.control->layout_heap = layout->heap;
    sheaf_image.control->layout_alignment = layout->alignment;
}

static int finish_mapping(const struct demand *demand)
{
    if (prepare_windows() != 0)
        return -1;
    sheaf_image_place_on_node();
    list_segments(demand->heap_wish);
    return 0;
}

int sheaf_image_map_again(size_t heap_wish)
{
    struct layout layout = {.heap = sheaf_image.control->layout_heap,
                            .alignment = sheaf_image.control->layout_alignment,
                            .position = positions};
    publish_demand(heap_wish, false);
    struct demand demand = collect_demand();
    while (layout.position < positions + POSITIONS && !try_layout(&demand, &layout))
        layout.position++;
    if (layout.position == positions + POSITIONS) {
        sheaf_error("SH302 no room in the address space for the heap of %zu MiB that the other PEs have",
                    layout.heap >> 20);
        return -1;
    }
    return map_layout(&layout, &demand) != 0 ? -1 : finish_mapping(&demand);
}

int sheaf_image_map(size_t heap_wish, bool required)
{
    struct layout layout;
    if (!sheaf_image_has_file()) {
        sheaf_error("SH310 the program has closed descriptor %d before shmem_init, through which it has "
                    "the job's memory: let it close only those that it has opened", sheaf_image.fd);
        return -1;
    }
    publish_demand(heap_wish, required);
    if (!sheaf_control_barrier(sheaf_image.control))
        return -1;
    struct demand demand = collect_demand();
    if (!demand.same_program && sheaf_image.control->node == 0 && sheaf_image.slot == 0)
        sheaf_warn("SH309 the PEs run different programs: the symmetric heap is shared, static variables "
                   "are not symmetric");

    if (demand.heap_wish > most_heap() && demand.required) {
        sheaf_error("SH302 a symmetric heap of %zu MiB does not fit the %zu MiB that a PE gets: lower "
                    "SHMEM_SYMMETRIC_SIZE, or raise ulimit -f where it is set",
                    demand.heap_wish >> 20, most_heap() >> 20);
        return -1;
    }
    if (demand.heap_wish > most_heap())
        demand.heap_wish = most_heap();
    if (!choose_layout(&demand, &layout)) {
        if (!sheaf_control_barrier(sheaf_image.control)) /* a PE has died */
            return -1;
        sheaf_error("SH303 no room in the address space for %d PEs with a symmetric heap of %zu MiB each: "
                    "lower SHMEM_SYMMETRIC_SIZE or raise ulimit -v",
                    sheaf_image.control->npes, demand.heap_wish >> 20);
        return -1;
    }
    if (map_layout(&layout, &demand) != 0)
        return -1;
    note_layout(&layout);
    return sheaf_control_barrier(sheaf_image.control) ? finish_mapping(&demand) : -1;
}

void sheaf_image_reduce_heap(size_t limit, size_t alignment, size_t team_end)
{
    struct sheaf_segment *heap = &sheaf_image.segments[SHEAF_SEGMENT_HEAP];
    if (limit < heap->length)
        heap->length = limit;
    if (alignment < sheaf_image.heap_alignment)
        sheaf_image.heap_alignment = alignment;
    list_team_memory(sheaf_round_up(heap->length, SHEAF_HUGE_PAGE), team_end);
}

/* MAP_FAILED where there is no room. */
static void *map_private_heap(size_t length, size_t alignment)
{
    char *range = length <= sheaf_image_space_left()
                      ? sheaf_image_reserve_congruent(length, alignment, 0) : NULL;
    if (!range)
        return MAP_FAILED;
    void *heap = mmap(range, length, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (heap == MAP_FAILED)
        munmap(range, length);
    return heap;
}

int sheaf_image_map_alone(size_t heap_wish, bool required)
{
    size_t wish = sheaf_round_up(heap_wish ? heap_wish : 1, sheaf_os_page_size());
    size_t length = sheaf_image_is_limited() ? 0 : range_with_team_memory(wish, SIZE_MAX / 2);
    size_t alignment = sheaf_image_best_alignment(wish);
    void *heap = length ? map_private_heap(length, alignment) : MAP_FAILED;
    for (bool is_last = false; heap == MAP_FAILED && !is_last;) {
        length = wish;
        alignment = sheaf_image_best_alignment(length);
        heap = map_private_heap(length, alignment);
        is_last = required || length <= LEAST_HEAP;
        wish = sheaf_round_up(wish / 2, LEAST_HEAP);
    }
    if (heap == MAP_FAILED) {
        sheaf_error("SH302 cannot map a symmetric heap of %zu MiB: lower SHMEM_SYMMETRIC_SIZE or raise "
                    "ulimit -v", length >> 20);
        return -1;
    }
    advise_heap(heap, length);
    sheaf_image.heap = heap;
    sheaf_image.heap_length = length;
    sheaf_image.heap_alignment = alignment;
    sheaf_image.data_is_symmetric = true;
    list_segments(heap_wish);
    return 0;
}

int sheaf_image_discard(void *start, size_t length)
{
    return madvise(start, length, sheaf_image.window ? MADV_REMOVE : MADV_DONTNEED);
}

void sheaf_image_clear_heap(size_t used)
{
    if (sheaf_image_discard(sheaf_image.heap, sheaf_image.heap_length) != 0)
        memset(sheaf_image.heap, 0, used);
}

/* If the heap cannot be closed (vm.max_map_count allows no more mappings), it stays open and reads as
 * zero. */
void sheaf_image_set_heap_open(bool is_open)
{
    int protection = is_open ? PROT_READ | PROT_WRITE : PROT_NONE;
    if (sheaf_image.heap_is_closed == !is_open)
        return;
    sheaf_image.heap_is_closed = !is_open;
    mprotect(sheaf_image.heap, sheaf_image.heap_length, protection);
    for (int slot = 0; sheaf_image.window && slot < sheaf_image.control->npes; slot++)
        if (windows.is_mapped[slot])
            mprotect((char *)((uintptr_t)sheaf_image.heap + sheaf_image.base +
                              (uintptr_t)slot * sheaf_image.window_stride),
                     sheaf_image.heap_length, protection);
}

bool sheaf_image_closed_heap_holds(const void *address)
{
    uintptr_t at = (uintptr_t)address - (uintptr_t)sheaf_image.heap;
    if (!sheaf_image.heap_is_closed)
        return false;
    if (at < sheaf_image.heap_length)
        return true;
    at = sheaf_image.window ? at - sheaf_image.base : at;
    return sheaf_image.window && at / sheaf_image.window_stride < (uintptr_t)sheaf_image.control->npes &&
           at % sheaf_image.window_stride < sheaf_image.heap_length;
}
