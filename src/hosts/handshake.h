/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How two hosts of a job know each other. A host that listens has two random tokens, which the launcher
 * alone carries to the others. A host that connects sends HELLO with the first token; the listener answers
 * WELCOME with the second, which shows that the right one was reached: addresses such as those of bridges
 * are the same on many hosts. Until its token has come a connection may be a stranger's: its bytes are
 * compared with the token and used for nothing else. For admission.h, which listens, and attempts.h, which
 * connects.
 */
#ifndef SHEAF_HOSTS_HANDSHAKE_H
#define SHEAF_HOSTS_HANDSHAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sheaf_token {
    unsigned char bytes[16];
};

/* Of a listener. Both of the same: who has learnt the first, by listening at a wrong address, cannot
 * answer as that listener. */
struct sheaf_tokens {
    struct sheaf_token hello, welcome;
};

#define SHEAF_TOKENS_TEXT 66 /* bytes, with the end */

/* False, with errno, where the system has no randomness. */
bool sheaf_tokens_make(struct sheaf_tokens *tokens);
void sheaf_tokens_print(char text[SHEAF_TOKENS_TEXT], const struct sheaf_tokens *tokens);

/* The text behind them; NULL: it does not begin with two tokens. */
const char *sheaf_tokens_parse(const char *text, struct sheaf_tokens *tokens);

/* 16 bytes each. Takes as long whatever differs. */
bool sheaf_token_is_equal(const void *one, const void *other);

enum { SHEAF_HELLO = 16, SHEAF_WELCOME };

/* The first message in either direction. Hosts of one job are alike: no byte is swapped. */
struct sheaf_greeting {
    struct sheaf_token token;
    uint32_t word;    /* HELLO or WELCOME */
    int32_t node;     /* the sender's */
    uint32_t purpose; /* of the connection: a number of the user's */
    uint32_t note;    /* of the sender's, for the user */
};
_Static_assert(sizeof(struct sheaf_greeting) == 32, "as it travels");

/* A connection whose token has not come. All zero: none. */
struct sheaf_handshake {
    bool is_open;
    int fd, place; /* in the poll set */
    uint64_t since_ns;
    size_t filled;
    struct sheaf_greeting received;
};

void sheaf_handshake_begin(struct sheaf_handshake *handshake, int fd);
void sheaf_handshake_close(struct sheaf_handshake *handshake);

/* Sends a greeting, the first bytes of a connection, which therefore fit. False: the connection has
 * ended. */
bool sheaf_handshake_send(int fd, const struct sheaf_greeting *greeting);

/* Takes in the other side's greeting, and no byte behind it. */
enum sheaf_handshake_state {
    SHEAF_HANDSHAKE_WAITS,
    SHEAF_HANDSHAKE_PROVEN, /* received: the word and the token are those */
    SHEAF_HANDSHAKE_FAILED
};
enum sheaf_handshake_state sheaf_handshake_receive(struct sheaf_handshake *handshake, uint32_t word,
                                                   const struct sheaf_token *token);

/* Whether it has lasted longer than a guest may take for its greeting. */
bool sheaf_handshake_is_late(const struct sheaf_handshake *handshake);

#endif
