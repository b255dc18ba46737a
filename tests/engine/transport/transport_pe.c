/* SPDX-License-Identifier: BSD-3-Clause
 * See transport_pe.h.
 */
#include "transport_pe.h"

#include <string.h>

const struct sheaf_transport *transport;
struct sheaf_transport_abilities abilities;
uint64_t seed, chance;
struct board *board;
struct owner service;
uint64_t lost[MOST_PES];
struct letter *letters;
unsigned letters_count;
enum wish wish;
bool wants_answers;
struct call answers[MOST_ANSWERS];
unsigned answers_sent;

static struct sheaf_engine_job job;

static uint64_t number_of(const struct note *note)
{
    return seed ^ ((uint64_t)note->from << 32) ^ note->number ^ (note->is_answer ? 1u << 31 : 0);
}

static void end(void *operation, const char *why)
{
    struct call *call = operation;
    call->ends++;
    call->has_failed = why != NULL;
    /* The transport may not look at them any more. */
    memset(call->header, 0x5a, sizeof call->header);
    if (call->data)
        memset(call->data, 0x5a, call->bytes);
}

static void end_fetch(void *operation, const char *why)
{
    struct letter *letter = operation;
    letter->call.ends++;
    letter->call.has_failed = why != NULL;
    if (!why)
        REQUIRE(is_filled(letter->call.data, letter->call.bytes, number_of(&letter->note)),
                "message %u of PE %u", letter->note.number, letter->note.from);
}

static void on_lost(void *peer, const char *why)
{
    int pe = (int)(uintptr_t)peer - 1;
    REQUIRE(pe >= 0 && pe < npes && why, "of PE %d", pe);
    lost[pe]++;
}

static void on_host_died(void)
{
}

static void on_refused(const char *from)
{
    (void)from;
}

static size_t header_bytes_of(const struct note *note)
{
    return sizeof *note + note->number % (SHEAF_TRANSPORT_HEADER - sizeof *note + 1);
}

/* From the start of a page on, too, where UCX's transport pads. */
static void *some_memory(size_t bytes)
{
    if (!bytes)
        return NULL;
    return below(&chance, 2) ? malloc(bytes) : aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
}

void write_message(struct call *call, const struct note *note, struct sheaf_transport_message *message)
{
    *call = (struct call){.bytes = note->bytes, .data = some_memory(note->bytes)};
    fill(call->header, sizeof call->header, number_of(note));
    memcpy(call->header, note, sizeof *note);
    fill(call->data, call->bytes, number_of(note));
    *message = (struct sheaf_transport_message){.header = call->header,
                                                .header_bytes = header_bytes_of(note),
                                                .source = call->data,
                                                .bytes = call->bytes,
                                                .operation = call};
}

static void check_header(const struct sheaf_transport_arrival *arrival, const struct note *note)
{
    unsigned char whole[SHEAF_TRANSPORT_HEADER];
    REQUIRE(arrival->header_bytes == header_bytes_of(note), "%zu", arrival->header_bytes);
    fill(whole, sizeof whole, number_of(note));
    memcpy(whole, note, sizeof *note);
    REQUIRE(memcmp(whole, arrival->header, arrival->header_bytes) == 0, "message %u", note->number);
}

static bool keep_letter(struct owner *owner, const struct sheaf_transport_arrival *arrival,
                        const struct note *note)
{
    struct letter *letter = &letters[letters_count++];
    REQUIRE(!arrival->data && arrival->bytes == note->bytes, "%zu bytes", arrival->bytes);
    *letter = (struct letter){.note = *note, .waiting = arrival->waiting};
    letter->call.bytes = note->bytes;
    letter->call.data = malloc(note->bytes);
    if (wish == NEVER)
        letter->call.ends = 1;
    if (wish == AT_ONCE)
        transport->fetch(owner->port, arrival->waiting, letter->call.data, note->bytes, letter);
    return wish != NEVER;
}

