/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The PEs of storm.h: what the engine has once for each process, and the memory that it allocates.
 */
#include "storm.h"
#include "unit.h"

#include "base/pace/processor.h"
#include "engine/message/batch/buffers.h"

#include <malloc.h>

struct storm_pe *storm_me, *storm_pes;
int storm_npes, storm_per_node;
bool storm_needs_credit;
static size_t heap_bytes;
static bool is_engine; /* allocations are the engine's */
static unsigned char *fresh; /* the state of a process that has not begun */

/* Placed by storm.ld round all that the engine's files write. */
extern unsigned char storm_state_begin[], storm_state_end[];

int64_t storm_engine_state(void)
{
    return storm_state_end - storm_state_begin;
}

bool storm_own_allocations(bool are_engine)
{
    bool before = is_engine;
    is_engine = are_engine;
    return before;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void __wrap_free(void *memory);

static void *count_memory(void *memory, int sign)
{
    if (is_engine && storm_me && memory) {
        storm_me->held += sign * (int64_t)malloc_usable_size(memory);
        storm_me->most = storm_me->held > storm_me->most ? storm_me->held : storm_me->most;
    }
    return memory;
}

void *__wrap_malloc(size_t bytes)
{
    return count_memory(__real_malloc(bytes), 1);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return count_memory(__real_calloc(count, bytes), 1);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    count_memory(memory, -1);
    return count_memory(__real_realloc(memory, bytes), 1);
}

void __wrap_free(void *memory)
{
    __real_free(count_memory(memory, -1));
}

/* The engine's clock is the PE's own. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
    uint64_t ns = storm_me ? (uint64_t)storm_me->now + 1 : 1;
    (void)clock;
    *time = (struct timespec){(time_t)(ns / SHEAF_SECOND), (long)(ns % SHEAF_SECOND)};
    return 0;
}

void storm_work(double ns)
{
    storm_me->now += ns * storm_me->slowness;
}

void storm_enter(struct storm_pe *pe)
{
    size_t bytes = (size_t)storm_engine_state();
    if (pe == storm_me)
        return;
    if (storm_me) {
        memcpy(storm_me->state, storm_state_begin, bytes);
        storm_me->batch_is_mine = sheaf_msg_batch_is_mine;
    }
    memcpy(storm_state_begin, pe->state, bytes);
    sheaf_msg_batch_is_mine = pe->batch_is_mine;
    storm_me = pe;
}

static int peer_address(int pe, void **address, size_t *length)
{
    *length = storm_pes[pe].length;
    *address = malloc(*length);
    memcpy(*address, storm_pes[pe].address, *length);
    return 0;
}

static bool is_dead(int pe)
{
    return storm_pes[pe].is_dead;
}

static uint32_t incarnation_state(int pe)
{
    return storm_pes[pe].is_dead;
}

static __attribute__((noreturn)) void failed(int pe, const char *why)
{
    printf("PE %d ends the job because of PE %d: %s\n", storm_me ? storm_me->pe : -1, pe, why);
    exit(1);
}

static void start_engine(const struct sheaf_transport *transport, struct storm_pe *pe)
{
    const struct sheaf_engine_job job = {
        .pe = pe->pe, .npes = storm_npes, .key = {1, 2}, .progress = SHEAF_PROGRESS_OFF,
        .aggregate = SHEAF_AGGREGATE_ON, .peer_address = peer_address, .is_dead = is_dead,
        .incarnation_state = incarnation_state, .failed = failed, .host_failed = failed,
        .segments = {[SHEAF_SEGMENT_DATA] = {(char *)pe->segment, sizeof pe->segment},
                     [SHEAF_SEGMENT_HEAP] = {(char *)pe->heap, heap_bytes}}};
    const void *address;
    storm_enter(pe);
    is_engine = true;
    CHECK(sheaf_msg_start(transport, &job) == 0);
    /* As with the progress thread: those who wait send what has gathered. */
    sheaf_msg_state.aggregates = true;
    sheaf_msg_batches_prepare(sheaf_msg_state.service);
    if (!storm_needs_credit)
        sheaf_msg_state.free_credit = SIZE_MAX;
    is_engine = false;
    sheaf_msg_address(&address, &pe->length);
    pe->address = malloc(pe->length);
    memcpy(pe->address, address, pe->length);
}

void storm_begin(const struct sheaf_transport *transport, int npes, int per_node, size_t heap, uint64_t seed)
{
    size_t bytes = (size_t)storm_engine_state();
    storm_npes = npes;
    storm_per_node = per_node;
    heap_bytes = heap;
    if (!fresh) {
        fresh = malloc(bytes);
        memcpy(fresh, storm_state_begin, bytes);
    }
    storm_pes = calloc((size_t)npes, sizeof *storm_pes);
    for (int i = 0; i < npes; i++) {
        struct storm_pe *pe = &storm_pes[i];
        *pe = (struct storm_pe){.pe = i, .node = i / per_node, .slowness = 1, .state = malloc(bytes),
                                .heap = calloc(1, heap_bytes), .chance = seed * 7919 + (uint64_t)i + 1};
        memcpy(pe->state, fresh, bytes);
    }
    for (int i = 0; i < npes; i++)
        start_engine(transport, &storm_pes[i]);
}

void storm_end(void)
{
    for (int i = 0; i < storm_npes; i++) {
        struct storm_pe *pe = &storm_pes[i];
        storm_enter(pe);
        sheaf_msg_stop();
        free(pe->address);
        free(pe->heap);
    }
    storm_me = NULL;
    for (int i = 0; i < storm_npes; i++)
        free(storm_pes[i].state);
    free(storm_pes);
}
