/* SPDX-License-Identifier: BSD-3-Clause
 * See sha256.h. Names of steps are those of FIPS 180-4.
 */
#include "base/sha256.h"

#include <string.h>

#define ROUNDS 64

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate_right(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

static uint32_t read_word(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void write_word(unsigned char *bytes, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(word >> (24 - 8 * i));
}

static void expand_schedule(uint32_t schedule[ROUNDS], const unsigned char *block)
{
    for (int i = 0; i < 16; i++)
        schedule[i] = read_word(block + (size_t)i * 4);
    for (int i = 16; i < ROUNDS; i++) {
        uint32_t early = schedule[i - 15], late = schedule[i - 2];
        uint32_t sigma0 = rotate_right(early, 7) ^ rotate_right(early, 18) ^ early >> 3;
        uint32_t sigma1 = rotate_right(late, 17) ^ rotate_right(late, 19) ^ late >> 10;
        schedule[i] = schedule[i - 16] + sigma0 + schedule[i - 7] + sigma1;
    }
}

static void hash_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t schedule[ROUNDS], v[8];
    expand_schedule(schedule, block);
    memcpy(v, state, sizeof v);
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t sum1 = rotate_right(v[4], 6) ^ rotate_right(v[4], 11) ^ rotate_right(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t one = v[7] + sum1 + choice + round_constants[i] + schedule[i];
        uint32_t sum0 = rotate_right(v[0], 2) ^ rotate_right(v[0], 13) ^ rotate_right(v[0], 22);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + sum0 + majority;
    }
    for (int i = 0; i < 8; i++)
        state[i] += v[i];
}

/* The fractional parts of the square roots of the first 8 primes. */
void sheaf_sha256_begin(struct sheaf_sha256 *sha)
{
    *sha = (struct sheaf_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sheaf_sha256_add(struct sheaf_sha256 *sha, const void *data, size_t length)
{
    const unsigned char *at = data;
    while (length > 0) {
        size_t filled = sha->bytes % SHEAF_SHA256_BLOCK, room = SHEAF_SHA256_BLOCK - filled;
        size_t part = length < room ? length : room;
        memcpy(sha->block + filled, at, part);
        sha->bytes += part;
        at += part;
        length -= part;
        if (part == room)
            hash_block(sha->state, sha->block);
    }
}

void sheaf_sha256_end(struct sheaf_sha256 *sha, unsigned char digest[SHEAF_SHA256_BYTES])
{
    static const unsigned char padding[SHEAF_SHA256_BLOCK] = {0x80};
    unsigned char bits[8];
    write_word(bits, (uint32_t)(sha->bytes >> 29));
    write_word(bits + 4, (uint32_t)(sha->bytes << 3));
    size_t filled = sha->bytes % SHEAF_SHA256_BLOCK;
    sheaf_sha256_add(sha, padding, (filled < 56 ? 56 : 120) - filled);
    sheaf_sha256_add(sha, bits, sizeof bits);
    for (int i = 0; i < 8; i++)
        write_word(digest + (size_t)i * 4, sha->state[i]);
}

static void begin_with_pad(struct sheaf_sha256 *sha, const unsigned char *key, unsigned char pad)
{
    unsigned char block[SHEAF_SHA256_BLOCK];
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = key[i] ^ pad;
    sheaf_sha256_begin(sha);
    sheaf_sha256_add(sha, block, sizeof block);
}

void sheaf_hmac_sha256(const void *key, size_t key_length, const void *text, size_t length,
                       unsigned char digest[SHEAF_SHA256_BYTES])
{
    struct sheaf_sha256 sha;
    unsigned char short_key[SHEAF_SHA256_BLOCK] = {0};
    if (key_length > sizeof short_key) {
        sheaf_sha256_begin(&sha);
        sheaf_sha256_add(&sha, key, key_length);
        sheaf_sha256_end(&sha, short_key);
    } else if (key_length > 0) {
        memcpy(short_key, key, key_length);
    }
    begin_with_pad(&sha, short_key, 0x36);
    sheaf_sha256_add(&sha, text, length);
    sheaf_sha256_end(&sha, digest);
    begin_with_pad(&sha, short_key, 0x5c);
    sheaf_sha256_add(&sha, digest, SHEAF_SHA256_BYTES);
    sheaf_sha256_end(&sha, digest);
}

bool sheaf_proof_bytes_are_equal(const void *one, const void *other, size_t length)
{
    const unsigned char *first = one, *second = other;
    volatile unsigned char differences = 0;
    for (size_t i = 0; i < length; i++)
        differences |= first[i] ^ second[i];
    return differences == 0;
}
