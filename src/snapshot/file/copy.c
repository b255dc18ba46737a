/* SPDX-License-Identifier: BSD-3-Clause
 * See copy.h.
 */
#include "snapshot/file/copy.h"

#include "snapshot/file/hash.h"

typedef uint64_t __attribute__((may_alias)) word;

/* All words together, and the lanes of sheaf_hash(). */
__attribute__((no_sanitize("address", "thread", "undefined"))) static uint64_t
copy_words(word *to, const word *from, size_t count, uint64_t lanes[4])
{
    uint64_t a = 1, b = 2, c = 3, d = 4, any = 0;
    for (size_t i = 0; i < count; i += 4) {
        uint64_t w = from[i], x = from[i + 1], y = from[i + 2], z = from[i + 3];
        any |= w | x | y | z;
        to[i] = w;
        to[i + 1] = x;
        to[i + 2] = y;
        to[i + 3] = z;
        a = sheaf_hash_step(a, w);
        b = sheaf_hash_step(b, x);
        c = sheaf_hash_step(c, y);
        d = sheaf_hash_step(d, z);
    }
    lanes[0] = a;
    lanes[1] = b;
    lanes[2] = c;
    lanes[3] = d;
    return any;
}

uint64_t sheaf_copy_page(char *to, const char *from, size_t length)
{
    uint64_t lanes[4];
    uint64_t any = copy_words((word *)(void *)to, (const word *)(const void *)from,
                              length / sizeof(uint64_t), lanes);
    return any ? sheaf_hash_end(lanes, length, 0) : 0;
}
