/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Accesses: compared with those that the cell has, and recorded in it. Cells have no lock: accesses at
 * the very same moment may miss each other, and the next such pair is found.
 */
#include "races/internal.h"

#include <string.h>

#define MASKS   ((uint64_t)0xff << RACES_MASK_SHIFT)
#define STRANDS (UINT64_MAX << RACES_STRAND_SHIFT)
#define KINDS   (RACES_ATOMIC | RACES_TYPES | RACES_OF_SHARED)

static inline bool is_done(const struct races_thread *thread, const struct races_access *access,
                           uint64_t old)
{
    unsigned strand = races_strand_of(old);
    const uint32_t *clock = access->vc ? access->vc : thread->vc;
    if (strand == thread->program || strand == thread->stores)
        return access->vc == NULL || (uint32_t)old <= clock[strand];
    return strand == 0 || (uint32_t)old <= clock[strand] ||
           ((old & RACES_OBSERVED) && access->owner == races.pe);
}

static inline bool collides(uint64_t old, uint64_t word)
{
    bool is_typed = (old & RACES_TYPES) && (word & RACES_TYPES);
    bool is_atomic = (old & word & RACES_ATOMIC) && !(is_typed && ((old ^ word) & KINDS));
    return ((old | word) & RACES_WRITE) && !is_atomic;
}

/* Of one operation that has several parts, or of one thread at one time: the old says it all. */
static inline bool covers(uint64_t old, uint64_t word, const struct races_thread *thread)
{
    bool is_same = races_strand_of(old) == races_strand_of(word) ||
                   (races_strand_of(old) == thread->stores && races_strand_of(word) == thread->program);
    return is_same && (uint32_t)old == (uint32_t)word &&
           (races_mask_of(word) & ~races_mask_of(old)) == 0 &&
           ((old & RACES_WRITE) || !(word & RACES_WRITE)) &&
           ((old ^ word) & KINDS) == 0;
}

/* What a look at a cell finds: where the access goes (the place of one that it makes superfluous, or a
 * free one; -1: any; RACES_SLOTS: it is known already), what stands there, and the bytes that it shares
 * the place with. */
struct finding {
    int place;
    uint64_t there, others;
};

static void judge(struct races_thread *thread, uint64_t old, uint32_t old_site, uint64_t word,
                  uintptr_t local, const struct races_access *access)
{
    bool is_same_call = access->is_early && old_site == access->site;
    bool is_own_call = access->is_early && races_strand_of(old) == thread->program && (old & RACES_WRITE);
    if (!collides(old, word) || races_strand_of(word) == 0 || is_same_call || is_own_call)
        return;
    if (access->conflict)
        *access->conflict = true;
    else
        races_report(thread, old, old_site, word, local, access);
}

void races_compare(struct races_thread *thread, uint64_t old, uint32_t old_site, uint64_t word,
                   uintptr_t local, const struct races_access *access)
{
    if (!is_done(thread, access, old))
        judge(thread, old, old_site, word, local, access);
}

bool races_is_settled(const struct races_thread *thread, const struct races_cell *cell,
                      const struct races_access *access)
{
    for (int i = 0; i < RACES_SLOTS; i++)
        if (!is_done(thread, access, __atomic_load_n(&cell->slot[i], __ATOMIC_ACQUIRE)))
            return false;
    return true;
}

static struct finding look(struct races_thread *thread, struct races_cell *cell, uint64_t word,
                           uintptr_t local, const struct races_access *access)
{
    struct finding found = {.place = -1};
    unsigned mask = races_mask_of(word);
    for (int i = 0; i < RACES_SLOTS; i++) {
        uint64_t old = __atomic_load_n(&cell->slot[i], __ATOMIC_ACQUIRE), others = 0;
        uint32_t old_site = cell->more.site[i];
        bool fits = false;
        if (old == 0) {
            fits = true;
        } else if ((races_mask_of(old) & mask) == 0) { /* neighbours of one time share a place */
            others = old & MASKS;
            fits = ((old ^ word) & ~MASKS) == 0 && old_site == access->site;
        } else if (covers(old, word, thread)) {
            found.place = RACES_SLOTS;
        } else if (!is_done(thread, access, old)) {
            judge(thread, old, old_site, word, local, access);
        } else {
            fits = (races_mask_of(old) & ~mask) == 0 && ((word & RACES_WRITE) || !(old & RACES_WRITE));
        }
        if (fits && (found.place < 0 || (others && found.place < RACES_SLOTS)))
            found = (struct finding){i, old, others};
        if (old == 0)
            break;
    }
    return found;
}

