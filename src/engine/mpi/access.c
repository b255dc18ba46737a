/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts, gets and atomic operations by MPI itself. A short put is copied. A long put and a get have a
 * request, which tells when their local memory is free, or filled. All others end with a flush, the one
 * call here that waits for the network: MPI has no other way to learn that a put is complete at its
 * target. So a flush is made only when the user asks for it, and ends all accesses under way to that PE:
 * at once, or in a turn where accesses with a request have to end first.
 */
#include "engine/mpi/mpi.h"

#include <stdlib.h>
#include <string.h>

/* In bytes: room for copies of short puts, which a flush frees. */
#define COPIES ((size_t)64 << 10)

/* In bytes: an access longer than MPI's int counts is split, and ends with a flush. */
#define PIECE ((size_t)1 << 30)

/* In bytes: a get up to this size ends by a flush on one host. */
#define FLUSHED_GET ((size_t)64 << 10)

/* A put or an atomic operation without a result in so many asks the target to look: without a flush nothing
 * else does, and a message behind more of them than MPI's queue holds would itself wait for a look. */
#define ASKED_EVERY 16

/* Most MOVE accesses tested in one turn. */
#define LOOKS 64

/* So often one of them is tested where all PEs are on one host: 60 ns each. */
#define TESTS_ON_ONE_HOST 16

static struct sheaf_mpi_access *take_access(sheaf_transport_link *link, enum sheaf_mpi_access_kind kind,
                                            void *operation)
{
    sheaf_transport_port *port = link->port;
    struct sheaf_mpi_access *access = port->free_accesses;
    if (access)
        port->free_accesses = access->next;
    else
        access = malloc(sizeof *access);
    if (access)
        *access = (struct sheaf_mpi_access){
            .link = link, .kind = kind, .number = ++link->accesses, .operation = operation};
    return access;
}

static void mpi_tell_access_end(struct sheaf_mpi_access *access, const char *why)
{
    const struct sheaf_transport_user *user = sheaf_mpi_state.user;
    if (access->is_told)
        return;
    access->is_told = true;
    if (access->reply && !why)
        memcpy(access->reply, &access->before, access->bytes);
    (access->kind == SHEAF_MPI_FLUSH ? user->flushed : user->done)(access->operation, why);
}

static void free_access(struct sheaf_mpi_access *access)
{
    sheaf_transport_port *port = access->link->port;
    access->next = port->free_accesses;
    port->free_accesses = access;
}

static void mark_unflushed(sheaf_transport_link *link, const struct sheaf_transport_memory *memory)
{
    link->unflushed[memory->index / 64] |= (uint64_t)1 << memory->index % 64;
}

static void append_move(struct sheaf_mpi_access *access)
{
    sheaf_transport_port *port = access->link->port;
    *port->moves_last = access;
    port->moves_last = &access->next;
    access->link->moves++;
}

/* Appends the access to those that wait until the link's windows are flushed. */
static void await_flush(struct sheaf_mpi_access *access)
{
    sheaf_transport_link *link = access->link;
    *link->waiting_last = access;
    link->waiting_last = &access->next;
    if (link->is_waiting)
        return;
    link->is_waiting = true;
    link->next_waiting = link->port->waiting;
    link->port->waiting = link;
}

/* If the port's last fence came after accesses under way to that PE, waits for them. */
static void order_after_fence(sheaf_transport_link *link)
{
    if (link->fences != link->port->fences)
        sheaf_mpi_flush_windows(link);
    link->fences = link->port->fences;
}

/* A copy that stays until the next flush; NULL: no memory. */
static void *copy_until_flush(sheaf_transport_port *port, const void *source, size_t bytes)
{
    size_t room = (bytes + 7) & ~(size_t)7;
    if (!port->copies && !(port->copies = malloc(COPIES)))
        return NULL;
    if (port->copied + room > COPIES) {
        for (sheaf_transport_link *link = port->links; link; link = link->next)
            sheaf_mpi_flush_windows(link);
        port->copied = 0;
    }
    unsigned char *copy = port->copies + port->copied;
    port->copied += room;
    return memcpy(copy, source, bytes);
}

static void ask_within_stream(sheaf_transport_link *link)
{
    if (++link->copies % ASKED_EVERY == 0)
        sheaf_mpi_ask_to_look(link);
}

static const char *mpi_check_access(const sheaf_transport_link *link, const sheaf_transport_key *key,
                                    uint64_t remote,
                                    size_t bytes)
{
    uint64_t at = remote - key->start;
    if (link->why)
        return link->why;
    return remote < key->start || at > key->bytes || bytes > key->bytes - at
               ? "outside of the memory that the key is for" : NULL;
}

