/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each loop for long copies that this processor has, without PEs: every alignment of dest and source,
 * lengths around a line, a step, a page and the pages that a loop takes in turn. What lies beside dest
 * stays as it was.
 */
#include "base/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 256, MOST = 9 * 4096 + 64, ROOM = MOST + 2 * GUARD + 128 };

static _Alignas(4096) unsigned char source[ROOM], dest[ROOM], expected[ROOM];

static void fill(unsigned seed)
{
    for (size_t i = 0; i < ROOM; i++) {
        seed = seed * 1103515245 + 12345;
        source[i] = (unsigned char)(seed >> 16);
        dest[i] = expected[i] = (unsigned char)(i * 7 + seed);
    }
}

static int check(const struct sheaf_stream_way *way, size_t to, size_t from, size_t bytes)
{
    fill((unsigned)(to * 64 + from + bytes));
    memcpy(expected + GUARD + to, source + from, bytes);
    sheaf_stream_copy_by(way, dest + GUARD + to, source + from, bytes);
    if (memcmp(dest, expected, ROOM) == 0)
        return 0;
    printf("%s: %zu bytes from %zu to %zu of a line went wrong\n", way->name, bytes, from, to);
    return 1;
}

static int check_way(const struct sheaf_stream_way *way)
{
    static const size_t lengths[] = {0, 1, 9, 63, 64, 65, 127, 128, 129, 191, 192, 255, 256, 257, 4095,
                                     4096, 4097, 3 * 4096 + 64, 4 * 4096 - 1, 4 * 4096, 4 * 4096 + 129, MOST};
    int failures = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t to = 0; to < 64; to += lengths[i] > 300 ? 7 : 1)
            for (size_t from = 0; from < 64; from += 9)
                failures += check(way, to, from, lengths[i]);
    return failures;
}

/* Returns how many are here. */
static int check_ways(const struct sheaf_stream_way *way, int *failures)
{
    int here = 0;
    for (; way->name; way++) {
        if (!way->is_here()) {
            printf("this processor has no %s\n", way->name);
            continue;
        }
        here++;
        *failures += check_way(way);
    }
    return here;
}

int main(void)
{
    int failures = 0;
    int here = check_ways(sheaf_stream_ways, &failures) + check_ways(sheaf_vector_ways, &failures);
    if (here == 0)
        puts("skipped: this processor has no way but memcpy");
    return here == 0 ? 77 : failures > 0;
}
