/* SPDX-License-Identifier: BSD-3-Clause
 * See simulation.h.
 */
#include "simulation.h"

#include "boot/boot.h"
#include "core/pe/job.h"
#include "unit.h"

#include <sys/mman.h>
#include <ucontext.h>

#define STACK ((size_t)96 << 10)
#define MOST_PROCESSORS 64

struct message {
    struct message *next;
    double arrival;
    int from, rounds;
    uint64_t tag;
    size_t bytes;
    char data[];
};

struct receive {
    struct receive *next;
    int from;
    uint64_t tag;
    void *dest;
    size_t bytes, *remaining;
};

/* Messages in the order of their arrival: under way, and arrived without a receive. Receives without a
 * message. */
struct sim_inbox {
    struct message *coming, *early;
    struct receive *posted;
};

struct node {
    double sends_until, receives_until; /* its adapter is busy */
    struct sim_pe *waiting;             /* PEs that wait for words */
    char *control;
};

/* A PE that can go on, and from when. */
struct turn {
    double at;
    int pe;
};

struct sim_pe *sim_me;
void (*sim_on_turn)(void);
int sim_nodes, sim_per_node;
size_t sim_heap_bytes;

static struct {
    const struct wire *wire;
    struct sim_pe *pes;
    struct sim_inbox *inboxes;
    struct node *nodes;
    ucontext_t *contexts, scheduler;
    struct turn *turns; /* a heap: the earliest is first */
    int turn_count;
    char *memory;       /* control areas, then a stack and a heap for each PE; touched when used */
    size_t memory_bytes, area;
    uint64_t counted;   /* blocks whose time has passed on the PE's clock */
    double busy_until[MOST_PROCESSORS];
    sim_program *program;
    void *argument;
} sim;

struct sim_pe *sim_pe_of(int pe)
{
    return &sim.pes[pe];
}

static bool is_earlier(struct turn one, struct turn other)
{
    return one.at < other.at || (one.at == other.at && one.pe < other.pe);
}

static void add_turn(struct sim_pe *pe)
{
    struct turn turn = {pe->now, pe->pe};
    int at = sim.turn_count++;
    for (; at > 0 && is_earlier(turn, sim.turns[(at - 1) / 2]); at = (at - 1) / 2)
        sim.turns[at] = sim.turns[(at - 1) / 2];
    sim.turns[at] = turn;
}

static struct sim_pe *take_turn(void)
{
    struct turn first = sim.turns[0], last = sim.turns[--sim.turn_count];
    int at = 0;
    for (int child = 1; child < sim.turn_count; child = 2 * at + 1) {
        if (child + 1 < sim.turn_count && is_earlier(sim.turns[child + 1], sim.turns[child]))
            child++;
        if (!is_earlier(sim.turns[child], last))
            break;
        sim.turns[at] = sim.turns[child];
        at = child;
    }
    sim.turns[at] = last;
    return &sim.pes[first.pe];
}

static double later(double one, double other)
{
    return one > other ? one : other;
}

/* Of the processors that are free the one that was busy last, or the one that is free first. */
static double *choose_processor(void)
{
    double *best = &sim.busy_until[0];
    for (double *it = best + 1; it < sim.busy_until + sim.wire->processors; it++) {
        bool is_free = *it <= sim_me->now, best_is_free = *best <= sim_me->now;
        best = (is_free && best_is_free) ? (*it > *best ? it : best) : *it < *best ? it : best;
    }
    return best;
}

/* The PE that runs computes for so long. */
static void work(double ns)
{
    if (sim.wire->processors == 0 || ns == 0) {
        sim_me->now += ns;
        return;
    }
    double *processor = choose_processor();
    sim_me->now = later(sim_me->now, *processor) + ns;
    *processor = sim_me->now;
}

/* Until a PE that has waited gets a processor. */
static double turns(void)
{
    int processors = sim.wire->processors;
    return processors > 0 && sheaf_job.npes > processors
               ? sim.wire->turn * ((double)sheaf_job.npes / processors - 1)
               : 0;
}

static void pass_time(void)
{
    work((double)(sim_me->counts.blocks - sim.counted) * sim.wire->block);
    sim.counted = sim_me->counts.blocks;
}

static void leave_turn(void)
{
    swapcontext(&sim.contexts[sim_me->pe], &sim.scheduler);
}

/* Others go first where they are earlier. */
static void let_earlier_go(void)
{
    if (sim.turn_count > 0 && sim.turns[0].at < sim_me->now) {
        add_turn(sim_me);
        leave_turn();
    }
}

