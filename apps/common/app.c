/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the PEs of an OpenSHMEM version share, and their memory.
 */
#include "app.h"

#include <string.h>

void app_share(void *data, size_t bytes)
{
    static char source[APP_SHARE_BYTES], dest[APP_SHARE_BYTES];
    memcpy(source, data, bytes);
    shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, source, bytes, 0);
    memcpy(data, dest, bytes);
    shmem_sync_all();
}

/* alignment: 0 for any. */
static void *allocate(size_t count, size_t size, size_t alignment, const char *what)
{
    size_t bytes;
    void *block = NULL;
    if (!__builtin_mul_overflow(count, size, &bytes))
        block = alignment > 0 ? shmem_align(alignment, bytes > 0 ? bytes : 1)
                              : shmem_malloc(bytes > 0 ? bytes : 1);
    if (block == NULL) {
        app_fail("not enough symmetric memory for %s: %zu x %zu bytes on each PE", what, count, size);
        return NULL;
    }
    memset(block, 0, bytes);
    shmem_barrier_all();
    return block;
}

void *app_allocate(size_t count, size_t size, const char *what)
{
    return allocate(count, size, 0, what);
}

void *app_allocate_pages(size_t count, size_t size, const char *what)
{
    return allocate(count, size, APP_PAGE, what);
}
