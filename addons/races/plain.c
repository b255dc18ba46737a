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

/* Whole words of a page that is the thread's: bits of its youngest generation. */
static inline __attribute__((always_inline)) uint64_t *bits_of(struct races_own *own, uintptr_t at,
                                                               int kind)
{
    _Static_assert(RACES_PAGE / RACES_ROWS == 8 * sizeof *own->bits, "an eighth of the address, in rows");
    uintptr_t row = at / 8 & (RACES_PAGE / 8 - sizeof *own->bits);
    return (uint64_t *)((uintptr_t)own->bits + row) + kind;
}

static inline __attribute__((always_inline)) bool has_bits(const uint64_t *bits, uintptr_t at, size_t bytes)
{
    uint64_t now = __atomic_load_n(bits, __ATOMIC_RELAXED) >> (at / 8 % 64);
    return bytes == 16 ? (now & 3) == 3 : now & 1;
}

/* For the first time since its clock moved. False where more is to be done. */
static inline __attribute__((always_inline)) bool set_bits(const struct races_thread *thread,
                                                           struct races_own *own, uintptr_t at,
                                                           size_t bytes, bool is_write, uintptr_t caller)
{
#ifdef RACES_OF_PROGRAM /* its code, and no other's, has calls of this one */
    uint64_t bits = (bytes == 16 ? UINT64_C(3) : UINT64_C(1)) << (at / 8 % 64);
    size_t cell = (at & (RACES_PAGE - 1)) / 8;
    uint64_t *loaded = bits_of(own, at, RACES_LOADED), *stored = bits_of(own, at, RACES_STORED);
    if (atomic_load_explicit(&own->foreign[cell / 64], memory_order_relaxed) & bits)
        return false;
    uint32_t site = (uint32_t)(caller - 1 - thread->bias);
    for (size_t i = 0; i < bytes / 8; i++)
        __atomic_store_n(&own->site[is_write][cell + i], site, __ATOMIC_RELAXED);
    if (is_write)
        __atomic_store_n(stored, *stored | bits, __ATOMIC_RELEASE);
    __atomic_store_n(loaded, *loaded | bits, __ATOMIC_RELEASE);
    return true;
#else
    (void)thread, (void)own, (void)at, (void)bytes, (void)is_write, (void)caller;
    return false;
#endif
}

/* Parts of a word, and loads of other PEs' memory: what a thread has done since its clock last moved is
 * known already. */
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
                                                               bool is_whole, bool is_write)
{
    const struct races_thread *thread = races_self;
    uintptr_t at = (uintptr_t)address;
    if (races_unlikely(!thread))
        return;
    uintptr_t page = thread->table[at >> RACES_PAGE_SHIFT];
    if (races_likely(page > RACES_FLAGS)) {
        const struct races_cell *cells = (const struct races_cell *)(page & ~RACES_FLAGS);
        struct races_own *own = races_own(cells);
        bool has_cells = bytes < 8 || (bytes == 8 && !is_write && (page & RACES_FOREIGN));
        if (has_cells && is_known(thread, &cells[(at & (RACES_PAGE - 1)) / 8], at, bytes, is_write))
            return;
        if (is_whole &&
            races_likely(atomic_load_explicit(&own->stamp, memory_order_relaxed) == thread->stamp) &&
            (races_likely(has_bits(bits_of(own, at, is_write), at, bytes)) ||
             set_bits(thread, own, at, bytes, is_write, RACES_CALLER)))
            return;
    } else if (races_likely(page == RACES_PRIVATE) && !thread->watches_private) {
        return;
    }
    races_plain_slow(address, bytes, is_write, RACES_CALLER);
}

/* PREFIX: of compilers' names; IS_WHOLE: the access is whole words. */
#define KINDS(PREFIX, BYTES, IS_WHOLE)                                                                   \
    SEEN void PREFIX##read##BYTES(const void *address);                                                  \
    SEEN void PREFIX##read##BYTES(const void *address)                                                   \
    {                                                                                                    \
        access_plain(address, BYTES, IS_WHOLE, false);                                                   \
    }                                                                                                    \
    SEEN void PREFIX##write##BYTES(const void *address);                                                 \
    SEEN void PREFIX##write##BYTES(const void *address)                                                  \
    {                                                                                                    \
        access_plain(address, BYTES, IS_WHOLE, true);                                                    \
    }                                                                                                    \
    SEEN void PREFIX##read_write##BYTES(const void *address)                                             \
        __attribute__((alias(#PREFIX "write" #BYTES)));
#define ALIASES(PREFIX, OTHER, BYTES)                                                                    \
    SEEN void PREFIX##read##BYTES(const void *address) __attribute__((alias(#OTHER "read" #BYTES)));     \
    SEEN void PREFIX##write##BYTES(const void *address) __attribute__((alias(#OTHER "write" #BYTES)));   \
    SEEN void PREFIX##read_write##BYTES(const void *address)                                             \
        __attribute__((alias(#OTHER "write" #BYTES)));

/* Where compilers know of the alignment it needs no look. 16 bytes: of vectors, which may lie at any. */
#define ACCESSES(BYTES)                                                                                  \
    KINDS(__tsan_, BYTES, BYTES == 8 || (BYTES == 16 && !((uintptr_t)address & 15)))                     \
    KINDS(__tsan_unaligned_, BYTES, BYTES >= 8 && !((uintptr_t)address & (BYTES - 1)))                   \
    ALIASES(__tsan_volatile_, __tsan_, BYTES)                                                            \
    ALIASES(__tsan_unaligned_volatile_, __tsan_unaligned_, BYTES)

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

/* clang (14) takes elements of an array on the stack for nobody else's, unless their own address goes
 * elsewhere: oshcc has it call these for all loads and stores, and then it does. */
#define ESCAPES(NAME)                                                                                    \
    SEEN void __sanitizer_cov_##NAME(const void *address);                                               \
    SEEN void __sanitizer_cov_##NAME(const void *address)                                                \
    {                                                                                                    \
        (void)address;                                                                                   \
    }
ESCAPES(load1)
ESCAPES(load2)
ESCAPES(load4)
ESCAPES(load8)
ESCAPES(load16)
ESCAPES(store1)
ESCAPES(store2)
ESCAPES(store4)
ESCAPES(store8)
ESCAPES(store16)
