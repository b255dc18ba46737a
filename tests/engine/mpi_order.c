/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The transport over MPI, by an MPI that ends receives of data in any order: messages are told in the order in which
 * they were sent, and data is received before its turn only where it may pass what is in front of it. Then frames
 * that no port sends, mutated; and windows whose accesses wait for the target's processor.
 * Arguments: rounds, seed.
 */
#include "scripted_mpi.h"

#include "base/mpi/family.h"
#include "base/times.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGES 40
#define ROOM     (SHEAF_TRANSPORT_FRAGMENT + 4096)
#define INPUTS   40 /* frames of a round that no port sends */

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: round %lu: %s\n", __FILE__, __LINE__, round, #condition);      \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum kind { SHORT, LONG, ASK };

/* The n-th message has n as its header, and bytes of n. */
static struct {
    enum kind kind;
    bool may_pass, is_told, is_sent, is_fetched;
    size_t bytes;
    unsigned char source[ROOM], place[ROOM];
} *messages;

static uint64_t state;
static unsigned long round, early;
static unsigned sent, told, lost, done, flushed;
static bool is_garbage;
static sheaf_transport_port *sender, *receiver;
static sheaf_transport_link *link;

/* Blocks of ports that break stay with what is under way. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static uint64_t below(uint64_t limit)
{
    return test_random_below(&state, limit);
}

static unsigned number_of(const struct sheaf_transport_arrival *arrival)
{
    unsigned number = 0;
    if (!is_garbage)
        REQUIRE(arrival->header_bytes == sizeof number);
    memcpy(&number, arrival->header,
           arrival->header_bytes < sizeof number ? arrival->header_bytes : sizeof number);
    return number % MESSAGES;
}

static bool is_there(unsigned number, const unsigned char *bytes)
{
    return messages[number].bytes == 0 || memcmp(bytes, messages[number].source,
                                                 messages[number].bytes) == 0;
}

static bool arrived(void *owner, const struct sheaf_transport_arrival *arrival)
{
    unsigned number = number_of(arrival);
    bool is_wanted = arrival->waiting && arrival->bytes <= ROOM && below(4) > 0;
    (void)owner;
    if (is_wanted)
        sheaf_transport_mpi.fetch(receiver, arrival->waiting, messages[number].place, arrival->bytes,
                                  &messages[number]);
    if (is_garbage)
        return false;
    REQUIRE(number == told++);
    REQUIRE(arrival->bytes == messages[number].bytes);
    REQUIRE(messages[number].kind == ASK || is_there(number, arrival->data));
    REQUIRE(messages[number].kind != LONG || arrival->data == messages[number].place);
    messages[number].is_told = true;
    return false;
}

static void *place(void *owner, const struct sheaf_transport_arrival *arrival)
{
    (void)owner;
    return arrival->bytes <= ROOM ? messages[number_of(arrival)].place : NULL;
}

static void note_sent(void *operation, const char *why)
{
    unsigned number = (unsigned)(uintptr_t)operation;
    REQUIRE(!messages[number].is_sent && !why);
    messages[number].is_sent = true;
}

static void note_fetched(void *message, const char *why)
{
    unsigned number = (unsigned)((unsigned char *)message - (unsigned char *)messages) / (unsigned)sizeof *messages;
    if (is_garbage)
        return;
    REQUIRE(!why && !messages[number].is_fetched && is_there(number, messages[number].place));
    messages[number].is_fetched = true;
}

static void note_lost(void *peer, const char *why)
{
    (void)peer, (void)why;
    lost++;
}

static void note_done(void *operation, const char *why)
{
    (void)operation;
    REQUIRE(!why);
    done++;
}

static void note_flushed(void *operation, const char *why)
{
    (void)operation;
    REQUIRE(!why);
    flushed++;
}

static const struct sheaf_transport_user user = {.arrived = arrived, .destination = place,
                                                 .sent = note_sent,
                                                 .fetched = note_fetched, .lost = note_lost, .done = note_done,
                                                 .flushed = note_flushed};

/* The last one in front, or itself, that may pass nothing: whatever lies in front of that has been told. */
static void receiving(const unsigned char *memory)
{
    unsigned number = (unsigned)((size_t)(memory - (unsigned char *)messages) / sizeof *messages), last;
    if (is_garbage ||
        memory < (unsigned char *)messages || number >= MESSAGES || messages[number].kind != LONG)
        return;
    REQUIRE(memory == messages[number].place ||
            memory == messages[number].place + SHEAF_TRANSPORT_FRAGMENT);
    for (last = number; last > 0 && (messages[last].kind != LONG || messages[last].may_pass);)
        last--;
    for (unsigned n = 0; n < last; n++)
        REQUIRE(messages[n].is_told);
    early += told != number;
}

