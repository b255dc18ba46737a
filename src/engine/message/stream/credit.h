/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Credit: the bytes of puts that may be under way to one PE at once, so that many that put to it do not
 * fill its port of a switch. credit.c has the sender's side, serve/grants.c the target's.
 */
#ifndef SHEAF_ENGINE_MESSAGE_STREAM_CREDIT_H
#define SHEAF_ENGINE_MESSAGE_STREAM_CREDIT_H

#include "engine/message/stream/operation.h"

/* In bytes: half of what a port of a common switch holds (16 MiB). */
#define SHEAF_MSG_MOST_CREDIT ((size_t)8 << 20)

#endif
