/* SPDX-License-Identifier: BSD-3-Clause
 * See traffic.h. Nothing in the file is believed before it is compared with the file's length.
 */
#include "traffic.h"

#include "profile/format.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_CHUNKS   100000
#define MOST_READINGS 100

static bool is_named(const char *path, const char *name)
{
    char target[4200];
    ssize_t length = readlink(path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(target, '/');
    return slash && !strcmp(slash + 1, name);
}

static int open_plain(const char *path)
{
    struct stat file;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && (fstat(fd, &file) || !S_ISREG(file.st_mode))) {
        close(fd);
        return -1;
    }
    return fd;
}

int top_traffic_open(int pid, int pe)
{
    char folder[32], path[300], name[32];
    int fd = -1;
    snprintf(name, sizeof name, "pe-%05d.sheaf", pe);
    snprintf(folder, sizeof folder, "/proc/%d/fd", pid);
    DIR *descriptors = opendir(folder);
    for (struct dirent *entry; descriptors && fd < 0 && (entry = readdir(descriptors));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (is_named(path, name))
            fd = open_plain(path);
    }
    if (descriptors)
        closedir(descriptors);
    return fd;
}

/* A file as it is read: everything within used. */
struct source {
    int fd, npes;
    uint64_t used;
    const bool *is_near;
    struct profile_site *sites;
    struct profile_cell *cells;
    uint64_t recent_at; /* of the first thread's table of recent sites; 0: none */
    struct top_count *near, *far;
};

static bool read_at(const struct source *source, uint64_t at, void *to, uint64_t bytes)
{
    return at <= source->used && bytes <= source->used - at &&
           pread(source->fd, to, bytes, (off_t)at) == (ssize_t)bytes;
}

static bool moves_data(const struct profile_site *site)
{
    return site->kind == PROFILE_PUT || site->kind == PROFILE_GET || site->kind == PROFILE_ATOMIC;
}

/* The first thread's counts go on in the table of recent sites. NULL: they do not for this PE. */
static const struct profile_way *way_of(const struct profile_recent *recent, uint32_t index,
                                        uint32_t pe)
{
    const struct profile_way *way = &recent->ways[pe % PROFILE_WAYS];
    return recent->key && recent->site == index && way->mark == pe ? way : NULL;
}

static struct profile_tally tally_of(const struct source *source,
                                     const struct profile_recent *recent, uint32_t index, uint32_t pe)
{
    struct profile_tally tally = source->cells[pe].tally;
    const struct profile_way *way = way_of(recent, index, pe);
    if (way) {
        tally.left = (int32_t)way->left < 0 ? 0 : way->left;
        tally.bytes += recent->bytes[pe % PROFILE_WAYS];
    }
    return tally;
}

/* The sum of the cells' ops, which only grow; 0: a timed call may be about to write what is left. */
static uint64_t settled(const struct source *source, const struct profile_recent *recent,
                        uint32_t index)
{
    uint64_t sum = 0;
    for (uint32_t pe = 0; pe < (uint32_t)source->npes; pe++) {
        if (way_of(recent, index, pe) && source->cells[pe].tally.mark > 1 &&
            tally_of(source, recent, index, pe).left == 0)
            return 0;
        sum += source->cells[pe].ops;
    }
    return sum;
}

/* A timed call writes ops, and then what is left of them elsewhere: both are read until neither was
 * written meanwhile. */
static bool read_counts(const struct source *source, uint32_t index, bool has_recent,
                        struct profile_recent *recent)
{
    const struct profile_site *site = &source->sites[index];
    uint64_t routine = (site->key & ~PROFILE_IN_SESSION) >> PROFILE_ROUTINE_SHIFT;
    uint64_t at = source->recent_at + routine % PROFILE_RECENT_SITES * sizeof *recent;
    uint64_t bytes = (uint64_t)source->npes * sizeof *source->cells, sum = 0, before;
    *recent = (struct profile_recent){0};
    for (int i = 0; i < MOST_READINGS; i++) {
        before = sum;
        if (!read_at(source, site->cells_at, source->cells, bytes))
            return false;
        sum = settled(source, recent, index);
        if (!has_recent || (sum > 0 && sum == before))
            return true;
        if (!read_at(source, at, recent, sizeof *recent))
            return false;
    }
    return true;
}

static void add_site(const struct source *source, uint32_t thread, uint32_t index)
{
    const struct profile_site *site = &source->sites[index];
    struct profile_recent recent;
    uint32_t count = site->cell_count;
    if (!site->key || !moves_data(site) || count != (uint32_t)source->npes ||
        !read_counts(source, index, thread == 0 && source->recent_at, &recent))
        return;
    for (uint32_t pe = 0; pe < count; pe++) {
        struct profile_tally tally = tally_of(source, &recent, index, pe);
        uint64_t upto = source->cells[pe].ops, calls = upto > tally.left ? upto - tally.left : 0;
        struct top_count *sum = source->is_near[pe] ? source->near : source->far;
        sum->operations += calls;
        sum->bytes += site->element ? calls * site->element : tally.bytes;
    }
}

static void add_sites(const struct source *source, uint32_t thread, uint64_t at)
{
    uint64_t bytes = PROFILE_MAX_SITES * sizeof *source->sites;
    if (!read_at(source, at, source->sites, bytes))
        return;
    for (uint32_t i = 0; i < PROFILE_MAX_SITES; i++)
        add_site(source, thread, i);
}

static void add_chunks(struct source *source)
{
    struct profile_chunk chunk;
    uint64_t at = PROFILE_UNIT;
    for (int i = 0; i < MOST_CHUNKS && read_at(source, at, &chunk, sizeof chunk); i++) {
        if (chunk.bytes < sizeof chunk || chunk.bytes > source->used - at)
            return;
        if (chunk.kind == PROFILE_SITES)
            add_sites(source, chunk.thread, at + sizeof chunk);
        else if (chunk.kind == PROFILE_RECENT)
            source->recent_at = at + sizeof chunk;
        at += chunk.bytes;
    }
}

bool top_traffic_read(int fd, const bool *is_near, int npes, struct top_count *near,
                      struct top_count *far)
{
    struct profile_header header;
    struct source source = {fd, npes, 0, is_near, NULL, NULL, 0, near, far};
    *near = *far = (struct top_count){0, 0};
    if (pread(fd, &header, sizeof header, 0) != sizeof header ||
        memcmp(header.magic, PROFILE_MAGIC, sizeof header.magic) != 0 ||
        header.version != PROFILE_VERSION || header.npes != (uint32_t)npes)
        return false;
    source.used = header.used;
    source.sites = malloc(PROFILE_MAX_SITES * sizeof *source.sites);
    source.cells = malloc((size_t)npes * sizeof *source.cells);
    if (source.sites && source.cells)
        add_chunks(&source);
    free(source.sites);
    free(source.cells);
    return true;
}
