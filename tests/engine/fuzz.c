/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What arrives, by the hundred thousand: whole messages of every kind, then mutated, handed to the code
 * that checks and carries them out, without a network. With another key nothing may change; with the
 * job's key nothing but symmetric memory, and where an operation under way has asked for it.
 * Arguments: inputs, seed.
 */
#include "nothing.h"

#include "random.h"

#include "engine/message/batch/buffers.h"
#include "engine/message/direct/registration.h"
#include "engine/message/serve/serve.h"

#include <setjmp.h>
#include <string.h>
#include <sys/mman.h>

#define MEMORY  ((size_t)1 << 16) /* each, of data and heap */
#define GUARD   ((size_t)1 << 20) /* before and behind, without access */
#define KEY     {0x1122334455667788, 0x99aabbccddeeff00}
#define MOST    ((size_t)4096) /* data of a message here */
#define PES     4

static uint64_t state;
static unsigned char *image, *symmetric_heap;
static struct sheaf_msg_worker *worker;
static struct sheaf_msg_peer *peers[PES];
static jmp_buf ended; /* the job */
static uint64_t answers, used, refused;

/* A job that ends, here by a jump, leaves what it had. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static uint64_t below(uint64_t limit)
{
    return test_random_below(&state, limit);
}

static unsigned char *map_guarded(void)
{
    unsigned char *start =
        mmap(NULL, MEMORY + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(start != MAP_FAILED && mprotect(start + GUARD, MEMORY, PROT_READ | PROT_WRITE) == 0,
            "no memory");
    return start + GUARD;
}

static void add_bytes(void *dest, const void *source, size_t bytes, const struct sheaf_scale *scale)
{
    (void)scale;
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)dest)[i] += ((const unsigned char *)source)[i];
}

static __attribute__((noreturn)) void end_job(int pe, const char *why)
{
    (void)pe, (void)why;
    longjmp(ended, 1);
}

static void count_answer(const struct sheaf_msg_operation *operation,
                         const struct sheaf_transport_message *message)
{
    (void)operation, (void)message;
    answers++;
}

static void set_up(void)
{
    image = map_guarded();
    symmetric_heap = map_guarded();
    nothing.sending = count_answer;
    worker = nothing_start((struct sheaf_engine_job){
        .pe = 1, .npes = PES, .key = KEY,
        .segments = {[SHEAF_SEGMENT_DATA] = {(char *)image, MEMORY},
                     [SHEAF_SEGMENT_HEAP] = {(char *)symmetric_heap, MEMORY}},
        .accumulate = add_bytes, .failed = end_job, .host_failed = end_job});
    worker->batches = calloc(1, sizeof *worker->batches);
    for (int pe = 0; pe < PES - 1; pe++) /* the last one was never addressed */
        peers[pe] = sheaf_msg_peer_at(worker, pe);
    sheaf_msg_state.has_lanes = true; /* and no adapter: all that may be asked of one is answered by nothing */
}

/* Operations under way, one of each answer at least; their memory ends where the answer does. */
static const enum sheaf_msg_kind asked_for[] = {SHEAF_MSG_DATA,     SHEAF_MSG_DATA,
                                                   SHEAF_MSG_RESULT,   SHEAF_MSG_DONE,
                                                   SHEAF_MSG_KEY_DATA, SHEAF_MSG_ROWS_DATA,
                                                   SHEAF_MSG_BATCH_DATA};
enum { ASKED = sizeof asked_for / sizeof asked_for[0] };
static struct {
    struct sheaf_msg_operation *operation;
    size_t left; /* its waiter */
    void *dest;
} asked[ASKED];

static struct sheaf_msg_request *make_rows(void *dest, size_t bytes)
{
    struct sheaf_msg_request *request =
        malloc(sizeof *request + sizeof request->asked[0] + sizeof(struct sheaf_msg_target));
    request->count = 1;
    request->targets = (struct sheaf_msg_target *)(request->asked + 1);
    request->targets[0] = (struct sheaf_msg_target){dest, 8};
    request->asked[0] = (struct sheaf_msg_row){0, 8, 8, (uint32_t)(bytes / 8)};
    return request;
}

