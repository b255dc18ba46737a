/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Events, locks and atomics. An event is a word; a lock is a word for each image, since the lock of
 * each image is one of its own and OpenSHMEM's is one for all.
 */
#ifndef SHEAF_COARRAY_COUNTER_H
#define SHEAF_COARRAY_COUNTER_H

#include "coarray.h"

void sheaf_event_post(const struct sheaf_outcome *outcome, struct sheaf_coarray *events,
                      size_t index, int image);
void sheaf_event_wait(const struct sheaf_outcome *outcome, struct sheaf_coarray *events,
                      size_t index, int64_t until);
int64_t sheaf_event_query(const struct sheaf_outcome *outcome, struct sheaf_coarray *events,
                          size_t index, int image);

size_t sheaf_lock_bytes(const struct sheaf_outcome *outcome, size_t count);
/* acquired NULL: waits. */
void sheaf_lock(const struct sheaf_outcome *outcome, struct sheaf_coarray *locks, size_t index,
                int image, int *acquired);
void sheaf_unlock(const struct sheaf_outcome *outcome, struct sheaf_coarray *locks, size_t index,
                  int image);

/* Operations of ATOMIC_ADD and its like, as gfortran numbers them; 0: fetch, 5: define. */
enum sheaf_atomic { SHEAF_FETCH, SHEAF_ADD, SHEAF_AND, SHEAF_OR, SHEAF_XOR, SHEAF_DEFINE };
/* On a word of 4 or 8 bytes; old may be NULL. */
void sheaf_atomic(const struct sheaf_outcome *outcome, enum sheaf_atomic operation, void *word,
                  int kind, int image, const void *value, void *old);
void sheaf_atomic_cas(const struct sheaf_outcome *outcome, void *word, int kind, int image,
                      void *old, const void *compare, const void *value);

#endif
