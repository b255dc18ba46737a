/* SPDX-License-Identifier: BSD-3-Clause
 * See token.h.
 */
#include "boot/ring/token.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/random.h>

bool sheaf_token_make(struct sheaf_token *token)
{
    return getrandom(token->bytes, sizeof token->bytes, 0) == sizeof token->bytes;
}

bool sheaf_token_parse(const char *text, struct sheaf_token *token)
{
    for (size_t i = 0; i < sizeof token->bytes; i++)
        if (sscanf(text + 2 * i, "%2hhx", &token->bytes[i]) != 1)
            return false;
    return true;
}

void sheaf_token_print(char text[SHEAF_TOKEN_TEXT], const struct sheaf_token *token)
{
    for (size_t i = 0; i < sizeof token->bytes; i++)
        sprintf(text + 2 * i, "%02x", token->bytes[i]);
}

bool sheaf_token_is_equal(const struct sheaf_token *one, const struct sheaf_token *other)
{
    volatile unsigned char differences = 0;
    for (size_t i = 0; i < sizeof one->bytes; i++)
        differences |= one->bytes[i] ^ other->bytes[i];
    return differences == 0;
}