static struct sheaf_msg_batch *make_batch(void *dest, size_t bytes)
{
    struct sheaf_msg_batch *batch = calloc(1, sizeof *batch + 16);
    uint64_t head = (uint64_t)(SHEAF_MSG_ENTRY_GET | (bytes - 1)) << 48;
    worker->batches->capacity = 16;
    batch->results = 1;
    memcpy(batch->bytes, &head, 8);
    memcpy(sheaf_msg_batch_result_address(worker->batches, batch, 0), &dest, 8);
    return batch;
}

static void ask(int i)
{
    enum sheaf_msg_kind answer = asked_for[i];
    size_t bytes = answer == SHEAF_MSG_RESULT ? 8 : 64 * (1 + (size_t)i);
    size_t due = answer == SHEAF_MSG_DONE || answer == SHEAF_MSG_KEY_DATA ? 1 : bytes;
    if (answer == SHEAF_MSG_KEY_DATA && asked[i].dest)
        free(((struct sheaf_msg_question *)asked[i].dest)->answer);
    free(asked[i].dest);
    asked[i].dest =
        calloc(1, answer == SHEAF_MSG_KEY_DATA ? sizeof(struct sheaf_msg_question) : bytes);
    struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, peers[i % 3]);
    asked[i].operation = operation;
    asked[i].left = 1;
    operation->dest = asked[i].dest;
    operation->waiter = &asked[i].left;
    if (answer == SHEAF_MSG_ROWS_DATA)
        operation->packed = make_rows(asked[i].dest, bytes);
    if (answer == SHEAF_MSG_BATCH_DATA) {
        operation->batch = make_batch(asked[i].dest, bytes);
        operation->ended = sheaf_msg_batch_take_back;
    }
    sheaf_msg_expect_answer(operation, answer, due);
    sheaf_msg_operation_advance(operation, 1); /* it is sent */
}

static void ask_again(void)
{
    for (int i = 0; i < ASKED; i++)
        if (asked[i].left == 0)
            ask(i);
    while (worker->batches->returned) {
        struct sheaf_msg_batch *batch = worker->batches->returned;
        worker->batches->returned = batch->next;
        free(batch);
    }
    for (int pe = 0; pe < PES - 1; pe++)
        peers[pe]->sent = peers[pe]->acknowledged + 3;
    worker->pending_count = 0; /* nobody is told */
}

struct input {
    enum sheaf_msg_kind message;
    struct sheaf_msg_envelope envelope;
    size_t header_length, length;
    bool is_asked_first, has_origin;
    unsigned char data[MOST];
};

static uint64_t place(size_t bytes)
{
    unsigned char *start = below(2) ? image : symmetric_heap;
    return (uintptr_t)(start + (below(MEMORY - bytes + 1) & ~(uint64_t)7));
}

static size_t put_words(struct input *input, const uint64_t *words, size_t count)
{
    memcpy(input->data + input->length, words, 8 * count);
    return input->length += 8 * count;
}

/* Entries: a put, a get, an addition with a result. */
static void fill_batch(struct input *input)
{
    struct sheaf_msg_batch_call *call = &input->envelope.header.batch;
    for (uint64_t entries = 1 + below(20); entries > 0; entries--) {
        uint64_t put[] = {place(8) | (uint64_t)(SHEAF_MSG_ENTRY_PUT | 7) << 48, 5};
        uint64_t get[] = {place(24) | (uint64_t)(SHEAF_MSG_ENTRY_GET | 23) << 48};
        uint64_t add[] = {place(8) | (uint64_t)(SHEAF_MSG_ENTRY_AMO | SHEAF_AMO_ADD |
                                                      SHEAF_MSG_AMO_IS_LONG | SHEAF_MSG_AMO_HAS_REPLY)
                                         << 48, 9};
        put_words(input, put, 2);
        put_words(input, get, 1);
        put_words(input, add, 2);
        call->answer_bytes += 32;
    }
    call->operation = 77;
}

static void fill_rows(struct input *input, bool has_data)
{
    for (uint64_t rows = 1 + below(8); rows > 0; rows--) {
        struct sheaf_msg_row row = {place(512), 32, 16, 4};
        memcpy(input->data + input->length, &row, sizeof row);
        input->length += sizeof row;
        if (has_data)
            input->length += 64;
    }
}