/* If MPI refuses the call the link ends. */
static bool has_access_begun(sheaf_transport_link *link, int error)
{
    if (error)
        sheaf_mpi_break_by_error(link, error);
    return !error;
}

typedef int call(const sheaf_mpi_window *, void *, int, int, uint64_t, sheaf_mpi_request *);

static int call_put(const sheaf_mpi_window *window, void *source, int count, int rank, uint64_t offset,
                    sheaf_mpi_request *request)
{
    return sheaf_mpi_state.shim->put(window, source, count, rank, offset, request);
}

static int call_get(const sheaf_mpi_window *window, void *dest, int count, int rank, uint64_t offset,
                    sheaf_mpi_request *request)
{
    return sheaf_mpi_state.shim->get(window, dest, count, rank, offset, request);
}

static int call_in_pieces(call *call, const sheaf_transport_link *link, const sheaf_transport_key *key,
                          unsigned char *local, uint64_t offset, size_t bytes)
{
    int error = 0;
    for (size_t at = 0, piece; at < bytes && !error; at += piece) {
        piece = bytes - at < PIECE ? bytes - at : PIECE;
        error = call(&key->memory->window, local + at, (int)piece, link->rank, offset + at, NULL);
    }
    return error;
}

static bool has_move_ended(struct sheaf_mpi_access *access)
{
    bool has_ended;
    int error = sheaf_mpi_state.shim->test(&access->request, &has_ended, NULL);
    if (error)
        sheaf_mpi_break_by_error(access->link, error);
    return has_ended;
}

static void mpi_start_access(call *call, sheaf_transport_link *link, const sheaf_transport_key *key,
                             void *local,
                             uint64_t offset, size_t bytes, void *operation)
{
    bool has_request = bytes <= PIECE;
    struct sheaf_mpi_access *access =
        take_access(link, has_request ? SHEAF_MPI_MOVE : SHEAF_MPI_FLUSHED, operation);
    if (!access) {
        sheaf_mpi_state.user->done(operation, "no memory");
        return;
    }
    if (!link->moves)
        sheaf_mpi_begin_asking(link);
    int error = has_request
                    ? call(&key->memory->window, local, (int)bytes, link->rank, offset, &access->request)
                    : call_in_pieces(call, link, key, local, offset, bytes);
    if (call == call_put || !has_request)
        mark_unflushed(link, key->memory);
    if (!has_access_begun(link, error) || (has_request && has_move_ended(access))) {
        mpi_tell_access_end(access, link->why);
        free_access(access);
    } else if (has_request) {
        append_move(access);
    } else {
        await_flush(access);
    }
}

/* Copies a short put, so that its source may be used again at once. Returns the reason of a failure. */
static const char *put_copy(sheaf_transport_link *link, const sheaf_transport_key *key, uint64_t offset,
                            const void *source, size_t bytes)
{
    void *copy = copy_until_flush(link->port, source, bytes);
    mark_unflushed(link, key->memory);
    if (copy)
        has_access_begun(link, call_put(&key->memory->window, copy, (int)bytes, link->rank, offset, NULL));
    ask_within_stream(link);
    return copy ? link->why : "no memory";
}

static bool mpi_put_at_once(sheaf_transport_link *link, sheaf_transport_key *key, uint64_t remote,
                            const void *source, size_t bytes, const char **why)
{
    if (bytes > SHEAF_MPI_SMALL)
        return false;
    *why = mpi_check_access(link, key, remote, bytes);
    if (*why || bytes == 0)
        return true;
    order_after_fence(link);
    *why = put_copy(link, key, remote - key->start, source, bytes);
    return true;
}

static void mpi_put(sheaf_transport_link *link, sheaf_transport_key *key, uint64_t remote,
                    const void *source,
                    size_t bytes, void *operation)
{
    const char *why;
    if (mpi_put_at_once(link, key, remote, source, bytes, &why) ||
        (why = mpi_check_access(link, key, remote, bytes))) {
        sheaf_mpi_state.user->done(operation, why);
        return;
    }
    order_after_fence(link);
    mpi_start_access(call_put, link, key, (void *)(uintptr_t)source, remote - key->start, bytes, operation);
}

/* On one host a flush ends a short get sooner than its request does. */
static bool mpi_get_at_once(sheaf_transport_link *link, sheaf_transport_key *key, void *dest,
                            uint64_t remote, size_t bytes, const char **why)
{
    if (!sheaf_mpi_state.flushes_soon || bytes > FLUSHED_GET || link->moves)
        return false;
    *why = mpi_check_access(link, key, remote, bytes);
    if (*why || bytes == 0)
        return true;
    mark_unflushed(link, key->memory);
    if (has_access_begun(link, call_get(&key->memory->window, dest, (int)bytes, link->rank,
                                        remote - key->start, NULL)))
        sheaf_mpi_flush_windows(link);
    *why = link->why;
    return true;
}

