/* SPDX-License-Identifier: BSD-3-Clause
 * See amo_provider.h.
 */
#include "core/access/amo_provider.h"

#include "base/log.h"
#include "base/os/os.h"
#include "boot/boot.h"
#include "core/access/chaos/chaos.h"
#include "core/memory/check.h"
#include "core/access/context.h"
#include "core/access/counters.h"
#include "core/memory/space.h"
#include "core/memory/team_blocks.h"
#include "image/image.h"
#include "core/pe/job.h"
#include "core/memory/blocks.h"
#include "core/access/order.h"
#include "core/pe/public_extensions.h"
#include "core/access/route.h"

#include <string.h>

static sheaf_amo_set native, uses;

void sheaf_amo_provider_set(sheaf_amo_set all_native, sheaf_amo_set all_uses, bool in_network)
{
    native = all_native;
    uses = all_uses;
    sheaf_far_reaches_near = in_network;
}

/* Contexts of node teams are an atomicity domain of their own: see SHMEM_TEAM_SHARED in the
 * specification. */
static bool is_device(shmem_ctx_t ctx, const void *object)
{
    if (!sheaf_far_reaches_near || (ctx != SHMEM_CTX_DEFAULT && ctx->is_of_node))
        return false;
    const struct sheaf_space *space = object ? sheaf_space_of(object) : NULL;
    if (space)
        return space->by_network;
    if (object && (sheaf_team_memory_holds(object, 1) || sheaf_image_holds_constant(object, 1)))
        return false;
    return sheaf_job.settings.atomics == SHEAF_ATOMICS_DEVICE ||
           (object && sheaf_blocks_is_hinted(object));
}

static void require_operation(const struct sheaf_amo_call *amo, const char *call)
{
    if (sheaf_likely(sheaf_amo_way(native, amo->operation, amo->bytes) != SHEAF_AMO_NOT))
        return;
    char declared[128];
    sheaf_amo_print(uses, declared, sizeof declared);
    sheaf_fatal("SH130 %s: the network has no %s%u and nothing to build it from, and what the program said "
                "it uses (%s) does not name it: declare all operations, in SHEAF_ATOMICS_USES or "
                "shmemx_atomics_declare()",
                call, sheaf_amo_names[amo->operation], amo->bytes * 8, declared);
}

/* Whether the network performs the operation. If so, its arguments have been checked. */
static bool goes_to_network(shmem_ctx_t ctx, const struct sheaf_amo_call *amo, int pe,
                            const char *call)
{
    if (sheaf_likely(!is_device(ctx, amo->object)))
        return false;
    sheaf_route_slow(amo->object, amo->bytes, pe, call);
    sheaf_check_aligned(amo->object, amo->bytes, call);
    require_operation(amo, call);
    if (sheaf_unlikely(sheaf_chaos_is_on)) /* the network does not wait for deferred operations */
        sheaf_chaos_quiet(ctx, pe);
    return true;
}

/* Returns the value that word held before. */
static uint64_t compare_swap(shmem_ctx_t ctx, void *word, uint64_t compare, uint64_t value, int pe)
{
    const struct sheaf_amo_call call = {SHEAF_AMO_COMPARE_SWAP, 8, word, value, compare, true};
    uint64_t held = 0;
    sheaf_far_perform(ctx, &call, &held, false, pe);
    return held;
}

static uint64_t apply_operation(const struct sheaf_amo_call *amo, uint64_t held, uint64_t compare)
{
    switch (amo->operation) {
    case SHEAF_AMO_FETCH:
        return held;
    case SHEAF_AMO_ADD:
        return held + amo->operand;
    case SHEAF_AMO_AND:
        return held & amo->operand;
    case SHEAF_AMO_OR:
        return held | amo->operand;
    case SHEAF_AMO_XOR:
        return held ^ amo->operand;
    case SHEAF_AMO_COMPARE_SWAP:
        return held == compare ? amo->operand : held;
    default:
        return amo->operand;
    }
}

