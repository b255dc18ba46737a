/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the compiler calls before loads and stores (-fsanitize=thread of gcc and clang).
 */
#include "races/internal.h"

/* An access that its thread has made since its clock last moved is known already. */
static inline bool is_known(const struct races_cell *cell, uint64_t word)
{
    return __atomic_load_n(&cell->slot[0], __ATOMIC_RELAXED) == word ||
           __atomic_load_n(&cell->slot[1], __ATOMIC_RELAXED) == word;
}

static inline __attribute__((always_inline)) void access_plain(const void *address, size_t bytes,
                                                               bool is_write)
{
    const struct races_thread *thread = races_self;
    uintptr_t at = (uintptr_t)address;
    if (races_unlikely(!thread))
        return;
    uintptr_t page = races_table[at >> RACES_PAGE_SHIFT];
    if (races_likely(page <= RACES_FLAGS)) {
        if (races_likely(page == RACES_PRIVATE) && !races.watches_private)
            return;
    } else if (races_likely((at & 7) + bytes <= 8)) {
        const struct races_cell *cells = (const struct races_cell *)(page & ~RACES_FLAGS);
        const struct races_cell *cell = &cells[(at & (RACES_PAGE - 1)) / 8];
        uint64_t mask = (uint64_t)((1u << bytes) - 1) << ((at & 7) + RACES_MASK_SHIFT);
        if (is_known(cell, thread->write_word | mask) ||
            (!is_write && is_known(cell, thread->read_word | mask)))
            return;
    }
    races_plain_range(address, bytes, is_write, RACES_CALLER);
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
    races_plain_range(address, bytes, false, RACES_CALLER);
}

RACES_PUBLIC void __tsan_write_range(const void *address, size_t bytes);
RACES_PUBLIC void __tsan_write_range(const void *address, size_t bytes)
{
    races_plain_range(address, bytes, true, RACES_CALLER);
}

/* C++: the pointer to an object's virtual functions. Storing the same again is no access. */
RACES_PUBLIC void __tsan_vptr_update(void **address, void *value);
RACES_PUBLIC void __tsan_vptr_update(void **address, void *value)
{
    if (*address != value)
        races_plain_range(address, sizeof *address, true, RACES_CALLER);
}

RACES_PUBLIC void __tsan_vptr_read(void **address);
RACES_PUBLIC void __tsan_vptr_read(void **address)
{
    races_plain_range(address, sizeof *address, false, RACES_CALLER);
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