static void mpi_get(sheaf_transport_link *link, sheaf_transport_key *key, void *dest, uint64_t remote,
                    size_t bytes, void *operation)
{
    const char *why = mpi_check_access(link, key, remote, bytes);
    if (why || bytes == 0)
        sheaf_mpi_state.user->done(operation, why);
    else
        mpi_start_access(call_get, link, key, dest, remote - key->start, bytes, operation);
}

static enum sheaf_mpi_change change_of(enum sheaf_amo operation)
{
    switch (operation) {
    case SHEAF_AMO_ADD:
        return SHEAF_MPI_SUM;
    case SHEAF_AMO_AND:
        return SHEAF_MPI_AND;
    case SHEAF_AMO_OR:
        return SHEAF_MPI_OR;
    case SHEAF_AMO_XOR:
        return SHEAF_MPI_XOR;
    default:
        return SHEAF_MPI_REPLACE;
    }
}

/* An atomic operation without a result. Its operand is copied, so it has ended for its user. */
static void change_word(sheaf_transport_link *link, const sheaf_transport_key *key,
                        const struct sheaf_mpi_word *word, const struct sheaf_transport_atomic *call,
                        void *operation)
{
    void *copy = copy_until_flush(link->port, call->operand, call->bytes);
    mark_unflushed(link, key->memory);
    if (copy)
        has_access_begun(link, sheaf_mpi_state.shim->change(word, change_of(call->operation), copy, NULL));
    ask_within_stream(link);
    sheaf_mpi_state.user->done(operation, copy ? link->why : "no memory");
}

/* With a compare-and-swap the memory for the result first holds the value to store. */
static int call_atomic(struct sheaf_mpi_access *access, const struct sheaf_mpi_word *word,
                       const struct sheaf_transport_atomic *call)
{
    const struct sheaf_mpi_shim *shim = sheaf_mpi_state.shim;
    access->reply = call->reply;
    access->bytes = call->bytes;
    if (call->operation == SHEAF_AMO_COMPARE_SWAP) {
        memcpy(&access->compare, call->operand, call->bytes);
        memcpy(&access->operand, call->reply, call->bytes);
        return shim->compare_swap(word, &access->compare, &access->operand, &access->before);
    }
    memcpy(&access->operand, call->operand, call->bytes);
    return shim->change(word, change_of(call->operation), &access->operand, &access->before);
}

static void fetch_and_change_word(sheaf_transport_link *link, const sheaf_transport_key *key,
                                  const struct sheaf_mpi_word *word,
                                  const struct sheaf_transport_atomic *call, void *operation)
{
    struct sheaf_mpi_access *access = take_access(link, SHEAF_MPI_FLUSHED, operation);
    mark_unflushed(link, key->memory);
    if (!access) {
        sheaf_mpi_state.user->done(operation, "no memory");
    } else if (has_access_begun(link, call_atomic(access, word, call))) {
        await_flush(access);
    } else {
        mpi_tell_access_end(access, link->why);
        free_access(access);
    }
}

static void mpi_atomic(sheaf_transport_link *link, sheaf_transport_key *key,
                       const struct sheaf_transport_atomic *call, void *operation)
{
    const char *why = mpi_check_access(link, key, call->remote, call->bytes);
    if (why) {
        sheaf_mpi_state.user->done(operation, why);
        return;
    }
    const struct sheaf_mpi_word word = {&key->memory->window, link->rank, call->bytes,
                                        call->remote - key->start};
    order_after_fence(link);
    (call->reply ? fetch_and_change_word : change_word)(link, key, &word, call, operation);
}

static void mpi_fence(sheaf_transport_port *port)
{
    port->fences++;
}

static uint64_t oldest_move(const sheaf_transport_link *link)
{
    uint64_t oldest = UINT64_MAX;
    for (const struct sheaf_mpi_access *move = link->port->moves; move; move = move->next)
        if (move->link == link && move->number < oldest)
            oldest = move->number;
    return oldest;
}

/* Whether an access can be reported once all windows of the link are flushed. A get ends by its request,
 * and a flush would wait for it. */
static bool may_end(const struct sheaf_mpi_access *access, uint64_t oldest)
{
    return access && (access->kind == SHEAF_MPI_FLUSHED || access->number < oldest);
}

