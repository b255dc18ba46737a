/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The transport's table, and its start: one provider, one fabric and one domain for all ports.
 */
#include "engine/ofi/ofi.h"

#include "base/log.h"
#include "base/os/host.h"
#include "base/os/library.h"
#include "base/settings/env.h"

#include <stdio.h>
#include <string.h>

static struct fi_info *load_providers(char *why, size_t size)
{
    return sheaf_ofi_load(why, size) == 0 ? sheaf_ofi_providers(0, why, size) : NULL;
}

/* The abilities that the provider is to have: those of its hardware, and those that the job insists on. */
static uint64_t ofi_choose_abilities(const struct sheaf_engine_job *job, const struct fi_info *chosen)
{
    uint64_t hardware = sheaf_ofi_in_hardware(chosen), wanted = 0;
    if (job->rma == SHEAF_RMA_NATIVE || (job->rma == SHEAF_RMA_AUTO && hardware & FI_RMA))
        wanted |= FI_RMA;
    if (job->atomics != SHEAF_ATOMICS_CPU && (job->native_atomics || hardware & FI_ATOMIC))
        wanted |= FI_ATOMIC;
    return wanted;
}

/* Over TCP a layer has atomic operations that the provider below it lacks. */
static bool is_same(const struct fi_info *one, const struct fi_info *other)
{
    bool is_way = strcmp(one->fabric_attr->prov_name, other->fabric_attr->prov_name) == 0 ||
                  (sheaf_ofi_has_listeners(one) && sheaf_ofi_has_listeners(other));
    return is_way && strcmp(one->domain_attr->name, other->domain_attr->name) == 0;
}

/* The chosen provider, or another one on the same network, with these abilities; the caller frees *all.
 * NULL: none. */
static const struct fi_info *with_abilities(const struct fi_info *chosen, uint64_t abilities,
                                            struct fi_info **all)
{
    char why[400];
    *all = sheaf_ofi_providers(abilities, why, sizeof why);
    const struct fi_info *able = *all ? sheaf_ofi_choose(*all, why, sizeof why) : NULL;
    return able && is_same(chosen, able) ? able : NULL;
}

/* Names the host, since another one may have what this one lacks. */
static void print_reason(const char *reason)
{
    sheaf_error("SH503 engine ofi: host %s: %s", sheaf_os_host_name().text, reason);
}

static void print_failure(const struct fi_info *chosen, const char *why)
{
    char name[128], reason[400];
    sheaf_ofi_print_provider(chosen, name, sizeof name);
    snprintf(reason, sizeof reason, "libfabric's provider %s cannot start: %s; SHEAF_OFI_PROVIDER chooses "
             "another one", name, why);
    print_reason(reason);
}

static int open_able(const struct fi_info *chosen, uint64_t wanted)
{
    struct fi_info *all = NULL;
    const struct fi_info *able = wanted ? with_abilities(chosen, wanted, &all) : chosen;
    const char *reason = able ? sheaf_ofi_open_domain(able, wanted)
                              : "it has no puts, gets or atomic operations of its own: set "
                                "SHEAF_RMA=message and SHEAF_ATOMICS=cpu";
    if (all)
        sheaf_ofi.fi_freeinfo(all);
    if (reason)
        print_failure(chosen, reason);
    return reason ? -1 : 0;
}

static bool is_among(sheaf_amo_set wanted, sheaf_amo_set found)
{
    for (int operation = 0; operation < SHEAF_AMOS; operation++)
        for (unsigned bytes = 4; bytes <= 8; bytes += 4)
            if (wanted & sheaf_amo_bit(operation, bytes) &&
                sheaf_amo_way(found, operation, bytes) != SHEAF_AMO_NATIVE)
                return false;
    return true;
}

static int ofi_choose_native_atomics(const struct sheaf_engine_job *job,
                                     struct sheaf_transport_abilities *abilities)
{
    char found[128];
    abilities->atomics = job->native_atomics ? job->native_atomics : sheaf_ofi_state.atomics;
    if (is_among(job->native_atomics, sheaf_ofi_state.atomics))
        return 0;
    const char *name = sheaf_ofi_state.info->fabric_attr->prov_name;
    sheaf_amo_print(sheaf_ofi_state.atomics, found, sizeof found);
    if (*found)
        sheaf_error("SH201 SHEAF_ATOMICS_NATIVE: libfabric's provider %s has only %s: name some of these",
                    name, found);
    else
        sheaf_error("SH201 SHEAF_ATOMICS_NATIVE: libfabric's provider %s has no atomic operations: unset "
                    "it, or choose another one with SHEAF_OFI_PROVIDER", name);
    sheaf_ofi_close_domain();
    return -1;
}

