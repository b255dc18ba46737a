/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHA-256 (FIPS 180-4), and the keyed hash HMAC-SHA-256 over it (RFC 2104): by which two processes
 * show each other that they have the same secret, without sending it.
 */
#ifndef SHEAF_BASE_SHA256_H
#define SHEAF_BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHEAF_SHA256_BYTES 32
#define SHEAF_SHA256_BLOCK 64

struct sheaf_sha256 {
    uint32_t state[8];
    uint64_t bytes; /* taken in so far */
    unsigned char block[SHEAF_SHA256_BLOCK];
};

void sheaf_sha256_begin(struct sheaf_sha256 *sha);
void sheaf_sha256_add(struct sheaf_sha256 *sha, const void *data, size_t length);
void sheaf_sha256_end(struct sheaf_sha256 *sha, unsigned char digest[SHEAF_SHA256_BYTES]);

/* Whether bytes that prove something are the expected ones. Takes as long whatever differs. */
bool sheaf_proof_bytes_are_equal(const void *one, const void *other, size_t length);

/* The keyed hash of one text; key of any length. */
void sheaf_hmac_sha256(const void *key, size_t key_length, const void *text, size_t length,
                       unsigned char digest[SHEAF_SHA256_BYTES]);

#endif
