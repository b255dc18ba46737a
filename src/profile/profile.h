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
extern void *profile_real[]; /* by the same numbers */
extern const unsigned profile_routine_count;
void profile_resolve(void);

/* A constructor of another library may call before this one's. */
#define PROFILE_REAL(NUMBER, TYPE)                                                                 \
    ((unlikely(!profile_real[NUMBER]) ? profile_resolve() : (void)0), (TYPE)profile_real[NUMBER])

/* Where a thread finds a site's cells at once: by routine, for the site that was timed last, and by
 * address. A LOCK waits for the count's store, and that for each load it hangs from: the place in
 * the first table is known before the return address is loaded. A site that shares its place in the
 * second with another takes the slow way in turn. */
struct profile_slot {
    uint64_t key;
    struct profile_cell *cells;
    uint64_t cell_count;
    struct profile_site *site;
};
#define PROFILE_SLOTS  256
#define PROFILE_RECENT 128
/* In the thread's own block: one load less before the count. */
extern _Thread_local struct profile_slot profile_slots[PROFILE_SLOTS + PROFILE_RECENT]
    __attribute__((tls_model("initial-exec")));

static inline uint64_t profile_key(uintptr_t address, unsigned routine)
{
    return (uint64_t)address | (uint64_t)routine << 48;
}

static inline unsigned profile_slot_of(uintptr_t address)
{
    return (unsigned)((address ^ address >> 7) % PROFILE_SLOTS);
}

/* The cell of a call that is to be counted and no more, or NULL. */
static inline struct profile_cell *profile_count(uintptr_t address, unsigned routine, int pe)
{
    struct profile_slot *slot = &profile_slots[PROFILE_SLOTS + routine % PROFILE_RECENT];
    if (unlikely(slot->key != profile_key(address, routine) || (unsigned)pe >= slot->cell_count)) {
        slot = &profile_slots[profile_slot_of(address)];
        if (slot->key != profile_key(address, routine) || (unsigned)pe >= slot->cell_count)
            return NULL;
    }
    struct profile_cell *cell = &slot->cells[pe];
    return likely(cell->left != 0) ? cell : NULL;
}

/* A call on its way: what profile_leave needs of profile_enter. */
struct profile_call {
    struct profile_cell *cell; /* NULL: not collected */
    struct profile_site *site;
    uint64_t begin; /* 0: not timed */
    uint64_t bytes;
    const void *signal; /* put or waited for, here */
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
void profile_forget_team(shmem_team_t team);

/* Users' events. */
void profile_event(const char *name, int kind, double value);

#define PROFILE_CALLER ((uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0)))

#endif