static int start_provider(const struct sheaf_engine_job *job, const struct fi_info *all,
                          struct sheaf_transport_abilities *abilities)
{
    char why[400];
    const struct fi_info *chosen = sheaf_ofi_choose(all, why, sizeof why);
    if (!chosen) {
        print_reason(why);
        return -1;
    }
    uint64_t wanted = ofi_choose_abilities(job, chosen);
    if (open_able(chosen, wanted) != 0)
        return -1;
    snprintf(sheaf_ofi_state.device, sizeof sheaf_ofi_state.device, "%s/%s",
             sheaf_ofi_state.info->fabric_attr->prov_name, sheaf_ofi_state.info->domain_attr->name);
    abilities->has_direct = wanted & FI_RMA;
    abilities->longest = abilities->longest_whole = sheaf_ofi_state.sizes.fragment;
    abilities->locks_nothing = !sheaf_ofi_state.registers &&
                               !(sheaf_ofi_state.info->domain_attr->mr_mode & FI_MR_ALLOCATED);
    return wanted & FI_ATOMIC ? ofi_choose_native_atomics(job, abilities) : 0;
}

static int ofi_start(const struct sheaf_transport_user *user, struct sheaf_transport_abilities *abilities)
{
    char why[400];
    if (sheaf_ofi_read_rules() != 0)
        return -1;
    struct fi_info *all = load_providers(why, sizeof why);
    if (!all) {
        print_reason(why);
        return -1;
    }
    sheaf_ofi_state = (struct sheaf_ofi_state){.user = user};
    *abilities = (struct sheaf_transport_abilities){0};
    int status = start_provider(user->job, all, abilities);
    sheaf_ofi.fi_freeinfo(all);
    return status;
}

static bool ofi_is_installed(void)
{
    char why[400];
    return sheaf_ofi_load(why, sizeof why) == 0;
}

static void describe_ofi_rma(FILE *out, const struct fi_info *chosen)
{
    const struct sheaf_engine_job job = {.rma = sheaf_settings_choice("SHEAF_RMA")};
    bool in_hardware = sheaf_ofi_in_hardware(chosen) & FI_RMA;
    fprintf(out, "puts and gets: %s (SHEAF_RMA=%s; %s)\n",
            ofi_choose_abilities(&job, chosen) & FI_RMA ? "the network's own"
                                                    : "messages to the target's processor",
            sheaf_rma_names[job.rma],
            in_hardware ? "this provider has them in hardware"
                        : "this provider is not known to have them in hardware");
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
    describe_ofi_rma(out, chosen);
    fprintf(out, "strangers: %s\n",
            sheaf_ofi_gate(chosen) ? "TCP connections that do not begin with the job's key are closed"
                                   : "not kept from connecting by this provider; their messages are "
                                     "dropped");
    return true;
}

static bool ofi_describe(FILE *out)
{
    char why[400];
    struct fi_info *all = load_providers(why, sizeof why);
    if (!all) {
        fprintf(out, "not available: %s\n", why);
        return false;
    }
    uint32_t version = sheaf_ofi.fi_version();
    char path[4096];
    fprintf(out, "libfabric %u.%u\n", FI_MAJOR(version), FI_MINOR(version));
    if (sheaf_library_path((void *)sheaf_ofi.fi_version, path, sizeof path))
        fprintf(out, "library: %s (this host's)\n", path);
    bool fits = describe_providers(out, all);
    sheaf_ofi.fi_freeinfo(all);
    return fits;
}

static sheaf_amo_set native_atomics_of(const struct fi_info *chosen, char *why, size_t size)
{
    struct fi_info *all = NULL;
    const struct fi_info *able =
        sheaf_ofi_in_hardware(chosen) & FI_ATOMIC ? with_abilities(chosen, FI_ATOMIC, &all) : NULL;
    sheaf_amo_set found = able ? sheaf_ofi_probe_atomics(able) : 0;
    snprintf(why, size, "libfabric's %s has them done by the target's processor, as messages do",
             chosen->fabric_attr->prov_name);
    if (all)
        sheaf_ofi.fi_freeinfo(all);
    return found;
}

static sheaf_amo_set ofi_native_atomics(char *why, size_t size)
{
    struct fi_info *all = load_providers(why, size);
    const struct fi_info *chosen = all ? sheaf_ofi_choose(all, why, size) : NULL;
    sheaf_amo_set found = chosen ? native_atomics_of(chosen, why, size) : 0;
    if (all)
        sheaf_ofi.fi_freeinfo(all);
    return found;
}

static const char *ofi_devices_of(const sheaf_transport_link *link)
{
    (void)link;
    return sheaf_ofi_state.device;
}

const struct sheaf_transport sheaf_transport_ofi = {
    .name = "ofi",
    .title = "libfabric",
    .is_installed = ofi_is_installed,
    .drives_fabric = sheaf_ofi_drives_fabric,
    .start = ofi_start,
    .stop = sheaf_ofi_close_domain,
    .describe = ofi_describe,
    .native_atomics = ofi_native_atomics,
    .open = sheaf_ofi_open,
    .close = sheaf_ofi_close,
    .address = sheaf_ofi_address,
    .connect = sheaf_ofi_connect,
    .devices_of = ofi_devices_of,
    .send = sheaf_ofi_send,
    .fetch = sheaf_ofi_fetch,
    .turn = sheaf_ofi_turn,
    .descriptor = sheaf_ofi_port_descriptor,
    .arm = sheaf_ofi_arm,
    .give_up = sheaf_ofi_give_up,
    .direct = &sheaf_ofi_direct,
};
