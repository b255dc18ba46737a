/* SPDX-License-Identifier: BSD-3-Clause
 * See coarray.h. A component's memory is a part of a block that all images have: the part of this
 * image, at an address that another image can use.
 */
#include "coarray.h"

#include "sync.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Bytes. */
#define POOL_MOST  ((size_t)1 << 40)
#define POOL_LEAST ((size_t)1 << 20)
#define UNIT       ((size_t)64) /* a cache line */
/* Of records: address space, and what becomes memory at once. */
#define RECORDS_MOST  ((size_t)64 << 30)
#define RECORDS_CHUNK ((size_t)64 << 10)

/* Coarrays of LARGE bytes and more begin 16 bytes behind a multiple of 64, as other arrays do, for
 * which glibc's malloc maps pages; and at other places of a page than those, and than each other. A put
 * of 256 KiB takes 4.8 us so, 5.3 where both begin at one place of a page, and up to 6.8 where their lines
 * do not match. */
#define LARGE  ((size_t)128 << 10)
#define PAGE   ((size_t)4096)
#define APART  ((size_t)512)
#define FIRST  ((size_t)16)

static char *pool; /* of all images, for the components of each */
static size_t pool_bytes;
static struct sheaf_coarray *components; /* that have memory, by address */
static pthread_mutex_t components_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t allocated; /* coarrays so far */

struct sheaf_records sheaf_records;
static size_t records_reserved;
static struct sheaf_coarray *unused; /* records */
static pthread_mutex_t records_lock = PTHREAD_MUTEX_INITIALIZER;

/* More memory of the range, or the range. */
static bool grow_records(void)
{
    for (size_t bytes = RECORDS_MOST; bytes >= RECORDS_CHUNK && !records_reserved; bytes /= 2) {
        void *range = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (range != MAP_FAILED) {
            sheaf_records.first = range;
            records_reserved = bytes;
        }
    }
    char *end = sheaf_records.first + sheaf_records.bytes;
    if (sheaf_records.bytes == records_reserved || mprotect(end, RECORDS_CHUNK, PROT_READ | PROT_WRITE))
        return false;
    sheaf_records.bytes += RECORDS_CHUNK;
    for (char *at = end; at < end + RECORDS_CHUNK; at += sizeof *unused) {
        struct sheaf_coarray *record = (void *)at;
        record->next = unused;
        unused = record;
    }
    return true;
}

static struct sheaf_coarray *new_record(const struct sheaf_outcome *outcome)
{
    pthread_mutex_lock(&records_lock);
    if (!unused && !grow_records())
        sheaf_outcome_refuse(outcome->statement, "no memory for the record of a coarray or component");
    struct sheaf_coarray *record = unused;
    unused = record->next;
    pthread_mutex_unlock(&records_lock);
    *record = (struct sheaf_coarray){.is_used = true};
    return record;
}

static void free_record(struct sheaf_coarray *record)
{
    pthread_mutex_lock(&records_lock);
    *record = (struct sheaf_coarray){.next = unused};
    unused = record;
    pthread_mutex_unlock(&records_lock);
}

struct sheaf_coarray *sheaf_coarray_new(const struct sheaf_outcome *outcome, size_t bytes,
                                        bool zeroed)
{
    struct sheaf_coarray *coarray = new_record(outcome);
    sheaf_sync_quiet();
    bytes = bytes ? bytes : 1;
    size_t room = bytes >= LARGE && bytes < SIZE_MAX - PAGE ? bytes + PAGE : bytes;
    /* The same on all images of the team, whatever else they have allocated. */
    coarray->turn = sheaf_current->coarrays ? sheaf_current->coarrays->turn % (PAGE / APART - 1) + 1 : 1;
    coarray->block = sheaf_current->parent ? shmemx_team_malloc(sheaf_current->team, room)
                                           : shmem_malloc(room);
    if (!coarray->block) {
        free_record(coarray);
        sheaf_outcome_bad(outcome, SHEAF_STAT_NO_MEMORY,
                          "out of memory: no %zu bytes left for a coarray: SHMEM_SYMMETRIC_SIZE is "
                          "the limit",
                          bytes);
        return NULL;
    }
    coarray->memory = coarray->block;
    if (room > bytes)
        coarray->memory += (FIRST + coarray->turn * APART - (uintptr_t)coarray->block) % PAGE;
    if (zeroed) {
        memset(coarray->memory, 0, bytes);
        sheaf_sync_team(sheaf_current);
    }
    coarray->owner = sheaf_current;
    coarray->bytes = bytes;
    coarray->number = ++allocated;
    coarray->next = sheaf_current->coarrays;
    sheaf_current->coarrays = coarray;
    sheaf_outcome_good(outcome);
    return coarray;
}

/* All images of the team free the same one: the place in the heap tells it. */
static void check_same(const struct sheaf_outcome *outcome, const struct sheaf_coarray *coarray)
{
    int images = coarray->owner->images;
    uint64_t *numbers = malloc((size_t)images * sizeof *numbers);
    if (!numbers)
        sheaf_outcome_refuse(outcome->statement, "no memory for %d numbers", images);
    uint64_t mine = (uint64_t)(coarray->bytes ^ coarray->number << 20);
    shmemx_team_exchange(coarray->owner->team, &mine, sizeof mine, numbers);
    for (int i = 0; i < images; i++)
        if (numbers[i] != mine)
            sheaf_outcome_refuse(
                outcome->statement,
                "image %d frees another coarray than image %d: all images of a team must "
                "deallocate "
                "their coarrays in the same order",
                i + 1, coarray->owner->image);
    free(numbers);
}

