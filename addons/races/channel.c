/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations on other PEs' memory. Each is in a strand of its channel, the thread, context and target, at
 * the thread's clock: operations of a context to one PE are ordered by a fence, all become part of what
 * their PE has done with quiet. A channel has several strands in turn, so that a flag that arrives says
 * nothing about the operations just before it. Fence and quiet reach as far into another thread's
 * operations as the thread that calls them is ordered behind that thread.
 */
#include "races/internal.h"

#include <string.h>

#define MOST_CONTEXTS 4096
#define MANY_SENDERS  8 /* threads with as many strands as a PE's first */

struct channel {
    unsigned puts[RACES_MOST_PUTS]; /* strands, 0 before they are used */
    unsigned gets, large_turn, small_turn;
    bool is_open; /* operations since the last quiet */
};

/* A thread that has used a context. fences: a strand whose clock, for any thread, is the sender's own up
 * to which that thread knows its operations fenced; 0 before the first fence. */
struct sender {
    struct sender *next;
    const struct races_thread *thread;
    unsigned fences, strands;  /* strands: of a channel's puts */
    struct channel channels[]; /* to each PE */
};

struct context {
    shmem_ctx_t ctx;
    bool is_of_shared; /* a team's that is split from SHMEM_TEAM_SHARED, or that itself */
    struct sender *senders;
};

static struct context contexts[MOST_CONTEXTS];
static int context_count;

static struct context *context_of(shmem_ctx_t ctx)
{
    int i = 0, place = -1;
    while (i < context_count && contexts[i].ctx != ctx) {
        if (place < 0 && contexts[i].ctx == SHMEM_CTX_INVALID)
            place = i;
        i++;
    }
    if (i == context_count && place >= 0)
        i = place;
    else if (i == context_count && i < MOST_CONTEXTS - 1)
        context_count++;
    struct context *context = &contexts[i];
    shmem_team_t team = SHMEM_TEAM_WORLD;
    if (context->ctx != ctx && ctx != SHMEM_CTX_DEFAULT && pshmem_ctx_get_team(ctx, &team) != 0)
        team = SHMEM_TEAM_WORLD;
    if (context->ctx != ctx)
        context->is_of_shared = races_team_is_of_shared(team);
    context->ctx = ctx;
    return context;
}

/* Threads that come late in a program of many have a strand for flags and one for the rest. */
static struct sender *sender_of(struct context *context, const struct races_thread *thread)
{
    struct sender *sender = context->senders;
    while (sender && sender->thread != thread)
        sender = sender->next;
    if (sender || !(sender = races_map(sizeof *sender + (size_t)races.npes * sizeof *sender->channels)))
        return sender;
    sender->thread = thread;
    sender->strands = thread->number < MANY_SENDERS ? (unsigned)races.shared->puts_of_channel : 2;
    sender->next = context->senders;
    context->senders = sender;
    return sender;
}

/* A context's PE numbers are its team's. */
int races_world_pe(shmem_ctx_t ctx, int pe)
{
    shmem_team_t team;
    if (ctx == SHMEM_CTX_DEFAULT)
        return pe >= 0 && pe < races.npes ? pe : -1;
    if (ctx == SHMEM_CTX_INVALID || pshmem_ctx_get_team(ctx, &team) != 0)
        return -1;
    return pshmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD);
}

/* An operation on its way: what its thread knows, and what the context's fences add. */
struct operation {
    struct races_thread *thread;
    struct sender *sender;
    struct channel *channel;
    int pe, context;
    uint32_t raised; /* of the thread's clocks; what they were is in the thread's scratch[2] */
    uint64_t flags;  /* of an atomic operation */
    bool is_told, is_locked; /* is_told: what comes after is later than this operation */
};

static struct races_change *raised_of(const struct operation *op)
{
    return (struct races_change *)(void *)op->thread->scratch[2];
}

static void raise_clock(struct operation *op, unsigned strand, uint32_t clock)
{
    struct races_thread *thread = op->thread;
    if (strand == 0 || thread->vc[strand] >= clock || op->raised + 2 >= RACES_STRANDS / 2)
        return;
    raised_of(op)[op->raised++] = (struct races_change){strand, thread->vc[strand]};
    thread->vc[strand] = clock;
    thread->length = thread->length <= strand ? strand + 1 : thread->length;
}

