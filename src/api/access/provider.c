/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who carries out an operation, and what it costs: what the program asks, and what it says of its atomic
 * operations. Extensions.
 */
#include "api/define.h"

#ifndef SHEAF_PRINT
#include "api/access/access.h"
#include "base/clock.h"
#include "base/keep_errno.h"
#include "boot/boot.h"
#include "coll/choice.h"
#include "coll/coll.h"
#include "coll/operators.h"
#include "core/access/amo_provider.h"
#include "core/amo_agree.h"
#include "core/memory/check.h"
#include "core/pe/public_extensions.h"
#include "core/team/agree.h"
#include "core/team/multinode.h"
#include "core/team/sync.h"
#include "engine/perform.h"

#include <stdio.h>
#include <stdlib.h>

/* Operations by name. Atomic ones are numbered on from ATOMIC, collectives from COLLECTIVE. */
enum { PUT, GET, SIGNAL, ATOMIC, COLLECTIVE = ATOMIC + SHEAF_AMOS, OPERATIONS = COLLECTIVE + SHEAF_COPIES };
static const char *const move_names[] = {"put", "get", "signal", NULL};

static sheaf_amo_set parse(const char *operations, const char *call)
{
    char all[128];
    sheaf_amo_set set = 0;
    sheaf_amo_print(SHEAF_AMO_ALL, all, sizeof all);
    if (!operations || sheaf_amo_parse(operations, &set) != 0)
        sheaf_fatal("SH104 %s: operations is \"%s\"; expected a list without spaces of %s, each with 32, "
                    "64 or neither, or all", call, operations ? operations : "(null)", all);
    return set;
}

/* Of a name, with the bytes that go with it. */
static int operation_of(const char *name, size_t bytes, const char *call)
{
    const char *text = name ? name : "";
    int move = sheaf_names_find(move_names, text), atomic = sheaf_names_find(sheaf_amo_names, text);
    int family = sheaf_names_find(sheaf_family_names, text);
    if (move < 0 && atomic < 0 && (family < 0 || family >= SHEAF_COPIES))
        sheaf_fatal("SH104 %s: operation is \"%s\"; expected put, get, signal, fetch, set, add, and, or, "
                    "xor, swap, cswap, barrier, broadcast, fcollect or reduce",
                    call, name ? name : "(null)");
    if (atomic >= 0 && bytes != 4 && bytes != 8)
        sheaf_fatal("SH104 %s: bytes is %zu; expected 4 or 8 for %s", call, bytes, name);
    if (move == SIGNAL && bytes != 8)
        sheaf_fatal("SH104 %s: bytes is %zu; expected 8, the size of a signal", call, bytes);
    if (family == SHEAF_REDUCE && atomic < 0 && bytes % sizeof(long))
        sheaf_fatal("SH104 %s: bytes is %zu; expected a multiple of %zu, for elements of type long", call,
                    bytes, sizeof(long));
    return move >= 0 ? move : atomic >= 0 ? ATOMIC + atomic : COLLECTIVE + family;
}

static void require_pe(int pe, const char *call)
{
    sheaf_job_require(call);
    if (pe < 0 || pe >= sheaf_job.npes)
        sheaf_fatal("SH101 %s: PE %d is out of range: this job has PEs 0 to %d", call, pe,
                    sheaf_job.npes - 1);
}

static shmem_team_t team_of(shmem_ctx_t ctx)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    if (ctx != SHMEM_CTX_DEFAULT)
        sheaf_team_of_context(ctx, &team);
    return team;
}

static int provider_of_move(const void *object, int pe)
{
    bool is_direct = false;
    if (sheaf_boot_node_of(pe) == sheaf_boot.node)
        return SHMEMX_PROVIDER_PROCESSOR;
    if (!sheaf_network->reach(pe, object, &is_direct))
        return SHMEMX_PROVIDER_NONE;
    return is_direct ? SHMEMX_PROVIDER_NETWORK : SHMEMX_PROVIDER_MESSAGE;
}

