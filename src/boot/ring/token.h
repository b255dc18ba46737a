/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A random token by which two leaders of a job know each other: made, written as text, read,
 * compared. For watch_ring.c.
 */
#ifndef SHEAF_BOOT_RING_TOKEN_H
#define SHEAF_BOOT_RING_TOKEN_H

#include <stdbool.h>

#define SHEAF_TOKEN_TEXT 33 /* bytes, with the end */

struct sheaf_token {
    unsigned char bytes[16];
};

/* False, with errno, where the system has no randomness; where text is none. */
bool sheaf_token_make(struct sheaf_token *token);
bool sheaf_token_parse(const char *text, struct sheaf_token *token);
void sheaf_token_print(char text[SHEAF_TOKEN_TEXT], const struct sheaf_token *token);

/* Takes as long whatever differs. */
bool sheaf_token_is_equal(const struct sheaf_token *one, const struct sheaf_token *other);

#endif