static void fill_answer(struct input *input)
{
    int i = (int)below(ASKED);
    while (asked_for[i] != input->message)
        i = (i + 1) % ASKED;
    struct sheaf_msg_operation *operation = asked[i].operation;
    input->envelope.common.origin = (uint32_t)operation->peer->pe;
    input->envelope.header.data = (struct sheaf_msg_data){operation->handle, operation->received};
    input->length = operation->due;
    if (input->message == SHEAF_MSG_DATA && operation->due > 16)
        input->length = 16;
    if (input->message == SHEAF_MSG_RESULT) {
        input->envelope.header.result = (struct sheaf_msg_result){operation->handle, {1, 8}};
        input->length = 0;
    } else if (input->message == SHEAF_MSG_DONE) {
        input->length = 0;
    } else if (input->message == SHEAF_MSG_KEY_DATA) {
        input->length = below(200);
    }
}

static void fill_send(struct input *input)
{
    struct sheaf_msg_send *call = &input->envelope.header.send;
    *call = (struct sheaf_msg_send){below(4), 64 * (1 + below(3)), 0, below(2)};
    input->is_asked_first = below(4) == 0;
    input->length = input->is_asked_first ? call->bytes : 64;
    if (!input->is_asked_first)
        call->offset = 64 * below(call->bytes / 64);
}

static void fill(struct input *input)
{
    union sheaf_msg_header *header = &input->envelope.header;
    const struct sheaf_msg_scale scale = {SHEAF_LONG, {1, 0}};
    switch (input->message) {
    case SHEAF_MSG_PUT:
    case SHEAF_MSG_PUT_PART:
        input->length = 1 + below(300);
        header->put.address = place(input->length);
        break;
    case SHEAF_MSG_PUT_WORD:
        header->put_word = (struct sheaf_msg_put_word){{place(8)}, {6, below(9)}};
        break;
    case SHEAF_MSG_PUT_SIGNAL:
        input->length = below(300);
        header->put_signal = (struct sheaf_msg_put_signal){{place(300)}, place(8), 5, below(2)};
        break;
    case SHEAF_MSG_GET:
        header->get = (struct sheaf_msg_get){77, place(900), 1 + below(900)};
        break;
    case SHEAF_MSG_AMO:
    case SHEAF_MSG_AMO_PART:
        header->amo = (struct sheaf_msg_amo){below(2), place(8), 1, 2, (uint32_t)below(SHEAF_AMOS),
                                             below(2) ? 4 : 8};
        break;
    case SHEAF_MSG_ADD:
    case SHEAF_MSG_ADD_PART:
        input->length = 8 * (1 + below(30));
        header->add = (struct sheaf_msg_add){{place(240)}, scale};
        break;
    case SHEAF_MSG_ROWS:
        header->rows = (struct sheaf_msg_rows){below(2), scale};
        header->rows.scale.number = below(2) ? SHEAF_LONG : SHEAF_NUMBERS;
        fill_rows(input, true);
        break;
    case SHEAF_MSG_GET_ROWS:
        fill_rows(input, false);
        break;
    case SHEAF_MSG_KEY:
    case SHEAF_MSG_LANE_KEY:
        header->key = (struct sheaf_msg_key){77, below(SHEAF_MSG_PARTS)};
        break;
    case SHEAF_MSG_LANE:
        header->lane = (struct sheaf_msg_lane){
            77, {.queue_pair = 17, .sequence = below(1 << 24), .mtu = 1 + below(5), .depth = 16}};
        break;
    case SHEAF_MSG_BATCH:
        fill_batch(input);
        break;
    case SHEAF_MSG_SEND:
        fill_send(input);
        break;
    case SHEAF_MSG_SEND_WORD:
        header->send_word = (struct sheaf_msg_send_word){below(4), 3, (uint32_t)below(9),
                                                         (uint32_t)below(2)};
        break;
    case SHEAF_MSG_ASK:
        break;
    case SHEAF_MSG_ACKNOWLEDGE:
        header->acknowledge.count = below(3);
        break;
    case SHEAF_MSG_CREDIT:
        header->credit = (struct sheaf_msg_credit){77, 1 + below(1 << 20)};
        break;
    default:
        fill_answer(input);
    }
}

