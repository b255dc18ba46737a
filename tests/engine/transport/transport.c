/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What any transport does that the protocol may be written against: engine/transport.h, sentence by
 * sentence, with messages of the test's own. Arguments: the transport, the test, and for the local
 * transport the first seed and how many.
 */
#include "transport_pe.h"

#include <poll.h>
#include <string.h>

#define PES 3

/* In a message that is told with its data: mpi's longer ones are placed before they are told. */
static size_t most_data(void)
{
    bool is_told = strcmp(transport->name, "ofi") == 0 || strcmp(transport->name, "ucx") == 0;
    return is_told && abilities.longest ? abilities.longest : SHEAF_TRANSPORT_FRAGMENT;
}

/* Sizes at which a transport changes its way, or a test's hand slips. */
static size_t some_size(void)
{
    if (below(&chance, 10) == 0)
        return most_data() - below(&chance, 2);
    static const size_t sizes[] = {0, 0, 1, 7, 8, 9, 64, 1000, 4096, 8192, 65000, SHEAF_TRANSPORT_FRAGMENT};
    return below(&chance, 3) ? sizes[below(&chance, 12)] : below(&chance, SHEAF_TRANSPORT_FRAGMENT + 1);
}

/* Each to each, itself too: whole, in order, answered in order on the same link. */
#define MESSAGES 60
static void exchange(struct owner *owner, unsigned count)
{
    struct call *calls = calloc(count * (size_t)npes, sizeof *calls);
    for (unsigned i = 0; i < count; i++)
        for (int pe = 0; pe < npes; pe++) {
            struct sheaf_transport_message message;
            struct note note = {(uint32_t)me, i, some_size(), false};
            write_message(&calls[i * (unsigned)npes + (unsigned)pe], &note, &message);
            message.is_answered = true;
            transport->send(owner->links[pe], &message);
            if (below(&chance, 3) == 0)
                transport->turn(owner->port);
            if (below(&chance, 3) == 0)
                step();
        }
    for (int pe = 0; pe < npes; pe++) {
        TURN_UNTIL(owner->answers[pe] == count, owner);
        if (owner != &service)
            turn_service();
    }
    for (unsigned i = 0; i < count * (unsigned)npes; i++) {
        TURN_UNTIL(calls[i].ends, owner);
        REQUIRE(calls[i].ends == 1 && !calls[i].has_failed, "%u times", calls[i].ends);
        free(calls[i].data);
    }
    free(calls);
}

static void test_messages(void)
{
    start_pe();
    wants_answers = true;
    for (int pe = 0; pe < npes; pe++)
        connect_to(&service, pe);
    is_doing("messages and answers, each with each");
    exchange(&service, MESSAGES);
    for (int pe = 0; pe < npes; pe++)
        TURN_UNTIL(service.next[pe] == MESSAGES, &service);
    for (unsigned i = 0; i < answers_sent; i++)
        TURN_UNTIL(answers[i].ends, &service);
    stop_pe();
}

static void free_letters(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        free(letters[i].call.data);
    free(letters);
    letters = NULL;
    letters_count = 0;
}

/* Long ones, whose data may stay: from PE 0 to the last one. */
#define LONG 12
static void send_long(struct call *calls)
{
    static const size_t sizes[] = {0, 100, 65408, 65409, 700000, 3000000};
    connect_to(&service, npes - 1);
    for (uint32_t i = 0; i < LONG; i++) {
        struct sheaf_transport_message message;
        struct note note = {(uint32_t)me, i, sizes[i % 6], false};
        write_message(&calls[i], &note, &message);
        message.may_ask = true;
        transport->send(service.links[npes - 1], &message);
    }
    for (uint32_t i = 0; i < LONG; i++) {
        TURN_UNTIL(calls[i].ends, &service);
        REQUIRE(calls[i].ends == 1 && !calls[i].has_failed, "message %u", i);
        free(calls[i].data);
    }
}

static void receive_long(void)
{
    TURN_UNTIL(service.next[0] == LONG, &service);
    for (unsigned i = letters_count; wish == LATER && i-- > 0;) /* the last one first */
        transport->fetch(service.port, letters[i].waiting, letters[i].call.data, letters[i].call.bytes,
                         &letters[i]);
    for (unsigned i = 0; i < letters_count; i++) {
        TURN_UNTIL(letters[i].call.ends, &service);
        REQUIRE(letters[i].call.ends == 1 && !letters[i].call.has_failed, "letter %u", i);
    }
}

