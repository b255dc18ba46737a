/* SPDX-License-Identifier: BSD-3-Clause
 * See simulation.h.
 */
#undef _FORTIFY_SOURCE /* its longjmp goes up one stack alone */
#include "simulation.h"

#include "boot/boot.h"
#include "core/pe/job.h"
#include "../pace/machine.h"
#include "unit.h"

#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>

#define STACK ((size_t)96 << 10)
#define MINUTE 60e9

/* On a host a message of more than a segment goes in parts: the last of them has the data. */
struct message {
    struct message *next;
    double arrival;
    int from, rounds;
    uint64_t tag;
    size_t bytes, part; /* part: bytes that come now */
    bool is_last;
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

/* Of a PE on a host: its task, and what it has learned of the machine. */
struct share {
    struct task task;
    struct sheaf_pace pace;
    uint64_t ran;
    bool sleeps_on_network, is_connected;
};

/* A PE's coroutine. It goes on by jumps, as swapcontext() asks the kernel for the signal mask each time; only
 * setcontext() can begin it. */
struct coroutine {
    ucontext_t beginning;
    jmp_buf place;
    bool has_begun;
};

/* A PE that can go on, and from when. */
struct turn {
    double at;
    int pe;
};

struct sim_pe *sim_me;
void (*sim_on_turn)(void);
bool sim_has_one_heap;
struct sheaf_domains (*sim_domains_of)(int slot);
int sim_nodes, sim_per_node;
size_t sim_heap_bytes;

static struct {
    const struct wire *wire;
    struct sim_pe *pes;
    struct sim_inbox *inboxes;
    struct node *nodes;
    struct coroutine *coroutines;
    jmp_buf scheduler;
    struct turn *turns; /* a heap: the earliest is first */
    int turn_count;
    char *memory;       /* touched when used */
    size_t memory_bytes, area;
    struct share *shares;
    int ended;          /* PEs */
    uint64_t joined;    /* lists of those that wait */
    struct counts counted; /* whose time has passed on the PE's clock */
    sim_program *program;
    void *argument;
} sim;

bool host_read(const char *line, char name[64], struct host *host)
{
    return sscanf(line, "%63[^\t]\t%d\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%zu", name, &host->processors,
                  &host->send, &host->send_byte, &host->leaves, &host->take, &host->take_byte, &host->turn, &host->turn_alone,
                  &host->yield, &host->wake, &host->sleep, &host->change, &host->copy_byte, &host->segment) == 15;
}

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

static void leave_turn(void)
{
    if (_setjmp(sim.coroutines[sim_me->pe].place) == 0)
        _longjmp(sim.scheduler, 1);
    if (sim.wire->host)
        sim_me->now = (double)machine_now();
}

static struct share *my_share(void)
{
    return &sim.shares[sim_me->pe];
}

/* The PE that runs computes for so long. */
static void work(double ns)
{
    if (!sim.wire->host) {
        sim_me->now += ns;
    } else if (ns >= 1) {
        task_spend(&my_share()->task, (uint64_t)ns);
        leave_turn();
    }
}

static void pass_time(void)
{
    const struct counts *counts = &sim_me->counts;
    double ns = (double)(counts->blocks - sim.counted.blocks) * sim.wire->block;
    if (sim.wire->host)
        ns += (double)(counts->copied - sim.counted.copied) * sim.wire->host->copy_byte;
    sim.counted = *counts;
    work(ns);
}

/* Others go first where they are earlier. */
static void let_earlier_go(void)
{
    if (sim.turn_count > 0 && sim.turns[0].at < sim_me->now) {
        add_turn(sim_me);
        leave_turn();
    }
}

static void sleep_until(double time)
{
    CHECK(sim_me->now <= time);
    if (!sim.wire->host) {
        sim_me->now = time;
        let_earlier_go();
    } else if (time - sim_me->now >= 1) {
        task_sleep(&my_share()->task, (uint64_t)(time - sim_me->now));
        leave_turn();
    }
}

void sim_sleep_until(double time)
{
    pass_time();
    sleep_until(time);
}

void sim_sleep(double ns)
{
    pass_time();
    sleep_until(sim_me->now + ns);
}

void sim_work(double ns)
{
    pass_time();
    work(ns);
    if (!sim.wire->host)
        let_earlier_go();
}

static void wake_pe(void *unused, int pe)
{
    (void)unused;
    task_wake(&sim.shares[pe].task);
}

void sim_block(void)
{
    pass_time();
    if (sim.wire->host)
        task_sleep(&my_share()->task, 0);
    leave_turn();
}

void sim_resume(struct sim_pe *pe, double time)
{
    if (sim.wire->host) {
        machine_at((uint64_t)time, wake_pe, NULL, pe->pe);
        return;
    }
    pe->now = pe->now < time ? time : pe->now;
    add_turn(pe);
}

static void join_waiting(uint32_t *word)
{
    struct node *node = &sim.nodes[sim_me->node];
    sim_me->word = word;
    sim_me->joined = ++sim.joined;
    sim_me->next = node->waiting;
    node->waiting = sim_me;
}

/* One of a node's PEs that wait for the word, and have since before. */
static struct sim_pe *take_waiting(struct node *node, const uint32_t *word, uint64_t before)
{
    for (struct sim_pe **link = &node->waiting; *link; link = &(*link)->next) {
        struct sim_pe *waiter = *link;
        if (waiter->word == word && waiter->joined <= before) {
            *link = waiter->next;
            waiter->word = NULL;
            return waiter;
        }
    }
    return NULL;
}

static void leave_waiting(void)
{
    struct sim_pe **link = &sim.nodes[sim_me->node].waiting;
    while (*link != sim_me)
        link = &(*link)->next;
    *link = sim_me->next;
    sim_me->word = NULL;
}

/* On a host the PE may have been woken before it sleeps, and has to leave the list where the clock ends its sleep. */
static void sleep_on_word(uint32_t *word, uint64_t ns)
{
    join_waiting(word);
    if (sim.wire->host)
        work(sim.wire->host->sleep);
    if (sim_me->word && sim.wire->host)
        task_sleep(&my_share()->task, ns);
    if (sim_me->word)
        leave_turn();
    if (sim_me->word)
        leave_waiting();
}

static void wake_waiter(struct sim_pe *waiter)
{
    if (waiter->rounds < sim_me->rounds)
        waiter->rounds = sim_me->rounds;
    if (sim.wire->host) {
        work(sim.wire->host->wake);
        task_wake(&sim.shares[waiter->pe].task);
    } else {
        waiter->now = later(waiter->now, sim_me->now + sim.wire->near);
        add_turn(waiter);
    }
}

/* Those that wait when it is called. On a host that is one system call: another may have the processor after it. */
void sim_wake(uint32_t *word)
{
    uint64_t before = sim.joined;
    struct sim_pe *waiter;
    struct task *task = &my_share()->task;
    bool any = false;
    pass_time();
    task->keeps = true;
    for (; (waiter = take_waiting(&sim.nodes[sim_me->node], word, before)); any = true)
        wake_waiter(waiter);
    task->keeps = false;
    if (any && sim.wire->host) {
        task_give_way(task);
        leave_turn();
    }
}

static bool belong_together(const struct message *message, const struct receive *receive)
{
    return message->from == receive->from && message->tag == receive->tag;
}

/* A copy whose time is in that of sending or taking the message. */
static void copy_uncounted(void *dest, const void *source, size_t bytes)
{
    uint64_t copied = sim_me->counts.copied;
    memcpy(dest, source, bytes);
    sim_me->counts.copied = copied;
}

static void complete(struct message *message, struct receive *receive)
{
    CHECK(message->bytes == receive->bytes);
    copy_uncounted(receive->dest, message->data, message->bytes);
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
    work(sim.wire->host ? sim.wire->host->take + (double)message->part * sim.wire->host->take_byte : sim.wire->overhead);
    if (!message->is_last) {
        free(message);
        return;
    }
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

static bool has_arrived(void)
{
    return sim_me->inbox->coming && sim_me->inbox->coming->arrival <= sim_me->now;
}

/* Until a message arrives, or so long. */
static void sleep_on_network(uint64_t ns)
{
    struct share *share = my_share();
    const struct message *coming = sim_me->inbox->coming;
    if (coming)
        sleep_until(later(coming->arrival, sim_me->now));
    else {
        share->sleeps_on_network = true;
        task_sleep(&share->task, ns);
        leave_turn();
        share->sleeps_on_network = false;
    }
}

static void yield_processor(void)
{
    double begun = sim_me->now;
    task_yield(&my_share()->task);
    leave_turn();
    sheaf_pace_yielded(&my_share()->pace, (uint64_t)(sim_me->now - begun));
}

/* A step of a wait on a host, as core/pe/wait.c has it: a turn of the network, and what the pace says then. */
static void step_wait(uint32_t *word, uint32_t old, struct sheaf_pace_wait *wait)
{
    bool any = has_arrived();
    work(my_share()->is_connected ? sim.wire->host->turn : sim.wire->host->turn_alone);
    while (has_arrived())
        take_arrival();
    if (any) {
        wait->idle = 0;
        wait->news_ns = (uint64_t)sim_me->now;
    }
    if (sheaf_pace_looks_on(&my_share()->pace, wait))
        return;
    struct sheaf_pace_next next = sheaf_pace_wait_next(&my_share()->pace, wait, word ? SHEAF_PACE_WAKER : SHEAF_PACE_STORE,
                                                       (uint64_t)sim_me->now);
    if (next.step == SHEAF_PACE_YIELD)
        yield_processor();
    else if (!word)
        sleep_on_network(next.ns);
    else if (*word == old)
        sleep_on_word(word, next.ns);
}

void sim_wait_for_word(uint32_t *word, uint32_t old, struct sheaf_pace_wait *wait)
{
    pass_time();
    if (sim.wire->host && wait)
        step_wait(word, old, wait);
    else if (*word == old)
        sleep_on_word(word, 0);
}

void sim_wait_for_message(struct sheaf_pace_wait *wait)
{
    pass_time();
    if (sim.wire->host) {
        step_wait(NULL, 0, wait);
        return;
    }
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

/* When a message that is sent now arrives. */
static double arrival_of(const struct sim_pe *target, size_t bytes)
{
    struct node *from = &sim.nodes[sim_me->node], *to = &sim.nodes[target->node];
    const struct wire *wire = sim.wire;
    if (wire->host)
        return sim_me->now + wire->host->leaves + (double)bytes * wire->host->send_byte;
    double takes = later(wire->gap, (double)bytes * wire->per_byte);
    work(wire->overhead);
    from->sends_until = later(sim_me->now, from->sends_until) + takes;
    return to->receives_until = later(from->sends_until + wire->latency, to->receives_until + takes);
}

static void wake_for(struct sim_pe *target, double arrival)
{
    if (sim.wire->host) {
        if (sim.shares[target->pe].sleeps_on_network)
            machine_at((uint64_t)arrival, wake_pe, NULL, target->pe);
    } else if (target->waits_for_message) {
        target->waits_for_message = false;
        target->now = later(target->now, arrival);
        add_turn(target);
    }
}

static void add_message(struct sim_pe *target, struct message *message)
{
    struct message **link = &target->inbox->coming;
    while (*link && (*link)->arrival <= message->arrival)
        link = &(*link)->next;
    message->next = *link;
    *link = message;
    wake_for(target, message->arrival);
    if (sim.wire->host)
        work(sim.wire->host->send + (double)message->part * sim.wire->host->send_byte);
    else
        let_earlier_go();
}

static struct message *make_message(int peer, uint64_t tag, size_t bytes, size_t part, bool is_last)
{
    struct message *message = malloc(sizeof *message + (is_last ? bytes : 0));
    *message = (struct message){.arrival = arrival_of(&sim.pes[peer], part), .from = sim_me->pe, .rounds = sim_me->rounds + 1,
                                .tag = tag, .bytes = bytes, .part = part, .is_last = is_last};
    return message;
}

void sim_send(int peer, uint64_t tag, const void *source, size_t bytes)
{
    size_t segment = sim.wire->host ? sim.wire->host->segment : bytes, sent = 0;
    pass_time();
    sim.shares[sim_me->pe].is_connected = sim.shares[peer].is_connected = true;
    for (; bytes - sent > segment; sent += segment)
        add_message(&sim.pes[peer], make_message(peer, tag, bytes, segment, false));
    struct message *last = make_message(peer, tag, bytes, bytes - sent, true);
    copy_uncounted(last->data, source, bytes);
    sim_me->counts.messages++;
    sim_me->counts.bytes += bytes;
    add_message(&sim.pes[peer], last);
}

void sim_begin(void)
{
    sim_me->counts = sim.counted = (struct counts){0};
    if (!sim.wire->host)
        sim_me->now = 0;
}

static void run_pe(void)
{
    sim_begin();
    sim.program(sim.argument);
    pass_time();
    sim_me->has_ended = true;
    sim.ended++;
    if (sim.wire->host)
        task_sleep(&my_share()->task, 0);
    _longjmp(sim.scheduler, 1);
}

static void resume(struct coroutine *coroutine)
{
    if (_setjmp(sim.scheduler) != 0)
        return;
    if (coroutine->has_begun)
        _longjmp(coroutine->place, 1);
    coroutine->has_begun = true;
    setcontext(&coroutine->beginning);
}

static void enter_turn(struct sim_pe *pe)
{
    sim_me = pe;
    sim.counted = pe->counts;
    sheaf_job.pe = sheaf_boot.pe = pe->pe;
    sheaf_boot.node = pe->node;
    sheaf_boot.slot = pe->slot;
    sheaf_job.control = (struct sheaf_control *)sim.nodes[pe->node].control;
    if (sim_on_turn)
        sim_on_turn();
    resume(&sim.coroutines[pe->pe]);
    sim_me = NULL;
}

static size_t round_to_pages(size_t bytes)
{
    return (bytes + 4095) / 4096 * 4096;
}

/* Of a control area the header, the PEs' entries and the arena are there. Teams of all PEs fit it a few times. */
static size_t area_bytes(int npes)
{
    return round_to_pages(sizeof(struct sheaf_control)) +
           round_to_pages((size_t)sim_per_node * sizeof(struct sheaf_pe)) +
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
    control->pes_offset = round_to_pages(sizeof *control);
    control->arena_offset = control->pes_offset + round_to_pages((size_t)sim_per_node * sizeof(struct sheaf_pe));
    control->arena_size = sim.area - control->arena_offset;
    for (int slot = 0; sim_domains_of && slot < sim_per_node; slot++)
        sheaf_control_pe(control, slot)->domains = sim_domains_of(slot);
}

static void step_pe(struct task *task)
{
    const struct sim_pe *pe = task->owner;
    if (pe->has_ended)
        task_sleep(task, 0);
    else
        enter_turn(task->owner);
}

static void make_share(struct sim_pe *pe)
{
    struct share *share = &sim.shares[pe->pe];
    share->task = (struct task){.step = step_pe, .owner = pe, .bound = -1, .ran = &share->ran};
    sheaf_pace_init(&share->pace, sim_per_node > sim.wire->host->processors);
    sheaf_pace_use_network(&share->pace, true, true);
    task_add(&share->task);
}

/* Control areas of the nodes, stacks of the PEs, their heaps. */
static char *stack_of(int pe)
{
    return sim.memory + (size_t)sim_nodes * sim.area + (size_t)pe * STACK;
}

static char *heap_of(int pe)
{
    return stack_of(sheaf_job.npes) + (sim_has_one_heap ? 0 : (size_t)pe * sim_heap_bytes);
}

bool sim_is_shared(const void *address)
{
    const char *at = address;
    return at >= sim.memory && at < sim.memory + sim.memory_bytes && (at < stack_of(0) || at >= heap_of(0));
}

static void make_pe(int number)
{
    struct sim_pe *pe = &sim.pes[number];
    *pe = (struct sim_pe){.pe = number, .node = number / sim_per_node, .slot = number % sim_per_node,
                          .inbox = &sim.inboxes[number], .heap = heap_of(number)};
    ucontext_t *beginning = &sim.coroutines[number].beginning;
    getcontext(beginning);
    beginning->uc_stack.ss_sp = stack_of(number);
    beginning->uc_stack.ss_size = STACK;
    makecontext(beginning, run_pe, 0);
    if (sim.wire->host)
        make_share(pe);
    else
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
    sim.memory_bytes = (size_t)nodes * sim.area + (size_t)npes * STACK + (sim_has_one_heap ? 1 : (size_t)npes) * sim_heap_bytes;
    sim.memory = mmap(NULL, sim.memory_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(sim.memory != MAP_FAILED);
    sim.pes = calloc((size_t)npes, sizeof *sim.pes);
    sim.inboxes = calloc((size_t)npes, sizeof *sim.inboxes);
    sim.nodes = calloc((size_t)nodes, sizeof *sim.nodes);
    sim.coroutines = calloc((size_t)npes, sizeof *sim.coroutines);
    sim.turns = calloc((size_t)npes + 1, sizeof *sim.turns);
    sim.shares = calloc((size_t)npes, sizeof *sim.shares);
    sim.turn_count = sim.ended = 0;
    if (sim.wire->host) {
        CHECK(npes <= MOST_TASKS);
        machine_begin(sim.wire->host->processors);
        machine_costs.switch_task = (uint64_t)sim.wire->host->change;
        machine_costs.idle_yield = (uint64_t)sim.wire->host->yield;
        machine_has_lag = true;
    }
    for (int node = 0; node < nodes; node++)
        make_node(node);
    for (int pe = 0; pe < npes; pe++)
        make_pe(pe);
}

static void drop_job(void)
{
    free(sim.pes);
    free(sim.inboxes);
    free(sim.nodes);
    free(sim.coroutines);
    free(sim.turns);
    free(sim.shares);
    munmap(sim.memory, sim.memory_bytes);
}

static bool have_ended(void)
{
    return sim.ended == sheaf_job.npes;
}

void sim_run(int nodes, int per_node, size_t heap_bytes, const struct wire *wire, sim_program *program,
             void *argument)
{
    sim.wire = wire;
    sim.program = program;
    sim.argument = argument;
    make_job(nodes, per_node, heap_bytes);
    if (wire->host)
        machine_run(have_ended, (uint64_t)MINUTE);
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
