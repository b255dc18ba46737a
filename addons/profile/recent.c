/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sites that the first thread called last, by routine: where most calls of most programs are
 * counted. Only that thread writes here, but for the gates, which any thread may close; oshprof
 * reads what is left from here (format.h).
 */
#include "profile/internal.h"

union profile_recents profile_recents;

#define KEY_OF_SITE(site)   ((site)->key & ~PROFILE_IN_SESSION)
#define ROUTINE_OF_KEY(key) ((key) >> PROFILE_ROUTINE_SHIFT)

int profile_recent_prepare(void)
{
    uint64_t at;
    struct profile_chunk *chunk =
        profile_file_add(PROFILE_RECENT, 0, sizeof profile_recents.of.sites, &at);
    if (!chunk || chunk->bytes != sizeof profile_recents ||
        profile_file_lay(&profile_recents, at, sizeof profile_recents) != 0)
        return -1;
    chunk->count = PROFILE_RECENT_SITES;
    return 0;
}

/* A gate that is opened while another thread switches collection off is closed again: either this
 * one sees that, or that one sees the gate (profile_recent_close()). */
static void open_gate(uint64_t key)
{
    uintptr_t *own = &profile_gates[ROUTINE_OF_KEY(key)].own,
              wanted = profile_own(profile_address_of(key));
    if (__atomic_load_n(own, __ATOMIC_RELAXED) == wanted)
        return;
    __atomic_store_n(own, wanted, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&profile.is_on, __ATOMIC_SEQ_CST))
        __atomic_store_n(own, 0, __ATOMIC_RELAXED);
}

void profile_recent_close(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < profile_routine_count; i++)
        __atomic_store_n(&profile_gates[i].own, 0, __ATOMIC_RELAXED);
}

static struct profile_recent *place_of(const struct profile_site *site)
{
    return &profile_recents.of.sites[ROUTINE_OF_KEY(KEY_OF_SITE(site)) % PROFILE_RECENT_SITES];
}

/* The way is free then. */
static void take_back(struct profile_thread *thread, struct profile_recent *recent, unsigned which)
{
    struct profile_way *way = &recent->ways[which];
    if (way->mark != PROFILE_NO_PE) {
        struct profile_tally *tally = &thread->cells_of[recent->site][way->mark].tally;
        tally->left = (int32_t)way->left < 0 ? 0 : way->left;
        tally->bytes += recent->bytes[which];
    }
    way->mark = PROFILE_NO_PE;
    recent->bytes[which] = 0;
}

static void clear(struct profile_thread *thread, struct profile_recent *recent)
{
    if (recent->key == 0)
        return;
    __atomic_store_n(&profile_gates[ROUTINE_OF_KEY(recent->key)].own, 0, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < PROFILE_WAYS; i++)
        take_back(thread, recent, i);
    recent->key = 0;
}

void profile_recent_clear(struct profile_thread *thread)
{
    for (int i = 0; thread->number == 0 && i < PROFILE_RECENT_SITES; i++)
        clear(thread, &profile_recents.of.sites[i]);
}

static bool is_here(const struct profile_thread *thread, const struct profile_site *site)
{
    const struct profile_recent *recent = place_of(site);
    return thread->number == 0 && recent->key && recent->site == (uint32_t)(site - thread->sites);
}

uint32_t *profile_recent_left(struct profile_thread *thread, const struct profile_site *site,
                              unsigned pe)
{
    struct profile_way *way = &place_of(site)->ways[pe % PROFILE_WAYS];
    if (is_here(thread, site) && way->mark == pe)
        return &way->left;
    return &thread->cells_of[site - thread->sites][pe].tally.left;
}

static void take_place(struct profile_thread *thread, const struct profile_site *site)
{
    struct profile_recent *recent = place_of(site);
    clear(thread, recent);
    for (int i = 0; i < PROFILE_WAYS; i++)
        recent->ways[i].mark = PROFILE_NO_PE;
    recent->site = (uint32_t)(site - thread->sites);
    recent->key = KEY_OF_SITE(site);
}

void profile_recent_use(struct profile_thread *thread, struct profile_site *site, unsigned pe)
{
    if (thread->number != 0)
        return;
    struct profile_recent *recent = place_of(site);
    unsigned which = pe % PROFILE_WAYS;
    if (!is_here(thread, site))
        take_place(thread, site);
    if (recent->ways[which].mark != pe) {
        uint32_t *left = &thread->cells_of[recent->site][pe].tally.left;
        take_back(thread, recent, which);
        recent->ways[which] = (struct profile_way){*left, pe};
        *left = 0; /* or profile_other() would count there while the gate is closed */
    }
    open_gate(recent->key);
}

void profile_recent_open(struct profile_thread *thread, const struct profile_site *site)
{
    if (is_here(thread, site))
        open_gate(place_of(site)->key);
}
