/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The long copies that a PE has handed to its copier's threads: a ring of jobs, each cut into pieces of
 * which any thread claims the next one. One thread at a time adds jobs (copier.c's lock). Jobs finish in
 * any order. This file deals with neither PEs nor threads.
 */
#ifndef SHEAF_CORE_ACCESS_COPY_RING_H
#define SHEAF_CORE_ACCESS_COPY_RING_H

#include "base/atomic.h"
#include "engine/engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In bytes; so many blocks as have no more together. A piece is copied in some 10 us, which is how long a
 * quiet waits for a thread that has begun one. Pieces of 64 KiB and of 256 KiB differ by less than 2 % in
 * the overlap reached. */
#define SHEAF_COPIER_PIECE ((size_t)64 << 10)
#define SHEAF_COPIER_JOBS  64 /* in the ring at most; the caller makes a further copy itself */

/* A job: one copy, with the signal behind it. */
struct sheaf_copier_copy {
    char *dest;
    const char *source;
    size_t bytes;
    uint64_t *signal; /* of put with signal: updated once all data is there; NULL: none */
    uint64_t value;
    bool adds;
    bool has_blocks;            /* else the bytes lie in a row, and blocks is not looked at */
    struct sheaf_blocks blocks; /* of bytes in all */
};

/* A slot of the ring. claims holds three numbers in one word: the lower 24 bits of the job's position,
 * the number of pieces (20 bits) and the number of claimed pieces (20 bits). So a claim always belongs
 * to the job whose pieces it counts. A slot is free when tail is beyond its job. The thread that
 * finishes the last piece clears is_busy. A job without blocks lies in one cache line. */
struct sheaf_copier_job {
    uint64_t claims;
    uint32_t remaining; /* pieces not yet copied */
    uint32_t is_busy;
    struct sheaf_copier_copy copy;
} __attribute__((aligned(128)));
_Static_assert(offsetof(struct sheaf_copier_job, copy.blocks) == SHEAF_CACHE_LINE,
               "a job's blocks lie in its second cache line");

/* Jobs at positions below tail are finished; those from head on do not exist yet. Threads that look for
 * work read both all the time; processors fetch lines in pairs. */
struct sheaf_copier_ring {
    uint64_t head __attribute__((aligned(128))); /* written by the thread that adds */
    uint64_t tail __attribute__((aligned(128))); /* moved on by any thread that finds its job finished */
    struct sheaf_copier_job jobs[SHEAF_COPIER_JOBS];
};

/* Adds a job. Returns whether there was room. Not for two threads at once. */
bool sheaf_copier_ring_add(struct sheaf_copier_ring *ring, const struct sheaf_copier_copy *copy);

/* Claims a piece of some job and copies it. Returns whether there was one. */
bool sheaf_copier_ring_work(struct sheaf_copier_ring *ring);

/* Whether all jobs at positions below are finished. */
bool sheaf_copier_ring_is_done(struct sheaf_copier_ring *ring, uint64_t below);

#endif
