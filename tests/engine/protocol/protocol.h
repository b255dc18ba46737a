/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs that do random operations of an engine over the local transport, and know what has to come of
 * them: the model. An origin keeps what it writes in the model of the target's memory as it starts an
 * operation; what it writes is its own part there, or is the same in any order.
 */
#ifndef SHEAF_TEST_ENGINE_PROTOCOL_H
#define SHEAF_TEST_ENGINE_PROTOCOL_H

#include "engine/engine.h"
#include "processes.h"

#define PROTOCOL_PES 4

extern const struct sheaf_engine *const engine;
extern uint64_t chance; /* this PE's, of this seed */
extern int pes;         /* of this seed */
extern bool is_big;     /* it has transfers of many fragments */

/* protocol.c: does not return where a PE has ended the job. */
void end_with_job(void);

/* What all PEs of the test share. */
struct protocol_board {
    size_t length[PROTOCOL_PES];
    unsigned char address[PROTOCOL_PES][1024];
    bool has_ended; /* the job */
    bool is_over;   /* the time of the test */
};
extern struct protocol_board *board;

/* protocol_memory.c: three regions of each PE, in bytes; the heap is longer. */
enum region { IN_DATA, IN_HEAP, IN_SPACE, REGIONS };
#define REGION     ((size_t)64 << 10)
#define BIG        ((size_t)192 << 10) /* an origin's, behind the rest of the heap */
#define BIG_SUMS   ((size_t)96 << 10) /* behind those */
#define HEAP_BYTES (REGION + PROTOCOL_PES * BIG + BIG_SUMS)

/* What lies where in a region; of each origin, or of all together. */
#define CONSTANT    ((size_t)4096) /* before all else */
#define SLICE       ((size_t)8192)
#define SLICES      CONSTANT
#define MARKED      ((size_t)4096)
#define MARKED_AT   (SLICES + PROTOCOL_PES * SLICE)
#define MARKS       ((size_t)1024)
#define MARKS_AT    (MARKED_AT + PROTOCOL_PES * MARKED)
#define WORDS       ((size_t)1024)
#define WORDS_AT    (MARKS_AT + PROTOCOL_PES * MARKS)
#define COUNTERS_AT (WORDS_AT + PROTOCOL_PES * WORDS)
#define SUMS_AT     (COUNTERS_AT + 256)
#define SUMS        ((size_t)1024)
_Static_assert(SUMS_AT + SUMS <= REGION, "all of it has room");

void memory_make(void);
/* As it is, it is right: of a job that has ended. By the process that forks others. */
void memory_accept(void);
unsigned char *memory_of(int pe, enum region region);
unsigned char *model_of(int pe, enum region region);
/* This PE's name for a place: the same as every other one's in meaning. */
static inline unsigned char *here(enum region region, size_t at)
{
    return memory_of(me, region) + at;
}
bool memory_is_in_space(uintptr_t address, uint64_t bytes);
uint64_t memory_space_address(int pe, const void *local);
void memory_accumulate(void *dest, const void *source, size_t bytes, const struct sheaf_scale *scale);
/* The model, by one PE at a time. */
void model_lock(void);
void model_unlock(void);
/* This PE's memory is as the model has it. */
void memory_verify(void);

/* A mark says that data is there: what was put before it, with a signal, or before a fence. */
#define MOST_MARKS 24
void marks_begin(uint64_t plan); /* a number that no other phase has */
/* A free mark at pe, or NULL; its data's place, of so many bytes, and its word's. */
struct mark {
    enum region data_region, mark_region;
    size_t at, bytes, mark_at;
    uint64_t number, value;
    uint64_t phase; /* 0: not in use */
};
struct mark *marks_next(int pe, size_t bytes);
void marks_publish(struct mark *mark);
/* Data of every mark that this PE has by now is there. Returns how many marks are still to come. */
unsigned marks_look(void);

/* Numbers that nobody may get twice, of each PE's counter. */
void tickets_begin(void);
void tickets_take(int pe, uint64_t number);

/* protocol_flights.c: contexts, and what is under way on them. */
#define MOST_CONTEXTS 4
extern int contexts; /* the first is the default one */
sheaf_engine_context *context_of(int context);
void contexts_begin(void);
void contexts_end(void);
void context_renew(int context);

/* An operation on [at, at + bytes) of a region of pe. Its buffer is malloc'ed: a source is overwritten
 * as soon as it may be, a destination is compared with what is expected. */
struct flight {
    bool is_used, reads, writes, is_waited;
    int context, pe;
    enum region region;
    size_t at, bytes;
    uint64_t fences;
    size_t left;
    unsigned char *block, *buffer; /* buffer: of any alignment, at the end of the block */
    size_t buffer_bytes;
    unsigned char *expected;       /* of as many bytes; or NULL */
};

/* What is under way and has to come first is ordered before it, or ended. Where a call adds several:
 * room for them first, so that adding one ends no other. */
struct flight *flights_add(const struct flight *next);
void flights_make_room(int wanted);
/* left for the engine: NULL where nobody waits. */
size_t *flight_left(struct flight *flight);
/* It has started, and is waited for at once, later or never. */
void flights_started(struct flight *flight);
void flights_quiet(int context, int pe);
void flights_fence(int context);
void flights_look(void);
void wait_for(int context, const size_t *left);

/* One turn of somebody who waits; the others may go on too. */
void turn(int context);

/* An operation of the engine, tried until it has started. */
#define START(context_, operation, ...)                                                            \
    do {                                                                                           \
        while (!engine->operation(context_of(context_), __VA_ARGS__))                              \
            turn(context_);                                                                        \
    } while (0)

/* protocol_operations.c, protocol_atomics.c: one at random. */
void operate(void);
void operate_atomically(void);
/* Whether the network does it by itself, in that region. */
bool network_has(enum region region, const struct sheaf_amo_call *call);

/* protocol_messages.c: messages of collectives, planned by all alike. */
void messages_begin(uint64_t plan);
void messages_go_on(void);
void messages_finish(void);

#endif
