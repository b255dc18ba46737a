/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tags: each names the team or active set that a message belongs to, and the PE that sent it.
 */
#ifndef SHEAF_CORE_TEAM_TAG_H
#define SHEAF_CORE_TEAM_TAG_H

#include <stdint.h>

/* The low bits: the sender. */
#define SHEAF_TAG_PE_BITS 24

#define SHEAF_TAG_OF_WORLD 0

/* The tag of the world team after this many deaths, once the PEs have synchronized with the respawned
 * processes. No PE leads it. */
uint64_t sheaf_tag_of_world(uint32_t deaths);

/* A new tag for a team that this PE leads; the other members learn it from this PE. */
uint64_t sheaf_tag_new(void);

/* The tag of an active set, which has no leader. */
uint64_t sheaf_tag_of_set(int start, int log_stride, int size);

/* The tag of the first messages between the PEs of a list; leader is the first PE. In these messages
 * they learn the team's own tag from it. */
uint64_t sheaf_tag_of_list(int leader, uint64_t hash);

#endif