static void test_long(void)
{
    static const char *const says[] = {"long messages, fetched at once", "long messages, fetched later",
                                       "long messages, not fetched"};
    struct call calls[LONG];
    start_pe();
    for (wish = AT_ONCE; wish <= NEVER; wish++) {
        is_doing(says[wish]);
        letters = calloc(LONG, sizeof *letters);
        if (me == 0)
            send_long(calls);
        else if (me == npes - 1)
            receive_long();
        meet(npes, turn_service);
        free_letters(letters_count);
        service.next[0] = 0;
        meet(npes, turn_service);
    }
    stop_pe();
}

/* A message that comes while a PE sleeps wakes it; none is missed between its last turn and its sleep. */
#define WAKES 40
static void be_woken(void)
{
    for (uint32_t i = 0; i < WAKES; i++) {
        while (service.next[0] == i) {
            struct pollfd event = {transport->descriptor(service.port), POLLIN, 0};
            if (transport->turn(service.port) || !transport->arm(service.port))
                continue;
            __atomic_store_n(&board->told, 1 + i, __ATOMIC_RELEASE);
            REQUIRE(poll(&event, 1, 20000) == 1, "message %u has not woken it", i);
        }
        __atomic_store_n(&board->told, 1 + i, __ATOMIC_RELEASE);
    }
}

/* Now when the other one sleeps, now just before. */
static void wake(void)
{
    static struct call calls[WAKES];
    connect_to(&service, 1);
    for (uint32_t i = 0; i < WAKES; i++) {
        struct sheaf_transport_message message;
        struct note note = {0, i, i, false};
        while (i % 2 == 0 && __atomic_load_n(&board->told, __ATOMIC_ACQUIRE) <= i)
            turn_service();
        write_message(&calls[i], &note, &message);
        transport->send(service.links[1], &message);
        TURN_UNTIL(calls[i].ends, &service);
        while (__atomic_load_n(&board->told, __ATOMIC_ACQUIRE) <= i)
            turn_service();
        free(calls[i].data);
    }
}

static void test_wakes(void)
{
    start_pe();
    is_doing("waking another, and being woken");
    if (me == 0)
        wake();
    else if (me == 1)
        be_woken();
    stop_pe();
}

/* Anybody's bytes, and a real address that lacks something or has something changed. */
static void test_addresses(void)
{
    unsigned char bytes[MOST_ADDRESS + 64];
    start_pe();
    is_doing("connecting to what is no address");
    for (int i = 0; i < 200; i++) {
        const char *why = NULL;
        size_t length = below(&chance, 4) ? below(&chance, board->length[0] + 32) : board->length[0];
        fill(bytes, sizeof bytes, test_random(&chance));
        if (below(&chance, 2)) {
            memcpy(bytes, board->address[0], board->length[0]);
            if (length >= board->length[0])
                bytes[below(&chance, board->length[0])] ^= (unsigned char)(1 + below(&chance, 255));
        }
        void *exact = malloc(length ? length : 1);
        memcpy(exact, bytes, length);
        sheaf_transport_link *link =
            transport->connect(service.port, exact, length, (void *)(uintptr_t)1, &why);
        REQUIRE(link || why, "neither a link nor a reason, of %zu bytes", length);
        free(exact);
        turn_service();
    }
    stop_pe();
}

/* More ports than the service port, each with links of its own: answers come to the port that asked. */
#define PORTS 4
static void use_ports(struct owner *owners)
{
    const char *why = "";
    for (int i = 0; i < PORTS; i++) {
        REQUIRE((owners[i].port = transport->open(&owners[i], &why)) != NULL, "%s", why);
        for (int pe = 0; pe < npes; pe++)
            connect_to(&owners[i], pe);
    }
}

static struct owner more[PORTS];
static void turn_all(void)
{
    turn_service();
    for (int i = 0; i < PORTS; i++)
        if (more[i].port)
            transport->turn(more[i].port);
}

/* One port's messages at a time: their numbers begin anew with each. */
static void test_ports(void)
{
    start_pe();
    wants_answers = true;
    is_doing("messages of several ports");
    use_ports(more);
    meet(npes, turn_all);
    for (int i = 0; i < PORTS; i++) {
        memset(service.next, 0, sizeof service.next);
        answers_sent = 0;
        meet(npes, turn_all);
        struct call *calls = calloc((size_t)npes, sizeof *calls);
        for (int pe = 0; pe < npes; pe++) {
            struct sheaf_transport_message message;
            struct note note = {(uint32_t)me, 0, some_size(), false};
            write_message(&calls[pe], &note, &message);
            message.is_answered = true;
            transport->send(more[i].links[pe], &message);
        }
        for (int pe = 0; pe < npes; pe++)
            for (unsigned turns = 0; !calls[pe].ends || !more[i].answers[pe] || !service.next[pe];
                 turns++) {
                REQUIRE(turns < MOST_TURNS, "port %d, PE %d", i, pe);
                turn_all();
                step();
            }
        meet(npes, turn_all);
        for (int pe = 0; pe < npes; pe++)
            free(calls[pe].data);
        free(calls);
    }
    for (int i = 0; i < PORTS; i++)
        transport->close(more[i].port);
    stop_pe();
}

