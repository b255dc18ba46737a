/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The layout all PEs of a node agree on: how large the heap's range is, how far from the data
 * image it lies, and where each PE keeps its windows onto all slots. The distance must be free
 * in every PE's address space, which differs from PE to PE (address space randomization, memory
 * checkers, limits): so layouts are tried, best first, until one fits everywhere.
 */
#include "image/image_internal.h"

#include "base/log.h"
#include "base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HUGE_PAGE  ((size_t)2 << 20)
#define LEAST_HEAP ((size_t)1 << 20)

/* Nothing is mapped below: null pointers fault. */
#define LEAST_ADDRESS ((uintptr_t)65536)

/* Bits of an address that a program gets without asking for more. On AArch64 a position-independent
 * program lies at two thirds of these 48. A machine with fewer refuses what does not fit. */
#if defined(__x86_64__)
#define ADDRESS_BITS 47
#else
#define ADDRESS_BITS 48
#endif

/* Where the heap may lie, best first. Just below the program nothing grows, so the windows can be
 * narrow and share page tables: at 256 PEs that halves them. Above the data brk needs room to
 * grow; that is the place for programs at the bottom of the address space. */
static const struct place {
    bool below;
    size_t room; /* between heap and data image */
} places[] = {
    {true, (size_t)64 << 20},   {true, (size_t)256 << 20}, {true, (size_t)1 << 30},
    {false, (size_t)16 << 30},  {false, (size_t)4 << 30},  {false, (size_t)2 << 30},
    {false, (size_t)1 << 30},   {false, (size_t)256 << 20}, {false, (size_t)64 << 20},
    {false, (size_t)16 << 20},  {false, (size_t)2 << 20},  {true, (size_t)16 << 30},
    {true, (size_t)4 << 30},    {true, (size_t)16 << 20},  {true, (size_t)2 << 20},
};
#define PLACES (sizeof places / sizeof *places)

struct layout {
    size_t heap;         /* bytes of range */
    ptrdiff_t distance;  /* heap start - data start */
    ptrdiff_t low;       /* lower of 0 and distance */
    unsigned shift;      /* of the window of one slot */
};

/* The same on all PEs, from what all have published. */
struct demand {
    size_t data_length;
    size_t heap_wish;
    size_t alignment;    /* data images begin at the same remainder modulo this */
    size_t remainder;
    bool required;       /* a PE's user asked for this much heap: less is a failure */
    bool data_is_symmetric;
    bool same_program;
};

static struct sheaf_pe *entry(int slot)
{
    return sheaf_control_pe(sheaf_image.control, slot);
}

static uint32_t inode_of(int fd)
{
    struct stat file;
    return fstat(fd, &file) == 0 ? (uint32_t)file.st_ino : 0;
}

static void publish_file(struct sheaf_pe *mine)
{
    mine->file = sheaf_image.has_own_file ? sheaf_image.fd : -1;
    mine->file_inode = inode_of(sheaf_image.fd);
    mine->data_file_offset = sheaf_image.slot_offset;
}

static void publish(size_t heap_wish, bool required)
{
    struct sheaf_pe *mine = entry(sheaf_image.slot);
    mine->data_address = (uint64_t)(uintptr_t)sheaf_image.data;
    mine->data_length = sheaf_image.data_length;
    mine->heap_wish = heap_wish;
    mine->heap_required = required;
    mine->executable = sheaf_executable.hash;
    memcpy(mine->build_id, sheaf_executable.build_id, sizeof mine->build_id);
    publish_file(mine);
}

static struct demand collect_demand(void)
{
    const struct sheaf_pe *first = entry(0);
    struct demand demand = {.heap_wish = first->heap_wish,
                            .alignment = HUGE_PAGE,
                            .data_is_symmetric = first->data_length > 0,
                            .same_program = true};
    for (int slot = 0; slot < sheaf_image.control->npes; slot++) {
        const struct sheaf_pe *pe = entry(slot);
        if (pe->data_length > demand.data_length)
            demand.data_length = pe->data_length;
        if (pe->heap_wish < demand.heap_wish)
            demand.heap_wish = pe->heap_wish;
        if (pe->data_length)
            demand.remainder = pe->data_address;
        demand.required |= pe->heap_required != 0;
        demand.same_program &= pe->executable == first->executable;
        demand.data_is_symmetric &= pe->data_length == first->data_length;
    }
    for (int slot = 0; slot < sheaf_image.control->npes; slot++)
        while (entry(slot)->data_length &&
               (entry(slot)->data_address ^ demand.remainder) % demand.alignment != 0)
            demand.alignment /= 2;
    demand.remainder %= demand.alignment;
    demand.same_program &= !sheaf_image.control->differs;
    demand.data_is_symmetric &= demand.same_program;
    return demand;
}

