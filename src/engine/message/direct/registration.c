/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory that the network itself may read and write. A part's key is asked of its owner on first use and
 * retained.
 */
#include "engine/message/direct/lanes.h"

#include "base/atomic.h"
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* This PE's parts. packed is written last, so a reader that sees it sees the rest. */
static struct {
    sheaf_transport_memory *memory;
    void *packed; /* the key, in the form that peers get */
    size_t bytes;
    size_t length; /* of the memory */
} parts[SHEAF_MSG_PARTS];
static unsigned space_eras[SHEAF_MOST_SPACES];
static size_t registered_parts, registered_bytes; /* registered with the transport */

static const struct sheaf_segment *segment_of(enum sheaf_segment_kind kind)
{
    return &sheaf_msg_state.job.segments[kind];
}

/* Prints the likely cause. Most often it is the limit on locked memory. Where that leaves room for this
 * part, or nothing is locked, the network takes no more keys or no more memory. */
static void print_cause(const struct sheaf_msg_part *part, bool locks, char *text, size_t size)
{
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    size_t wanted = registered_bytes + (part->end - part->start);
    getrlimit(RLIMIT_MEMLOCK, &limit);
    if (locks && limit.rlim_cur < wanted)
        snprintf(text, size,
                 "'ulimit -l' (memory that may be locked) is %llu KiB, of %zu that are wanted: raise it "
                 "where the job is started and in the launcher's daemon (LimitMEMLOCK=infinity), or",
                 (unsigned long long)limit.rlim_cur / 1024, wanted / 1024);
    else
        snprintf(text, size, "it has %zu KiB in %zu parts and takes no more (not for 'ulimit -l'):",
                 registered_bytes / 1024, registered_parts);
}

static const char *name_of(const struct sheaf_msg_part *part)
{
    if (part->index >= SHEAF_MSG_FIRST_SPACE)
        return sheaf_segment_name(SHEAF_SEGMENTS);
    return sheaf_segment_name(part->index == SHEAF_MSG_DATA_PART ? SHEAF_SEGMENT_DATA : SHEAF_SEGMENT_HEAP);
}

static void print_refusal(const struct sheaf_msg_part *part, const char *why, bool locks,
                          const char *instead)
{
    char cause[256];
    print_cause(part, locks, cause, sizeof cause);
    sheaf_error("SH505 engine %s: %zu bytes of %s cannot be registered with the network: %s; %s set %s",
                sheaf_msg_state.transport->name, part->end - part->start, name_of(part), why, cause,
                instead);
}

static int register_with_transport(const struct sheaf_msg_part *part)
{
    const char *why;
    void *packed;
    if (parts[part->index].packed)
        return 0;
    parts[part->index].memory = sheaf_msg_direct()->offer((void *)part->start, part->end - part->start,
                                                          &packed, &parts[part->index].bytes, &why);
    if (!parts[part->index].memory) {
        print_refusal(part, why, !sheaf_msg_state.locks_nothing, "SHEAF_RMA=message");
        return -1;
    }
    registered_parts++;
    registered_bytes += parts[part->index].length = part->end - part->start;
    sheaf_store_release(&parts[part->index].packed, packed);
    return 0;
}

static int register_with_adapter(const struct sheaf_msg_part *part)
{
    int error = sheaf_msg_lanes_register(part);
    if (error)
        print_refusal(part, strerror(error), true, "SHEAF_ATOMICS=cpu");
    return error ? -1 : 0;
}

static int register_part(const struct sheaf_msg_part *part)
{
    if (sheaf_msg_state.has_keys && register_with_transport(part) != 0)
        return -1;
    return sheaf_msg_state.has_lanes ? register_with_adapter(part) : 0;
}

static bool is_any_registered(void)
{
    return sheaf_msg_state.has_keys || sheaf_msg_state.has_lanes;
}

int sheaf_msg_register_data(void)
{
    const struct sheaf_segment *data = segment_of(SHEAF_SEGMENT_DATA);
    if (!is_any_registered() || data->length == 0)
        return 0;
    struct sheaf_msg_part part = sheaf_msg_part_of(data->start);
    return register_part(&part);
}

int sheaf_msg_heap_grown(size_t from, size_t to)
{
    const char *heap = segment_of(SHEAF_SEGMENT_HEAP)->start;
    for (size_t at = from; is_any_registered() && at < to;) {
        struct sheaf_msg_part part = sheaf_msg_part_of(heap + at);
        if (register_part(&part) != 0)
            return -1;
        at = part.end - (uintptr_t)heap;
    }
    return 0;
}