/* A fence's knowledge belongs to this context and PE alone: what others may use is told apart from it. */
static void swap_raised(struct operation *op)
{
    for (uint32_t i = 0; i < op->raised; i++) {
        struct races_change *change = &raised_of(op)[i];
        uint32_t now = op->thread->vc[change->strand];
        op->thread->vc[change->strand] = change->clock;
        change->clock = now;
    }
}

static void forget_fences(struct operation *op)
{
    swap_raised(op);
    op->raised = 0;
}

/* False where nothing is to be checked. */
static bool begin(struct operation *op, const struct races_call *call, shmem_ctx_t ctx, int pe)
{
    *op = (struct operation){.thread = races_self};
    if (!op->thread || !races.is_up)
        return false;
    races_linger(call->caller);
    op->pe = races_world_pe(ctx, pe);
    if (op->pe < 0)
        return false; /* the library says so */
    op->is_locked = races_lock();
    struct context *context = context_of(ctx);
    op->sender = sender_of(context, op->thread);
    if (!op->sender) {
        races_unlock(op->is_locked);
        return false;
    }
    op->context = ctx == SHMEM_CTX_DEFAULT ? RACES_CONTEXT_DEFAULT : 1 + (int)(context - contexts);
    op->flags = RACES_ATOMIC | (uint64_t)call->type << RACES_TYPE_SHIFT |
                (context->is_of_shared ? RACES_OF_SHARED : 0);
    op->channel = &op->sender->channels[op->pe];
    op->channel->is_open = true;
    for (const struct sender *sender = context->senders; sender; sender = sender->next)
        for (unsigned i = 0; i < sender->strands; i++)
            raise_clock(op, sender->channels[op->pe].puts[i], op->thread->vc[sender->fences]);
    return true;
}

static void end(struct operation *op)
{
    forget_fences(op);
    op->thread->vc[0] = 0;
    if (op->is_told)
        races_tick(op->thread);
    races_unlock(op->is_locked);
}

static uint64_t next_word(struct operation *op, unsigned strand)
{
    atomic_store_explicit(&races.shared->strand[strand].clock, op->thread->clock, memory_order_relaxed);
    op->is_told = true;
    return races_word(strand, strand ? op->thread->clock : 0, 0);
}

/* The word of a new operation that a fence orders. Large ones, which are no flags, have strands of
 * their own. */
static uint64_t put_word(struct operation *op, size_t bytes)
{
    struct channel *channel = op->channel;
    unsigned half = op->sender->strands / 2;
    unsigned which = bytes > 8 ? channel->large_turn++ % half : half + channel->small_turn++ % half;
    if (!channel->puts[which]) {
        channel->puts[which] = races_strand_new(RACES_PUTS, op->thread->number, op->context, op->pe);
        races_know(op->thread, channel->puts[which], 0);
    }
    return next_word(op, channel->puts[which]);
}

/* The same of one that waits for quiet. */
static uint64_t get_word(struct operation *op)
{
    if (!op->channel->gets) {
        op->channel->gets = races_strand_new(RACES_GETS, op->thread->number, op->context, op->pe);
        races_know(op->thread, op->channel->gets, 0);
    }
    return next_word(op, op->channel->gets);
}

static uint32_t add_change(struct races_change *changes, uint32_t count, uint64_t word)
{
    unsigned strand = races_strand_of(word);
    if (strand)
        changes[count++] = (struct races_change){strand, (uint32_t)word};
    return count;
}

/* What whoever sees these operations knows: all that their thread knows, and the operations themselves.
 */
static uint32_t release_with(struct operation *op, uint64_t one, uint64_t other)
{
    struct races_change *changes = raised_of(op);
    swap_raised(op);
    uint32_t count = add_change(changes, add_change(changes, op->raised, one), other);
    uint32_t id = races_release_with(op->thread, changes, count);
    swap_raised(op);
    op->is_told = true;
    return id;
}

/* Each block of one side of a transfer. */
static void look_shape(struct operation *op, int pe, const void *start, ptrdiff_t stride,
                       struct races_shape shape, const struct races_access *access)
{
    if (shape.count > 1 && (size_t)stride == shape.block) {
        shape.block *= shape.count;
        shape.count = 1;
    }
    for (size_t i = 0; start && i < shape.count; i++)
        races_look_range(op->thread, pe, (const char *)start + (ptrdiff_t)i * stride, shape.block,
                         access);
}

