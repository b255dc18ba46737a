/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Accesses to ranges of memory, wherever they lead: of each page its bits where one thread has it, and its
 * cells.
 */
#include "races/internal.h"

#include <string.h>

/* Whether the page's own thread makes the access: its bits and what it has put into cells need no look. */
static inline bool has_page(const struct races_thread *thread, const struct races_own *own)
{
    return atomic_load_explicit(&own->stamp, memory_order_relaxed) >> 48 == thread->program;
}

static inline bool is_owners(const struct races_thread *thread, const struct races_own *own,
                             const struct races_access *access)
{
    unsigned strand = races_strand_of(access->word);
    return has_page(thread, own) && !access->vc && (strand == thread->program || strand == thread->stores);
}

void races_look_words(struct races_thread *thread, struct races_cell *cells, uintptr_t at, uintptr_t end,
                      uintptr_t local, const struct races_access *access)
{
    size_t first = (at & (RACES_PAGE - 1)) / 8, count = (end - (at & ~(uintptr_t)7) + 7) / 8;
    uintptr_t place = at, word = local;
    if (access->settles && has_page(thread, races_own(cells)))
        races_own_settle(thread, cells, first, count);
    for (size_t i = first; i < first + count; i++) {
        races_look(thread, &cells[i], races_mask_from(place, end), word, access);
        word += (place | 7) + 1 - place;
        place = (place | 7) + 1;
    }
    if (access->owner < 0 || is_owners(thread, races_own(cells), access))
        return;
    if (!access->is_check)
        races_own_mark(cells, first, count);
    for (; at < end && atomic_load_explicit(&races_own(cells)->stamp, memory_order_acquire);
         local += (at | 7) + 1 - at, at = (at | 7) + 1)
        races_own_look(thread, cells, local,
                       access->word | (uint64_t)races_mask_from(at, end) << RACES_MASK_SHIFT, access);
}

void races_look_range(struct races_thread *thread, int pe, const void *start, size_t bytes,
                      const struct races_access *access)
{
    uintptr_t at = (uintptr_t)start, end = at + bytes;
    while (at < end) {
        uintptr_t page_end = (at | (RACES_PAGE - 1)) + 1, stop = end < page_end ? end : page_end;
        struct races_cell *cell = races_cell_on(pe, at);
        if (cell)
            races_look_words(thread, cell - (at & (RACES_PAGE - 1)) / 8, at, stop, at, access);
        at = stop;
    }
}

/* The clock that a store to another PE's memory hands to its waits, until the thread learns or fences. */
static uint32_t foreign_release(struct races_thread *thread)
{
    if (!thread->foreign_release)
        thread->foreign_release = races_release(thread, false);
    return thread->foreign_release;
}

/* Whole words of this PE's memory, where the page is the thread's. */
static bool look_own(struct races_thread *thread, struct races_cell *cells, uintptr_t at, uintptr_t end,
                     bool is_write, const struct races_access *access)
{
    if ((at | end) & 7)
        return false;
    for (; at < end; at += 8)
        if (!races_own_record(thread, cells, at, is_write, access))
            return false;
    return true;
}

static void look_plain(struct races_thread *thread, uintptr_t page, uintptr_t at, uintptr_t end,
                       bool is_write, uint32_t site)
{
    struct races_access access = {.word = is_write ? thread->write_word : thread->read_word,
                                  .site = site};
    uintptr_t local = at;
    access.owner = page & RACES_PRIVATE   ? -1
                   : page & RACES_FOREIGN ? races_owner_again(at, &local)
                                          : races.pe;
    if (is_write && (page & RACES_FOREIGN)) {
        access.release = foreign_release(thread);
        access.word = thread->write_word;
    }
    struct races_cell *cells = (struct races_cell *)(page & ~RACES_FLAGS);
    if ((page & RACES_FLAGS) || !look_own(thread, cells, at, end, is_write, &access))
        races_look_words(thread, cells, at, end, local, &access);
}

void races_plain_range(const void *start, size_t bytes, bool is_write, uintptr_t caller, const char *call)
{
    struct races_thread *thread = races_self;
    uintptr_t at = (uintptr_t)start, end = at + bytes;
    if (!thread || !races.is_up || bytes == 0)
        return;
    uint32_t site = call ? races_site_call(call, caller) : races_site_plain(caller);
    while (at < end) {
        uintptr_t page_end = (at | (RACES_PAGE - 1)) + 1, stop = end < page_end ? end : page_end;
        uintptr_t page = races_table ? races_table[at >> RACES_PAGE_SHIFT] : 0;
        if (page <= RACES_FLAGS)
            page = races_page_find(at, false);
        if (page > RACES_FLAGS)
            look_plain(thread, page, at, stop, is_write, site);
        at = stop;
    }
}

void races_plain_slow(const void *start, size_t bytes, bool is_write, uintptr_t caller)
{
    races_plain_range(start, bytes, is_write, caller, NULL);
}

void races_check_range(struct races_thread *thread, uintptr_t start, size_t bytes, uint32_t site)
{
    struct races_access access = {.word = thread->read_word | RACES_WRITE,
                                  .site = site,
                                  .owner = races.pe,
                                  .is_check = true};
    uintptr_t next, end = start + bytes;
    for (uintptr_t at = start; at < end; at = next) {
        next = (at | (RACES_PAGE - 1)) + 1;
        uintptr_t page = races_page_there(at);
        if (page)
            races_look_words(thread, (struct races_cell *)page, at, next < end ? next : end, at, &access);
    }
}

/* Symmetric memory of this PE. */
void races_forget_range(uintptr_t start, size_t bytes)
{
    uintptr_t next, end = start + bytes;
    for (uintptr_t at = start & ~(uintptr_t)7; at < end; at = next) {
        size_t count = races_words_in_page(at, end, &next);
        uintptr_t page = races_page_there(at);
        if (!page)
            continue;
        struct races_cell *cells = (struct races_cell *)page;
        size_t first = (at & (RACES_PAGE - 1)) / 8;
        memset(&cells[first], 0, count * sizeof *cells);
        races_own_forget(cells, first, count);
    }
}