/* Address space randomization may leave the data images at different remainders modulo a large
 * power of two, and the heap with them: what they agree on is what shmem_align can promise. */
static struct layout make_layout(const struct demand *demand, size_t heap,
                                 const struct place *place)
{
    struct layout layout = {.heap = heap};
    bool below = place->below;
    layout.distance = below ? -(ptrdiff_t)sheaf_round_up(heap + place->room, HUGE_PAGE)
                            : (ptrdiff_t)sheaf_round_up(demand->data_length + place->room, HUGE_PAGE);
    layout.distance -= (ptrdiff_t)demand->remainder;
    layout.low = below ? layout.distance : 0;
    size_t high = below ? demand->data_length : (size_t)layout.distance + heap;
    size_t span = (size_t)((ptrdiff_t)high - layout.low);
    while (((size_t)1 << layout.shift) < span)
        layout.shift++;
    return layout;
}

/* A limit on the address space must leave the program room of its own. */
static bool within_limit(size_t length)
{
    struct rlimit limit;
    char text[64];
    unsigned long pages = 0;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return true;
    if (sheaf_os_read_file("/proc/self/statm", text, sizeof text) > 0)
        sscanf(text, "%lu", &pages);
    size_t used = pages * sheaf_os_page_size();
    return limit.rlim_cur > used && length <= (limit.rlim_cur - used) / 4 * 3;
}

static char *reserve(char *where, size_t length)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (where ? MAP_FIXED_NOREPLACE : 0);
    char *got = mmap(where, length, PROT_NONE, flags, -1, 0);
    if (got == MAP_FAILED)
        return NULL;
    if (where && got != where) {
        munmap(got, length);
        return NULL;
    }
    return got;
}

static char *reserve_aligned(size_t length)
{
    char *start = reserve(NULL, length + HUGE_PAGE);
    if (!start)
        return NULL;
    char *aligned = (char *)sheaf_round_up((uintptr_t)start, HUGE_PAGE);
    if (aligned > start)
        munmap(start, (size_t)(aligned - start));
    munmap(aligned + length, (size_t)(start + HUGE_PAGE - aligned));
    return aligned;
}

/* Reserves heap and windows as the layout says. A PE without data image may put its heap
 * anywhere. */
static bool try_layout(const struct layout *layout)
{
    size_t slots = (size_t)sheaf_image.control->npes;
    if (layout->shift >= ADDRESS_BITS || slots > ((size_t)1 << (ADDRESS_BITS - layout->shift)))
        return false;
    size_t window_length = slots << layout->shift;
    if (!within_limit(window_length + layout->heap))
        return false;

    uintptr_t place = (uintptr_t)sheaf_image.data + (uintptr_t)layout->distance;
    if (sheaf_image.data && (place < LEAST_ADDRESS || place >> ADDRESS_BITS != 0))
        return false;
    char *heap = sheaf_image.data ? reserve((char *)place, layout->heap)
                                  : reserve_aligned(layout->heap);
    if (!heap)
        return false;
    char *window = reserve(NULL, window_length);
    if (!window) {
        munmap(heap, layout->heap);
        return false;
    }
    sheaf_image.heap = heap;
    sheaf_image.heap_length = layout->heap;
    sheaf_image.window = window;
    sheaf_image.window_length = window_length;
    sheaf_image.window_shift = layout->shift;
    uintptr_t lowest = (uintptr_t)heap - (uintptr_t)layout->distance + (uintptr_t)layout->low;
    sheaf_image.base = (uintptr_t)window - lowest;
    return true;
}

static void undo_layout(void)
{
    munmap(sheaf_image.heap, sheaf_image.heap_length);
    munmap(sheaf_image.window, sheaf_image.window_length);
    sheaf_image.heap = sheaf_image.window = NULL;
}

