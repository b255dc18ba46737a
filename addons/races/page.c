/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From addresses to their shadow. A table has an entry for each page of addresses; symmetric memory is
 * the same object wherever it is mapped, so its cells are found by whose it is and what it is called
 * there.
 */
#include "races/internal.h"

#include <string.h>
#include <sys/mman.h>

#if defined(__aarch64__)
#define ADDRESS_BITS 48
#else
#define ADDRESS_BITS 47
#endif
#define ENTRIES ((size_t)1 << (ADDRESS_BITS - RACES_PAGE_SHIFT))

/* Executables that are linked to addresses above are not: a wild address is nobody's. */
static uintptr_t *entry_of(uintptr_t address)
{
    uintptr_t page = address >> RACES_PAGE_SHIFT;
    return races_table && page < ENTRIES ? &races_table[page] : NULL;
}

void races_pages_prepare(void)
{
    races_table = races_map(ENTRIES * sizeof *races_table);
}

static bool is_symmetric(uintptr_t address)
{
    return pshmem_addr_accessible((const void *)address, races.pe) == 1;
}

/* Symmetric, by this PE's address. */
static bool is_mine(uintptr_t address)
{
    return address - races.heap < races.heap_end - races.heap ||
           (address - races.data < races.program_end - races.data && is_symmetric(address)) ||
           races_is_in_space(address);
}

void races_heap_find(uintptr_t inside)
{
    uintptr_t page = inside & ~(RACES_PAGE - 1), step = RACES_PAGE;
    races.heap = page;
    while (is_symmetric(races.heap - RACES_PAGE))
        races.heap -= RACES_PAGE;
    while (is_symmetric(page + step))
        step *= 2;
    for (; step >= RACES_PAGE; step /= 2)
        if (is_symmetric(page + step))
            page += step;
    races.heap_end = page + RACES_PAGE;
}

int races_owner(uintptr_t address, uintptr_t *local)
{
    *local = address;
    if (is_mine(address))
        return races.pe;
    for (int pe = 0; pe < races.npes; pe++) {
        uintptr_t at = address - (uintptr_t)races.distance[pe];
        if (pe != races.pe && is_mine(at) && pshmem_ptr((const void *)at, pe) == (void *)address) {
            *local = at;
            return pe;
        }
    }
    return -1;
}

#define KEY_PE     48
#define KEY_STATIC (UINT64_C(1) << 47)
#define KEY_SPACE  (UINT64_C(1) << 46)

static _Atomic unsigned forgotten; /* how often pages were */

int races_owner_again(uintptr_t address, uintptr_t *local)
{
    static _Thread_local struct {
        uintptr_t page, distance;
        unsigned forgotten;
        int owner;
    } last __attribute__((tls_model("initial-exec")));
    unsigned now = atomic_load_explicit(&forgotten, memory_order_relaxed);
    if (last.page != (address & ~(RACES_PAGE - 1)) || last.forgotten != now) {
        last.owner = races_owner(address, local);
        last.distance = address - *local;
        last.page = address & ~(RACES_PAGE - 1);
        last.forgotten = now;
    }
    *local = address - last.distance;
    return last.owner;
}

/* The same on every PE: variables by their place in the program, bytes of the heap and of a space by theirs
 * in it. */
static uint64_t key_of(int pe, uintptr_t local)
{
    uint64_t owner = (uint64_t)(pe + 1) << KEY_PE, page;
    if (local >= races.program && local < races.program_end)
        return owner | KEY_STATIC | (local - races.program) >> RACES_PAGE_SHIFT;
    if (local - races.heap >= races.heap_end - races.heap && races_space_page(local, &page))
        return owner | KEY_SPACE | page;
    return owner | (local - races.heap) >> RACES_PAGE_SHIFT;
}

static uint64_t hash_of(uint64_t key)
{
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return key >> 20;
}

static uintptr_t cells_at(struct races_page *page)
{
    uint64_t at = atomic_load_explicit(&page->at, memory_order_acquire), taken;
    if (at)
        return (uintptr_t)races.base + RACES_OWN + at;
    if (!races_shared_take(RACES_SHADOW, &taken)) {
        races_full(RACES_NO_PAGES);
        return 0;
    }
    if (atomic_compare_exchange_strong(&page->at, &at, taken))
        at = taken;
    return (uintptr_t)races.base + RACES_OWN + at;
}