static void make_input(struct input *input)
{
    *input = (struct input){.message = (enum sheaf_msg_kind)below(SHEAF_MSG_KINDS),
                            .has_origin = true};
    input->envelope.common = (struct sheaf_msg_common_header){
        .key = KEY,
        .origin = (uint32_t)below(PES - 1),
        .kind = (uint8_t)input->message,
        .from = (uint8_t)below(2),
        .acknowledges = (uint16_t)below(2),
    };
    for (size_t i = 0; i < MOST; i++)
        input->data[i] = (unsigned char)(i * 7);
    fill(input);
    input->header_length = sizeof(struct sheaf_msg_common_header) + sheaf_msg_header_size[input->message];
}

/* Numbers at which lengths and addresses go wrong. */
static uint64_t nasty(void)
{
    const uint64_t numbers[] = {
        0, 1, 3, 7, 15, 255, 4095, 65408, 65409, INT32_MAX, UINT32_MAX, INT64_MAX,
        UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX - 7, (uintptr_t)image - 8, (uintptr_t)image + MEMORY - 4,
        (uintptr_t)image + MEMORY, (uintptr_t)symmetric_heap - 1, (uintptr_t)symmetric_heap + MEMORY - 7,
        (uintptr_t)worker, (uintptr_t)&used, asked[below(ASKED)].operation->handle,
    };
    return numbers[below(sizeof numbers / sizeof numbers[0])];
}

static void mutate_bytes(unsigned char *bytes, size_t length)
{
    if (length == 0)
        return;
    uint64_t word = nasty();
    size_t at = below(length);
    if (below(2)) {
        bytes[at] ^= (unsigned char)(1 << below(8));
    } else {
        at &= ~(size_t)3;
        memcpy(bytes + at, &word, length - at < 8 ? length - at : 8);
    }
}

static void mutate(struct input *input)
{
    switch (below(8)) {
    case 0:
        if (below(2))
            input->length = below(MOST + 1);
        else if (input->length > 16)
            input->length -= 4 * (1 + below(4)); /* into the last entry, row or number */
        break;
    case 1:
        input->header_length = below(sizeof input->envelope + 1);
        break;
    case 2:
        input->has_origin = false;
        break;
    case 3:
        input->is_asked_first = !input->is_asked_first;
        break;
    case 4:
        mutate_bytes(input->data, input->length);
        break;
    default:
        mutate_bytes((unsigned char *)&input->envelope + sizeof(uint64_t[2]),
                     sizeof input->envelope - sizeof(uint64_t[2]));
    }
}

/* As a transport does with long data: where it belongs is asked first, it is written there, and told. Outside of
 * what messages may touch nothing can be written. NULL: it belongs nowhere. */
static void *write_in_place(const struct input *input, const struct sheaf_transport_arrival *arrival)
{
    struct sheaf_transport_arrival due = *arrival;
    due.data = NULL;
    void *place = sheaf_msg_destination(worker, &due);
    if (place)
        memcpy(place, input->data, input->length);
    return place;
}

static bool is_placed_first(const struct input *input)
{
    bool has_place = input->message == SHEAF_MSG_PUT || input->message == SHEAF_MSG_PUT_PART ||
                     input->message == SHEAF_MSG_PUT_SIGNAL || input->message == SHEAF_MSG_DATA;
    return has_place && input->length > 0 && !input->is_asked_first && below(2) == 0;
}

/* From memory that ends where the bytes do. */
static bool deliver(const struct input *input)
{
    static int waiting;
    uint64_t dropped = sheaf_msg_dropped.strangers + sheaf_msg_dropped.malformed;
    unsigned char *data = malloc(input->length), *header = malloc(input->header_length);
    memcpy(data, input->data, input->length);
    memcpy(header, &input->envelope, input->header_length);
    struct sheaf_transport_arrival arrival = {
        .header = header,
        .header_bytes = input->header_length,
        .data = input->is_asked_first ? NULL : data,
        .bytes = input->length,
        .waiting = input->is_asked_first ? &waiting : NULL,
        .origin = input->has_origin ? (sheaf_transport_link *)worker : NULL,
    };
    if (setjmp(ended) == 0) {
        if (is_placed_first(input))
            arrival.data = write_in_place(input, &arrival);
        if (arrival.data || !input->length || input->is_asked_first)
            sheaf_msg_arrived(worker, &arrival);
    }
    free(data);
    free(header);
    return sheaf_msg_dropped.strangers + sheaf_msg_dropped.malformed == dropped;
}