/* What is under way when a port is closed is over, told once at most; the other end learns of it, once. */
#define CUT 30
static void cut(void)
{
    struct call calls[CUT];
    for (uint32_t i = 0; i < CUT; i++) {
        struct sheaf_transport_message message;
        struct note note = {(uint32_t)me, i, i % 3 == 2 ? 600000 : 5000, false};
        write_message(&calls[i], &note, &message);
        message.may_ask = i % 3 == 2;
        transport->send(service.links[0], &message);
    }
    for (uint64_t turns = below(&chance, 20); turns-- > 0;)
        turn_service();
    transport->close(service.port);
    for (uint32_t i = 0; i < CUT; i++) {
        REQUIRE(calls[i].ends <= 1 && (calls[i].ends || transport != &sheaf_transport_local),
                "message %u has ended %u times", i, calls[i].ends);
        free(calls[i].data);
    }
}

static void test_close(void)
{
    start_pe();
    wish = NEVER;
    letters = calloc(CUT, sizeof *letters);
    is_doing("closing with messages under way");
    connect_to(&service, me == 0 ? npes - 1 : 0);
    meet(npes, turn_service);
    if (me == npes - 1) {
        cut();
        transport->stop();
        free_letters(letters_count);
        meet(npes, NULL);
        return;
    }
    if (me == 0) {
        TURN_UNTIL(lost[npes - 1], &service);
        for (int i = 0; i < 100; i++)
            turn_service();
        REQUIRE(lost[npes - 1] == 1, "told %lu times", (unsigned long)lost[npes - 1]);
    }
    meet(npes, turn_service);
    transport->close(service.port);
    transport->stop();
    free_letters(letters_count);
}

/* The last PE dies once it has heard all. */
static void lose_last(void)
{
    connect_to(&service, npes - 1);
    struct sheaf_transport_message message;
    struct note note = {(uint32_t)me, 0, 10, false};
    struct call first = {0};
    write_message(&first, &note, &message);
    transport->send(service.links[npes - 1], &message);
    TURN_UNTIL(first.ends, &service);
    if (me == npes - 1)
        for (int pe = 0; pe < npes; pe++)
            TURN_UNTIL(service.next[pe], &service);
    meet(npes, turn_service);
    if (me == npes - 1)
        die();
    free(first.data);
}

static void send_to_last(struct call *call, uint32_t number)
{
    struct sheaf_transport_message message;
    struct note note = {(uint32_t)me, number, 5000, false};
    write_message(call, &note, &message);
    transport->send(service.links[npes - 1], &message);
}

/* A process dies: its peers learn it once, and whatever they send to it ends. */
static void test_death(void)
{
    struct call calls[CUT] = {0}, late = {0};
    start_pe();
    is_doing("sending to one that has died");
    lose_last();
    for (uint32_t i = 0; i < CUT; i++) {
        send_to_last(&calls[i], i);
        turn_service();
        step();
    }
    TURN_UNTIL(lost[npes - 1], &service);
    for (uint32_t i = 0; i < CUT; i++) {
        TURN_UNTIL(calls[i].ends, &service);
        free(calls[i].data);
    }
    send_to_last(&late, CUT);
    TURN_UNTIL(late.ends, &service);
    REQUIRE(late.has_failed && lost[npes - 1] == 1, "told %lu times", (unsigned long)lost[npes - 1]);
    free(late.data);
    npes--;
    stop_pe();
}

static void end_exchange(uint32_t count)
{
    for (int pe = 0; pe < npes; pe++)
        TURN_UNTIL(service.next[pe] == count, &service);
    for (unsigned i = 0; i < answers_sent; i++)
        TURN_UNTIL(answers[i].ends, &service);
}

/* All but the last PE, which sends nothing, are connected; messages are counted from 0 again. libfabric 1.17's
 * net loses connections that two PEs make to one another at once without turning their ports. */