/* Collective: whether the layout fits on every PE; if so it is reserved here. */
static bool agree(const struct layout *layout)
{
    bool mine = try_layout(layout), all = true;
    sheaf_store_relaxed(&entry(sheaf_image.slot)->layout_fits, mine);
    sheaf_control_barrier(sheaf_image.control);
    for (int slot = 0; slot < sheaf_image.control->npes; slot++)
        all &= sheaf_load_relaxed(&entry(slot)->layout_fits) != 0;
    sheaf_control_barrier(sheaf_image.control);
    if (mine && !all)
        undo_layout();
    return all;
}

/* What a PE's half of its slot holds, wherever in a huge page the heap begins: beyond it lies the
 * next PE's data. */
static size_t most_heap(void)
{
    return sheaf_image.slot_size / 2 - HUGE_PAGE;
}

static bool choose_layout(const struct demand *demand, struct layout *layout)
{
    size_t wish = sheaf_round_up(demand->heap_wish ? demand->heap_wish : 1, sheaf_os_page_size());
    for (size_t heap = wish;; heap = sheaf_round_up(heap / 2, LEAST_HEAP)) {
        for (size_t choice = 0; choice < PLACES; choice++) {
            *layout = make_layout(demand, heap, &places[choice]);
            if (agree(layout))
                return true;
        }
        if (demand->required || heap <= LEAST_HEAP)
            return false;
    }
}

static int map_shared(char *where, size_t length, int fd, uint64_t offset)
{
    void *got = mmap(where, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
                     fd, (off_t)offset);
    return got == MAP_FAILED ? -1 : 0;
}

/* The owner's pages can only be huge where address and file offset agree modulo their size. */
static int map_own_heap(void)
{
    size_t residue = (uintptr_t)sheaf_image.heap % HUGE_PAGE;
    uint64_t offset = sheaf_image.slot_offset + sheaf_image.slot_size / 2 + residue;
    entry(sheaf_image.slot)->heap_file_offset = offset;
    if (map_shared(sheaf_image.heap, sheaf_image.heap_length, sheaf_image.fd, offset) != 0)
        return -1;
    madvise(sheaf_image.heap, sheaf_image.heap_length, MADV_HUGEPAGE);
    if (sheaf_image.heap_length > SHEAF_DUMP_LIMIT)
        madvise(sheaf_image.heap + SHEAF_DUMP_LIMIT, sheaf_image.heap_length - SHEAF_DUMP_LIMIT,
                MADV_DONTDUMP);
    return 0;
}

/* The file with another PE's slot. A PE that has closed the descriptor since it was loaded cannot
 * be reached any more. */
static int open_slot(int slot)
{
    const struct sheaf_pe *pe = entry(slot);
    char path[64];
    if (pe->file < 0 || slot == sheaf_image.slot)
        return sheaf_image.fd;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pe->pid, pe->file);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0 && inode_of(fd) == pe->file_inode)
        return fd;
    sheaf_error("cannot open %s, the memory of PE %d: %s", path, pe->world_pe,
                fd < 0 && errno != ENOENT ? strerror(errno)
                                          : "its program has closed that descriptor before shmem_init");
    if (fd >= 0)
        close(fd);
    return -1;
}

static int map_window(const struct layout *layout, int slot, int fd)
{
    char *at = sheaf_image.window + ((size_t)slot << layout->shift) - layout->low;
    const struct sheaf_pe *pe = entry(slot);
    if ((sheaf_image.data_is_symmetric &&
         map_shared(at, sheaf_image.data_length, fd, pe->data_file_offset) != 0) ||
        map_shared(at + layout->distance, layout->heap, fd, pe->heap_file_offset) != 0) {
        sheaf_error("cannot map the windows of %d PEs: %s (is vm.max_map_count below %d?)",
                    sheaf_image.control->npes, strerror(errno), 4 * sheaf_image.control->npes + 1000);
        return -1;
    }
    return 0;
}

static int map_windows(const struct layout *layout)
{
    for (int slot = 0; slot < sheaf_image.control->npes; slot++) {
        int fd = open_slot(slot);
        int failed = fd < 0 ? -1 : map_window(layout, slot, fd);
        if (fd >= 0 && fd != sheaf_image.fd)
            close(fd);
        if (failed)
            return -1;
    }
    madvise(sheaf_image.window, sheaf_image.window_length, MADV_DONTDUMP);
    return 0;
}

