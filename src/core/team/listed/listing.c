/* SPDX-License-Identifier: BSD-3-Clause
 * See listing.h.
 */
#include "core/team/listed/listing.h"

#include "core/pe/arena.h"
#include "core/pe/job.h"
#include "core/team/multinode.h"
#include "core/team/team_internal.h"

#include <string.h>

/* An entry of the list, in the control area. */
struct entry {
    uint64_t next;
    uint64_t block;
    uint64_t block_bytes;
    int32_t kind, length;
    int32_t taken; /* the number of members that have found it */
    int32_t key[];
};

static size_t entry_bytes(int length)
{
    return sizeof(struct entry) + (size_t)length * sizeof(int32_t);
}

static bool matches(const struct entry *entry, const struct sheaf_listing *wanted)
{
    return entry->kind == (int)wanted->kind && entry->length == wanted->length &&
           memcmp(entry->key, wanted->key, (size_t)wanted->length * sizeof *wanted->key) == 0;
}

static bool has_key(const struct entry *entry, int32_t key)
{
    int at = 0;
    while (at < entry->length && entry->key[at] != key)
        at++;
    return at < entry->length;
}

/* Whether the entry has the wanted keys in another order. No key is there twice. */
static bool is_same_set(const struct entry *entry, const struct sheaf_listing *wanted)
{
    int64_t difference = 0;
    if (entry->kind != SHEAF_LISTING_PES || wanted->kind != SHEAF_LISTING_PES ||
        entry->length != wanted->length)
        return false;
    for (int i = 0; i < wanted->length; i++)
        difference += entry->key[i] - wanted->key[i];
    for (int i = 0; i < wanted->length && difference == 0; i++)
        if (!has_key(entry, wanted->key[i]))
            return false;
    return difference == 0;
}

/* Called with the arena locked. *spent: the entry, if this was the last member to find it. */
static uint64_t take_block(struct sheaf_listing *wanted, uint64_t *spent)
{
    for (uint64_t *link = &sheaf_job.control->listed_teams; *link != 0;) {
        struct entry *entry = sheaf_arena_at(*link);
        if (matches(entry, wanted)) {
            if (++entry->taken == wanted->takers) {
                *spent = *link;
                *link = entry->next;
            }
            return entry->block;
        }
        wanted->is_reordered |= is_same_set(entry, wanted);
        link = &entry->next;
    }
    return 0;
}

static uint64_t find_block(struct sheaf_listing *wanted)
{
    uint64_t spent = 0;
    sheaf_arena_lock();
    uint64_t block = take_block(wanted, &spent);
    sheaf_arena_unlock();
    sheaf_arena_release(spent, entry_bytes(wanted->length));
    return block;
}

static void list_block(uint64_t at, const struct sheaf_listing *wanted, uint64_t block,
                       uint64_t block_bytes)
{
    struct entry *entry = sheaf_arena_at(at);
    *entry = (struct entry){.next = sheaf_job.control->listed_teams, .block = block,
                            .block_bytes = block_bytes, .kind = (int)wanted->kind,
                            .length = wanted->length, .taken = 1};
    memcpy(entry->key, wanted->key, (size_t)wanted->length * sizeof *wanted->key);
    sheaf_job.control->listed_teams = at;
}

/* Another member may have added the entry since find_block(). */
static uint64_t find_or_list_block(const struct sheaf_team *team, struct sheaf_listing *wanted)
{
    uint64_t fresh = sheaf_team_block_allocate(team);
    uint64_t entry = sheaf_arena_allocate(entry_bytes(wanted->length));
    uint64_t block = 0, spent = 0;
    if (fresh && entry) {
        sheaf_arena_lock();
        block = take_block(wanted, &spent);
        if (!block) {
            list_block(entry, wanted, fresh, sheaf_team_block_bytes(team));
            block = fresh;
            fresh = entry = 0;
        }
        sheaf_arena_unlock();
    }
    sheaf_arena_release(spent, entry_bytes(wanted->length));
    sheaf_arena_release(entry, entry_bytes(wanted->length));
    sheaf_team_block_release(fresh, team);
    return block;
}

uint64_t sheaf_listing_block(const struct sheaf_team *team, struct sheaf_listing *wanted)
{
    int near_size = team->multinode ? team->multinode->near.size : team->size;
    if (near_size == 1)
        return sheaf_team_block_allocate(team);
    uint64_t block = find_block(wanted);
    return block ? block : find_or_list_block(team, wanted);
}

void sheaf_listing_forget(void)
{
    while (sheaf_job.control->listed_teams) {
        uint64_t at = sheaf_job.control->listed_teams;
        struct entry *entry = sheaf_arena_at(at);
        sheaf_job.control->listed_teams = entry->next;
        sheaf_arena_release(entry->block, entry->block_bytes);
        sheaf_arena_release(at, entry_bytes(entry->length));
    }
}
