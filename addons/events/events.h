/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of the library as events of a measurement system. Each routine of wrappers.c calls these around the
 * library's own.
 */
#ifndef SHEAF_EVENTS_EVENTS_H
#define SHEAF_EVENTS_EVENTS_H

#include <pshmem.h>
#include <shmemx.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void events_begin(const char *name);
void events_end(const char *name);

/* A call on PE pe of ctx's team, or -1, has moved bytes; place, symmetric, is where from or to, or NULL. */
void events_moved(shmem_ctx_t ctx, int pe, const void *place, uint64_t bytes);

/* After initialization, and before finalization: in between PEs have numbers and channels. */
void events_open(void);
void events_close(void);

/* Of noncontiguous transfers. */
uint64_t events_shape_bytes(const size_t *counts, int dims);
uint64_t events_vector_bytes(const shmemx_vector_t *vectors, size_t count);

/* place.c: the name of the event for what was moved to or from place on PE pe, a number in the world. */
const char *events_place(int pe, const void *place);

#endif