void sim_sleep_until(double time)
{
    pass_time();
    CHECK(sim_me->now <= time);
    sim_me->now = time;
    let_earlier_go();
}

void sim_sleep(double ns)
{
    pass_time();
    sim_me->now += ns;
    let_earlier_go();
}

void sim_block(void)
{
    pass_time();
    leave_turn();
}

void sim_resume(struct sim_pe *pe, double time)
{
    pe->now = pe->now < time ? time : pe->now;
    add_turn(pe);
}

void sim_wait_for_word(uint32_t *word)
{
    struct node *node = &sim.nodes[sim_me->node];
    pass_time();
    sim_me->word = word;
    sim_me->next = node->waiting;
    node->waiting = sim_me;
    leave_turn();
}

void sim_wake(uint32_t *word)
{
    pass_time();
    for (struct sim_pe **link = &sim.nodes[sim_me->node].waiting; *link;) {
        struct sim_pe *waiter = *link;
        if (waiter->word != word) {
            link = &waiter->next;
            continue;
        }
        *link = waiter->next;
        waiter->word = NULL;
        if (waiter->rounds < sim_me->rounds)
            waiter->rounds = sim_me->rounds;
        waiter->now = later(waiter->now, sim_me->now + sim.wire->near + turns());
        add_turn(waiter);
    }
}

static bool belong_together(const struct message *message, const struct receive *receive)
{
    return message->from == receive->from && message->tag == receive->tag;
}

static void complete(struct message *message, struct receive *receive)
{
    CHECK(message->bytes == receive->bytes);
    memcpy(receive->dest, message->data, message->bytes);
    __atomic_store_n(receive->remaining, *receive->remaining - 1, __ATOMIC_RELEASE);
    free(message);
    free(receive);
}

/* The first message that is under way arrives. */
static void take_arrival(void)
{
    struct sim_inbox *inbox = sim_me->inbox;
    struct message *message = inbox->coming;
    inbox->coming = message->next;
    message->next = NULL;
    if (sim_me->now < message->arrival)
        sim_me->now = message->arrival;
    work(sim.wire->overhead);
    if (sim_me->rounds < message->rounds)
        sim_me->rounds = message->rounds;
    for (struct receive **link = &inbox->posted; *link; link = &(*link)->next)
        if (belong_together(message, *link)) {
            struct receive *receive = *link;
            *link = receive->next;
            complete(message, receive);
            return;
        }
    struct message **last = &inbox->early;
    while (*last)
        last = &(*last)->next;
    *last = message;
}

void sim_wait_for_message(void)
{
    pass_time();
    while (!sim_me->inbox->coming) {
        sim_me->waits_for_message = true;
        leave_turn();
    }
    take_arrival();
}

void sim_receive(int peer, uint64_t tag, void *dest, size_t bytes, size_t *remaining)
{
    struct receive *receive = malloc(sizeof *receive);
    *receive = (struct receive){NULL, peer, tag, dest, bytes, remaining};
    ++*remaining;
    for (struct message **link = &sim_me->inbox->early; *link; link = &(*link)->next)
        if (belong_together(*link, receive)) {
            struct message *message = *link;
            *link = message->next;
            complete(message, receive);
            return;
        }
    struct receive **last = &sim_me->inbox->posted;
    while (*last)
        last = &(*last)->next;
    *last = receive;
}

void sim_send(int peer, uint64_t tag, const void *source, size_t bytes)
{
    struct sim_pe *target = &sim.pes[peer];
    struct node *from = &sim.nodes[sim_me->node], *to = &sim.nodes[target->node];
    const struct wire *wire = sim.wire;
    struct message *message = malloc(sizeof *message + bytes);
    double takes = later(wire->gap, (double)bytes * wire->per_byte);
    pass_time();
    work(wire->overhead);
    from->sends_until = later(sim_me->now, from->sends_until) + takes;
    to->receives_until = later(from->sends_until + wire->latency, to->receives_until + takes);
    *message = (struct message){NULL, to->receives_until, sim_me->pe, sim_me->rounds + 1, tag, bytes};
    memcpy(message->data, source, bytes);
    struct message **link = &target->inbox->coming;
    while (*link && (*link)->arrival <= message->arrival)
        link = &(*link)->next;
    message->next = *link;
    *link = message;
    sim_me->counts.messages++;
    sim_me->counts.bytes += bytes;
    if (target->waits_for_message) {
        target->waits_for_message = false;
        target->now = later(target->now, message->arrival + turns());
        add_turn(target);
    }
    let_earlier_go();
}

void sim_begin(void)
{
    sim_me->counts = (struct counts){0};
    sim.counted = 0;
    sim_me->now = 0;
}