/* The channel in words: the network for a PE of another node, or for one that it serves here, with this
 * PE's devices where they are known. */
static void describe_channel(int provider, bool is_atomic, const void *object, int pe, char *text,
                             size_t size)
{
    bool is_message = provider == SHMEMX_PROVIDER_MESSAGE, is_direct;
    if (provider == SHMEMX_PROVIDER_PROCESSOR) {
        snprintf(text, size, "mapped memory");
        return;
    }
    const char *title = sheaf_network->reach(pe, object, &is_direct);
    const char *devices = title ? sheaf_network->devices(pe, is_atomic && !is_message) : "";
    snprintf(text, size, "%s%s%s", title ? title : "no network", *devices ? " by " : "", devices);
}

/* Members on this node meet in memory. The algorithm is that of this node's members. */
static int describe_collective(struct sheaf_team *team, enum sheaf_family family, size_t bytes,
                               char *name)
{
    char channel[SHMEM_MAX_NAME_LEN - 40];
    int other = -1, near = 0;
    for (int rank = 0; rank < team->size; rank++) {
        int pe = sheaf_team_world_pe(team, rank);
        if (sheaf_boot_node_of(pe) == sheaf_boot.node)
            near++;
        else
            other = pe;
    }
    int provider = other < 0 ? SHMEMX_PROVIDER_PROCESSOR : SHMEMX_PROVIDER_MESSAGE;
    int algorithm = sheaf_choose(family == SHEAF_REDUCE ? SHEAF_REDUCE_EXACT : family, near, bytes);
    if (!sheaf_team_near(team)->has_levels && !strcmp(sheaf_algorithm_names[family][algorithm], "levels"))
        algorithm = sheaf_choose_without_levels(family, bytes);
    describe_channel(provider, false, NULL, other, channel, sizeof channel);
    snprintf(name, SHMEM_MAX_NAME_LEN, "%s%s, %s", channel, other < 0 ? "" : " between hosts",
             sheaf_algorithm_names[family][algorithm]);
    return provider;
}

static int provider_of(shmem_ctx_t ctx, int operation, size_t bytes, const void *object, int pe,
                       char *name, const char *call)
{
    char text[SHMEM_MAX_NAME_LEN];
    int provider;
    if (operation >= COLLECTIVE) {
        provider = describe_collective(sheaf_team_find(team_of(ctx), call), operation - COLLECTIVE, bytes,
                                       text);
    } else {
        provider = operation < ATOMIC ? provider_of_move(object, pe)
                                      : sheaf_amo_provider_of(ctx, operation - ATOMIC, (unsigned)bytes,
                                                              object, pe);
        describe_channel(provider, operation >= ATOMIC, object, pe, text, sizeof text);
    }
    if (name)
        memcpy(name, text, sizeof text);
    return provider;
}

/* An operation that is measured. */
struct trial {
    shmem_ctx_t ctx;
    int operation, pe;
    size_t bytes;
    void *object, *local; /* local holds what object held */
    bool is_built;
    struct sheaf_team *team;
    const char *call;
};

#define TRIALS       7    /* the median of so many; one more goes before */
#define TRIAL_NS     20000
#define TRIAL_ROUNDS 16   /* of a collective: the same on all members */

static void perform_put(const struct trial *trial)
{
    shmem_ctx_t ctx = trial->ctx;
    int pe = trial->pe;
    const char *call = trial->call;
    SHEAF_PUT((char *)trial->object, (const char *)trial->local, trial->bytes, 1);
}

static void perform_get(const struct trial *trial)
{
    shmem_ctx_t ctx = trial->ctx;
    int pe = trial->pe;
    const char *call = trial->call;
    SHEAF_GET((char *)trial->local, (const char *)trial->object, trial->bytes, 1);
}

