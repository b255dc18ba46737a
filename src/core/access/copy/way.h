/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The way of a long copy: by libc's memcpy, by wide registers, or past the caches (base/stream.h). A
 * setting names it, or it is the one that learner.h has found to be fastest.
 */
#ifndef SHEAF_CORE_ACCESS_COPY_WAY_H
#define SHEAF_CORE_ACCESS_COPY_WAY_H

#include "base/atomic.h"

#include <stddef.h>
#include <stdint.h>

/* Copies of so many bytes and more are long: they go one of the ways below. SIZE_MAX: all are memcpy's.
 * Written at initialization. */
extern SHEAF_HIDDEN size_t sheaf_copy_long_from;

/* Makes a copy of that many bytes or more; or a part of one, whose length is total. */
void sheaf_copy_long_whole(void *dest, const void *source, size_t bytes);
void sheaf_copy_long_part(void *dest, const void *source, size_t bytes, size_t total);

/* The ways of copies by their lengths, bytes ascending: each goes up to so many bytes by a way (enum
 * sheaf_copy_algorithm; SHEAF_COPY_AUTO: the fastest). The last one's bytes are SIZE_MAX. The arrays
 * stay the caller's, who does not free them. */
void sheaf_copy_set_rules(const size_t *bytes, const uint8_t *ways, int count);

#endif
