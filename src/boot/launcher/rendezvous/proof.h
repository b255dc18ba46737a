/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How two processes show each other that they have the same secret, without sending it: each sends
 * a random challenge, and answers the other's with a keyed hash (HMAC-SHA-256) over both
 * challenges, its role and what it says of itself. The messages of it, too.
 */
#ifndef SHEAF_BOOT_LAUNCHER_RENDEZVOUS_PROOF_H
#define SHEAF_BOOT_LAUNCHER_RENDEZVOUS_PROOF_H

#include "base/sha256.h"
#include "boot/launcher/rendezvous/plan.h"

#include <stdint.h>

struct sheaf_challenge {
    unsigned char bytes[32];
};

struct sheaf_proof {
    unsigned char bytes[SHEAF_SHA256_BYTES];
};

/* Of both sides of one connection. */
struct sheaf_challenges {
    struct sheaf_challenge member, root;
};

/* The first message, from a process that wants to join. */
struct sheaf_hello {
    char magic[8]; /* SHEAF_HELLO_MAGIC: changes with the messages */
    struct sheaf_challenge challenge;
    uint32_t has_secret;
    uint32_t unused;
};
#define SHEAF_HELLO_MAGIC "sheafrv2"

/* What it says of itself. */
struct sheaf_joining {
    int32_t rank, size, pid;
    uint32_t unused;
    uint64_t identity; /* equal where processes share memory */
    char host[48];
};

struct sheaf_join {
    struct sheaf_joining joining;
    struct sheaf_proof proof;
};

/* False, with errno, where the system has no randomness. */
bool sheaf_challenge_make(struct sheaf_challenge *challenge);

/* By the process that joins, and by the root's welcome to it: the same hash over other words. */
void sheaf_proof_of_member(const char *secret, const struct sheaf_challenges *challenges,
                           const struct sheaf_joining *joining, struct sheaf_proof *proof);
void sheaf_proof_of_root(const char *secret, const struct sheaf_challenges *challenges,
                         const struct sheaf_joining *joining, struct sheaf_proof *proof);

/* Takes as long whatever differs. */
bool sheaf_proof_is_equal(const struct sheaf_proof *one, const struct sheaf_proof *other);

/* A new random text of 32 letters: a secret, or the name of a socket. False, with errno. */
bool sheaf_secret_make(char text[33]);

#endif