/* This PE's side: its memory, symmetric or not. Pending operations make private memory be watched. */
static void look_here(struct operation *op, const void *start, ptrdiff_t stride,
                      struct races_shape shape, struct races_access access, bool is_pending)
{
    uintptr_t local;
    int owner = races_owner((uintptr_t)start, &local);
    access.owner = owner;
    access.settles = owner == races.pe && !(access.word & RACES_WRITE);
    if (owner < 0 && !is_pending && !races.watches_private)
        return;
    look_shape(op, owner, owner < 0 ? start : (const void *)local, stride, shape, &access);
}

static void put(const struct races_call *call, shmem_ctx_t ctx, const void *dest, const void *source,
                struct races_shape shape, int pe, bool is_nbi, bool is_atomic)
{
    struct operation op;
    if (shape.block == 0 || shape.count == 0 || !begin(&op, call, ctx, pe))
        return;
    races_prefetch(op.pe, (uintptr_t)dest);
    uint32_t site = races_site_call(call->name, call->caller);
    uint64_t word = put_word(&op, shape.block * shape.count);
    /* one word of many says nothing of the others */
    bool is_large = shape.block * shape.count > sizeof(uint64_t);
    if (source)
        look_here(
            &op, source, shape.source, shape,
            (struct races_access){.word = is_nbi ? get_word(&op) : op.thread->read_word, .site = site},
            is_nbi);
    struct races_access access = {.word = word | RACES_WRITE | (is_atomic ? op.flags : 0),
                                  .site = site,
                                  .owner = op.pe,
                                  .joins = is_atomic,
                                  .release = release_with(&op, is_large ? 0 : word, 0)};
    look_shape(&op, op.pe, dest, shape.dest, shape, &access);
    end(&op);
}

void races_put(const struct races_call *call, shmem_ctx_t ctx, const void *dest, const void *source,
               struct races_shape shape, int pe, bool is_nbi)
{
    put(call, ctx, dest, source, shape, pe, is_nbi, false);
}

void races_accumulate(const struct races_call *call, shmem_ctx_t ctx, const void *dest, const void *source,
                      struct races_shape shape, int pe, bool is_nbi)
{
    put(call, ctx, dest, source, shape, pe, is_nbi, true);
}

void races_get(const struct races_call *call, shmem_ctx_t ctx, const void *dest, const void *source,
               struct races_shape shape, int pe, bool is_nbi)
{
    struct operation op;
    if (shape.block == 0 || shape.count == 0 || !begin(&op, call, ctx, pe))
        return;
    uint32_t site = races_site_call(call->name, call->caller);
    /* a fence does not order gets: they know of earlier puts what quiet has told */
    forget_fences(&op);
    uint64_t word = is_nbi ? get_word(&op) : op.thread->read_word;
    struct races_access access = {.word = word, .site = site, .owner = op.pe};
    look_shape(&op, op.pe, source, shape.source, shape, &access);
    access.word |= RACES_WRITE;
    if (dest)
        look_here(&op, dest, shape.dest, shape, access, is_nbi);
    end(&op);
}

static uint64_t amo_flags(const struct operation *op, enum races_amo amo)
{
    return op->flags | (amo == RACES_FETCH ? 0 : RACES_WRITE);
}

static bool fetches(enum races_amo amo)
{
    return amo == RACES_FETCH || amo == RACES_MODIFY_FETCH;
}

/* One that fetches is done when it returns. */
void races_amo_begin(const struct races_call *call, shmem_ctx_t ctx, const void *object, size_t bytes,
                     int pe, enum races_amo amo)
{
    struct operation op;
    if (!begin(&op, call, ctx, pe))
        return;
    races_prefetch(op.pe, (uintptr_t)object);
    uint64_t word = fetches(amo) ? op.thread->read_word : put_word(&op, bytes);
    struct races_access access = {.word = word | amo_flags(&op, amo), .owner = op.pe, .joins = true};
    access.site = races_site_call(call->name, call->caller);
    if (amo != RACES_FETCH)
        access.release = release_with(&op, word, 0);
    look_shape(&op, op.pe, object, 0, (struct races_shape){bytes, 1, 0, 0}, &access);
    end(&op);
}

void races_amo_end(const struct races_call *call, shmem_ctx_t ctx, const void *object, size_t bytes, int pe)
{
    struct races_thread *thread = races_self;
    (void)call;
    if (!thread || !races.is_up || (pe = races_world_pe(ctx, pe)) < 0)
        return;
    const struct races_cell *cell = races_cell_on(pe, (uintptr_t)object);
    if (cell)
        races_cell_acquire(thread, cell, races_mask_from((uintptr_t)object, (uintptr_t)object + bytes));
}

