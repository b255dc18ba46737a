/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The open provider: one fabric and one domain for all ports, and its needs and abilities.
 */
#include "engine/ofi/ofi.h"

#include <string.h>

/* Returns libfabric's status. */
static int open_both(struct fi_info *info, struct fid_fabric **fabric, struct fid_domain **domain)
{
    int status = sheaf_ofi.fi_fabric(info->fabric_attr, fabric, NULL);
    return status == 0 ? fi_domain(*fabric, info, domain, NULL) : status;
}

static void close_both(struct fid_fabric *fabric, struct fid_domain *domain)
{
    if (domain)
        fi_close(&domain->fid);
    if (fabric)
        fi_close(&fabric->fid);
}

/* Clears the operation flags that were requested: each access asks for its completion by itself. */
static struct fi_info *copy_info(const struct fi_info *chosen)
{
    struct fi_info *info = sheaf_ofi.fi_dupinfo(chosen);
    if (info)
        info->tx_attr->op_flags = 0;
    return info;
}

static void note_memory(struct sheaf_ofi_state *state)
{
    int modes = state->info->domain_attr->mr_mode;
    state->registers = modes & FI_MR_LOCAL || sheaf_ofi_has(SHEAF_OFI_REGISTERED);
    state->binds = modes & FI_MR_ENDPOINT || sheaf_ofi_has(SHEAF_OFI_BOUND);
    state->has_parts = state->info->tx_attr->iov_limit >= 2 && !state->registers &&
                       !sheaf_ofi_has(SHEAF_OFI_ONE_PART);
}

/* Long messages are read from their own memory. No provider over TCP needs them registered, or in one
 * part. */
static struct sheaf_ofi_sizes choose_sizes(const struct sheaf_ofi_state *state)
{
    bool fits = state->info->ep_attr->max_msg_size >= SHEAF_OFI_BEFORE_DATA + SHEAF_OFI_LONG_FRAGMENT;
    if (state->has_parts && sheaf_ofi_has_listeners(state->info) && fits)
        return (struct sheaf_ofi_sizes){SHEAF_OFI_LONG_FRAGMENT, 8, 2};
    return (struct sheaf_ofi_sizes){SHEAF_OFI_SHORT_FRAGMENT, 32, 4};
}

static size_t least_size(size_t one, size_t other)
{
    return one < other ? one : other;
}

/* A put in several pieces does not keep its order: others go between the pieces. */
static void note_accesses(struct sheaf_ofi_state *state)
{
    const struct fi_info *info = state->info;
    uint64_t order = info->tx_attr->msg_order & info->rx_attr->msg_order;
    state->most = info->ep_attr->max_msg_size;
    if (sheaf_ofi_has(SHEAF_OFI_SHORT))
        state->most = least_size(state->most, SHEAF_OFI_MOST_BYTES);
    state->keeps_order = order & (FI_ORDER_WAW | FI_ORDER_RMA_WAW) && !sheaf_ofi_has(SHEAF_OFI_NO_ORDER);
    state->most_in_order = least_size(state->most, info->ep_attr->max_order_waw_size);
    if (state->registers)
        state->most_in_order = least_size(state->most_in_order, sheaf_ofi_most());
}

const char *sheaf_ofi_open_domain(const struct fi_info *chosen, uint64_t abilities)
{
    struct sheaf_ofi_state *state = &sheaf_ofi_state;
    state->info = copy_info(chosen);
    int status = state->info ? open_both(state->info, &state->fabric, &state->domain) : -FI_ENOMEM;
    if (status != 0) {
        sheaf_ofi_close_domain();
        return sheaf_ofi_words(status);
    }
    note_memory(state);
    state->sizes = choose_sizes(state);
    if (abilities)
        note_accesses(state);
    if (abilities & FI_ATOMIC)
        sheaf_ofi_query_atomics(state->domain, &state->atomics, &state->plain);
    state->wakes_once = sheaf_ofi_is_plain_tcp(state->info);
    state->is_gated = sheaf_ofi_gate(state->info);
    sheaf_ofi_raise_eager_limit(state->info);
    state->has_listeners = sheaf_ofi_has_listeners(state->info);
    return NULL;
}

void sheaf_ofi_close_domain(void)
{
    struct sheaf_ofi_state *state = &sheaf_ofi_state;
    close_both(state->fabric, state->domain);
    if (state->info)
        sheaf_ofi.fi_freeinfo(state->info);
    *state = (struct sheaf_ofi_state){0};
}

sheaf_amo_set sheaf_ofi_probe_atomics(const struct fi_info *chosen)
{
    struct fi_info *info = copy_info(chosen);
    struct fid_fabric *fabric = NULL;
    struct fid_domain *domain = NULL;
    sheaf_amo_set found = 0, plain;
    if (info && open_both(info, &fabric, &domain) == 0)
        sheaf_ofi_query_atomics(domain, &found, &plain);
    close_both(fabric, domain);
    if (info)
        sheaf_ofi.fi_freeinfo(info);
    return found;
}