static void run_pe(void)
{
    sim_begin();
    sim.program(sim.argument);
    pass_time();
    sim_me->has_ended = true;
}

static void enter_turn(struct sim_pe *pe)
{
    sim_me = pe;
    sim.counted = pe->counts.blocks;
    sheaf_job.pe = sheaf_boot.pe = pe->pe;
    sheaf_boot.node = pe->node;
    sheaf_boot.slot = pe->slot;
    sheaf_job.control = (struct sheaf_control *)sim.nodes[pe->node].control;
    if (sim_on_turn)
        sim_on_turn();
    swapcontext(&sim.scheduler, &sim.contexts[pe->pe]);
    sim_me = NULL;
}

static size_t round_to_pages(size_t bytes)
{
    return (bytes + 4095) / 4096 * 4096;
}

/* Of a control area only the header and the arena are there. Teams of all PEs fit it a few times. */
static size_t area_bytes(int npes)
{
    return round_to_pages(sizeof(struct sheaf_control)) +
           16 * round_to_pages((size_t)npes * 128 + (size_t)sim_per_node * 1024 + 65536);
}

static void make_node(int number)
{
    struct node *node = &sim.nodes[number];
    node->control = sim.memory + (size_t)number * sim.area;
    struct sheaf_control *control = (struct sheaf_control *)node->control;
    control->npes = sim_per_node;
    control->world_npes = sheaf_job.npes;
    control->nodes = sim_nodes;
    control->node = number;
    control->arena_offset = round_to_pages(sizeof *control);
    control->arena_size = sim.area - control->arena_offset;
}

static void make_pe(int number, char *memory)
{
    struct sim_pe *pe = &sim.pes[number];
    *pe = (struct sim_pe){.pe = number, .node = number / sim_per_node, .slot = number % sim_per_node,
                          .inbox = &sim.inboxes[number], .heap = memory + STACK};
    getcontext(&sim.contexts[number]);
    sim.contexts[number].uc_stack.ss_sp = memory;
    sim.contexts[number].uc_stack.ss_size = STACK;
    sim.contexts[number].uc_link = &sim.scheduler;
    makecontext(&sim.contexts[number], run_pe, 0);
    add_turn(pe);
}

static void make_job(int nodes, int per_node, size_t heap_bytes)
{
    int npes = nodes * per_node;
    sim_nodes = nodes;
    sim_per_node = per_node;
    sim_heap_bytes = round_to_pages(heap_bytes);
    sheaf_job.npes = sheaf_boot.npes = npes;
    sheaf_boot.nodes = nodes;
    sheaf_boot.node_npes = sheaf_boot.host_npes = per_node;
    sim.area = area_bytes(npes);
    sim.memory_bytes = (size_t)nodes * sim.area + (size_t)npes * (STACK + sim_heap_bytes);
    sim.memory = mmap(NULL, sim.memory_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(sim.memory != MAP_FAILED);
    sim.pes = calloc((size_t)npes, sizeof *sim.pes);
    sim.inboxes = calloc((size_t)npes, sizeof *sim.inboxes);
    sim.nodes = calloc((size_t)nodes, sizeof *sim.nodes);
    sim.contexts = calloc((size_t)npes, sizeof *sim.contexts);
    sim.turns = calloc((size_t)npes + 1, sizeof *sim.turns);
    sim.turn_count = 0;
    for (int node = 0; node < nodes; node++)
        make_node(node);
    for (int pe = 0; pe < npes; pe++)
        make_pe(pe, sim.memory + (size_t)nodes * sim.area + (size_t)pe * (STACK + sim_heap_bytes));
}

static void drop_job(void)
{
    free(sim.pes);
    free(sim.inboxes);
    free(sim.nodes);
    free(sim.contexts);
    free(sim.turns);
    munmap(sim.memory, sim.memory_bytes);
}

void sim_run(int nodes, int per_node, size_t heap_bytes, const struct wire *wire, sim_program *program,
             void *argument)
{
    CHECK(wire->processors <= MOST_PROCESSORS);
    memset(sim.busy_until, 0, sizeof sim.busy_until);
    sim.wire = wire;
    sim.program = program;
    sim.argument = argument;
    make_job(nodes, per_node, heap_bytes);
    while (sim.turn_count > 0)
        enter_turn(take_turn());
    for (int pe = 0; pe < sheaf_job.npes; pe++)
        if (!sim.pes[pe].has_ended) {
            printf("PE %d of %d waits for ever for %s\n", pe, sheaf_job.npes,
                   sim.pes[pe].word ? "a word" : "a message");
            exit(1);
        }
    drop_job();
}
