/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The collector: a library that is loaded before libsheaf and takes its routines' names. Each
 * routine counts its call by call site and PE, times it where that is worth its price, and calls
 * the library. The routines are printed at build time (scripts/print-wrappers) from the same lines
 * as the public headers.
 */
#ifndef SHEAF_PROFILE_PROFILE_H
#define SHEAF_PROFILE_PROFILE_H

#include "profile/format.h"

#include <pshmem.h>
#include <shmemx.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* A routine of the library: what it is, and where. */
struct profile_routine {
    const char *name;
    enum profile_kind kind;
    unsigned element; /* bytes of each call, where all move the same; else 0 */
};
extern const struct profile_routine profile_routines[];
extern const unsigned profile_routine_count;
void profile_resolve(void);

/* By the same numbers: the library's routine, and the first thread's call site that profile_recents
 * has it for (profile_own()), 0 for none and while nothing is collected. Beside each other, since a
 * call that is only counted needs both. */
extern struct profile_gate {
    void *real;
    uintptr_t own;
} profile_gates[] __attribute__((visibility("hidden")));

/* A constructor of another library may call before this one's. */
#define PROFILE_REAL(NUMBER, TYPE)                                                                 \
    ((unlikely(!profile_gates[NUMBER].real) ? profile_resolve() : (void)0),                        \
     (TYPE)profile_gates[NUMBER].real)

/* Where a thread finds a site's cells at once: a table by address. A site that shares its place
 * with another takes the slow way in turn. */
struct profile_slot {
    uint64_t key;
    struct profile_cell *cells;
    uint64_t cell_count;
    struct profile_site *site;
};
#define PROFILE_SLOTS 256
/* In the thread's own block: one load less before the count. */
extern _Thread_local struct profile_slot profile_slots[PROFILE_SLOTS]
    __attribute__((tls_model("initial-exec")));

/* The first thread's shortest way. A LOCK waits for the count's store, and that for each load that
 * it hangs from: here the place depends on no load. The chunk of the file lies over it, so that it
 * needs no writing back. */
#if defined(__aarch64__)
#define PROFILE_PAGE 65536
#else
#define PROFILE_PAGE 4096
#endif
extern union profile_recents {
    struct {
        struct profile_chunk chunk;
        struct profile_recent sites[PROFILE_RECENT_SITES];
    } of;
    char room[PROFILE_UNIT];
} profile_recents __attribute__((aligned(PROFILE_PAGE), visibility("hidden")));
_Static_assert(sizeof(union profile_recents) == PROFILE_UNIT, "one unit");
/* A call site of a thread: the same for no other, which one comparison then tells. The address times
 * the thread's pointer, since the difference of two threads' pointers may be that of two sites'
 * addresses. */
static inline uintptr_t profile_own(uintptr_t address)
{
#if defined(__x86_64__)
    __asm__("imul %%fs:0, %0" : "+r"(address) : : "cc");
    return address;
#else
    uintptr_t self;
    __asm__("mrs %0, tpidr_el0" : "=r"(self));
    return address * self;
#endif
}

static inline uint64_t profile_key(uintptr_t address, unsigned routine)
{
    return (uint64_t)address | (uint64_t)routine << PROFILE_ROUTINE_SHIFT;
}
static inline uintptr_t profile_address_of(uint64_t key)
{
    return (uintptr_t)(key & ((UINT64_C(1) << PROFILE_ROUTINE_SHIFT) - 1));
}

static inline unsigned profile_slot_of(uintptr_t address)
{
    return (unsigned)((address ^ address >> 7) % PROFILE_SLOTS);
}

/* Of the first thread's calls from address on pe, or NULL: two comparisons, and nothing that one of
 * them loads leads to the next. */
static inline struct profile_way *profile_recent(uintptr_t address, unsigned routine, int pe)
{
    struct profile_way *ways = profile_recents.of.sites[routine % PROFILE_RECENT_SITES].ways;
    __asm__("" : "+r"(ways)); /* an address of its own, instead of one more addition */
    struct profile_way *way = &ways[(unsigned)pe % PROFILE_WAYS];
    bool is_here = likely(profile_gates[routine].own == profile_own(address)) &&
                   likely(way->mark == (unsigned)pe);
    return is_here ? way : NULL;
}

static inline void profile_add_bytes(struct profile_way *way, uint64_t bytes)
{
    const size_t between =
        offsetof(struct profile_recent, bytes) - offsetof(struct profile_recent, ways);
    *(uint64_t *)(void *)((char *)way + between) += bytes;
}
_Static_assert(sizeof(struct profile_way) == sizeof(uint64_t), "ways and bytes go in step");

/* Another thread's, or of a site that is not recent; NULL if the call is to be timed. */
static inline struct profile_tally *profile_other(uintptr_t address, unsigned routine, int pe)
{
    struct profile_slot *slot = &profile_slots[profile_slot_of(address)];
    if (slot->key != profile_key(address, routine) || (unsigned)pe >= slot->cell_count)
        return NULL;
    struct profile_tally *tally = &slot->cells[pe].tally;
    return likely(tally->left != 0) ? tally : NULL;
}

/* Counts a call; false if it is to be timed instead, by the slow way, which puts left right again:
 * one instruction counts and tells. */
static inline bool profile_take(struct profile_way *way)
{
    return likely((int32_t)--way->left >= 0);
}

/* A call on its way: what profile_leave needs of profile_enter. */
struct profile_call {
    struct profile_cell *cell; /* NULL: not collected */
    struct profile_site *site;
    uint64_t begin; /* 0: not timed */
    uint64_t bytes;
    const void *signal; /* put or waited for, here */
    const void *place;  /* symmetric, that a transfer moves from or to */
    shmem_team_t team;  /* of a collective */
    struct profile_set {
        int start, stride, size;
    } set;  /* of one on an active set; size 0: none */
    int pe; /* in the world; -1: none */
};

/* pe is that of ctx's team; negative for routines without one. */
void profile_enter(struct profile_call *call, unsigned routine, uintptr_t address, shmem_ctx_t ctx,
                   int pe, uint64_t bytes);
void profile_leave(struct profile_call *call);
/* Of routines that allocate or free: freed and made may be NULL. */
void profile_leave_memory(struct profile_call *call, const void *freed, const void *made,
                          size_t bytes);

/* Of noncontiguous transfers. */
static inline uint64_t profile_vector_bytes(const shmemx_vector_t *vectors, size_t count)
{
    uint64_t bytes = 0;
    for (size_t i = 0; vectors && i < count; i++)
        bytes += (uint64_t)vectors[i].count * vectors[i].bytes;
    return bytes;
}
uint64_t profile_shape_bytes(const size_t *counts, int dims);

/* Around what begins and ends collection. */
void profile_begin(void);
void profile_before_finalize(void);
void profile_after_finalize(void);
void profile_exit(void);
void profile_level(int level);
void profile_forget_contexts(void);
void profile_session(shmem_ctx_t ctx, bool begins);
void profile_forget_team(shmem_team_t team);

/* From now on this thread's calls from the shared object of caller are made by that line. True for its
 * first one: calls of the address alone are to have no short way any more. */
bool profile_line(const char *file, int line, uintptr_t caller);
/* From now on this thread's calls from the shared object of caller are made at address for statement;
 * address 0: for none. True for its first one, as above. */
bool profile_statement(const char *statement, uintptr_t address, uintptr_t caller);
/* The calling thread has no short way to what was before. */
void profile_start_thread(void);

/* Users' events. */
void profile_event(const char *name, int kind, double value);

#define PROFILE_CALLER ((uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0)))

#endif