static void send_next(void)
{
    unsigned number = sent++;
    const size_t least[] = {0, SHEAF_TRANSPORT_FRAGMENT + 1, SHEAF_TRANSPORT_FRAGMENT + 1};
    messages[number].kind = below(3) ? LONG : below(3) ? SHORT : ASK;
    messages[number].may_pass = messages[number].kind == LONG && below(3) > 0;
    messages[number].bytes = least[messages[number].kind] + below(2000);
    memset(messages[number].source, 1 + (int)number, messages[number].bytes);
    const struct sheaf_transport_message message = {
        .header = &number, .header_bytes = sizeof number, .source = messages[number].source,
        .bytes = messages[number].bytes, .may_ask = messages[number].kind == ASK,
        .may_pass = messages[number].may_pass, .operation = (void *)(uintptr_t)number};
    sheaf_transport_mpi.send(link, &message);
}

static void end_one(void)
{
    unsigned under_way = script_under_way();
    if (under_way)
        script_end((unsigned)below(under_way));
}

static void turn_both(void)
{
    sheaf_transport_mpi.turn(sender);
    sheaf_transport_mpi.turn(receiver);
}

static bool is_over(void)
{
    bool is_all = told == MESSAGES && !script_under_way();
    for (unsigned n = 0; is_all && n < MESSAGES; n++)
        is_all = messages[n].is_sent;
    return is_all;
}

static void test_order(void)
{
    for (unsigned steps = 0; !is_over(); steps++) {
        REQUIRE(steps < 100000);
        if (sent < MESSAGES && below(2))
            send_next();
        else if (below(3) == 0)
            end_one();
        else
            turn_both();
    }
}

static struct sheaf_mpi_address address_of(sheaf_transport_port *port)
{
    struct sheaf_mpi_address own;
    void *address;
    size_t length;
    const char *why;
    REQUIRE(sheaf_transport_mpi.address(port, &address, &length, &why) == 0 && length == sizeof own);
    memcpy(&own, address, length);
    free(address);
    return own;
}

/* Whole but for what is drawn: numbers at which lengths go wrong, and some bits. */
static void inject(const struct sheaf_mpi_address *from, const struct sheaf_mpi_address *to)
{
    static const uint64_t sizes[] = {0, 1, ROOM, ROOM, SHEAF_TRANSPORT_FRAGMENT, SHEAF_MPI_LONGEST,
                                     SHEAF_MPI_LONGEST + 1, UINT64_MAX};
    static unsigned char bytes[SHEAF_MPI_MOST + 8];
    struct sheaf_mpi_frame frame = {.secret = to->secret, .sender = below(8) ? from->port : below(4),
                                    .sender_secret = from->secret, .number = below(4), .bytes = sizes[below(8)],
                                    .sender_tag = below(8) ? from->tag : (uint32_t)below(20000),
                                    .data_tag = (uint32_t)below(below(2) ? 100 : 20000),
                                    .kind = (uint8_t)below(SHEAF_MPI_KINDS + 1), .may_pass = below(3) == 0,
                                    .header_bytes = (uint8_t)below(below(4) ? 8 : 256)};
    if (frame.kind == SHEAF_MPI_GOODBYE && below(20))
        frame.kind = SHEAF_MPI_ASK;
    size_t length = sizeof frame + frame.header_bytes;
    if (frame.kind == SHEAF_MPI_MESSAGE && frame.bytes <= ROOM)
        length += frame.bytes;
    if (below(8) == 0)
        ((unsigned char *)&frame)[below(sizeof frame)] ^= (unsigned char)(1 << below(8));
    if (below(8) == 0)
        length = below(SHEAF_MPI_MOST + 1);
    memset(bytes, (int)below(256), sizeof bytes);
    memcpy(bytes, &frame, sizeof frame);
    script_inject((int)to->tag, bytes, length < sizeof bytes ? length : sizeof bytes);
}

/* Data that was announced comes, too much of it or too little, or not at all. */
static void test_garbage(void)
{
    const struct sheaf_mpi_address from = address_of(sender), to = address_of(receiver);
    is_garbage = true;
    for (int i = 0; i < INPUTS; i++) {
        inject(&from, &to);
        turn_both();
        if (below(2))
            script_answer(below(2) ? ROOM : SHEAF_MPI_LONGEST);
        end_one();
    }
    is_garbage = false;
}

static bool takes_a_turn(sheaf_transport_port *port)
{
    bool any = false;
    for (int i = 0; i < 10; i++)
        any |= sheaf_transport_mpi.turn(port);
    return any;
}