/* A 32-bit object is changed within its 64-bit word, of which the other half must stay as it was. In
 * each round the compare-and-swap of some PE succeeds. Returns the value that the object held. */
static uint64_t build_operation(shmem_ctx_t ctx, const struct sheaf_amo_call *amo, int pe)
{
    uintptr_t at = (uintptr_t)amo->object;
    unsigned shift = amo->bytes == 4 ? (unsigned)(at % 8) * 8 : 0;
    uint64_t mask = amo->bytes == 4 ? UINT32_MAX : UINT64_MAX;
    void *word = (void *)(at - at % 8);
    uint64_t before = compare_swap(ctx, word, 0, 0, pe);
    for (;;) {
        uint64_t held = before >> shift & mask;
        uint64_t changed = apply_operation(amo, held, amo->compare & mask) & mask;
        uint64_t after = (before & ~(mask << shift)) | changed << shift;
        if (after == before)
            return held;
        uint64_t seen = compare_swap(ctx, word, before, after, pe);
        if (seen == before)
            return held;
        before = seen;
    }
}

/* Uses the network's own operation, or builds it from the network's compare-and-swap. */
static void perform_by_network(shmem_ctx_t ctx, const struct sheaf_amo_call *amo, void *result, bool nbi,
                               int pe)
{
    if (sheaf_amo_way(native, amo->operation, amo->bytes) == SHEAF_AMO_BUILT) {
        uint64_t held = build_operation(ctx, amo, pe);
        if (result)
            memcpy(result, &held, amo->bytes);
        return;
    }
    struct sheaf_amo_call call = *amo;
    call.by_network = true;
    sheaf_far_perform(ctx, &call, result, nbi, pe);
}

void sheaf_amo_provider_perform(const struct sheaf_amo_call *amo, int pe, shmem_ctx_t ctx,
                                const char *call)
{
    SHEAF_KEEP_ERRNO;
    if (goes_to_network(ctx, amo, pe, call)) {
        perform_by_network(ctx, amo, NULL, true, pe);
        sheaf_count_write(ctx, false, pe);
    } else {
        sheaf_checked_amo(amo, pe, ctx, call);
    }
}

uint64_t sheaf_amo_provider_fetch(const struct sheaf_amo_call *amo, int pe, shmem_ctx_t ctx,
                                  const char *call)
{
    SHEAF_KEEP_ERRNO;
    uint64_t result = 0;
    if (!goes_to_network(ctx, amo, pe, call))
        return sheaf_checked_amo_fetch(amo, pe, ctx, call);
    perform_by_network(ctx, amo, &result, false, pe);
    sheaf_count_read(ctx, pe);
    return result;
}

void sheaf_amo_provider_fetch_nbi(const struct sheaf_amo_call *amo, void *fetch, int pe,
                                  shmem_ctx_t ctx, const char *call)
{
    SHEAF_KEEP_ERRNO;
    if (goes_to_network(ctx, amo, pe, call)) {
        perform_by_network(ctx, amo, fetch, true, pe);
        sheaf_count_read(ctx, pe);
    } else {
        sheaf_checked_amo_fetch_nbi(amo, fetch, pe, ctx, call);
    }
}

int sheaf_amo_provider_of(shmem_ctx_t ctx, enum sheaf_amo operation, unsigned bytes,
                           const void *object, int pe)
{
    static const int ways[] = {
        [SHEAF_AMO_NOT] = SHMEMX_PROVIDER_NONE,
        [SHEAF_AMO_NATIVE] = SHMEMX_PROVIDER_NETWORK,
        [SHEAF_AMO_BUILT] = SHMEMX_PROVIDER_BUILT,
    };
    if (is_device(ctx, object))
        return ways[sheaf_amo_way(native, operation, bytes)];
    return sheaf_boot_node_of(pe) == sheaf_boot.node ? SHMEMX_PROVIDER_PROCESSOR
                                                     : SHMEMX_PROVIDER_MESSAGE;
}