/* Of two threads that look at the same time one sees the other: each looks again behind its own word.
 * False where another has come first. */
static bool record(struct races_cell *cell, struct finding found, uint64_t word, uint32_t site)
{
    static _Thread_local unsigned turn __attribute__((tls_model("initial-exec")));
    if (found.place < 0) {
        found.place = (int)(turn++ % RACES_SLOTS);
        found.there = __atomic_load_n(&cell->slot[found.place], __ATOMIC_RELAXED);
    }
    uint32_t *place = &cell->more.site[found.place], mine = site;
    uint32_t before = __atomic_exchange_n(place, site, __ATOMIC_RELAXED);
    if (__atomic_compare_exchange_n(&cell->slot[found.place], &found.there, word | found.others, false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        return true;
    /* the other's place, unless it came behind */
    __atomic_compare_exchange_n(place, &mine, before, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return false;
}

/* Whether the cell has words that were not there. */
static bool has_changed(const struct races_cell *cell, const uint64_t *before, uint64_t word)
{
    for (int i = 0; i < RACES_SLOTS; i++) {
        uint64_t now = __atomic_load_n(&cell->slot[i], __ATOMIC_RELAXED);
        if (now != before[i] && ((now ^ word) & ~MASKS) != 0)
            return true;
    }
    return false;
}

/* What a call reads for another PE, a put's source, has the thread's own stores in it: whoever learns of
 * the call is behind them too. */
static void settle_stores(const struct races_thread *thread, struct races_cell *cell)
{
    for (int i = 0; i < RACES_SLOTS; i++) {
        uint64_t old = __atomic_load_n(&cell->slot[i], __ATOMIC_ACQUIRE);
        uint64_t settled = (old & ~STRANDS) | races_word(thread->program, 0, 0);
        if (old && races_strand_of(old) == thread->stores)
            __atomic_compare_exchange_n(&cell->slot[i], &old, settled, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED);
    }
}

void races_look(struct races_thread *thread, struct races_cell *cell, unsigned mask, uintptr_t local,
                const struct races_access *access)
{
    uint64_t word = access->word | (uint64_t)mask << RACES_MASK_SHIFT, before[RACES_SLOTS];
    if (access->settles)
        settle_stores(thread, cell);
    for (int tries = 0; tries < 3; tries++) {
        memcpy(before, cell->slot, sizeof before);
        struct finding found = look(thread, cell, word, local, access);
        if (access->is_check || found.place == RACES_SLOTS)
            break;
        if (record(cell, found, word, access->site) && !has_changed(cell, before, word))
            break;
    }
    if (access->release && (word & RACES_WRITE) && !access->is_check)
        races_cell_release(thread, cell, mask, access->release, access->joins);
}

#define LOW  0x0fu
#define HIGH 0xf0u

void races_cell_release(struct races_thread *thread, struct races_cell *cell, unsigned mask, uint32_t id,
                        bool joins)
{
    struct races_more *more = &cell->more;
    uint32_t *place = !(mask & HIGH) ? &more->half[0] : !(mask & LOW) ? &more->half[1] : &more->release;
    bool is_part = mask != LOW && mask != HIGH && mask != (LOW | HIGH);
    uint32_t old = __atomic_load_n(place, __ATOMIC_ACQUIRE), joined = id;
    if (id == 0 && is_part)
        return;
    do {
        if ((joins || is_part) && old != 0)
            joined = races_snapshot_join(thread, old, id);
    } while (!__atomic_compare_exchange_n(place, &old, joined, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    for (int i = 0; i < 2 && mask == (LOW | HIGH) && !joins; i++)
        if (__atomic_load_n(&more->half[i], __ATOMIC_RELAXED))
            __atomic_store_n(&more->half[i], 0, __ATOMIC_RELEASE);
}

void races_cell_acquire(struct races_thread *thread, const struct races_cell *cell, unsigned mask)
{
    const struct races_more *more = &cell->more;
    uint32_t low = mask & LOW ? __atomic_load_n(&more->half[0], __ATOMIC_ACQUIRE) : 0;
    uint32_t high = mask & HIGH ? __atomic_load_n(&more->half[1], __ATOMIC_ACQUIRE) : 0;
    races_acquire(thread, __atomic_load_n(&more->release, __ATOMIC_ACQUIRE));
    if (low)
        races_acquire(thread, low);
    if (high)
        races_acquire(thread, high);
}
