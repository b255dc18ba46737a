/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tools/oshtop/traffic.c beside a thread that counts as addons/profile does: calls of one site, of 1,024 bytes each, of
 * which one in some is timed. Each reading has calls and bytes that belong together, but for the few calls that are made
 * while a number is read; a reading in which the thread or the reader was interrupted is one in a hundred at most.
 */
#include "unit.h"

#include "../../tools/oshtop/traffic.h"
#include "base/clock.h"
#include "profile/format.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#define READINGS 2000

struct file {
    union {
        struct profile_header header;
        char unit[PROFILE_UNIT];
    } head;
    struct profile_chunk recent_chunk;
    struct profile_recent recent[PROFILE_RECENT_SITES];
    struct profile_chunk sites_chunk;
    struct profile_site sites[PROFILE_MAX_SITES];
    struct profile_cell cell;
};
static struct file *file;
static bool is_over;

/* As profile_enter() and profile_leave() have it, each call 0.5 us after the one before. */
static void *count(void *unused)
{
    volatile struct profile_way *way = &file->recent[0].ways[0];
    volatile uint64_t *bytes = &file->recent[0].bytes[0];
    volatile struct profile_cell *cell = &file->cell;
    uint64_t random = 1;
    while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
        for (uint64_t begin = sheaf_clock_ns(); sheaf_clock_ns() < begin + 500;)
            continue;
        *bytes += 1024;
        if (way->left > 0) {
            way->left--;
            continue;
        }
        uint32_t left = unit_random(&random, 200);
        cell->tally.mark = left + 1;
        cell->ops += 1 + (uint64_t)left;
        way->left = left;
    }
    return unused;
}

static void lay(int fd)
{
    CHECK(ftruncate(fd, sizeof *file) == 0);
    file = mmap(NULL, sizeof *file, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(file != MAP_FAILED);
    memcpy(file->head.header.magic, PROFILE_MAGIC, sizeof file->head.header.magic);
    file->head.header.version = PROFILE_VERSION;
    file->head.header.npes = 1;
    file->head.header.used = sizeof *file;
    file->recent_chunk = (struct profile_chunk){
        .kind = PROFILE_RECENT, .bytes = sizeof file->recent_chunk + sizeof file->recent};
    file->sites_chunk = (struct profile_chunk){
        .kind = PROFILE_SITES, .bytes = sizeof file->sites_chunk + sizeof file->sites};
    file->recent[0].key = file->sites[0].key = 1;
    file->sites[0].kind = PROFILE_PUT;
    file->sites[0].cell_count = 1;
    file->sites[0].cells_at = offsetof(struct file, cell);
}

int main(void)
{
    const bool is_near = true;
    int fd = memfd_create("profile", MFD_CLOEXEC), skewed = 0;
    pthread_t thread;
    lay(fd);
    CHECK(pthread_create(&thread, NULL, count, NULL) == 0);
    for (int i = 0; i < READINGS; i++) {
        struct top_count near, far;
        CHECK(top_traffic_read(fd, &is_near, 1, &near, &far));
        int64_t difference = (int64_t)(near.operations - near.bytes / 1024);
        skewed += difference > 10 || difference < -10;
    }
    __atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    printf("%d of %d readings are skewed\n", skewed, READINGS);
    CHECK(skewed <= READINGS / 100);
    return 0;
}
