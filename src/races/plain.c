/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the compiler calls before loads and stores (-fsanitize=thread of gcc and clang).
 */
#include "races/internal.h"

/* The program has a copy of its own, whose calls are direct; what it loads has the library's. */
#ifdef RACES_OF_PROGRAM
#define SEEN __attribute__((visibility("hidden")))
#else
#define SEEN RACES_PUBLIC
#endif

/* Whole words of a page that is the thread's: bits. False where more is to be done. */
static inline __attribute__((always_inline)) bool access_own(const struct races_thread *thread,
                                                             struct races_own *own, uintptr_t at,
                                                             size_t bytes, bool is_write)
{
    if (races_unlikely(atomic_load_explicit(&own->stamp, memory_order_relaxed) != thread->stamp ||
                       (at & (bytes - 1))))
        return false;
    uint64_t bits = (bytes == 16 ? UINT64_C(3) : UINT64_C(1)) << (at / 8 % 64);
    size_t cell = (at & (RACES_PAGE - 1)) / 8, row = cell / 64;
    uint64_t *now = own->bits[row][0];
    uint64_t loaded = __atomic_load_n(&now[RACES_LOADED], __ATOMIC_RELAXED);
    uint64_t stored = __atomic_load_n(&now[RACES_STORED], __ATOMIC_RELAXED);
    if (races_likely(((is_write ? stored : loaded) & bits) == bits))
        return true;
#ifdef RACES_OF_PROGRAM /* its code, and no other's, has calls of this one */
    if (atomic_load_explicit(&own->foreign[row], memory_order_relaxed) & bits)
        return false;
    uint32_t site = (uint32_t)(RACES_CALLER - 1 - thread->bias);
    for (size_t i = 0; i < bytes / 8; i++)
        __atomic_store_n(&own->site[is_write][cell + i], site, __ATOMIC_RELAXED);
    if (is_write)
        __atomic_store_n(&now[RACES_STORED], stored | bits, __ATOMIC_RELEASE);
    __atomic_store_n(&now[RACES_LOADED], loaded | bits, __ATOMIC_RELEASE);
    return true;
#else
    return false;
#endif
}

/* Parts of a word: what a thread has done since its clock last moved is known already. */
static inline __attribute__((always_inline)) bool is_known(const struct races_thread *thread,
                                                           const struct races_cell *cell, uintptr_t at,
                                                           size_t bytes, bool is_write)
{
    uint64_t mask = (uint64_t)((1u << bytes) - 1) << ((at & 7) + RACES_MASK_SHIFT);
    uint64_t write_word = thread->write_word | mask,
             word = is_write ? write_word : thread->read_word | mask;
    for (int i = 0; i < RACES_SLOTS && races_likely((at & 7) + bytes <= 8); i++) {
        uint64_t old = __atomic_load_n(&cell->slot[i], __ATOMIC_RELAXED);
        if (old == word || (!is_write && old == write_word))
            return true;
    }
    return false;
}

static inline __attribute__((always_inline)) void access_plain(const void *address, size_t bytes,
                                                               bool is_write)
{
    const struct races_thread *thread = races_self;
    uintptr_t at = (uintptr_t)address;
    if (races_unlikely(!thread))
        return;
    uintptr_t page = thread->table[at >> RACES_PAGE_SHIFT];
    if (races_likely(page > RACES_FLAGS)) {
        const struct races_cell *cells = (const struct races_cell *)(page & ~RACES_FLAGS);
        if (bytes >= 8 ? access_own(thread, races_own(cells), at, bytes, is_write)
                       : is_known(thread, &cells[(at & (RACES_PAGE - 1)) / 8], at, bytes, is_write))
            return;
    } else if (races_likely(page == RACES_PRIVATE) && !thread->watches_private) {
        return;
    }
    races_plain_slow(address, bytes, is_write, RACES_CALLER);
}

#define ACCESSES(BYTES)                                                                                  \
    SEEN void __tsan_read##BYTES(const void *address);                                           \
    SEEN void __tsan_read##BYTES(const void *address)                                            \
    {                                                                                                    \
        access_plain(address, BYTES, false);                                                             \
    }                                                                                                    \
    SEEN void __tsan_write##BYTES(const void *address);                                          \
    SEEN void __tsan_write##BYTES(const void *address)                                           \
    {                                                                                                    \
        access_plain(address, BYTES, true);                                                              \
    }                                                                                                    \
    SEEN void __tsan_read_write##BYTES(const void *address);                                     \
    SEEN void __tsan_read_write##BYTES(const void *address)                                      \
    {                                                                                                    \
        access_plain(address, BYTES, true);                                                              \
    }                                                                                                    \
    ALIASES(BYTES, __tsan_unaligned_)                                                                    \
    ALIASES(BYTES, __tsan_volatile_)                                                                     \
    ALIASES(BYTES, __tsan_unaligned_volatile_)
#define ALIASES(BYTES, PREFIX)                                                                           \
    SEEN void PREFIX##read##BYTES(const void *address)                                           \
        __attribute__((alias("__tsan_read" #BYTES)));                                                    \
    SEEN void PREFIX##write##BYTES(const void *address)                                          \
        __attribute__((alias("__tsan_write" #BYTES)));                                                   \
    SEEN void PREFIX##read_write##BYTES(const void *address)                                     \
        __attribute__((alias("__tsan_read_write" #BYTES)));

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

SEEN void __tsan_read_range(const void *address, size_t bytes);
SEEN void __tsan_read_range(const void *address, size_t bytes)
{
    races_plain_slow(address, bytes, false, RACES_CALLER);
}

SEEN void __tsan_write_range(const void *address, size_t bytes);
SEEN void __tsan_write_range(const void *address, size_t bytes)
{
    races_plain_slow(address, bytes, true, RACES_CALLER);
}

/* C++: the pointer to an object's virtual functions. Storing the same again is no access. */
SEEN void __tsan_vptr_update(void **address, void *value);
SEEN void __tsan_vptr_update(void **address, void *value)
{
    if (*address != value)
        races_plain_slow(address, sizeof *address, true, RACES_CALLER);
}

SEEN void __tsan_vptr_read(void **address);
SEEN void __tsan_vptr_read(void **address)
{
    races_plain_slow(address, sizeof *address, false, RACES_CALLER);
}

SEEN void __tsan_init(void);
SEEN void __tsan_init(void)
{
}

SEEN void __tsan_func_entry(void *caller);
SEEN void __tsan_func_entry(void *caller)
{
    (void)caller;
}

SEEN void __tsan_func_exit(void);
SEEN void __tsan_func_exit(void)
{
}