static void release(const struct sheaf_coarray *coarray)
{
    /* A team of those that live is not the one that has allocated it: then it stays. */
    if (!coarray->owner->parent)
        shmem_free(coarray->block);
    else if (!coarray->owner->has_failed)
        shmemx_team_free(coarray->owner->team, coarray->block);
}

void sheaf_coarray_free(const struct sheaf_outcome *outcome, struct sheaf_coarray *coarray)
{
    sheaf_sync_quiet();
    check_same(outcome, coarray);
    struct sheaf_coarray **at = &coarray->owner->coarrays;
    while (*at != coarray)
        at = &(*at)->next;
    *at = coarray->next;
    release(coarray);
    free_record(coarray);
    sheaf_outcome_good(outcome);
}

void sheaf_coarray_free_all(struct sheaf_images *team)
{
    while (team->coarrays) {
        struct sheaf_coarray *first = team->coarrays;
        team->coarrays = first->next;
        release(first);
        if (first->base && *first->base != first->memory) { /* MOVE_ALLOC: another variable has the token */
            *first = (struct sheaf_coarray){.is_used = true};
            continue;
        }
        if (first->base)
            *first->base = NULL;
        free_record(first);
    }
}

struct sheaf_coarray *sheaf_coarray_at(const void *address)
{
    for (struct sheaf_images *team = sheaf_current; team; team = team->parent)
        for (struct sheaf_coarray *coarray = team->coarrays; coarray; coarray = coarray->next)
            if ((uintptr_t)address - (uintptr_t)coarray->memory < coarray->bytes)
                return coarray;
    return NULL;
}

struct sheaf_coarray *sheaf_component_new(const struct sheaf_outcome *outcome)
{
    return new_record(outcome);
}

static size_t rounded(size_t bytes)
{
    return (bytes + UNIT - 1) / UNIT * UNIT;
}

/* Memory that all images have for components, each its own: the most of which as much again is left
 * for coarrays. Untouched pages take none. */
void sheaf_component_begin(void)
{
    for (size_t bytes = POOL_MOST; bytes >= POOL_LEAST && !pool; bytes /= 2) {
        char *mine = shmemx_team_malloc(SHMEM_TEAM_WORLD, bytes), *as_much = NULL;
        if (mine)
            as_much = shmemx_team_malloc(SHMEM_TEAM_WORLD, bytes);
        if (as_much) {
            shmemx_team_free(SHMEM_TEAM_WORLD, as_much);
            pool = mine;
            pool_bytes = bytes;
        } else if (mine) {
            shmemx_team_free(SHMEM_TEAM_WORLD, mine);
        }
    }
}

/* Takes the first gap that is large enough; false: there is none. */
static bool take_gap(struct sheaf_coarray *component, size_t bytes)
{
    size_t at = 0;
    struct sheaf_coarray **link = &components;
    for (; *link; link = &(*link)->next) {
        size_t next = (size_t)((*link)->memory - pool);
        if (next - at >= bytes && rounded(bytes) <= next - at)
            break;
        at = next + rounded((*link)->bytes ? (*link)->bytes : 1);
    }
    if (bytes > pool_bytes || at > pool_bytes - bytes || pool_bytes - at < UNIT)
        return false;
    component->memory = pool + at;
    component->bytes = bytes;
    component->next = *link;
    *link = component;
    return true;
}

bool sheaf_component_allocate(const struct sheaf_outcome *outcome, struct sheaf_coarray *component,
                              size_t bytes)
{
    pthread_mutex_lock(&components_lock);
    bool has_taken = take_gap(component, bytes);
    pthread_mutex_unlock(&components_lock);
    if (has_taken)
        sheaf_outcome_good(outcome);
    else
        sheaf_outcome_bad(outcome, SHEAF_STAT_NO_MEMORY, "out of memory: no %zu bytes left for a component",
                          bytes);
    return has_taken;
}

struct sheaf_coarray *sheaf_component_at(const void *memory)
{
    pthread_mutex_lock(&components_lock);
    struct sheaf_coarray *component = components;
    while (component && component->memory != memory)
        component = component->next;
    pthread_mutex_unlock(&components_lock);
    return component;
}

bool sheaf_component_holds(const void *address)
{
    pthread_mutex_lock(&components_lock);
    struct sheaf_coarray *component = components;
    while (component && (uintptr_t)address - (uintptr_t)component->memory >= component->bytes)
        component = component->next;
    pthread_mutex_unlock(&components_lock);
    return component;
}

void sheaf_component_release(struct sheaf_coarray *component)
{
    struct sheaf_coarray **link = &components;
    if (!component->memory)
        return;
    pthread_mutex_lock(&components_lock);
    while (*link != component)
        link = &(*link)->next;
    *link = component->next;
    pthread_mutex_unlock(&components_lock);
    component->memory = NULL;
}

void sheaf_component_free(struct sheaf_coarray *component)
{
    sheaf_component_release(component);
    free_record(component);
}

char *sheaf_component_reach(void *address, int pe)
{
    return shmemx_local_address(address, pe);
}
