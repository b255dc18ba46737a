/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tags: to which team or active set a message belongs, and which PE sent it.
 */
#ifndef SHEAF_CORE_TEAM_TAG_H
#define SHEAF_CORE_TEAM_TAG_H

#include <stdint.h>

/* The low bits: the sender. */
#define SHEAF_TAG_PE_BITS 24

#define SHEAF_TAG_OF_WORLD 0

/* The same once PEs that have met so many deaths have met new processes; no PE leads it. */
uint64_t sheaf_tag_of_world(uint32_t deaths);

/* A tag for a team that I lead; others learn it from me. */
uint64_t sheaf_tag_new(void);

/* The tag of an active set, which nobody leads. */
uint64_t sheaf_tag_of_set(int start, int log_stride, int size);

/* The tag by which the PEs of a list first meet, of which leader is the first: until they have learned one
 * from it. */
uint64_t sheaf_tag_of_list(int leader, uint64_t hash);

#endif
