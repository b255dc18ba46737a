/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sites that the first thread called last, by routine: where most calls of most programs are
 * counted. Only that thread writes here; oshprof reads what is left from here (format.h).
 */
#include "profile/internal.h"

union profile_recents profile_recents;
void *profile_owner;
static void *first; /* thread */

#define KEY_OF_SITE(site) ((site)->key & ~PROFILE_IN_SESSION)

int profile_recent_prepare(void)
{
    uint64_t at;
    struct profile_chunk *chunk = profile_file_add(
        PROFILE_RECENT, 0, sizeof profile_recents.of.sites, &at);
    if (!chunk || chunk->bytes != sizeof profile_recents ||
        profile_file_lay(&profile_recents, at, sizeof profile_recents) != 0)
        return -1;
    chunk->count = PROFILE_RECENT_SITES;
    return 0;
}

void profile_recent_switch(bool is_on)
{
    __atomic_store_n(&profile_owner, is_on ? first : NULL, __ATOMIC_RELAXED);
}

static struct profile_recent *place_of(const struct profile_site *site)
{
    return &profile_recents.of.sites[(KEY_OF_SITE(site) >> 48) % PROFILE_RECENT_SITES];
}

static void take_back(struct profile_thread *thread, struct profile_recent *recent,
                      struct profile_tally *way)
{
    if (way->mark != PROFILE_NO_PE) {
        struct profile_tally *tally = &thread->cells_of[recent->site][way->mark].tally;
        tally->left = way->left;
        tally->bytes += way->bytes;
    }
    way->mark = PROFILE_NO_PE;
    way->bytes = 0;
}

static void clear(struct profile_thread *thread, struct profile_recent *recent)
{
    for (int i = 0; recent->key && i < PROFILE_WAYS; i++)
        take_back(thread, recent, &recent->ways[i]);
    recent->key = 0;
}

void profile_recent_clear(struct profile_thread *thread)
{
    for (int i = 0; thread->number == 0 && i < PROFILE_RECENT_SITES; i++)
        clear(thread, &profile_recents.of.sites[i]);
}

static struct profile_tally *way_of(struct profile_thread *thread, const struct profile_site *site,
                                  unsigned pe)
{
    struct profile_recent *recent = place_of(site);
    struct profile_tally *way = &recent->ways[pe % PROFILE_WAYS];
    bool is_here = thread->number == 0 && recent->key && way->mark == pe &&
                   recent->site == (uint32_t)(site - thread->sites);
    return is_here ? way : NULL;
}

struct profile_tally *profile_recent_tally(struct profile_thread *thread,
                                           const struct profile_site *site, unsigned pe)
{
    struct profile_tally *way = way_of(thread, site, pe);
    return way ? way : &thread->cells_of[site - thread->sites][pe].tally;
}

void profile_recent_use(struct profile_thread *thread, struct profile_site *site, unsigned pe)
{
    if (thread->number != 0 || way_of(thread, site, pe))
        return;
    struct profile_recent *recent = place_of(site);
    uint32_t index = (uint32_t)(site - thread->sites);
    if (recent->key == 0 || recent->site != index) {
        clear(thread, recent);
        for (int i = 0; i < PROFILE_WAYS; i++)
            recent->ways[i].mark = PROFILE_NO_PE;
        recent->site = index;
        recent->key = KEY_OF_SITE(site);
    }
    struct profile_tally *way = &recent->ways[pe % PROFILE_WAYS];
    take_back(thread, recent, way);
    *way = (struct profile_tally){0, thread->cells_of[index][pe].tally.left, pe};
    if (!first) {
        first = profile_self();
        profile_recent_switch(profile.is_on);
    }
}
