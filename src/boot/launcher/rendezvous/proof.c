/* SPDX-License-Identifier: BSD-3-Clause
 * See proof.h.
 */
#include "boot/launcher/rendezvous/proof.h"

#include "hosts/handshake.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

bool sheaf_challenge_make(struct sheaf_challenge *challenge)
{
    return getrandom(challenge, sizeof *challenge, 0) == sizeof *challenge;
}

static void prove(const char *role, const char *secret, const struct sheaf_challenges *challenges,
                  const struct sheaf_joining *joining, struct sheaf_proof *proof)
{
    struct {
        char role[16];
        struct sheaf_challenges challenges;
        struct sheaf_joining joining;
    } text = {.challenges = *challenges, .joining = *joining};
    _Static_assert(sizeof text == 16 + sizeof *challenges + sizeof *joining, "no byte between");
    snprintf(text.role, sizeof text.role, "%s", role);
    sheaf_hmac_sha256(secret, strlen(secret), &text, sizeof text, proof->bytes);
}

void sheaf_proof_of_member(const char *secret, const struct sheaf_challenges *challenges,
                           const struct sheaf_joining *joining, struct sheaf_proof *proof)
{
    prove("sheaf member 1", secret, challenges, joining, proof);
}

void sheaf_proof_of_root(const char *secret, const struct sheaf_challenges *challenges,
                         const struct sheaf_joining *joining, struct sheaf_proof *proof)
{
    prove("sheaf root 1", secret, challenges, joining, proof);
}

bool sheaf_proof_is_equal(const struct sheaf_proof *one, const struct sheaf_proof *other)
{
    return sheaf_proof_bytes_are_equal(one, other, sizeof *one);
}

bool sheaf_secret_make(char text[33])
{
    struct sheaf_token token;
    if (!sheaf_token_make(&token))
        return false;
    sheaf_token_print(text, &token);
    return true;
}