static uint64_t sum_of_memory(void)
{
    uint64_t sum = answers + worker->in_use;
    for (size_t i = 0; i < MEMORY; i += 8)
        sum = sum * 31 + *(uint64_t *)(image + i) + 17 * *(uint64_t *)(symmetric_heap + i);
    return sum;
}

/* What a stranger sends: the job's key differs, in one bit or altogether. */
static void deliver_foreign(struct input *input, bool look)
{
    uint64_t before = look ? sum_of_memory() : 0, dropped = sheaf_msg_dropped.strangers;
    input->envelope.common.key[below(2)] ^= below(2) ? UINT64_C(1) << below(64) : test_random(&state) | 1;
    REQUIRE(!deliver(input), "kind %d was used", (int)input->message);
    REQUIRE(sheaf_msg_dropped.strangers == dropped + 1, "kind %d was not counted", (int)input->message);
    REQUIRE(!look || sum_of_memory() == before, "kind %d changed something", (int)input->message);
}

/* A whole answer, but to another operation than the one that waits for it, from another PE than the one
 * that was asked, or for the second time. */
static void misdirect(struct input *input)
{
    uint64_t *operation = &input->envelope.header.done.operation, right = *operation;
    int other = (int)below(ASKED);
    if (asked_for[other] != input->message) {
        *operation = asked[other].operation->handle;
        REQUIRE(!deliver(input), "an answer of kind %d to what expects %d", (int)input->message,
                (int)asked_for[other]);
        *operation = right;
    }
    input->envelope.common.origin++;
    REQUIRE(!deliver(input), "an answer of kind %d from another PE", (int)input->message);
    input->envelope.common.origin--;
    REQUIRE(deliver(input), "an answer of kind %d was refused", (int)input->message);
    REQUIRE(!deliver(input), "an answer of kind %d was taken twice", (int)input->message);
    used++;
    refused += 3;
}

static bool is_answer(enum sheaf_msg_kind message)
{
    for (int i = 0; i < ASKED; i++)
        if (asked_for[i] == message)
            return true;
    return false;
}

/* Somebody asks for messages of collectives: by turns before they come and after. */
static void receive_some(void)
{
    static size_t left[16];
    static unsigned char room[16][4096];
    size_t i = below(16);
    if (left[i] == 0 && setjmp(ended) == 0)
        sheaf_msg_receive((int)below(PES - 1), below(4), (uint32_t)below(2), room[i], sizeof room[i],
                          &left[i]);
    sheaf_msg_try_lock(worker); /* a job that ends keeps it */
    sheaf_msg_unlock(worker);
}

int main(int argc, char **argv)
{
    long inputs = argc > 1 ? atol(argv[1]) : 20000;
    static struct input input;
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    set_up();
    for (int i = 0; i < ASKED; i++)
        ask(i);
    for (long i = 0; i < inputs; i++) {
        ask_again();
        receive_some();
        make_input(&input);
        if (is_answer(input.message) && below(4) == 0) {
            misdirect(&input);
            continue;
        }
        for (uint64_t mutations = below(4); mutations > 0; mutations--)
            mutate(&input);
        if (below(4) == 0)
            deliver_foreign(&input, i % 64 == 0);
        else if (deliver(&input))
            used++;
        else
            refused++;
    }
    printf("%ld inputs: %llu used, %llu malformed, %llu strangers, %llu answers\n", inputs,
           (unsigned long long)used, (unsigned long long)refused,
           (unsigned long long)sheaf_msg_dropped.strangers, (unsigned long long)answers);
    REQUIRE(used > (uint64_t)inputs / 8 && refused > (uint64_t)inputs / 8, "one-sided");
    return 0;
}
