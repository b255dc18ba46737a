/* SPDX-License-Identifier: BSD-3-Clause
 * See ring.h.
 */
#include "core/access/copy/ring.h"

#include "core/access/copy/copy.h"
#include "engine/perform.h"

#include <string.h>

#define PIECE_BITS 20
#define MOST_PIECES (((uint64_t)1 << PIECE_BITS) - 1)
#define POSITIONS   ((uint64_t)0xffffff)

static uint64_t claims_of(uint64_t position, uint64_t pieces)
{
    return (position & POSITIONS) << (2 * PIECE_BITS) | pieces << PIECE_BITS;
}

static struct sheaf_copier_job *job_at(struct sheaf_copier_ring *ring, uint64_t position)
{
    return &ring->jobs[position % SHEAF_COPIER_JOBS];
}

/* Claims a piece of the job at position and sets its number. false: all pieces are claimed, or the slot
 * holds another job. */
static bool claim_piece(struct sheaf_copier_job *job, uint64_t position, size_t *piece)
{
    uint64_t claims = sheaf_load_acquire(&job->claims);
    do {
        uint64_t pieces = claims >> PIECE_BITS & MOST_PIECES;
        if (claims >> (2 * PIECE_BITS) != (position & POSITIONS) || (claims & MOST_PIECES) >= pieces)
            return false;
    } while (!__atomic_compare_exchange_n(&job->claims, &claims, claims + 1, true, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    *piece = (size_t)(claims & MOST_PIECES);
    return true;
}

/* Blocks of a piece; 1 where one is longer than a piece. */
static size_t blocks_a_piece(const struct sheaf_copier_copy *copy)
{
    size_t blocks = SHEAF_COPIER_PIECE / copy->blocks.block_bytes;
    return blocks ? blocks : 1;
}

static uint64_t pieces_of(const struct sheaf_copier_copy *copy)
{
    if (copy->has_blocks)
        return (copy->blocks.count - 1) / blocks_a_piece(copy) + 1;
    return (copy->bytes - 1) / SHEAF_COPIER_PIECE + 1;
}

static void copy_bytes(const struct sheaf_copier_copy *copy, size_t piece)
{
    size_t first = piece * SHEAF_COPIER_PIECE, rest = copy->bytes - first;
    size_t bytes = rest < SHEAF_COPIER_PIECE ? rest : SHEAF_COPIER_PIECE;
    sheaf_copy_part(copy->dest + first, copy->source + first, bytes, copy->bytes);
}

static void copy_blocks(const struct sheaf_copier_copy *copy, size_t piece)
{
    const struct sheaf_blocks *blocks = &copy->blocks;
    size_t most = blocks_a_piece(copy), first = piece * most, rest = blocks->count - first;
    sheaf_copy_blocks(copy->dest + (ptrdiff_t)first * blocks->dest_stride,
                      copy->source + (ptrdiff_t)first * blocks->source_stride, blocks->dest_stride,
                      blocks->source_stride, rest < most ? rest : most, blocks->block_bytes);
}

static void copy_piece(struct sheaf_copier_job *job, size_t piece)
{
    const struct sheaf_copier_copy *copy = &job->copy;
    (copy->has_blocks ? copy_blocks : copy_bytes)(copy, piece);
    if (__atomic_sub_fetch(&job->remaining, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    if (copy->signal)
        sheaf_signal_perform(copy->signal, copy->value, copy->adds);
    sheaf_store_release(&job->is_busy, 0U); /* read by is_finished() */
}

static bool is_finished(struct sheaf_copier_ring *ring, uint64_t position)
{
    return !sheaf_load_acquire(&job_at(ring, position)->is_busy);
}

/* Moves tail on. Returns the position of the first job that is not finished, or head. */
static uint64_t move_tail(struct sheaf_copier_ring *ring)
{
    uint64_t tail = sheaf_load_acquire(&ring->tail);
    while (tail < sheaf_load_acquire(&ring->head) && is_finished(ring, tail))
        if (__atomic_compare_exchange_n(&ring->tail, &tail, tail + 1, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            tail++;
    return tail;
}

/* A slot is filled again only once tail has passed it, so that is_finished() means the job at the
 * position asked for. */
bool sheaf_copier_ring_add(struct sheaf_copier_ring *ring, const struct sheaf_copier_copy *copy)
{
    uint64_t position = ring->head, pieces = copy->bytes ? pieces_of(copy) : 0;
    struct sheaf_copier_job *job = job_at(ring, position);
    if (pieces == 0 || pieces > MOST_PIECES || position - move_tail(ring) >= SHEAF_COPIER_JOBS)
        return false;
    memcpy(&job->copy, copy, copy->has_blocks ? sizeof *copy : offsetof(struct sheaf_copier_copy, blocks));
    sheaf_store_relaxed(&job->remaining, (uint32_t)pieces);
    sheaf_store_relaxed(&job->is_busy, 1U);
    sheaf_store_release(&job->claims, claims_of(position, pieces)); /* read by claim_piece() */
    sheaf_store_release(&ring->head, position + 1);
    sheaf_own_soon(job_at(ring, position + 1)); /* a thread had its line last */
    return true;
}

bool sheaf_copier_ring_work(struct sheaf_copier_ring *ring)
{
    size_t piece;
    uint64_t head = sheaf_load_acquire(&ring->head);
    for (uint64_t position = move_tail(ring); position < head; position++) {
        struct sheaf_copier_job *job = job_at(ring, position);
        if (claim_piece(job, position, &piece)) {
            copy_piece(job, piece);
            return true;
        }
    }
    return false;
}

bool sheaf_copier_ring_is_done(struct sheaf_copier_ring *ring, uint64_t below)
{
    return move_tail(ring) >= below;
}
