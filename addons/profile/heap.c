/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The symmetric heap over time, and which sites hold it when it is largest. Blocks stand in order
 * of address, so that a symmetric address has a name that is the same on all PEs: the block's
 * number, and the place in it.
 */
#include "profile/internal.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

struct block {
    uintptr_t start;
    size_t bytes;
    struct profile_site *site;
    uint64_t number;
};

static struct block *blocks;
static size_t count, room;
static uint64_t allocations;
static struct profile_site *holders[2 * PROFILE_MAX_SITES]; /* sites that have allocated */
static size_t holder_count;
static struct profile_chunk *series;
static uint32_t changes; /* since the last point */

int profile_heap_prepare(void)
{
    series = profile_file_add(PROFILE_HEAP, 0,
                              PROFILE_HEAP_POINTS * sizeof(struct profile_heap_point), NULL);
    if (series)
        profile.header->heap_stride = 1;
    return series ? 0 : -1;
}

/* The number of blocks that begin at or below address. */
static size_t upto(uintptr_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (blocks[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int find_program(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uintptr_t *)base = info->dlpi_addr;
    return 1;
}

uint64_t profile_heap_place(const void *address)
{
    static uintptr_t base;
    pthread_mutex_lock(&profile.lock);
    size_t at = upto((uintptr_t)address);
    uint64_t place = 0;
    if (at > 0 && (uintptr_t)address - blocks[at - 1].start < blocks[at - 1].bytes)
        place = (blocks[at - 1].number + 1) << 40 | ((uintptr_t)address - blocks[at - 1].start);
    if (!place && !base)
        dl_iterate_phdr(find_program, &base);
    pthread_mutex_unlock(&profile.lock);
    return place ? place : UINT64_C(1) << 63 | ((uintptr_t)address - base);
}

/* Two points become one where room ends. */
static void thin(struct profile_heap_point *points)
{
    for (uint64_t i = 0; i < series->count / 2; i++) {
        struct profile_heap_point a = points[2 * i], b = points[2 * i + 1];
        points[i] = (struct profile_heap_point){a.tick, a.most > b.most ? a.most : b.most};
    }
    series->count /= 2;
    profile.header->heap_stride *= 2;
}

static void note_change(void)
{
    struct profile_heap_point *points = (struct profile_heap_point *)(series + 1);
    uint64_t now = profile.header->heap_now;
    if (changes++ % profile.header->heap_stride == 0) {
        if (series->count == PROFILE_HEAP_POINTS)
            thin(points);
        points[series->count++] = (struct profile_heap_point){profile_ticks(), now};
    } else if (points[series->count - 1].most < now) {
        points[series->count - 1].most = now;
    }
}

static void note_peak(void)
{
    struct profile_header *header = profile.header;
    if (header->heap_now <= header->heap_peak)
        return;
    header->heap_peak = header->heap_now;
    header->heap_peak_tick = profile_ticks();
    for (size_t i = 0; i < holder_count; i++)
        holders[i]->heap_at_peak = holders[i]->heap_live;
}

static void take_out(const void *freed)
{
    size_t at = upto((uintptr_t)freed);
    if (at == 0 || blocks[at - 1].start != (uintptr_t)freed)
        return;
    profile.header->heap_now -= blocks[at - 1].bytes;
    blocks[at - 1].site->heap_live -= blocks[at - 1].bytes;
    memmove(&blocks[at - 1], &blocks[at], (count - at) * sizeof *blocks);
    count--;
}

static void put_in(const void *made, size_t bytes, struct profile_site *site)
{
    if (count == room) {
        size_t wider = room ? 2 * room : 256;
        struct block *grown = reallocarray(blocks, wider, sizeof *blocks);
        if (!grown)
            return;
        blocks = grown;
        room = wider;
    }
    size_t at = upto((uintptr_t)made);
    memmove(&blocks[at + 1], &blocks[at], (count - at) * sizeof *blocks);
    blocks[at] = (struct block){(uintptr_t)made, bytes, site, allocations++};
    count++;
    if (site->heap_total == 0 && holder_count < sizeof holders / sizeof *holders)
        holders[holder_count++] = site;
    profile.header->heap_now += bytes;
    site->heap_live += bytes;
    site->heap_total += bytes;
}

void profile_heap_note(struct profile_site *site, const void *freed, const void *made, size_t bytes)
{
    pthread_mutex_lock(&profile.lock);
    if (freed && (made || bytes == 0))
        take_out(freed);
    if (made)
        put_in(made, bytes, site);
    note_change();
    note_peak();
    pthread_mutex_unlock(&profile.lock);
}
