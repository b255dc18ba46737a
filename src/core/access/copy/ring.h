/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The long copies that a PE has left to its copier's threads: a ring of jobs, each cut into pieces of
 * which any thread claims the next one. Jobs are added by one thread at a time (copier.c's lock) and
 * finished in any order. Knows no PE and no thread.
 */
#ifndef SHEAF_CORE_ACCESS_COPY_RING_H
#define SHEAF_CORE_ACCESS_COPY_RING_H

#include "engine/engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece is copied in some 10 us: so long a quiet waits for a thread that has begun one. 64 KiB and
 * 256 KiB differ by less than 2 % in what is overlapped. */
#define SHEAF_COPIER_PIECE ((size_t)64 << 10)
#define SHEAF_COPIER_JOBS  64 /* under way at most: one more is copied by the caller */

/* What a job is. */
struct sheaf_copier_copy {
    char *dest;
    const char *source;
    size_t bytes;
    uint64_t *signal; /* of put with signal: updated once all is there; NULL without */
    uint64_t value;
    bool adds;
};

/* A slot of the ring. claims: the lower 24 bits of the job's position, then how many pieces there are,
 * 20 bits, and how many are claimed, 20 bits, in one word: a claim can only be of the job whose pieces
 * it counts. A slot is free when tail is beyond its job; whoever finishes the last piece says so by
 * is_busy. */
struct sheaf_copier_job {
    uint64_t claims;
    uint32_t left; /* pieces not yet copied */
    uint32_t is_busy;
    struct sheaf_copier_copy copy;
} __attribute__((aligned(128)));

/* Jobs at positions below tail are finished, those from head on not yet there. */
struct sheaf_copier_ring {
    uint64_t head __attribute__((aligned(64))); /* written by whoever adds */
    uint64_t tail __attribute__((aligned(64))); /* moved on by whoever finds its job finished */
    struct sheaf_copier_job jobs[SHEAF_COPIER_JOBS];
};

/* Whether there was room. Not by two threads at once. */
bool sheaf_copier_ring_add(struct sheaf_copier_ring *ring, const struct sheaf_copier_copy *copy);

/* Claims a piece of some job and copies it; whether there was one. */
bool sheaf_copier_ring_work(struct sheaf_copier_ring *ring);

/* Whether all jobs at positions below are finished. */
bool sheaf_copier_ring_is_done(struct sheaf_copier_ring *ring, uint64_t below);

#endif
