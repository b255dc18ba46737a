/* SPDX-License-Identifier: BSD-3-Clause
 * See stream.h.
 */
#include "base/stream.h"

#include <stdint.h>
#include <string.h>

size_t sheaf_stream_from = SIZE_MAX;

#if !defined(__x86_64__) && !defined(__aarch64__)
const struct sheaf_stream_way sheaf_stream_ways[] = {{NULL, NULL, NULL}};
#endif

const struct sheaf_stream_way *sheaf_stream_way(void)
{
    static const struct sheaf_stream_way *chosen; /* every thread finds the same */
    const struct sheaf_stream_way *way = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
    if (way)
        return way;
    for (way = sheaf_stream_ways; way->name; way++)
        if (way->is_here()) {
            __atomic_store_n(&chosen, way, __ATOMIC_RELAXED);
            return way;
        }
    return NULL;
}

void sheaf_stream_copy_by(const struct sheaf_stream_way *way, void *dest, const void *source,
                          size_t bytes)
{
    char *to = dest;
    const char *from = source;
    size_t head = (0 - (uintptr_t)dest) % SHEAF_STREAM_LINE;
    if (head > bytes)
        head = bytes;
    size_t steps = (bytes - head) / SHEAF_STREAM_STEP * SHEAF_STREAM_STEP;
    memcpy(to, from, head);
    if (steps > 0)
        way->copy(to + head, from + head, steps);
    memcpy(to + head + steps, from + head + steps, bytes - head - steps);
}

void sheaf_stream_copy(void *dest, const void *source, size_t bytes)
{
    sheaf_stream_copy_by(sheaf_stream_way(), dest, source, bytes);
}
