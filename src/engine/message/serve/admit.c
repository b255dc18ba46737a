/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks whether a message may be used: first the job's key, then all that its header says. Anybody who
 * reaches this PE's port can send a message, so nothing is read, counted or answered before the check.
 * Every address must lie in symmetric memory, every length must match what arrived, and every answer must
 * belong to an operation that waits for it.
 */
#include "engine/message/batch/batch.h"
#include "engine/message/direct/registration.h"
#include "engine/message/serve/serve.h"

#include "base/log.h"

struct sheaf_msg_dropped sheaf_msg_dropped;

typedef bool check(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

static bool check_put(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    return sheaf_msg_is_symmetric(header->put.address, arrival->length, false);
}

static bool check_put_word(const struct sheaf_msg_arrival *arrival,
                           const union sheaf_msg_header *header)
{
    const struct sheaf_msg_put_word *call = &header->put_word;
    (void)arrival;
    return call->word.bytes <= sizeof call->word.value &&
           sheaf_msg_is_symmetric(call->put.address, call->word.bytes, false);
}

static bool check_put_signal(const struct sheaf_msg_arrival *arrival,
                             const union sheaf_msg_header *header)
{
    const struct sheaf_msg_put_signal *call = &header->put_signal;
    return (arrival->length == 0 || sheaf_msg_is_symmetric(call->put.address, arrival->length, false)) &&
           call->object % sizeof(uint64_t) == 0 && call->add <= 1 &&
           sheaf_msg_is_symmetric(call->object, sizeof(uint64_t), false);
}

static bool check_get(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    (void)arrival;
    return header->get.bytes > 0 && sheaf_msg_is_symmetric(header->get.address, header->get.bytes, true);
}

static bool check_amo(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    const struct sheaf_msg_amo *call = &header->amo;
    (void)arrival;
    return (call->bytes == 4 || call->bytes == 8) && call->code < SHEAF_AMOS &&
           call->address % call->bytes == 0 &&
           sheaf_msg_is_symmetric(call->address, call->bytes, call->code == SHEAF_AMO_FETCH);
}

static bool check_add(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    const struct sheaf_msg_add *call = &header->add;
    return call->scale.number < SHEAF_NUMBERS &&
           sheaf_msg_is_symmetric(call->put.address, arrival->length, false) &&
           sheaf_msg_are_numbers(&call->scale, call->put.address, 0, arrival->length);
}

static bool check_key(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    (void)arrival;
    return header->key.part < SHEAF_MSG_PARTS;
}

static bool check_lane(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    (void)arrival;
    return sheaf_msg_state.has_lanes && sheaf_adapter_is_end(&header->lane.end);
}

static bool check_lane_key(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    return sheaf_msg_state.has_lanes && check_key(arrival, header);
}

/* For an answer that must be complete. */
static bool is_whole_answer(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    (void)header;
    return arrival->length == arrival->asked->due;
}

static bool check_data(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    const struct sheaf_msg_operation *asked = arrival->asked;
    uint64_t ahead = header->data.offset - asked->received; /* data of earlier messages that is due too */
    return arrival->length > 0 && ahead <= (arrival->is_due ? asked->due : 0) &&
           arrival->length <= asked->due - ahead;
}

static bool check_result(const struct sheaf_msg_arrival *arrival,
                         const union sheaf_msg_header *header)
{
    const struct sheaf_msg_word *word = &header->result.word;
    return word->bytes <= sizeof word->value && word->bytes == arrival->asked->due;
}

static bool check_key_data(const struct sheaf_msg_arrival *arrival,
                           const union sheaf_msg_header *header)
{
    (void)header;
    return arrival->length <= SHEAF_TRANSPORT_KEY;
}

static bool check_acknowledge(const struct sheaf_msg_arrival *arrival,
                              const union sheaf_msg_header *header)
{
    const struct sheaf_msg_peer *peer = arrival->peer;
    return header->acknowledge.count <= peer->sent - peer->acknowledged - arrival->acknowledges;
}

static bool check_credit(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    return arrival->worker == sheaf_msg_state.service && header->credit.bytes > 0 &&
           header->credit.bytes <= PTRDIFF_MAX;
}

/* The needs of each kind besides its header. is_answered: an origin to answer. has_data: data, which with
 * may_ask may still be at the sender, and with has_destination arrive once its destination is known.
 * is_answer: an operation that waits for it. has_peer: a peer to which messages went. check is called
 * last. */
static const struct {
    bool is_answered, has_data, may_ask, has_destination, is_answer, has_peer;
    check *check; /* NULL: nothing more is checked */
} rules[SHEAF_MSG_KINDS] = {
    [SHEAF_MSG_PUT] = {.is_answered = true, .has_data = true, .has_destination = true, .check = check_put},
    [SHEAF_MSG_PUT_PART] = {.is_answered = true, .has_data = true, .has_destination = true,
                            .check = check_put},
    [SHEAF_MSG_PUT_WORD] = {.is_answered = true, .check = check_put_word},
    [SHEAF_MSG_PUT_SIGNAL] = {.is_answered = true, .has_data = true, .has_destination = true,
                              .check = check_put_signal},
    [SHEAF_MSG_GET] = {.is_answered = true, .check = check_get},
    [SHEAF_MSG_AMO] = {.is_answered = true, .check = check_amo},
    [SHEAF_MSG_AMO_PART] = {.is_answered = true, .check = check_amo},
    [SHEAF_MSG_ASK] = {.is_answered = true},
    [SHEAF_MSG_ADD] = {.is_answered = true, .has_data = true, .check = check_add},
    [SHEAF_MSG_ADD_PART] = {.is_answered = true, .has_data = true, .check = check_add},
    [SHEAF_MSG_ROWS] = {.is_answered = true, .has_data = true, .check = sheaf_msg_admit_rows},
    [SHEAF_MSG_GET_ROWS] = {.is_answered = true, .has_data = true, .check = sheaf_msg_admit_get_rows},
    [SHEAF_MSG_ROWS_DATA] = {.has_data = true, .is_answer = true, .check = is_whole_answer},
    [SHEAF_MSG_DONE] = {.is_answer = true},
    [SHEAF_MSG_DATA] = {.has_data = true, .has_destination = true, .is_answer = true, .check = check_data},
    [SHEAF_MSG_RESULT] = {.is_answer = true, .check = check_result},
    [SHEAF_MSG_KEY] = {.is_answered = true, .check = check_key},
    [SHEAF_MSG_KEY_DATA] = {.has_data = true, .is_answer = true, .check = check_key_data},
    [SHEAF_MSG_LANE] = {.is_answered = true, .check = check_lane},
    [SHEAF_MSG_LANE_KEY] = {.is_answered = true, .check = check_lane_key},
    [SHEAF_MSG_BATCH] = {.is_answered = true, .has_data = true, .check = sheaf_msg_admit_batch},
    [SHEAF_MSG_BATCH_DATA] = {.has_data = true, .is_answer = true, .check = is_whole_answer},
    [SHEAF_MSG_SEND] = {.has_data = true, .may_ask = true, .check = sheaf_msg_admit_send},
    [SHEAF_MSG_SEND_WORD] = {.check = sheaf_msg_admit_send_word},
    [SHEAF_MSG_ACKNOWLEDGE] = {.has_peer = true, .check = check_acknowledge},
    [SHEAF_MSG_CREDIT] = {.is_answered = true, .check = check_credit},
};

/* Both words are compared in every case, so the duration reveals nothing about either. */
static bool has_key(const struct sheaf_msg_common_header *common)
{
    const uint64_t *key = sheaf_msg_state.job.key;
    return ((common->key[0] ^ key[0]) | (common->key[1] ^ key[1])) == 0;
}

/* The first field of every answer's header is the operation. */
static bool find_asked_operation(struct sheaf_msg_arrival *arrival, enum sheaf_msg_kind message,
                                 uint64_t handle)
{
    struct sheaf_msg_operation *asked = sheaf_msg_operation_find(arrival->worker, handle);
    arrival->asked = asked;
    return asked && asked->due > 0 && asked->expects == message && asked->peer->pe == arrival->pe;
}

static bool find_peer(struct sheaf_msg_arrival *arrival)
{
    arrival->peer = sheaf_msg_peer_known(arrival->worker, arrival->pe);
    return arrival->peer;
}

/* Whether as many messages as the arrival acknowledges went to its sender and await acknowledgement. */
static bool are_acknowledged_sent(struct sheaf_msg_arrival *arrival)
{
    if (sheaf_likely(arrival->acknowledges == 0))
        return true;
    return find_peer(arrival) && arrival->acknowledges <= arrival->peer->sent - arrival->peer->acknowledged;
}

static bool is_valid(struct sheaf_msg_arrival *arrival, enum sheaf_msg_kind message,
                     const union sheaf_msg_header *header)
{
    if (rules[message].is_answered && !arrival->origin)
        return false;
    if ((arrival->length > 0 && !rules[message].has_data) ||
        (arrival->length > 0 && !arrival->data && !arrival->waiting && !arrival->is_due) ||
        (arrival->waiting &&
         !rules[message].may_ask) || (arrival->is_due && !rules[message].has_destination))
        return false;
    if (rules[message].is_answer && !find_asked_operation(arrival, message, header->done.operation))
        return false;
    if (rules[message].has_peer && !find_peer(arrival))
        return false;
    return !rules[message].check || rules[message].check(arrival, header);
}

void sheaf_msg_drop_stranger(const char *from)
{
    if (__atomic_fetch_add(&sheaf_msg_dropped.strangers, 1, __ATOMIC_RELAXED) == 0)
        sheaf_warn("SH506 messages from outside this job are dropped (%s)", from);
}

void sheaf_msg_warn_paused(const char *why)
{
    static bool is_told;
    if (!__atomic_exchange_n(&is_told, true, __ATOMIC_RELAXED))
        sheaf_warn("SH507 no connection of another PE can be accepted at present: %s: raise ulimit -n",
                   why);
}

static bool drop_malformed(const struct sheaf_msg_common_header *common)
{
    if (__atomic_fetch_add(&sheaf_msg_dropped.malformed, 1, __ATOMIC_RELAXED) == 0)
        sheaf_warn("SH506 messages with this job's key that no PE sends are dropped (the first says that "
                   "it is PE %u's, kind %u): memory of that PE may be damaged",
                   common->origin, common->kind);
    return false;
}

/* Whether the message came from the service worker to which this PE's messages go. A later incarnation has
 * another one than the one before. */
static bool is_from_known_worker(const struct sheaf_msg_arrival *arrival,
                                 const struct sheaf_msg_common_header *common)
{
    if (sheaf_likely(common->from <= 1))
        return common->from;
    const struct sheaf_msg_peer *peer =
        common->origin < (uint32_t)sheaf_msg_state.job.npes
            ? sheaf_msg_peer_known(arrival->worker, (int)common->origin) : NULL;
    return common->from % 2 && peer && peer->incarnation == common->from / 2;
}

bool sheaf_msg_admit(struct sheaf_msg_arrival *arrival, const struct sheaf_msg_envelope *envelope,
                     size_t header_length)
{
    const struct sheaf_msg_common_header *common = &envelope->common;
    if (sheaf_unlikely(header_length < sizeof *common || !has_key(common))) {
        sheaf_msg_drop_stranger("sender unknown");
        return false;
    }
    arrival->pe = (int)common->origin;
    arrival->is_service = is_from_known_worker(arrival, common);
    arrival->acknowledges = common->acknowledges;
    if (sheaf_likely(common->kind < SHEAF_MSG_KINDS &&
                     common->origin < (uint32_t)sheaf_msg_state.job.npes &&
                     header_length == sizeof *common + sheaf_msg_header_size[common->kind] &&
                     (common->from <= 1 || sheaf_msg_survives_deaths()) && are_acknowledged_sent(arrival) &&
                     is_valid(arrival, common->kind, &envelope->header)))
        return true;
    return drop_malformed(common);
}

void sheaf_msg_tell_dropped(void)
{
    struct sheaf_msg_dropped dropped = sheaf_msg_dropped;
    sheaf_msg_dropped = (struct sheaf_msg_dropped){0};
    if (dropped.strangers || dropped.malformed)
        sheaf_debug("engine: dropped %llu messages from outside this job, %llu that no PE sends",
                    (unsigned long long)dropped.strangers, (unsigned long long)dropped.malformed);
}
