/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See pages.h. Existing pages of shared memory are found in its file: SEEK_DATA also finds pages that were
 * swapped out or that only another PE has touched, while mincore() and this process's page table do not.
 * Existing pages of private memory are found in the page table: Linux 6.7 lists them, and before that the
 * table's entries are read: 30 ms for the heap's range on a machine of 24 GiB, whatever it holds.
 */
#include "snapshot/file/pages.h"

#include "base/os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define ENTRIES 512 /* of the page table, read at once */

/* Bits of an entry in /proc/self/pagemap. */
#define IS_PRESENT (UINT64_C(1) << 63)
#define IS_SWAPPED (UINT64_C(1) << 62)

/* The call PAGEMAP_SCAN, which the headers of older systems lack. */
struct region {
    uint64_t start, end, categories;
};
struct scan {
    uint64_t size, flags, start, end, walk_end, regions, count, most_pages;
    uint64_t inverted, all_of, any_of, told;
};
#define SCAN            _IOWR('f', 16, struct scan)
#define SCAN_IS_PRESENT (UINT64_C(1) << 3)
#define SCAN_IS_SWAPPED (UINT64_C(1) << 4)
#define REGIONS         64 /* at once */

struct use {
    const struct sheaf_piece *piece;
    size_t most;
    sheaf_pages_use *use;
    void *context;
};

static int use_run(const struct use *use, size_t from, size_t to)
{
    int result = 0;
    while (from < to && !result) {
        size_t length = to - from < use->most ? to - from : use->most;
        result = use->use(use->context, use->piece, from, length);
        from += length;
    }
    return result;
}

static int each_of_file(const struct use *use)
{
    const struct sheaf_piece *piece = use->piece;
    size_t page = sheaf_os_page_size();
    off_t begin = (off_t)piece->file_offset, end = begin + (off_t)piece->length;
    int result = 0;
    for (off_t at = begin; at < end && !result;) {
        off_t data = lseek(piece->fd, at, SEEK_DATA);
        if (data < 0)
            return errno == ENXIO ? 0 : -1;
        off_t hole = data < end ? lseek(piece->fd, data, SEEK_HOLE) : end;
        if (hole < 0)
            return -1;
        size_t from = (size_t)(data - begin) / page * page;
        size_t to = sheaf_round_up((size_t)((hole < end ? hole : end) - begin), page);
        result = use_run(use, from, to < piece->length ? to : piece->length);
        at = hole;
    }
    return result;
}

/* Continues at *from, the end of what the kernel has listed so far. Returns 1 at the piece's end, and -1
 * where the kernel lists no more: it is an older one. */
static int each_listed(const struct use *use, int table, uintptr_t *from, int *result)
{
    uintptr_t start = (uintptr_t)use->piece->start, end = start + use->piece->length;
    struct region regions[REGIONS];
    struct scan scan = {.size = sizeof scan, .start = *from, .end = end,
                        .regions = (uintptr_t)regions, .count = REGIONS,
                        .any_of = SCAN_IS_PRESENT | SCAN_IS_SWAPPED,
                        .told = SCAN_IS_PRESENT | SCAN_IS_SWAPPED};
    if (*from >= end)
        return 1;
    int found = ioctl(table, SCAN, &scan);
    if (found < 0 || scan.walk_end <= *from)
        return -1;
    for (int i = 0; i < found && !*result; i++)
        *result = use_run(use, regions[i].start - start, regions[i].end - start);
    *from = scan.walk_end;
    return *result != 0;
}

/* Reads entries of the page table. Where /proc is missing, all pages count as existing. */
static size_t read_entries(int table, const char *start, uint64_t *entries, size_t count)
{
    off_t at = (off_t)((uintptr_t)start / sheaf_os_page_size() * sizeof *entries);
    ssize_t got = table < 0 ? -1 : pread(table, entries, count * sizeof *entries, at);
    if (got > 0)
        return (size_t)got / sizeof *entries;
    for (size_t i = 0; i < count; i++)
        entries[i] = IS_PRESENT;
    return count;
}

static int each_of_table(const struct use *use, int table)
{
    const struct sheaf_piece *piece = use->piece;
    size_t page = sheaf_os_page_size();
    uint64_t entries[ENTRIES];
    int result = 0, ended;
    uintptr_t listed = (uintptr_t)piece->start + piece->filled;
    while ((ended = each_listed(use, table, &listed, &result)) == 0)
        ;
    size_t first = ended < 0 ? listed - (uintptr_t)piece->start : piece->length;
    for (size_t at = first; at < piece->length && !result;) {
        size_t left = (piece->length - at) / page, count;
        count = read_entries(table, piece->start + at, entries, left < ENTRIES ? left : ENTRIES);
        for (size_t i = 0, end; i < count && !result; i = end + 1) {
            for (end = i; end < count && entries[end] & (IS_PRESENT | IS_SWAPPED);)
                end++;
            result = use_run(use, at + i * page, at + end * page);
        }
        at += count * page;
    }
    return result;
}

int sheaf_pages_each(const struct sheaf_piece *piece, size_t most, sheaf_pages_use *use, void *context)
{
    struct use all = {piece, most, use, context};
    if (piece->fd >= 0)
        return each_of_file(&all);
    int result = use_run(&all, 0, piece->filled);
    if (result)
        return result;
    int table = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    result = each_of_table(&all, table);
    if (table >= 0)
        close(table);
    return result;
}

static size_t bytes_of(const struct sheaf_known_piece *piece)
{
    return piece->pages * sizeof *piece->hashes;
}

struct sheaf_known_piece *sheaf_known_add(struct sheaf_known *known, const struct sheaf_piece *piece,
                                          size_t page)
{
    struct sheaf_known_piece one = {piece->segment, piece->offset, piece->length / page, 0, NULL};
    void *grown = reallocarray(known->pieces, (size_t)known->count + 1, sizeof one);
    if (!grown)
        return NULL;
    known->pieces = grown;
    one.hashes = mmap(NULL, bytes_of(&one), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (one.hashes == MAP_FAILED)
        return NULL;
    known->pieces[known->count] = one;
    return &known->pieces[known->count++];
}

const struct sheaf_known_piece *sheaf_known_find(const struct sheaf_known *known,
                                                 const struct sheaf_known_piece *like)
{
    for (int i = 0; i < known->count; i++)
        if (known->pieces[i].segment == like->segment && known->pieces[i].offset == like->offset &&
            known->pieces[i].pages == like->pages)
            return &known->pieces[i];
    return NULL;
}

void sheaf_known_drop(struct sheaf_known *known)
{
    for (int i = 0; i < known->count; i++)
        munmap(known->pieces[i].hashes, bytes_of(&known->pieces[i]));
    free(known->pieces);
    *known = (struct sheaf_known){0};
}
