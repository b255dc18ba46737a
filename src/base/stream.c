/* SPDX-License-Identifier: BSD-3-Clause
 * See stream.h.
 */
#include "base/stream.h"

#include <stdint.h>
#include <string.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
const struct sheaf_stream_way sheaf_stream_ways[] = {{NULL, NULL, NULL}};
#endif
#if !defined(__x86_64__)
const struct sheaf_stream_way sheaf_vector_ways[] = {{NULL, NULL, NULL}};
#endif

/* The first that is here. Every thread finds the same. */
static const struct sheaf_stream_way *choose_way(const struct sheaf_stream_way **chosen,
                                                 const struct sheaf_stream_way *way)
{
    for (; way->name; way++)
        if (way->is_here()) {
            __atomic_store_n(chosen, way, __ATOMIC_RELAXED);
            return way;
        }
    return NULL;
}

const struct sheaf_stream_way *sheaf_stream_way(void)
{
    static const struct sheaf_stream_way *chosen;
    const struct sheaf_stream_way *way = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
    return way ? way : choose_way(&chosen, sheaf_stream_ways);
}

const struct sheaf_stream_way *sheaf_vector_way(void)
{
    static const struct sheaf_stream_way *chosen;
    const struct sheaf_stream_way *way = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
    return way ? way : choose_way(&chosen, sheaf_vector_ways);
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

void sheaf_vector_copy(void *dest, const void *source, size_t bytes)
{
    sheaf_stream_copy_by(sheaf_vector_way(), dest, source, bytes);
}