static bool end_waiting(sheaf_transport_link *link)
{
    uint64_t oldest = oldest_move(link);
    if (!link->why && !may_end(link->waiting, oldest))
        return false;
    if (!link->why)
        sheaf_mpi_flush_windows(link);
    uint64_t last = link->accesses; /* accesses that start while others are reported are not flushed */
    while (may_end(link->waiting, oldest) && link->waiting->number <= last) {
        struct sheaf_mpi_access *access = link->waiting;
        link->waiting = access->next;
        if (!link->waiting)
            link->waiting_last = &link->waiting;
        mpi_tell_access_end(access, link->why);
        free_access(access);
    }
    return true;
}

static bool mpi_flush_at_once(sheaf_transport_link *link, const char **why)
{
    if (!link->why && (link->moves || link->waiting))
        return false;
    if (!link->why)
        sheaf_mpi_flush_windows(link);
    *why = link->why;
    return true;
}

static void mpi_flush(sheaf_transport_link *link, void *operation)
{
    const char *why = "no memory";
    struct sheaf_mpi_access *access =
        mpi_flush_at_once(link, &why) ? NULL : take_access(link, SHEAF_MPI_FLUSH, operation);
    if (access)
        await_flush(access);
    else
        sheaf_mpi_state.user->flushed(operation, why);
}

/* On one host a short access ends sooner than a wait takes its next turn. */
static bool has_move_ended_soon(struct sheaf_mpi_access *access)
{
    bool has_ended = has_move_ended(access);
    for (int i = 1; i < TESTS_ON_ONE_HOST && sheaf_mpi_state.is_one_host && !has_ended; i++)
        has_ended = has_move_ended(access);
    return has_ended;
}

/* Ends are reported only once the list is consistent again. */
static bool finish_moves(sheaf_transport_port *port)
{
    struct sheaf_mpi_access **offset = &port->moves, *ended = NULL, **ended_last = &ended;
    for (int look = 0; look < LOOKS && *offset; look++) {
        struct sheaf_mpi_access *access = *offset;
        if (!has_move_ended_soon(access)) {
            offset = &access->next;
            continue;
        }
        *offset = access->next;
        access->link->moves--;
        if (!*offset)
            port->moves_last = offset;
        access->next = NULL;
        *ended_last = access;
        ended_last = &access->next;
    }
    bool any = ended != NULL;
    while (ended) {
        struct sheaf_mpi_access *next = ended->next;
        mpi_tell_access_end(ended, ended->link->why);
        free_access(ended);
        ended = next;
    }
    return any;
}

bool sheaf_mpi_take_accesses(sheaf_transport_port *port)
{
    bool any = finish_moves(port);
    if (port->moves)
        sheaf_mpi_ask_again(port->moves->link);
    sheaf_transport_link *link = port->waiting;
    port->waiting = NULL;
    while (link) {
        sheaf_transport_link *next = link->next_waiting;
        any |= end_waiting(link);
        link->is_waiting = link->waiting != NULL;
        if (link->is_waiting) {
            link->next_waiting = port->waiting;
            port->waiting = link;
        }
        link = next;
    }
    return any;
}

/* MPI keeps the accesses that it has. */
void sheaf_mpi_end_accesses(sheaf_transport_link *link)
{
    for (struct sheaf_mpi_access *move = link->port->moves; move; move = move->next)
        if (move->link == link)
            mpi_tell_access_end(move, link->why);
    for (struct sheaf_mpi_access *access = link->waiting; access; access = access->next)
        mpi_tell_access_end(access, link->why);
}

static void free_access_list(struct sheaf_mpi_access *list)
{
    while (list) {
        struct sheaf_mpi_access *next = list->next;
        free(list);
        list = next;
    }
}

/* Memory that MPI may still use is not freed. */
void sheaf_mpi_free_accesses(sheaf_transport_port *port)
{
    bool is_quiet = !port->moves;
    for (const sheaf_transport_link *link = port->links; link; link = link->next)
        is_quiet &= sheaf_mpi_is_flushed(link);
    free_access_list(port->free_accesses);
    if (is_quiet)
        free(port->copies);
}

const struct sheaf_transport_direct sheaf_mpi_direct = {
    .offer = sheaf_mpi_offer,
    .withdraw = sheaf_mpi_withdraw,
    .is_collective = true,
    .accept = sheaf_mpi_accept,
    .forget = sheaf_mpi_forget,
    .put = mpi_put,
    .get = mpi_get,
    .atomic = mpi_atomic,
    .fence = mpi_fence,
    .flush = mpi_flush,
    .put_at_once = mpi_put_at_once,
    .get_at_once = mpi_get_at_once,
    .flush_at_once = mpi_flush_at_once,
};
