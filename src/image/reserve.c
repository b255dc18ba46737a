/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reserves addresses without access, for heap, windows and memory spaces, and tells how many a limit
 * leaves.
 */
#include "image/image_internal.h"

#include "base/os/os.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Number of addresses below which room is not worth keeping. */
#define LEAST_ROOM ((size_t)1 << 30)

/* Without /proc the used part is unknown: half of the limit is assumed. */
size_t sheaf_image_space_left(void)
{
    struct rlimit limit;
    char text[64];
    unsigned long pages = 0;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return SIZE_MAX;
    size_t used = limit.rlim_cur / 2;
    if (sheaf_os_read_file("/proc/self/statm", text, sizeof text) > 0 &&
        sscanf(text, "%lu", &pages) == 1)
        used = pages * sheaf_os_page_size();
    return limit.rlim_cur > used ? (limit.rlim_cur - used) / 4 * 3 : 0;
}

bool sheaf_image_is_limited(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

size_t sheaf_image_best_alignment(size_t length)
{
    size_t alignment = SHEAF_HUGE_PAGE;
    while (alignment <= length / 2)
        alignment *= 2;
    return alignment;
}

char *sheaf_image_reserve(char *where, size_t length)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (where ? MAP_FIXED_NOREPLACE : 0);
    char *got = mmap(where, length, PROT_NONE, flags, -1, 0);
    if (got == MAP_FAILED)
        return NULL;
    if (where && got != where) {
        munmap(got, length);
        return NULL;
    }
    return got;
}

char *sheaf_image_reserve_congruent(size_t length, size_t alignment, uintptr_t residue)
{
    char *start = sheaf_image_reserve(NULL, length + alignment);
    if (!start)
        return NULL;
    char *got = start + ((residue - (uintptr_t)start) & (alignment - 1));
    if (got > start)
        munmap(start, (size_t)(got - start));
    munmap(got + length, (size_t)(start + alignment - got));
    return got;
}

char *sheaf_image_reserve_below(size_t length, size_t room, size_t alignment, uintptr_t residue)
{
    char *got;
    while (!(got = sheaf_image_reserve_congruent(length + room, alignment, residue)) && room)
        room = room > LEAST_ROOM ? room / 2 : 0;
    if (got && room)
        munmap(got + length, room);
    return got;
}