static void connect_living(void)
{
    npes--;
    for (int pe = 0; pe < npes; pe++)
        connect_to(&service, pe);
    exchange(&service, 1);
    end_exchange(1);
    npes++;
    for (unsigned i = 0; i < answers_sent; i++)
        free(answers[i].data);
    memset(answers, 0, sizeof answers);
    memset(service.next, 0, sizeof service.next);
    memset(service.answers, 0, sizeof service.answers);
    answers_sent = 0;
}

/* A process dies, and its peers, who hear of it from others, tell the transport: what they have sent to it ends
 * at once and not again, and the living go on. */
static void test_given_up(void)
{
    struct call calls[CUT + 1] = {0};
    start_pe();
    is_doing("messages before one dies");
    wants_answers = true;
    if (me != npes - 1)
        connect_living();
    meet(npes, turn_service);
    wants_answers = false;
    is_doing("giving up one that has died");
    lose_last();
    wants_answers = true;
    for (uint32_t i = 0; i < CUT; i++) {
        send_to_last(&calls[i], i);
        if (below(&chance, 4) == 0)
            turn_service();
    }
    transport->give_up(service.links[npes - 1]);
    send_to_last(&calls[CUT], CUT);
    for (uint32_t i = 0; i <= CUT; i++)
        REQUIRE(calls[i].ends == 1, "message %u has ended %u times", i, calls[i].ends);
    REQUIRE(calls[CUT].has_failed, "who is given up was sent something");
    npes--;
    exchange(&service, MESSAGES);
    end_exchange(MESSAGES);
    for (uint32_t i = 0; i <= CUT; i++) {
        REQUIRE(calls[i].ends == 1, "message %u has ended %u times", i, calls[i].ends);
        free(calls[i].data);
    }
    stop_pe();
}

/* What the local transport makes of a seed: every fourth one does as it is told, quickly. */
static void choose_settings(void)
{
    uint64_t dice = seed;
    uint8_t often = seed % 4 ? (uint8_t)(8 << below(&dice, 4)) : 0;
    sheaf_local_settings = (struct sheaf_local_settings){
        .seed = seed,
        .rests = often,
        .idles = often,
        .pieces = often,
        .late_ends = often,
        .keeps = seed % 3 ? 128 : 0,
        .has_direct = true,
        .atomics = SHEAF_AMO_ALL,
    };
}

static const struct {
    const char *name;
    void (*body)(void);
    bool is_timed; /* it sleeps, so that its processes run as they like */
} tests[] = {
    {"messages", test_messages, false}, {"long", test_long, false},   {"wakes", test_wakes, true},
    {"addresses", test_addresses, false}, {"ports", test_ports, false}, {"close", test_close, false},
    {"death", test_death, false},       {"given-up", test_given_up, false}, {"direct", test_direct, false},
    {"keys", test_keys, false},         {"refusal", test_refusal, false},
};
enum { TESTS = sizeof tests / sizeof tests[0] };

/* Over a network everything takes the time that it takes. */
static int run_test(size_t test)
{
    bool is_local = transport == &sheaf_transport_local;
    choose_settings();
    repeat_by("test-engine-transport %s %s %lu 1", transport->name, tests[test].name, (unsigned long)seed);
    if (is_local && sheaf_local_make_tree(PES) != 0) {
        perror("sheaf_local_make_tree");
        return 1;
    }
    int failed = run_processes(PES, is_local && !tests[test].is_timed, tests[test].body);
    if (is_local)
        sheaf_local_leave_tree();
    return failed;
}

static const struct sheaf_transport *find_transport(const char *name)
{
    static const struct sheaf_transport *const transports[] = {&sheaf_transport_local, &sheaf_transport_ucx,
                                                         &sheaf_transport_ofi, &sheaf_transport_several};
    for (size_t i = 0; i < sizeof transports / sizeof transports[0]; i++)
        if (strcmp(name, transports[i]->name) == 0)
            return transports[i];
    return NULL;
}

int main(int argc, char **argv)
{
    size_t test = 0;
    uint64_t count = argc > 4 ? strtoul(argv[4], NULL, 0) : 1;
    seed = argc > 3 ? strtoul(argv[3], NULL, 0) : 1;
    while (argc > 2 && test < TESTS && strcmp(argv[2], tests[test].name) != 0)
        test++;
    if (argc < 3 || test == TESTS || !(transport = find_transport(argv[1]))) {
        fprintf(stderr, "usage: test-engine-transport local|ucx|ofi|several TEST [SEED [SEEDS]]\n");
        return 2;
    }
    board = share(sizeof *board);
    int failed = 0;
    for (uint64_t last = seed + count; !failed && seed < last; seed++)
        failed = run_test(test);
    return failed;
}