void races_amo_nbi(const struct races_call *call, shmem_ctx_t ctx, const void *fetch,
                   const void *object, size_t bytes, int pe, enum races_amo amo)
{
    struct operation op;
    if (!begin(&op, call, ctx, pe))
        return;
    struct races_shape shape = {bytes, 1, 0, 0};
    races_prefetch(op.pe, (uintptr_t)object);
    uint64_t word = amo == RACES_FETCH ? get_word(&op) : put_word(&op, bytes);
    struct races_access access = {.word = word | amo_flags(&op, amo), .owner = op.pe, .joins = true};
    access.site = races_site_call(call->name, call->caller);
    if (amo != RACES_FETCH)
        access.release = release_with(&op, word, 0);
    look_shape(&op, op.pe, object, 0, shape, &access);
    look_here(&op, fetch, 0, shape,
              (struct races_access){.word = get_word(&op) | RACES_WRITE, .site = access.site}, true);
    end(&op);
}

/* Of a source that is read until quiet: whoever has learned of the signal since may write to it by all
 * that happens, though not by the specification. */
static uint64_t signal_of(struct operation *op, uint64_t flag)
{
    uint64_t which = (op->channel->small_turn - 1) % RACES_MOST_PUTS;
    races.shared->strand[op->channel->gets].signals[which] = races_strand_of(flag);
    return RACES_SIGNALLED | which << RACES_TYPE_SHIFT;
}

void races_put_signal(const struct races_call *call, shmem_ctx_t ctx, const void *dest,
                      const void *source, size_t bytes, const uint64_t *signal, int pe, bool is_nbi)
{
    struct operation op;
    if (!begin(&op, call, ctx, pe))
        return;
    struct races_shape shape = {bytes, 1, 0, 0};
    uint32_t site = races_site_call(call->name, call->caller);
    uint64_t word = put_word(&op, bytes), flag = put_word(&op, sizeof *signal);
    uint64_t read = is_nbi ? get_word(&op) | signal_of(&op, flag) : op.thread->read_word;
    if (bytes)
        look_here(&op, source, 0, shape, (struct races_access){.word = read, .site = site}, is_nbi);
    struct races_access access = {.word = word | RACES_WRITE, .site = site, .owner = op.pe};
    if (bytes)
        look_shape(&op, op.pe, dest, 0, shape, &access);
    access.word = flag | RACES_WRITE | op.flags;
    access.joins = true;
    access.release = release_with(&op, word, flag);
    shape.block = sizeof *signal;
    look_shape(&op, op.pe, signal, 0, shape, &access);
    end(&op);
}

void races_signal(const struct races_call *call, shmem_ctx_t ctx, const uint64_t *signal, int pe)
{
    races_amo_begin(call, ctx, signal, sizeof *signal, pe, RACES_MODIFY);
}

/* Stores are fenced too. */
static void fence_stores(struct races_thread *thread)
{
    races_know(thread, thread->stores, thread->clock);
    races_tick(thread);
}

void races_fence(const struct races_call *call, shmem_ctx_t ctx)
{
    struct races_thread *thread = races_self;
    (void)call;
    if (!thread || !races.is_up || ctx == SHMEM_CTX_INVALID)
        return;
    bool is_locked = races_lock();
    for (struct sender *sender = context_of(ctx)->senders; sender; sender = sender->next) {
        uint32_t clock = thread->vc[sender->thread->program];
        if (!sender->fences)
            sender->fences = races_strand_new(RACES_GETS, sender->thread->number, -1, -1);
        if (!sender->fences)
            continue;
        _Atomic uint32_t *last = &races.shared->strand[sender->fences].clock;
        races_know(thread, sender->fences, clock);
        if (atomic_load_explicit(last, memory_order_relaxed) < clock)
            atomic_store_explicit(last, clock, memory_order_relaxed);
    }
    fence_stores(thread);
    races_unlock(is_locked);
}

/* As far as the thread is ordered behind the operations' own. */
static void complete(struct races_thread *thread, const struct sender *sender, unsigned strand)
{
    if (strand == 0)
        return;
    uint32_t last = atomic_load_explicit(&races.shared->strand[strand].clock, memory_order_relaxed);
    uint32_t known = thread->vc[sender->thread->program];
    races_know(thread, strand, last < known ? last : known);
}

static void quiet_channels(struct races_thread *thread, shmem_ctx_t ctx, int pe)
{
    for (struct sender *sender = context_of(ctx)->senders; sender; sender = sender->next) {
        struct channel *channel = &sender->channels[pe];
        for (unsigned i = 0; channel->is_open && i < sender->strands; i++)
            complete(thread, sender, channel->puts[i]);
        complete(thread, sender, channel->gets);
        channel->is_open = races.is_threaded;
    }
}

