/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the compiler calls before loads and stores (-fsanitize=thread of gcc and clang).
 */
#include "races/internal.h"

/* Whether the cell has seen no thread but this one, which then cannot race: the access takes the place of
 * the one before it of its kind. That is most of a program's memory. */
static inline bool record_own(struct races_cell *cell, const struct races_thread *thread, uint64_t word,
                              uintptr_t caller)
{
    int place = -1;
    for (int i = 0; i < RACES_SLOTS; i++) {
        uint64_t old = __atomic_load_n(&cell->slot[i], __ATOMIC_RELAXED);
        if (old == 0) {
            place = place < 0 ? i : place;
            break;
        }
        if ((old ^ word) >> RACES_MASK_SHIFT == 0)
            place = i;
        else if (races_strand_of(old) != thread->program && races_strand_of(old) != thread->stores)
            return false;
    }
    uintptr_t offset = caller - 1 - races.bias;
    if (place < 0 || caller - races.program >= races.program_end - races.program ||
        offset >= RACES_LISTED)
        return false;
    if (cell->slot[place] == 0)
        return false; /* another may come at the same time: see races_look() */
    races_more(cell)->site[place] = (uint32_t)offset;
    __atomic_store_n(&cell->slot[place], word, __ATOMIC_RELEASE);
    return true;
}

static __attribute__((noinline)) void record_plain(const void *address, size_t bytes, bool is_write,
                                                   uintptr_t caller)
{
    const struct races_thread *thread = races_self;
    uintptr_t at = (uintptr_t)address, page = races_table[at >> RACES_PAGE_SHIFT];
    if (page > RACES_FLAGS && (at & 7) + bytes <= 8 && !(page & RACES_FOREIGN)) {
        struct races_cell *cells = (struct races_cell *)(page & ~RACES_FLAGS);
        uint64_t mask = (uint64_t)((1u << bytes) - 1) << ((at & 7) + RACES_MASK_SHIFT);
        if (record_own(&cells[(at & (RACES_PAGE - 1)) / 8], thread,
                       mask | (is_write ? thread->write_word : thread->read_word), caller))
            return;
    }
    races_plain_range(address, bytes, is_write, caller, NULL);
}

/* What a thread has done since its clock last moved is known already. */
static inline __attribute__((always_inline)) void access_plain(const void *address, size_t bytes,
                                                               bool is_write)
{
    const struct races_thread *thread = races_self;
    uintptr_t at = (uintptr_t)address;
    if (races_unlikely(!thread))
        return;
    uintptr_t page = races_table[at >> RACES_PAGE_SHIFT];
    if (races_likely(page > RACES_FLAGS)) {
        const struct races_cell *cells = (const struct races_cell *)(page & ~RACES_FLAGS);
        const uint64_t *slot = cells[(at & (RACES_PAGE - 1)) / 8].slot;
        uint64_t mask = (uint64_t)((1u << bytes) - 1) << ((at & 7) + RACES_MASK_SHIFT);
        uint64_t write_word = thread->write_word | mask,
                 word = is_write ? write_word : thread->read_word | mask;
        if (races_likely((at & 7) + bytes <= 8))
            for (int i = 0; i < RACES_SLOTS; i++) {
                uint64_t old = __atomic_load_n(&slot[i], __ATOMIC_RELAXED);
                if (old == word || (!is_write && old == write_word))
                    return;
            }
    } else if (races_likely(page == RACES_PRIVATE) && !races.watches_private) {
        return;
    }
    record_plain(address, bytes, is_write, RACES_CALLER);
}

#define ACCESSES(BYTES)                                                                                  \
    RACES_PUBLIC void __tsan_read##BYTES(const void *address);                                           \
    RACES_PUBLIC void __tsan_read##BYTES(const void *address)                                            \
    {                                                                                                    \
        access_plain(address, BYTES, false);                                                             \
    }                                                                                                    \
    RACES_PUBLIC void __tsan_write##BYTES(const void *address);                                          \
    RACES_PUBLIC void __tsan_write##BYTES(const void *address)                                           \
    {                                                                                                    \
        access_plain(address, BYTES, true);                                                              \
    }                                                                                                    \
    RACES_PUBLIC void __tsan_read_write##BYTES(const void *address);                                     \
    RACES_PUBLIC void __tsan_read_write##BYTES(const void *address)                                      \
    {                                                                                                    \
        access_plain(address, BYTES, true);                                                              \
    }                                                                                                    \
    ALIASES(BYTES, __tsan_unaligned_)                                                                    \
    ALIASES(BYTES, __tsan_volatile_)                                                                     \
    ALIASES(BYTES, __tsan_unaligned_volatile_)
#define ALIASES(BYTES, PREFIX)                                                                           \
    RACES_PUBLIC void PREFIX##read##BYTES(const void *address)                                           \
        __attribute__((alias("__tsan_read" #BYTES)));                                                    \
    RACES_PUBLIC void PREFIX##write##BYTES(const void *address)                                          \
        __attribute__((alias("__tsan_write" #BYTES)));                                                   \
    RACES_PUBLIC void PREFIX##read_write##BYTES(const void *address)                                     \
        __attribute__((alias("__tsan_read_write" #BYTES)));

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

RACES_PUBLIC void __tsan_read_range(const void *address, size_t bytes);
RACES_PUBLIC void __tsan_read_range(const void *address, size_t bytes)
{
    races_plain_range(address, bytes, false, RACES_CALLER, NULL);
}

RACES_PUBLIC void __tsan_write_range(const void *address, size_t bytes);
RACES_PUBLIC void __tsan_write_range(const void *address, size_t bytes)
{
    races_plain_range(address, bytes, true, RACES_CALLER, NULL);
}

/* C++: the pointer to an object's virtual functions. Storing the same again is no access. */
RACES_PUBLIC void __tsan_vptr_update(void **address, void *value);
RACES_PUBLIC void __tsan_vptr_update(void **address, void *value)
{
    if (*address != value)
        races_plain_range(address, sizeof *address, true, RACES_CALLER, NULL);
}

RACES_PUBLIC void __tsan_vptr_read(void **address);
RACES_PUBLIC void __tsan_vptr_read(void **address)
{
    races_plain_range(address, sizeof *address, false, RACES_CALLER, NULL);
}

RACES_PUBLIC void __tsan_init(void);
RACES_PUBLIC void __tsan_init(void)
{
}

RACES_PUBLIC void __tsan_func_entry(void *caller);
RACES_PUBLIC void __tsan_func_entry(void *caller)
{
    (void)caller;
}

RACES_PUBLIC void __tsan_func_exit(void);
RACES_PUBLIC void __tsan_func_exit(void)
{
}
