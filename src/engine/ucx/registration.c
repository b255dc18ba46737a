/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory that the network itself may read and write. The data image is one part; the heap is cut
 * into parts that double in size from either end towards the middle, the same ones on every PE, so
 * that few keys serve a large heap and no more than twice of what is in use is registered. A part's
 * key is asked of its owner on first use and kept.
 */
#include "engine/ucx/lanes.h"

#include "base/atomic.h"
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* In bytes. */
#define SMALLEST_PART ((size_t)4 << 20)

#define DATA_PART    0
#define FIRST_LOWER  1
#define PARTS_A_HALF 32
#define FIRST_UPPER  (FIRST_LOWER + PARTS_A_HALF)
_Static_assert(FIRST_UPPER + PARTS_A_HALF == SHEAF_UCX_PARTS, "data, and two halves of the heap");

/* Of this PE. packed is written last: whoever sees it sees the rest. */
static struct {
    ucp_mem_h memory;
    void *packed; /* the key, as peers get it */
    size_t bytes;
} parts[SHEAF_UCX_PARTS];

/* Distances from an end of the heap: part 0 is [0, S), part n is [S << (n - 1), S << n). */
static int doubling(size_t distance)
{
    size_t steps = distance / SMALLEST_PART;
    return steps == 0 ? 0 : 64 - __builtin_clzl(steps);
}

static size_t start_of(int part)
{
    return part == 0 ? 0 : SMALLEST_PART << (part - 1);
}

static size_t end_of(int part, size_t limit)
{
    size_t end = SMALLEST_PART << part;
    return end < limit ? end : limit;
}

static const struct sheaf_segment *segment(enum sheaf_segment_kind kind)
{
    return &sheaf_ucx_state.job.segments[kind];
}

static struct sheaf_ucx_part heap_part(size_t offset)
{
    size_t length = segment(SHEAF_SEGMENT_HEAP)->length, half = length / 2;
    if (offset < half) {
        int part = doubling(offset);
        return (struct sheaf_ucx_part){FIRST_LOWER + part, start_of(part), end_of(part, half)};
    }
    int part = doubling(length - 1 - offset);
    return (struct sheaf_ucx_part){FIRST_UPPER + part, length - end_of(part, length - half),
                                   length - start_of(part)};
}

struct sheaf_ucx_part sheaf_ucx_part_of(const void *local)
{
    const struct sheaf_segment *data = segment(SHEAF_SEGMENT_DATA);
    if (sheaf_segment_holds(data, (uintptr_t)local, 1))
        return (struct sheaf_ucx_part){DATA_PART, (uintptr_t)data->start,
                                       (uintptr_t)data->start + data->length};
    uintptr_t heap = (uintptr_t)segment(SHEAF_SEGMENT_HEAP)->start;
    struct sheaf_ucx_part part = heap_part((uintptr_t)local - heap);
    part.start += heap;
    part.end += heap;
    return part;
}

/* What most often stands in the way is the limit of memory that a process may lock. */
static void explain(const struct sheaf_ucx_part *part, const char *why, const char *instead)
{
    struct rlimit limit;
    char locked[64] = "unlimited";
    getrlimit(RLIMIT_MEMLOCK, &limit);
    if (limit.rlim_cur != RLIM_INFINITY)
        snprintf(locked, sizeof locked, "%llu KiB", (unsigned long long)limit.rlim_cur / 1024);
    sheaf_error("engine ucx: %zu bytes of %s cannot be registered with the network: %s; 'ulimit -l' "
                "(memory that may be locked) is %s: raise it where the job is started and in the "
                "launcher's daemon (LimitMEMLOCK=infinity), or set %s",
                part->end - part->start,
                sheaf_segment_name(part->index == DATA_PART ? SHEAF_SEGMENT_DATA : SHEAF_SEGMENT_HEAP),
                why, locked, instead);
}

static ucs_status_t map(ucp_context_h context, const struct sheaf_ucx_part *part, ucp_mem_h *memory)
{
    ucp_mem_map_params_t params = {
        .field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH,
        .address = (void *)part->start,
        .length = part->end - part->start,
    };
    return sheaf_ucx.ucp_mem_map(context, &params, memory);
}