/* 0 without room, or where nobody has made them and may_make is false. */
static uintptr_t shared_cells(int pe, uintptr_t local, bool may_make)
{
    uint64_t key = key_of(pe, local);
    for (uint64_t i = hash_of(key), step = 0; step < 256; i++, step++) {
        struct races_page *page = &races.shared->pages[i % RACES_PAGES];
        uint64_t there = atomic_load_explicit(&page->key, memory_order_relaxed);
        if (there == 0 && !may_make)
            return 0;
        if (there == 0 && atomic_compare_exchange_strong(&page->key, &there, key))
            there = key;
        if (there == key)
            return cells_at(page);
    }
    if (may_make)
        races_full(RACES_NO_PAGES);
    return 0;
}

uintptr_t races_page_there(uintptr_t local)
{
    return shared_cells(races.pe, local, false);
}

/* Memory of this process alone; chunks are never given back. */
static uintptr_t private_cells(void)
{
    static _Atomic uintptr_t next, end;
    bool is_taken = races_lock();
    if (next == end) {
        char *chunk = races_map(64 * RACES_SHADOW);
        next = (uintptr_t)chunk;
        end = chunk ? next + 64 * RACES_SHADOW : next;
    }
    uintptr_t cells = next == end ? 0 : next + RACES_OWN;
    next = next == end ? next : next + RACES_SHADOW;
    races_unlock(is_taken);
    return cells;
}

uintptr_t races_page_find(uintptr_t address, bool even_private)
{
    uintptr_t *entry = entry_of(address), local, there;
    if (!entry || !races.is_up)
        return RACES_PRIVATE;
    there = __atomic_load_n(entry, __ATOMIC_RELAXED);
    if (there > RACES_FLAGS || (there == RACES_PRIVATE && !even_private && !races.watches_private))
        return there;
    int owner = there == RACES_PRIVATE ? -1 : races_owner(address, &local);
    uintptr_t found = RACES_PRIVATE;
    if (owner >= 0)
        found = shared_cells(owner, local, true) | (owner == races.pe ? 0 : RACES_FOREIGN);
    else if (even_private || races.watches_private)
        found = private_cells() | RACES_PRIVATE;
    if (found < RACES_SHADOW)
        found = RACES_PRIVATE;
    if (!__atomic_compare_exchange_n(entry, &there, found, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
        there > RACES_FLAGS)
        found = there;
    return found;
}

void races_pages_forget(uintptr_t start, size_t bytes)
{
    uintptr_t *entry = entry_of(start), *end = entry_of(start + bytes - 1);
    atomic_fetch_add(&forgotten, 1);
    if (entry && end && entry <= end)
        races_zero(entry, (size_t)(end - entry + 1) * sizeof *entry);
}

static struct races_cell *cell_in(uintptr_t page, uintptr_t address)
{
    struct races_cell *cells = (struct races_cell *)(page & ~RACES_FLAGS);
    return cells ? &cells[(address & (RACES_PAGE - 1)) / 8] : NULL;
}

struct races_cell *races_cell_on(int pe, uintptr_t address)
{
    if (pe == races.pe || pe < 0)
        return cell_in(races_page_find(address, pe < 0), address);
    return cell_in(races_page_find(address + (uintptr_t)races.distance[pe], false), address);
}

void races_prefetch(int pe, uintptr_t address)
{
    const uintptr_t *entry = entry_of(address + (pe == races.pe ? 0 : (uintptr_t)races.distance[pe]));
    if (!entry || *entry <= RACES_FLAGS)
        return;
    const struct races_cell *cell = cell_in(*entry, address);
    const struct races_own *own = races_own(cell_in(*entry, 0));
    __builtin_prefetch(cell, 1);
    __builtin_prefetch(&own->stamp);
    __builtin_prefetch(own->bits[(address & (RACES_PAGE - 1)) / 512]);
}

static void forget_cells(uintptr_t page, uintptr_t at, size_t count)
{
    memset(cell_in(page, at), 0, count * sizeof(struct races_cell));
}

/* Words of a range in the page of at; *next: the first behind them. */
size_t races_words_in_page(uintptr_t at, uintptr_t end, uintptr_t *next)
{
    *next = (at | (RACES_PAGE - 1)) + 1;
    return ((*next < end ? *next : end) - at + 7) / 8;
}

/* Pages that nobody has looked at have nothing to forget. */
void races_forget_private(uintptr_t start, size_t bytes)
{
    uintptr_t next, end = start + bytes;
    for (uintptr_t at = start & ~(uintptr_t)7; at < end; at = next) {
        size_t count = races_words_in_page(at, end, &next);
        const uintptr_t *entry = entry_of(at);
        if (entry && *entry > RACES_FLAGS && (*entry & RACES_PRIVATE))
            forget_cells(*entry, at, count);
    }
}
