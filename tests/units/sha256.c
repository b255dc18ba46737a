/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHA-256 and HMAC-SHA-256 of texts of a pattern, 4,096 lengths and 200 keys; what they amount to follows from Python's
 * hashlib and hmac, and so do the digests of FIPS 180-4's "abc" and RFC 4231's second example:
 *   from hashlib import sha256; import hmac; t = bytes((7 * i + 3) % 256 for i in range(4096))
 *   a = sha256(); [a.update(sha256(t[:n]).digest()) for n in range(4096)]; a.hexdigest()
 *   a = sha256(); [a.update(hmac.digest(t[:k], t[:20 * k], "sha256")) for k in range(200)]; a.hexdigest()
 */
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void check(const char *what, const unsigned char digest[SHEAF_SHA256_BYTES], const char *expected)
{
    char text[2 * SHEAF_SHA256_BYTES + 1];
    for (int i = 0; i < SHEAF_SHA256_BYTES; i++)
        sprintf(text + 2 * i, "%02x", digest[i]);
    if (strcmp(text, expected) == 0)
        return;
    printf("%s: %s, not %s\n", what, text, expected);
    failures++;
}

/* In pieces of several lengths. */
static void hash(const unsigned char *text, size_t length, unsigned char digest[SHEAF_SHA256_BYTES])
{
    struct sheaf_sha256 sha;
    sheaf_sha256_begin(&sha);
    for (size_t at = 0, piece = 1; at < length; at += piece, piece = piece % 150 + 7) {
        size_t part = length - at < piece ? length - at : piece;
        sheaf_sha256_add(&sha, text + at, part);
    }
    sheaf_sha256_end(&sha, digest);
}

int main(void)
{
    static unsigned char text[4096];
    unsigned char digest[SHEAF_SHA256_BYTES];
    struct sheaf_sha256 all;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (unsigned char)(7 * i + 3);
    hash((const unsigned char *)"abc", 3, digest);
    check("abc", digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sheaf_hmac_sha256("Jefe", 4, "what do ya want for nothing?", 28, digest);
    check("RFC 4231", digest, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    sheaf_sha256_begin(&all);
    for (size_t length = 0; length < sizeof text; length++) {
        hash(text, length, digest);
        sheaf_sha256_add(&all, digest, sizeof digest);
    }
    sheaf_sha256_end(&all, digest);
    check("SHA-256", digest, "236a351ee232c57b36f2497a5a2b8839aaef46def8014bfb0c27e485e0d66b0f");
    sheaf_sha256_begin(&all);
    for (size_t key = 0; key < 200; key++) {
        sheaf_hmac_sha256(text, key, text, 20 * key, digest);
        sheaf_sha256_add(&all, digest, sizeof digest);
    }
    sheaf_sha256_end(&all, digest);
    check("HMAC", digest, "69b397d3f0bfdbe27781c2ad461a3c0d06ddc6fc4a68dcd0d46b16af1e0c60bd");
    return failures != 0;
}