/* In bytes: what a worker of UCX 1.13 locks for what it receives (datagrams 6 MiB, a connection's 8 MiB and
 * more), and a start. */
#define LEAST_LOCKED ((size_t)32 << 20)

/* Where too little may be locked UCX tries for ever to get memory for what arrives, and says nothing. */
int sheaf_ucx_check_lockable(ucp_context_h context)
{
    struct rlimit limit;
    ucp_mem_h memory;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return 0;
    void *trial = mmap(NULL, LEAST_LOCKED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (trial == MAP_FAILED)
        return 0;
    struct sheaf_ucx_part part = {0, (uintptr_t)trial, (uintptr_t)trial + LEAST_LOCKED};
    ucs_status_t status = map(context, &part, &memory);
    if (status == UCS_OK)
        sheaf_ucx.ucp_mem_unmap(context, memory);
    else
        sheaf_error("engine ucx: the adapter cannot have %zu MiB for what arrives: %s; 'ulimit -l' (memory that "
                    "may be locked) is %llu KiB: raise it where the job is started and in the launcher's daemon "
                    "(LimitMEMLOCK=infinity), or leave the adapter out (UCX_TLS=tcp,self)",
                    LEAST_LOCKED >> 20, sheaf_ucx.ucs_status_string(status),
                    (unsigned long long)limit.rlim_cur / 1024);
    munmap(trial, LEAST_LOCKED);
    return status == UCS_OK ? 0 : -1;
}

static int register_with_ucx(const struct sheaf_ucx_part *part)
{
    void *packed;
    if (parts[part->index].packed)
        return 0;
    ucs_status_t status = map(sheaf_ucx_state.context, part, &parts[part->index].memory);
    if (status != UCS_OK) {
        explain(part, sheaf_ucx.ucs_status_string(status), "SHEAF_RMA=message");
        return -1;
    }
    status = sheaf_ucx.ucp_rkey_pack(sheaf_ucx_state.context, parts[part->index].memory, &packed,
                                     &parts[part->index].bytes);
    if (status != UCS_OK || parts[part->index].bytes > SHEAF_UCX_MOST_KEY) {
        sheaf_error("engine ucx: no key of %zu bytes of memory: %s; set SHEAF_RMA=message",
                    part->end - part->start, sheaf_ucx.ucs_status_string(status));
        sheaf_ucx.ucp_mem_unmap(sheaf_ucx_state.context, parts[part->index].memory);
        return -1;
    }
    sheaf_store_release(&parts[part->index].packed, packed);
    return 0;
}

static int register_with_adapter(const struct sheaf_ucx_part *part)
{
    int error = sheaf_ucx_lanes_register(part);
    if (error)
        explain(part, strerror(error), "SHEAF_ATOMICS=cpu");
    return error ? -1 : 0;
}

static int register_part(const struct sheaf_ucx_part *part)
{
    if (sheaf_ucx_state.has_keys && register_with_ucx(part) != 0)
        return -1;
    return sheaf_ucx_state.has_lanes ? register_with_adapter(part) : 0;
}

static bool is_any_registered(void)
{
    return sheaf_ucx_state.has_keys || sheaf_ucx_state.has_lanes;
}

int sheaf_ucx_register_data(void)
{
    const struct sheaf_segment *data = segment(SHEAF_SEGMENT_DATA);
    if (!is_any_registered() || data->length == 0)
        return 0;
    struct sheaf_ucx_part part = sheaf_ucx_part_of(data->start);
    return register_part(&part);
}

int sheaf_ucx_heap_grown(size_t from, size_t to)
{
    const char *heap = segment(SHEAF_SEGMENT_HEAP)->start;
    for (size_t at = from; is_any_registered() && at < to;) {
        struct sheaf_ucx_part part = sheaf_ucx_part_of(heap + at);
        if (register_part(&part) != 0)
            return -1;
        at = part.end - (uintptr_t)heap;
    }
    return 0;
}

void sheaf_ucx_unregister_all(void)
{
    for (int i = 0; i < SHEAF_UCX_PARTS; i++) {
        if (!parts[i].packed)
            continue;
        sheaf_ucx.ucp_rkey_buffer_release(parts[i].packed);
        sheaf_ucx.ucp_mem_unmap(sheaf_ucx_state.context, parts[i].memory);
        parts[i].packed = NULL;
    }
}

void sheaf_ucx_take_key(const struct sheaf_ucx_arrival *arrival,
                        const union sheaf_ucx_header *header)
{
    uint64_t part = header->key.part;
    const void *packed = part < SHEAF_UCX_PARTS ? sheaf_load_acquire(&parts[part].packed) : NULL;
    struct sheaf_ucx_operation *answer = sheaf_ucx_operation_get(arrival->worker, NULL);
    answer->header.key = header->key;
    sheaf_ucx_send_operation(answer, arrival->origin, SHEAF_UCX_KEY_DATA, packed,
                             packed ? parts[part].bytes : 0);
}

void sheaf_ucx_take_key_data(const struct sheaf_ucx_arrival *arrival,
                             const union sheaf_ucx_header *header)
{
    struct sheaf_ucx_question *question = (void *)arrival->asked->dest;
    (void)header;
    if (arrival->length > 0) {
        question->answer = malloc(arrival->length);
        if (!question->answer)
            sheaf_ucx_failed(arrival->pe, "key of its memory", UCS_ERR_NO_MEMORY);
        memcpy(question->answer, arrival->data, arrival->length);
        question->bytes = arrival->length;
    }
    sheaf_ucx_operation_answered(arrival->asked, 1);
}

void sheaf_ucx_ask(struct sheaf_ucx_operation *operation, enum sheaf_ucx_message message,
                   struct sheaf_ucx_question *question)
{
    question->is_asked = true;
    operation->dest = (unsigned char *)question;
    sheaf_ucx_operation_count(operation, &question->left);
    sheaf_ucx_expect_answer(operation, SHEAF_UCX_KEY_DATA, 1);
    sheaf_ucx_send_operation(operation, operation->peer->endpoint, message, NULL, 0);
}

static void ask_for_key(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                        struct sheaf_ucx_question *question, int part)
{
    struct sheaf_ucx_operation *operation = sheaf_ucx_operation_get(worker, peer);
    operation->header.key = (struct sheaf_ucx_key){operation->handle, (uint64_t)part};
    sheaf_ucx_ask(operation, SHEAF_UCX_KEY, question);
}

static ucp_rkey_h unpack(const struct sheaf_ucx_peer *peer, struct sheaf_ucx_question *question)
{
    ucp_rkey_h key = NULL;
    ucs_status_t status = question->bytes == 0 ? UCS_ERR_NO_ELEM
                                               : sheaf_ucx.ucp_ep_rkey_unpack(
                                                     peer->endpoint, question->answer, &key);
    if (status != UCS_OK)
        sheaf_ucx_failed(peer->pe, "key of its memory", status);
    free(question->answer);
    question->answer = NULL;
    return key;
}

ucp_rkey_h sheaf_ucx_key_of(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                            const struct sheaf_ucx_part *part)
{
    if (!peer->keys && !(peer->keys = calloc(SHEAF_UCX_PARTS, sizeof *peer->keys)))
        sheaf_ucx_failed(peer->pe, "key of its memory", UCS_ERR_NO_MEMORY);
    struct sheaf_ucx_part_key *key = &peer->keys[part->index];
    if (sheaf_likely(key->key != NULL))
        return key->key;
    if (!key->question.is_asked)
        ask_for_key(worker, peer, &key->question, part->index);
    else if (sheaf_ucx_is_answered(&key->question))
        key->key = unpack(peer, &key->question);
    return key->key;
}

void sheaf_ucx_forget_keys(struct sheaf_ucx_peer *peer)
{
    for (int i = 0; peer->keys && i < SHEAF_UCX_PARTS; i++) {
        if (peer->keys[i].key)
            sheaf_ucx.ucp_rkey_destroy(peer->keys[i].key);
        free(peer->keys[i].question.answer);
    }
    free(peer->keys);
    peer->keys = NULL;
}