/* A short put, and a flush that waits for nothing else, end within their calls. Where the target's processor serves windows it is
 * told of a put, and only there, and of the next ones only after a while. */
static void test_windows(bool are_served)
{
    static _Alignas(64) unsigned char memory[2 * SHEAF_MPI_SMALL], longer[SHEAF_MPI_SMALL + 1];
    struct sheaf_transport_memory window = {.window = {(uintptr_t)memory}};
    struct sheaf_transport_key key = {&window, (uintptr_t)memory, sizeof memory};
    uint64_t word = 17;
    const char *why;
    unsigned flushes = script_flushes;
    takes_a_turn(receiver);
    takes_a_turn(sender);
    done = flushed = 0;
    sheaf_mpi_state.windows = &window;
    sheaf_mpi_state.are_served = are_served;
    sheaf_mpi_direct.put(link, &key, (uintptr_t)memory + 8, &word, sizeof word, NULL);
    sheaf_mpi_direct.flush(link, NULL);
    REQUIRE(memcmp(memory + 8, &word, sizeof word) == 0);
    REQUIRE(done == 1 && flushed == 1 && script_flushes == flushes + 1);
    takes_a_turn(sender);
    REQUIRE(takes_a_turn(receiver) == are_served);
    sheaf_times.mpi_look_again = SHEAF_SECOND;
    word = 18;
    REQUIRE(sheaf_mpi_direct.put_at_once(link, &key, (uintptr_t)memory + 8, &word, sizeof word, &why) && !why);
    REQUIRE(sheaf_mpi_direct.flush_at_once(link, &why) && !why && script_flushes == flushes + 2);
    REQUIRE(memcmp(memory + 8, &word, sizeof word) == 0 && done == 1 && flushed == 1);
    REQUIRE(sheaf_mpi_direct.put_at_once(link, &key, (uintptr_t)memory + sizeof memory - 4, &word, sizeof word,
                                         &why) && why);
    sheaf_mpi_direct.put(link, &key, (uintptr_t)memory + 8, &word, sizeof word, NULL);
    sheaf_mpi_direct.fence(sender);
    REQUIRE(!sheaf_mpi_direct.put_at_once(link, &key, (uintptr_t)memory, longer, sizeof longer, &why) &&
            script_flushes == flushes + 2); /* nothing has begun, the wait for the fence neither */
    sheaf_mpi_direct.put(link, &key, (uintptr_t)memory, longer, sizeof longer, NULL);
    REQUIRE(script_flushes == flushes + 3);
    sheaf_mpi_direct.put(link, &key, (uintptr_t)memory + SHEAF_MPI_SMALL - 1, longer, sizeof longer, NULL);
    REQUIRE(script_flushes == flushes + 3 && done == 4);
    takes_a_turn(sender);
    REQUIRE(!takes_a_turn(receiver));
    sheaf_times.mpi_look_again = 0;
    for (int i = 0; i < 16; i++) /* a stream without a flush */
        REQUIRE(sheaf_mpi_direct.put_at_once(link, &key, (uintptr_t)memory, &word, sizeof word, &why) && !why);
    takes_a_turn(sender);
    REQUIRE(takes_a_turn(receiver) == are_served);
    sheaf_mpi_state.windows = NULL;
    takes_a_turn(sender);
    REQUIRE(!takes_a_turn(receiver));
    sheaf_times.mpi_look_again = sheaf_times_defaults.mpi_look_again;
}

static void do_round(void)
{
    const char *why;
    sent = told = 0;
    memset(messages, 0, MESSAGES * sizeof *messages);
    script_begin(&user);
    sheaf_mpi_choice.at_once = below(2) ? ROOM : 0;
    sender = sheaf_transport_mpi.open(NULL, &why);
    receiver = sheaf_transport_mpi.open(NULL, &why);
    const struct sheaf_mpi_address to = address_of(receiver);
    link = sheaf_transport_mpi.connect(sender, &to, sizeof to, NULL, &why);
    REQUIRE(link);
    test_order();
    test_windows(false);
    test_windows(true);
    test_garbage();
    sheaf_transport_mpi.close(sender);
    sheaf_transport_mpi.close(receiver);
}

int main(int argc, char **argv)
{
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 100;
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    messages = malloc(MESSAGES * sizeof *messages);
    script_receiving = receiving;
    for (round = 0; round < rounds; round++)
        do_round();
    printf("%lu rounds, %lu pieces of data were received before their turn, %u links ended\n", rounds,
           early, lost);
    REQUIRE(early > rounds);
    return 0;
}
