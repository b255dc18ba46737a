/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the units' tests share: a check, numbers, and the library's messages, kept instead of printed
 * (said.c stands for base/log.c). These programs are no PEs.
 */
#ifndef SHEAF_UNIT_H
#define SHEAF_UNIT_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* The last message, and whether base/log.h is at debug level. */
extern char unit_said[1024];
extern bool unit_debug;

/* Whether the statement ends in sheaf_fatal() with a message that has the text in it. */
extern jmp_buf unit_end;
#define ENDS_WITH(statement, text)                                                                 \
    (setjmp(unit_end) == 0 ? ((void)(statement), false) : strstr(unit_said, (text)) != NULL)

/* xorshift: the same numbers on every machine. */
static inline unsigned unit_random(uint64_t *state, unsigned below)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (unsigned)(*state >> 33) % below;
}

#endif