static void perform_amo(const struct trial *trial, const struct sheaf_amo_call *amo, bool fetches)
{
    if (sheaf_route_is_near_for_atomics(trial->pe))
        sheaf_amo_perform(sheaf_route_near(amo->object, trial->pe), amo);
    else if (fetches)
        sheaf_amo_provider_fetch(amo, trial->pe, trial->ctx, trial->call);
    else
        sheaf_amo_provider_perform(amo, trial->pe, trial->ctx, trial->call);
}

/* The object keeps its value. What is built from compare-and-swap must change it to be whole: by bits that
 * are turned twice. */
static void perform_atomic(const struct trial *trial)
{
    struct sheaf_amo_call amo = {.operation = trial->operation - ATOMIC,
                                 .bytes = (unsigned)trial->bytes,
                                 .object = trial->object};
    uint64_t held = 0;
    bool fetches = amo.operation == SHEAF_AMO_FETCH || amo.operation == SHEAF_AMO_SWAP ||
                   amo.operation == SHEAF_AMO_COMPARE_SWAP;
    memcpy(&held, trial->local, trial->bytes);
    if (trial->is_built && amo.operation != SHEAF_AMO_FETCH && amo.operation != SHEAF_AMO_COMPARE_SWAP) {
        amo.operation = SHEAF_AMO_XOR;
        amo.operand = 1;
    } else if (amo.operation == SHEAF_AMO_AND) {
        amo.operand = UINT64_MAX;
    } else if (amo.operation == SHEAF_AMO_SET || amo.operation == SHEAF_AMO_SWAP ||
               amo.operation == SHEAF_AMO_COMPARE_SWAP) {
        amo.operand = amo.compare = held;
    }
    perform_amo(trial, &amo, fetches);
}

static void perform_signal(const struct trial *trial)
{
    uint64_t held;
    memcpy(&held, trial->local, sizeof held);
    if (sheaf_route_is_near(trial->pe)) {
        sheaf_store_release((uint64_t *)sheaf_route_near(trial->object, trial->pe), held);
        return;
    }
    const struct sheaf_signal_call signal = {trial->object, held, false};
    sheaf_checked_put_signal(NULL, NULL, 0, &signal, false, trial->pe, trial->ctx, trial->call);
}

static void perform_collective(const struct trial *trial)
{
    char *dest = trial->object ? (char *)trial->object + trial->bytes : NULL; /* NULL for a barrier */
    switch (trial->operation - COLLECTIVE) {
    case SHEAF_BARRIER:
        sheaf_sync_called(trial->team);
        break;
    case SHEAF_BROADCAST:
        sheaf_broadcast(trial->team, dest, trial->object, trial->bytes, 0, true);
        break;
    case SHEAF_FCOLLECT:
        sheaf_fcollect(trial->team, dest, trial->object, trial->bytes);
        break;
    default:
        sheaf_reduce(trial->team, dest, trial->object, trial->bytes / sizeof(long),
                     &SHEAF_OPERATOR(sum, long));
        break;
    }
}

static uint64_t perform_rounds(const struct trial *trial, long rounds)
{
    uint64_t begin = sheaf_clock_ns();
    for (; rounds > 0; rounds--) {
        if (trial->operation >= COLLECTIVE) {
            perform_collective(trial);
            continue;
        }
        if (trial->operation == PUT)
            perform_put(trial);
        else if (trial->operation == GET)
            perform_get(trial);
        else if (trial->operation == SIGNAL)
            perform_signal(trial);
        else
            perform_atomic(trial);
        sheaf_context_quiet(trial->ctx);
    }
    return sheaf_clock_ns() - begin;
}