/* All PEs have registered the same parts. */
bool sheaf_msg_grows_together(size_t from, size_t to)
{
    const char *heap = segment_of(SHEAF_SEGMENT_HEAP)->start;
    bool is_collective = sheaf_msg_state.has_keys && sheaf_msg_direct()->is_collective;
    for (size_t at = from; is_collective && at < to;) {
        struct sheaf_msg_part part = sheaf_msg_part_of(heap + at);
        if (!parts[part.index].packed)
            return true;
        at = part.end - (uintptr_t)heap;
    }
    return false;
}

static void unregister_part(int part)
{
    void *packed = parts[part].packed;
    if (!packed)
        return;
    sheaf_store_release(&parts[part].packed, NULL);
    sheaf_msg_direct()->withdraw(parts[part].memory);
    free(packed);
    registered_parts--;
    registered_bytes -= parts[part].length;
}

void sheaf_msg_unregister_all(void)
{
    for (int i = 0; i < SHEAF_MSG_PARTS; i++)
        unregister_part(i);
}

/* Windows of MPI are made by all PEs at once, and a space by its members. */
int sheaf_msg_offer_space(unsigned index, void *start, size_t bytes)
{
    const struct sheaf_msg_part part = {SHEAF_MSG_FIRST_SPACE + (int)index, (uintptr_t)start,
                                        (uintptr_t)start + bytes};
    if (sheaf_msg_state.has_keys && sheaf_msg_direct()->is_collective) {
        sheaf_error("SH505 engine %s: the network registers memory of all PEs at once, and cannot "
                    "register a memory space: use shmem_malloc_with_hints, or another SHEAF_ENGINE",
                    sheaf_msg_state.transport->name);
        return -1;
    }
    return register_part(&part);
}

void sheaf_msg_withdraw_space(unsigned index)
{
    int part = SHEAF_MSG_FIRST_SPACE + (int)index;
    unregister_part(part);
    if (sheaf_msg_state.has_lanes)
        sheaf_msg_lanes_unregister(part);
    sheaf_store_release(&space_eras[index], space_eras[index] + 1);
}

unsigned sheaf_msg_part_era(int part)
{
    bool is_space = part >= SHEAF_MSG_FIRST_SPACE;
    return is_space ? sheaf_load_acquire(&space_eras[part - SHEAF_MSG_FIRST_SPACE]) : 0;
}

void sheaf_msg_handle_key(const struct sheaf_msg_arrival *arrival,
                          const union sheaf_msg_header *header)
{
    uint64_t part = header->key.part;
    const void *packed = part < SHEAF_MSG_PARTS ? sheaf_load_acquire(&parts[part].packed) : NULL;
    struct sheaf_msg_operation *answer = sheaf_msg_operation_get(arrival->worker, NULL);
    answer->header.key = header->key;
    sheaf_msg_send_operation(answer, arrival->origin, SHEAF_MSG_KEY_DATA, packed,
                             packed ? parts[part].bytes : 0);
}

static sheaf_transport_key *accept_key(const struct sheaf_msg_peer *peer,
                                       struct sheaf_msg_question *question)
{
    const char *why = "its PE has none";
    sheaf_transport_key *key = NULL;
    if (question->bytes)
        key = sheaf_msg_direct()->accept(peer->link, question->answer, question->bytes, &why);
    if (!key)
        sheaf_msg_failed(peer->pe, "key of its memory", why);
    free(question->answer);
    question->answer = NULL;
    return key;
}

static void forget_key(struct sheaf_msg_part_key *key)
{
    if (key->key)
        sheaf_msg_direct()->forget(key->key);
    free(key->question.answer);
    *key = (struct sheaf_msg_part_key){0};
}

sheaf_transport_key *sheaf_msg_key_of(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                                      const struct sheaf_msg_part *part)
{
    if (!peer->keys && !(peer->keys = calloc(SHEAF_MSG_PARTS, sizeof *peer->keys)))
        sheaf_msg_failed(peer->pe, "key of its memory", "no memory");
    struct sheaf_msg_part_key *key = &peer->keys[part->index];
    unsigned era = sheaf_msg_part_era(part->index);
    if (sheaf_unlikely(key->era != era)) {
        forget_key(key);
        key->era = era;
    }
    if (sheaf_likely(key->key != NULL))
        return key->key;
    if (!key->question.is_asked)
        sheaf_msg_ask_for_key(worker, peer, SHEAF_MSG_KEY, &key->question, part->index);
    else if (sheaf_msg_is_answered(&key->question))
        key->key = accept_key(peer, &key->question);
    return key->key;
}

void sheaf_msg_forget_keys(struct sheaf_msg_peer *peer)
{
    for (int i = 0; peer->keys && i < SHEAF_MSG_PARTS; i++)
        forget_key(&peer->keys[i]);
    free(peer->keys);
    peer->keys = NULL;
}
