/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The transport's table, and its start: one provider, one fabric and one domain for all ports.
 */
#include "engine/ofi/ofi.h"

#include "base/log.h"

#include <stdio.h>
#include <string.h>

/* Returns NULL, or why not. */
static const char *open_domain(const struct fi_info *chosen)
{
    struct sheaf_ofi_state *state = &sheaf_ofi_state;
    state->info = sheaf_ofi.fi_dupinfo(chosen);
    int status = state->info ? sheaf_ofi.fi_fabric(state->info->fabric_attr, &state->fabric, NULL)
                             : -FI_ENOMEM;
    if (status == 0)
        status = fi_domain(state->fabric, state->info, &state->domain, NULL);
    return status == 0 ? NULL : sheaf_ofi_words(status);
}

static void close_domain(void)
{
    struct sheaf_ofi_state *state = &sheaf_ofi_state;
    if (state->domain)
        fi_close(&state->domain->fid);
    if (state->fabric)
        fi_close(&state->fabric->fid);
    if (state->info)
        sheaf_ofi.fi_freeinfo(state->info);
    *state = (struct sheaf_ofi_state){0};
}

static void note_provider(void)
{
    struct sheaf_ofi_state *state = &sheaf_ofi_state;
    state->registers =
        state->info->domain_attr->mr_mode & FI_MR_LOCAL || sheaf_ofi_has(SHEAF_OFI_REGISTERED);
    state->has_parts = state->info->tx_attr->iov_limit >= 2 && !state->registers &&
                       !sheaf_ofi_has(SHEAF_OFI_ONE_PART);
    state->is_gated = sheaf_ofi_gate(state->info);
    state->has_listeners = sheaf_ofi_has_listeners(state->info);
}

static int start_provider(const struct fi_info *all)
{
    char why[400], name[128];
    const struct fi_info *chosen = sheaf_ofi_choose(all, why, sizeof why);
    if (!chosen) {
        sheaf_error("engine ofi: %s", why);
        return -1;
    }
    const char *reason = open_domain(chosen);
    if (!reason) {
        note_provider();
        return 0;
    }
    sheaf_ofi_print_provider(chosen, name, sizeof name);
    sheaf_error("engine ofi: libfabric's provider %s cannot start: %s; SHEAF_OFI_PROVIDER chooses another "
                "one", name, reason);
    close_domain();
    return -1;
}

static struct fi_info *load_providers(char *why, size_t size)
{
    return sheaf_ofi_load(why, size) == 0 ? sheaf_ofi_providers(why, size) : NULL;
}

static int start(const struct sheaf_transport_user *user, struct sheaf_transport_abilities *abilities)
{
    char why[400];
    if (sheaf_ofi_read_rules() != 0)
        return -1;
    struct fi_info *all = load_providers(why, sizeof why);
    if (!all) {
        sheaf_error("engine ofi: %s", why);
        return -1;
    }
    sheaf_ofi_state = (struct sheaf_ofi_state){.user = user};
    *abilities = (struct sheaf_transport_abilities){0};
    int status = start_provider(all);
    sheaf_ofi.fi_freeinfo(all);
    return status;
}

static bool is_installed(void)
{
    char why[400];
    return sheaf_ofi_load(why, sizeof why) == 0;
}

static bool describe_providers(FILE *out, const struct fi_info *all)
{
    char list[256], name[128], why[400];
    sheaf_ofi_list(all, list, sizeof list);
    fprintf(out, "providers: %s\n", list);
    const struct fi_info *chosen = sheaf_ofi_choose(all, why, sizeof why);
    if (!chosen) {
        fprintf(out, "cannot start: %s\n", why);
        return false;
    }
    sheaf_ofi_print_provider(chosen, name, sizeof name);
    fprintf(out, "chosen: %s: %s\n", name, why);
    fprintf(out, "puts and gets: messages to the target's processor\n");
    fprintf(out, "strangers: %s\n",
            sheaf_ofi_gate(chosen) ? "TCP connections that do not begin with the job's key are closed"
                                   : "not kept from connecting by this provider; their messages are "
                                     "dropped");
    return true;
}

static bool describe(FILE *out)
{
    char why[400];
    struct fi_info *all = load_providers(why, sizeof why);
    if (!all) {
        fprintf(out, "not available: %s\n", why);
        return false;
    }
    uint32_t version = sheaf_ofi.fi_version();
    fprintf(out, "libfabric %u.%u\n", FI_MAJOR(version), FI_MINOR(version));
    bool fits = describe_providers(out, all);
    sheaf_ofi.fi_freeinfo(all);
    return fits;
}

static sheaf_amo_set native_atomics(char *why, size_t size)
{
    snprintf(why, size, "the engine over libfabric leaves them to the processors");
    return 0;
}

const struct sheaf_transport sheaf_transport_ofi = {
    .name = "ofi",
    .title = "libfabric",
    .is_installed = is_installed,
    .start = start,
    .stop = close_domain,
    .describe = describe,
    .native_atomics = native_atomics,
    .open = sheaf_ofi_open,
    .close = sheaf_ofi_close,
    .address = sheaf_ofi_address,
    .connect = sheaf_ofi_connect,
    .send = sheaf_ofi_send,
    .fetch = sheaf_ofi_fetch,
    .turn = sheaf_ofi_turn,
    .descriptor = sheaf_ofi_port_descriptor,
    .arm = sheaf_ofi_arm,
};