/* Pages of my slot belong on my NUMA node, also those that another PE touches first. */
static void bind_to_node(void)
{
    enum { PREFERRED = 1 };
    unsigned node = 0;
    unsigned long mask[16] = {0};
    if (access("/sys/devices/system/node/node1", F_OK) != 0 ||
        syscall(SYS_getcpu, NULL, &node, NULL) != 0 || node >= sizeof mask * 8)
        return;
    mask[node / 64] = 1UL << node % 64;
    long bits = sizeof mask * 8;
    syscall(SYS_mbind, sheaf_image.heap, sheaf_image.heap_length, PREFERRED, mask, bits, 0);
    for (int i = 0; i < sheaf_executable.count && sheaf_image.data; i++)
        syscall(SYS_mbind, sheaf_executable.ranges[i].start, sheaf_executable.ranges[i].length,
                PREFERRED, mask, bits, 0);
}

int sheaf_image_map(size_t heap_wish, bool required)
{
    struct layout layout;
    publish(heap_wish, required);
    sheaf_control_barrier(sheaf_image.control);
    struct demand demand = collect_demand();
    if (!demand.same_program && sheaf_image.control->node == 0 && sheaf_image.slot == 0)
        sheaf_warn("the PEs run different programs: the symmetric heap is shared, static variables "
                   "are not symmetric");

    if (demand.heap_wish > most_heap() && demand.required) {
        sheaf_error("a symmetric heap of %zu MiB does not fit the %zu MiB that a PE gets: lower "
                    "SHMEM_SYMMETRIC_SIZE, or raise ulimit -f where it is set",
                    demand.heap_wish >> 20, most_heap() >> 20);
        return -1;
    }
    if (demand.heap_wish > most_heap())
        demand.heap_wish = most_heap();
    if (!choose_layout(&demand, &layout)) {
        sheaf_error("no room in the address space for %d PEs with a symmetric heap of %zu MiB each: "
                    "lower SHMEM_SYMMETRIC_SIZE or raise ulimit -v",
                    sheaf_image.control->npes, demand.heap_wish >> 20);
        return -1;
    }
    sheaf_image.data_is_symmetric = demand.data_is_symmetric;
    sheaf_image.heap_alignment = demand.alignment;
    sheaf_image.heap_limit = demand.heap_wish < layout.heap ? demand.heap_wish : layout.heap;
    if (map_own_heap() != 0) {
        sheaf_error("cannot map the symmetric heap of %zu MiB: %s", layout.heap >> 20,
                    strerror(errno));
        return -1;
    }
    sheaf_control_barrier(sheaf_image.control);
    if (map_windows(&layout) != 0)
        return -1;
    bind_to_node();
    return 0;
}

void sheaf_image_reduce_heap(size_t limit, size_t alignment)
{
    if (limit < sheaf_image.heap_limit)
        sheaf_image.heap_limit = limit;
    if (alignment < sheaf_image.heap_alignment)
        sheaf_image.heap_alignment = alignment;
}

int sheaf_image_map_alone(size_t heap_wish, bool required)
{
    size_t length = sheaf_round_up(heap_wish ? heap_wish : 1, sheaf_os_page_size());
    void *heap = MAP_FAILED;
    for (;; length = sheaf_round_up(length / 2, LEAST_HEAP)) {
        char *range = within_limit(length) ? reserve_aligned(length) : NULL;
        if (range)
            heap = mmap(range, length, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        if (heap != MAP_FAILED || required || length <= LEAST_HEAP)
            break;
    }
    if (heap == MAP_FAILED) {
        sheaf_error("cannot map a symmetric heap of %zu MiB: lower SHMEM_SYMMETRIC_SIZE or raise "
                    "ulimit -v", length >> 20);
        return -1;
    }
    madvise(heap, length, MADV_HUGEPAGE);
    sheaf_image.heap = heap;
    sheaf_image.heap_length = length;
    sheaf_image.heap_limit = heap_wish < length ? heap_wish : length;
    sheaf_image.heap_alignment = HUGE_PAGE;
    sheaf_image.data_is_symmetric = true;
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
