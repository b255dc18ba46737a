/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How two hosts of a job know each other, without showing their secret: a host that listens has a random
 * token, which the launcher alone carries to the others. Both sides prove that they have it:
 *
 * listener a challenge: 16 random bytes caller HELLO, with a challenge of its own, and a proof listener
 * WELCOME, and a proof: so the right listener was reached. Addresses such as those of bridges are the
 * same on many hosts
 *
 * A proof is a keyed hash (HMAC-SHA-256, its first 16 bytes; the token is the key) of both challenges and
 * of all that the greeting says. Whoever answers at a wrong address, or listens on the way, learns
 * nothing that serves on another connection. Until its proof has come a connection may be a stranger's:
 * its bytes are compared with the proof and used for nothing else. For admission.h, which listens, and
 * attempts.h, which calls.
 */
#ifndef SHEAF_HOSTS_HANDSHAKE_H
#define SHEAF_HOSTS_HANDSHAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Random, or a proof. */
struct sheaf_token {
    unsigned char bytes[16];
};

#define SHEAF_TOKEN_TEXT 33 /* bytes, with the end */

/* False, with errno, where the system has no randomness. */
bool sheaf_token_make(struct sheaf_token *token);
void sheaf_token_print(char text[SHEAF_TOKEN_TEXT], const struct sheaf_token *token);

/* The text behind it; NULL: it does not begin with a token. */
const char *sheaf_token_parse(const char *text, struct sheaf_token *token);

/* 16 bytes each. Takes as long whatever differs. */
bool sheaf_token_is_equal(const void *one, const void *other);

enum { SHEAF_HELLO = 16, SHEAF_WELCOME };

/* Hosts of one job are alike: no byte is swapped. */
struct sheaf_greeting {
    struct sheaf_token proof;
    struct sheaf_token challenge; /* the caller's */
    uint32_t word;    /* HELLO or WELCOME */
    int32_t node;     /* the sender's */
    uint32_t purpose; /* of the connection: a number of the user's */
    uint32_t note;    /* of the sender's, for the user */
};
_Static_assert(sizeof(struct sheaf_greeting) == 48, "as it travels");

/* A connection whose proof has not come. All zero: none. */
struct sheaf_handshake {
    bool is_open;
    int fd, place; /* in the poll set */
    uint64_t since_ns;
    struct sheaf_token listener, caller; /* their challenges */
    size_t filled; /* of the challenge, then of the greeting that is awaited */
    struct sheaf_greeting received;
};

void sheaf_handshake_begin(struct sheaf_handshake *handshake, int fd);
void sheaf_handshake_close(struct sheaf_handshake *handshake);

/* By the listener, first of all. Like a greeting it is among the first bytes of a connection, and therefore
 * fits. False: the connection has ended, or there is no randomness. */
bool sheaf_handshake_challenge(struct sheaf_handshake *handshake);

/* Completes the greeting, which has word, node, purpose and note, and sends it. False: as above. */
bool sheaf_handshake_send(struct sheaf_handshake *handshake, struct sheaf_greeting greeting,
                          const struct sheaf_token *secret);

/* The proof of a greeting with its challenge, on this connection. */
struct sheaf_token sheaf_handshake_prove(const struct sheaf_handshake *handshake,
                                         const struct sheaf_greeting *greeting,
                                         const struct sheaf_token *secret);

/* Take in the listener's challenge, and the other side's greeting, and no byte behind it. */
enum sheaf_handshake_state {
    SHEAF_HANDSHAKE_WAITS,
    SHEAF_HANDSHAKE_PROVEN, /* the challenge is there; received: the word, and its proof is right */
    SHEAF_HANDSHAKE_FAILED
};
enum sheaf_handshake_state sheaf_handshake_receive_challenge(struct sheaf_handshake *handshake);
enum sheaf_handshake_state sheaf_handshake_receive(struct sheaf_handshake *handshake, uint32_t word,
                                                   const struct sheaf_token *secret);

/* Whether it has lasted longer than a guest may take for its greeting. */
bool sheaf_handshake_is_late(const struct sheaf_handshake *handshake);

#endif
