/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A checksum of 64 bits, computed at the speed of memory. It detects damage, not forgery. Every step is
 * invertible, so two texts that differ in one word always have different checksums. Pages are copied and
 * summed in one pass (copy.c), since reading memory takes most of the time.
 */
#ifndef SHEAF_SNAPSHOT_FILE_HASH_H
#define SHEAF_SNAPSHOT_FILE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SHEAF_HASH_FACTOR UINT64_C(0x9fb21c651e98df25)

static inline uint64_t sheaf_hash_step(uint64_t lane, uint64_t word)
{
    lane = (lane ^ word) * SHEAF_HASH_FACTOR;
    return lane << 29 | lane >> 35;
}

static inline uint64_t sheaf_hash_word(const unsigned char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The checksum from the lanes and the bytes behind the last complete word. Never 0. */
static inline uint64_t sheaf_hash_end(const uint64_t lanes[4], size_t length, uint64_t rest)
{
    uint64_t hash = sheaf_hash_step(length, rest);
    for (int lane = 0; lane < 4; lane++)
        hash = sheaf_hash_step(hash, lanes[lane]);
    return hash ? hash : 1;
}

/* Four lanes: the processor multiplies for all of them at once. Never 0. */
static inline uint64_t sheaf_hash(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t lanes[4] = {1, 2, 3, 4}, rest = 0;
    size_t left = length;
    for (; left >= 32; left -= 32, at += 32)
        for (int lane = 0; lane < 4; lane++)
            lanes[lane] = sheaf_hash_step(lanes[lane], sheaf_hash_word(at + 8 * lane));
    for (; left >= 8; left -= 8, at += 8)
        lanes[0] = sheaf_hash_step(lanes[0], sheaf_hash_word(at));
    if (left > 0)
        memcpy(&rest, at, left);
    return sheaf_hash_end(lanes, length, rest);
}

/* The checksum of several pages: steps over the checksum of each, which the comparison of pages
 * computes anyway. */
static inline uint64_t sheaf_hash_pages_end(uint64_t steps, size_t length)
{
    return sheaf_hash_step(steps, length);
}

static inline uint64_t sheaf_hash_pages(const char *bytes, size_t length, size_t page)
{
    uint64_t steps = 0;
    for (size_t at = 0; at < length; at += page)
        steps = sheaf_hash_step(steps, sheaf_hash(bytes + at, page));
    return sheaf_hash_pages_end(steps, length);
}

/* Copies count pages of page bytes, and stores the checksum, sheaf_hash(), of each copy; 0 for a page
 * of zeros. Both ends are aligned, and page is a multiple of 64. The source may contain a sanitizer's
 * red zones, and other threads may write it meanwhile. */
void sheaf_copy_pages(char *to, const char *from, size_t page, size_t count, uint64_t *hashes);

#endif