void races_channels_quiet(struct races_thread *thread, shmem_ctx_t ctx)
{
    if (ctx == SHMEM_CTX_INVALID)
        return;
    bool is_locked = races_lock();
    for (int pe = 0; pe < races.npes; pe++)
        quiet_channels(thread, ctx, pe);
    fence_stores(thread);
    races_unlock(is_locked);
}

void races_quiet(const struct races_call *call, shmem_ctx_t ctx)
{
    (void)call;
    if (races_self && races.is_up)
        races_channels_quiet(races_self, ctx);
}

void races_pe_quiet(const struct races_call *call, shmem_ctx_t ctx, const int *pes, size_t count)
{
    struct races_thread *thread = races_self;
    (void)call;
    if (!thread || !races.is_up || ctx == SHMEM_CTX_INVALID)
        return;
    bool is_locked = races_lock();
    for (size_t i = 0; i < count; i++) {
        int pe = races_world_pe(ctx, pes[i]);
        if (pe >= 0)
            quiet_channels(thread, ctx, pe);
    }
    fence_stores(thread);
    races_unlock(is_locked);
}

void races_channel_end(struct races_thread *thread, shmem_ctx_t ctx, int pe)
{
    bool is_locked = races_lock();
    quiet_channels(thread, ctx, pe);
    races_unlock(is_locked);
}

/* Its channels are the next one's. */
void races_context_end(const struct races_call *call, shmem_ctx_t ctx)
{
    races_quiet(call, ctx);
    if (!races_self || !races.is_up || ctx == SHMEM_CTX_INVALID)
        return;
    bool is_locked = races_lock();
    context_of(ctx)->ctx = SHMEM_CTX_INVALID;
    races_unlock(is_locked);
}

/* A store, or the part of a long put, by which another PE has changed the variable is a fact for this
 * one from now on. */
static void observe(struct races_cell *cell)
{
    for (int i = 0; i < RACES_SLOTS; i++) {
        uint64_t old = __atomic_load_n(&cell->slot[i], __ATOMIC_ACQUIRE);
        const struct races_strand *strand = &races.shared->strand[races_strand_of(old)];
        if (old && (old & RACES_WRITE) && strand->pe != races.pe &&
            (strand->kind == RACES_STORES || strand->kind == RACES_PUTS))
            __atomic_compare_exchange_n(&cell->slot[i], &old, old | RACES_OBSERVED, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    }
}

void races_seen(const struct races_call *call, const void *variable, size_t bytes)
{
    struct races_thread *thread = races_self;
    (void)call;
    struct races_cell *cell =
        thread && races.is_up ? races_cell_on(races.pe, (uintptr_t)variable) : NULL;
    if (!cell)
        return;
    races_cell_acquire(thread, cell, races_mask_from((uintptr_t)variable, (uintptr_t)variable + bytes));
    observe(cell);
}

void races_seen_all(const struct races_call *call, const void *variables, size_t bytes, size_t count,
                    const int *status)
{
    for (size_t i = 0; i < count; i++)
        if (!status || !status[i])
            races_seen(call, (const char *)variables + i * bytes, bytes);
}

void races_seen_some(const struct races_call *call, const void *variables, size_t bytes,
                     const size_t *indices, size_t count)
{
    for (size_t i = 0; i < count; i++)
        races_seen(call, (const char *)variables + indices[i] * bytes, bytes);
}

void races_lock_wanted(const struct races_call *call)
{
    if (races_self && races.is_up)
        races_linger(call->caller);
}

/* A lock is one object of all PEs: PE 0's copy stands for it. */
void races_lock_taken(const struct races_call *call, const long *lock)
{
    struct races_thread *thread = races_self;
    (void)call;
    const struct races_cell *cell = thread && races.is_up ? races_cell_on(0, (uintptr_t)lock) : NULL;
    if (cell)
        races_cell_acquire(thread, cell, 0xff);
}

void races_lock_given(const struct races_call *call, const long *lock)
{
    struct races_thread *thread = races_self;
    (void)call;
    struct races_cell *cell = thread && races.is_up ? races_cell_on(0, (uintptr_t)lock) : NULL;
    if (!cell)
        return;
    races_channels_quiet(thread, SHMEM_CTX_DEFAULT);
    races_cell_release(thread, cell, 0xff, races_release(thread, true), false);
    races_tick(thread);
}
