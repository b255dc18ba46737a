/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One block of SHA-1: its 80 words are kept as the last 16.
 */
#include "sha1.h"

#include <string.h>

static uint32_t rotate(uint32_t word, int bits)
{
    return word << bits | word >> (32 - bits);
}

static uint32_t next_word(uint32_t word[16], int t)
{
    if (t >= 16)
        word[t % 16] = rotate(word[(t + 13) % 16] ^ word[(t + 8) % 16] ^ word[(t + 2) % 16] ^ word[t % 16],
                              1);
    return word[t % 16];
}

/* h holds a, b, c, d, e of step t. */
static inline void step(uint32_t h[5], uint32_t f, uint32_t k, uint32_t word)
{
    const uint32_t a = rotate(h[0], 5) + f + h[4] + k + word;
    h[4] = h[3];
    h[3] = h[2];
    h[2] = rotate(h[1], 30);
    h[1] = h[0];
    h[0] = a;
}

static void mix(uint32_t h[5], uint32_t word[16])
{
    int t = 0;
    for (; t < 20; t++)
        step(h, (h[1] & h[2]) | (~h[1] & h[3]), 0x5a827999, next_word(word, t));
    for (; t < 40; t++)
        step(h, h[1] ^ h[2] ^ h[3], 0x6ed9eba1, next_word(word, t));
    for (; t < 60; t++)
        step(h, (h[1] & h[2]) | (h[1] & h[3]) | (h[2] & h[3]), 0x8f1bbcdc, next_word(word, t));
    for (; t < 80; t++)
        step(h, h[1] ^ h[2] ^ h[3], 0xca62c1d6, next_word(word, t));
}

void sha1_short(const uint8_t *message, size_t bytes, uint8_t digest[SHA1_BYTES])
{
    static const uint32_t start[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    uint8_t block[64] = {0};
    uint32_t word[16], h[5];
    memcpy(block, message, bytes);
    block[bytes] = 0x80;
    block[62] = (uint8_t)(bytes * 8 >> 8);
    block[63] = (uint8_t)(bytes * 8);
    for (int i = 0; i < 16; i++)
        word[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
            (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    memcpy(h, start, sizeof h);
    mix(h, word);
    for (int i = 0; i < 5; i++)
        for (int byte = 0; byte < 4; byte++)
            digest[4 * i + byte] = (uint8_t)((h[i] + start[i]) >> (24 - 8 * byte));
}
