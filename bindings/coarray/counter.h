/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Events, locks and atomics: words of 8 bytes, which begin as 0.
 */
#ifndef SHEAF_COARRAY_COUNTER_H
#define SHEAF_COARRAY_COUNTER_H

#include "coarray.h"

/* The counter of that kind which a coarray has at an index. */
int64_t *sheaf_counter_at(const struct sheaf_outcome *outcome, const struct sheaf_coarray *counters,
                          enum sheaf_coarray_kind kind, size_t index);

void sheaf_event_post(const struct sheaf_outcome *outcome, int64_t *event, int pe);
void sheaf_event_wait(const struct sheaf_outcome *outcome, int64_t *event, int64_t until);
int64_t sheaf_event_query(const struct sheaf_outcome *outcome, int64_t *event, int pe);

void sheaf_counter_begin(void); /* collective over all images, at the start */

/* acquired NULL: waits. */
void sheaf_lock(const struct sheaf_outcome *outcome, int64_t *lock, int pe, int *acquired);
void sheaf_unlock(const struct sheaf_outcome *outcome, int64_t *lock, int pe);

/* Operations of ATOMIC_ADD and its like, as gfortran numbers them; 0: fetch, 5: define. */
enum sheaf_atomic { SHEAF_FETCH, SHEAF_ADD, SHEAF_AND, SHEAF_OR, SHEAF_XOR, SHEAF_DEFINE };
/* On a word of 4 or 8 bytes; old may be NULL. */
void sheaf_atomic(const struct sheaf_outcome *outcome, enum sheaf_atomic operation, void *word,
                  int kind, int pe, const void *value, void *old);
void sheaf_atomic_cas(const struct sheaf_outcome *outcome, void *word, int kind, int pe,
                      void *old, const void *compare, const void *value);

#endif