static int compare_times(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

static double measure(const struct trial *trial)
{
    uint64_t took[TRIALS];
    long rounds = 2;
    perform_rounds(trial, 2);
    if (trial->operation >= COLLECTIVE)
        rounds = TRIAL_ROUNDS;
    else
        while (perform_rounds(trial, rounds) < TRIAL_NS && rounds < TRIAL_NS)
            rounds *= 2;
    for (int i = 0; i < TRIALS; i++)
        took[i] = perform_rounds(trial, rounds);
    qsort(took, TRIALS, sizeof *took, compare_times);
    return (double)took[TRIALS / 2] / (double)rounds;
}

static double cost_of(shmem_ctx_t ctx, int operation, size_t bytes, void *object, int pe,
                      const char *call)
{
    struct trial trial = {.ctx = ctx, .operation = operation, .pe = pe, .bytes = bytes, .object = object,
                          .call = call};
    if (!object && operation != COLLECTIVE + SHEAF_BARRIER)
        sheaf_fatal("SH104 %s: object is a null pointer; expected a symmetric object to measure with",
                    call);
    if (operation >= COLLECTIVE) {
        trial.team = sheaf_team_require(team_of(ctx), call);
        return measure(&trial);
    }
    trial.local = malloc(bytes + !bytes);
    if (!trial.local)
        sheaf_fatal("SH301 %s: no memory for %zu bytes", call, bytes);
    perform_get(&trial);
    trial.is_built = operation >= ATOMIC &&
                     sheaf_amo_provider_of(ctx, operation - ATOMIC, (unsigned)bytes, object, pe) ==
                         SHMEMX_PROVIDER_BUILT;
    double ns = measure(&trial);
    free(trial.local);
    return ns;
}
#endif

SHEAF_CHAPTER("Providers of operations: extensions")

/* Says which atomic operations the program uses from here on, as SHEAF_ATOMICS_USES does: a list of
 * fetch, set, add, and, or, xor, swap, cswap, each with 32 or 64 behind it or neither, which means both,
 * between commas: "add64,cswap64,fetch". An operation outside the list, which the network lacks and
 * cannot build, then no longer makes processors carry out the listed ones. Collective over the world;
 * completes what went before and synchronizes. Returns 1 where SHEAF_ATOMICS asked for the network's
 * operations and the objects concerned have them now, otherwise 0. */
SHEAF_EXTENSION(int, atomics_declare, (const char *operations), {
    sheaf_job_require(call);
    return sheaf_amo_agree_declare(parse(operations, call));
})

/* The provider of an operation of PE pe's memory, one of SHMEMX_PROVIDER_*. operation: put, get, signal
 * (8 bytes that a put with a signal sets); an atomic operation of 4 or 8 bytes, by a name as above without
 * a number; or a collective of ctx's team: barrier, broadcast, fcollect or reduce (the sum of longs), for
 * which pe does not count, and bytes are one member's. object is symmetric, or a null pointer for any that
 * was allocated without a hint. name, of SHMEM_MAX_NAME_LEN bytes or a null pointer, gets the channel in
 * words, with this PE's network devices where they are known, and a collective's algorithm. */
SHEAF_CTX_EXTENSION(int, provider,
                    (const char *operation, size_t bytes, const void *object, int pe, char *name), {
    require_pe(pe, call);
    return provider_of(ctx, operation_of(operation, bytes, call), bytes, object, pe, name, call);
})

/* Measures the operation, by many repetitions, and returns what one takes until it is complete, in
 * nanoseconds: a put, a signal and an atomic operation without a result with a quiet behind them. object,
 * symmetric, of bytes bytes, keeps its content; no other PE may use it meanwhile. For a collective all
 * members of ctx's team make the same call; object then has bytes bytes for the source, and behind them the
 * destination, which is overwritten. barrier takes a null pointer. */
SHEAF_CTX_EXTENSION(double, provider_ns, (const char *operation, size_t bytes, void *object, int pe), {
    require_pe(pe, call);
    SHEAF_KEEP_ERRNO;
    SHEAF_CALL(call);
    return cost_of(ctx, operation_of(operation, bytes, call), bytes, object, pe, call);
})