static void answer(const struct sheaf_transport_arrival *arrival, const struct note *asked)
{
    struct sheaf_transport_message message;
    struct call *call = &answers[answers_sent++ % MOST_ANSWERS];
    REQUIRE(answers_sent <= MOST_ANSWERS || call->ends, "answer %u has not ended",
            answers_sent - MOST_ANSWERS);
    free(call->data);
    struct note note = {(uint32_t)me, asked->number, asked->number % 3 ? asked->number % 100 : 0, true};
    write_message(call, &note, &message);
    transport->send(arrival->origin, &message);
}

static bool on_arrived(void *argument, const struct sheaf_transport_arrival *arrival)
{
    struct owner *owner = argument;
    struct note note;
    REQUIRE(arrival->header_bytes >= sizeof note, "%zu", arrival->header_bytes);
    memcpy(&note, arrival->header, sizeof note);
    REQUIRE(note.from < (uint32_t)npes, "from %u", note.from);
    check_header(arrival, &note);
    uint32_t *next = note.is_answer ? &owner->answers[note.from] : &owner->next[note.from];
    REQUIRE(note.number == *next, "number %u of PE %u instead of %u", note.number, note.from, *next);
    ++*next;
    owner->arrived++;
    REQUIRE(arrival->bytes == note.bytes, "%zu bytes of %zu", arrival->bytes, (size_t)note.bytes);
    if (arrival->waiting)
        return keep_letter(owner, arrival, &note);
    REQUIRE(!note.bytes || is_filled(arrival->data, note.bytes, number_of(&note)), "message %u of PE %u",
            note.number, note.from);
    if (wants_answers && !note.is_answer)
        answer(arrival, &note);
    return false;
}

void turn_service(void)
{
    transport->turn(service.port);
}

void start_pe(void)
{
    static const struct sheaf_transport_user user = {
        .job = &job,
        .arrived = on_arrived,
        .sent = end,
        .fetched = end_fetch,
        .done = end,
        .flushed = end,
        .lost = on_lost,
        .host_died = on_host_died,
        .refused = on_refused,
        .paused = on_refused,
    };
    const char *why = "";
    void *address;
    job = (struct sheaf_engine_job){.pe = me, .npes = npes, .key = {1, 2}, .rma = SHEAF_RMA_NATIVE};
    job.networks = 1U << SHEAF_ENGINE_OFI | (me < 2 ? 1U << SHEAF_ENGINE_UCX : 0);
    const char *atomics = getenv("SHEAF_TEST_ATOMICS");
    if (atomics) {
        job.atomics = SHEAF_ATOMICS_DEVICE;
        REQUIRE(sheaf_amo_parse(atomics, &job.native_atomics) == 0, "%s", atomics);
    }
    if (me == 1) /* one process alone: the others send it more at once */
        setenv("UCX_TCP_RX_SEG_SIZE", "16k", 1);
    sheaf_local_settings.seed = seed;
    chance = seed + (uint64_t)me;
    REQUIRE(transport->start(&user, &abilities) == 0, "start");
    REQUIRE((service.port = transport->open(&service, &why)) != NULL, "%s", why);
    REQUIRE(transport->address(service.port, &address, &board->length[me], &why) == 0, "%s", why);
    REQUIRE(board->length[me] <= MOST_ADDRESS, "%zu bytes", board->length[me]);
    memcpy(board->address[me], address, board->length[me]);
    free(address);
    meet(npes, NULL);
}

void connect_to(struct owner *owner, int pe)
{
    const char *why = "";
    owner->links[pe] = transport->connect(owner->port, board->address[pe], board->length[pe],
                                          (void *)(uintptr_t)(pe + 1), &why);
    REQUIRE(owner->links[pe], "PE %d: %s", pe, why);
}

void stop_pe(void)
{
    meet(npes, turn_service);
    transport->close(service.port);
    transport->stop();
}

