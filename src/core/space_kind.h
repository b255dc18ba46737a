/* SPDX-License-Identifier: BSD-3-Clause
 * The kinds of memory spaces by their names: "default", "huge", "numa:N", "interleave", "file:PATH".
 */
#ifndef SHEAF_CORE_SPACE_KIND_H
#define SHEAF_CORE_SPACE_KIND_H

#include "image/space.h"

/* Fills kind, node and path of wish, whose length is set. Writes to why what is wrong with the name or
 * the length. */
void sheaf_space_read_kind(const char *kind, struct sheaf_space_wish *wish, struct sheaf_space_reason *why);

#endif
