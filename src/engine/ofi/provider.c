/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Chooses the provider of libfabric that carries the messages, and the network of this host. All hosts
 * choose by the same rules; SHEAF_OFI_PROVIDER decides where it is set.
 */
#include "engine/ofi/ofi.h"

#include "base/settings/env.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sheaf_ofi_state sheaf_ofi_state;

/* Providers, the best first: a fabric's own, adapters by verbs, sockets. Others are used only if
 * SHEAF_OFI_PROVIDER names them. in_hardware: abilities that the hardware has. Other providers let the
 * target's processor carry out puts, gets and atomic operations, which costs more than our messages
 * (docs/understand/engines.md has figures for tcp). Those of efa depend on the adapter. Reliable datagrams
 * over TCP are provided by net in libfabric 1.17, by tcp itself from 1.18 on, and by a layer elsewhere. */
static const struct {
    const char *name, *why, *module; /* the kernel's module of a fabric that other engines drive worse or
                                        not at all */
    uint64_t in_hardware;
} preferred[] = {
    {"cxi", "this host's fabric is Slingshot", "cxi_ss1", FI_RMA | FI_ATOMIC},
    {"efa", "this host has an Elastic Fabric Adapter", "efa", 0},
    {"opx", "this host's fabric is Omni-Path", "hfi1", 0},
    {"psm3", "this host has an adapter that PSM3 drives", NULL, 0},
    {"psm2", "this host's fabric is Omni-Path", "hfi1", 0},
    {"gni", "this host's fabric is Aries", "kgni", FI_RMA | FI_ATOMIC},
    {"verbs;ofi_rxm", "this host has an adapter that verbs drives", NULL, FI_RMA},
    {"net", "no fabric of its own is here, and it needs none", NULL, 0},
    {"tcp", "no fabric of its own is here, and it needs none", NULL, 0},
    {"tcp;ofi_rxm", "no fabric of its own is here, and it needs none", NULL, 0},
    {"sockets", "libfabric offers no better one here", NULL, 0},
    {"udp;ofi_rxd", "libfabric offers no better one here", NULL, 0},
};
enum { PREFERRED = sizeof preferred / sizeof preferred[0] };

/* The modes of memory registration that are offered. A rule of tests leaves out addresses and keys chosen
 * by the provider: providers that can do without follow. */
static int memory_modes(void)
{
    int by_address = sheaf_ofi_has(SHEAF_OFI_OFFSETS) ? 0 : FI_MR_VIRT_ADDR | FI_MR_PROV_KEY;
    return FI_MR_LOCAL | FI_MR_ALLOCATED | FI_MR_ENDPOINT | by_address;
}

static struct fi_info *make_hints(uint64_t abilities)
{
    struct fi_info *hints = sheaf_ofi.fi_dupinfo(NULL);
    if (!hints)
        return NULL;
    hints->caps = FI_MSG | abilities;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->mr_mode = memory_modes();
    hints->domain_attr->threading = FI_THREAD_SAFE;
    hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
    if (abilities)
        hints->tx_attr->op_flags = FI_DELIVERY_COMPLETE;
    return hints;
}

struct fi_info *sheaf_ofi_providers(uint64_t abilities, char *why, size_t size)
{
    struct fi_info *all = NULL, *hints = make_hints(abilities);
    int status = hints ? sheaf_ofi.fi_getinfo(SHEAF_OFI_INTERFACE, NULL, NULL, 0, hints, &all) : -FI_ENOMEM;
    if (hints)
        sheaf_ofi.fi_freeinfo(hints);
    if (status == 0)
        return all;
    const char *narrowed = getenv("FI_PROVIDER");
    if (narrowed)
        snprintf(why, size, "FI_PROVIDER=%.60s leaves libfabric no provider of reliable datagrams (%s): "
                 "unset it, or name another one", narrowed, sheaf_ofi_words(status));
    else
        snprintf(why, size, "libfabric finds no provider of reliable datagrams on this host (%s): 'fi_info "
                 "-t FI_EP_RDM' lists them", sheaf_ofi_words(status));
    return NULL;
}

static const char *provider_name(const struct fi_info *info)
{
    return info->fabric_attr->prov_name;
}

/* "tcp" also names "tcp;ofi_rxm". */
static bool is_named(const struct fi_info *info, const char *name)
{
    size_t length = strlen(name);
    return strncmp(provider_name(info), name, length) == 0 &&
           (provider_name(info)[length] == '\0' || provider_name(info)[length] == ';');
}

static int preference_of(const struct fi_info *info)
{
    int index = 0;
    while (index < PREFERRED && strcmp(preferred[index].name, provider_name(info)) != 0)
        index++;
    return index;
}

uint64_t sheaf_ofi_in_hardware(const struct fi_info *info)
{
    int index = preference_of(info);
    return index < PREFERRED ? preferred[index].in_hardware : 0;
}

/* Not used, as UCX's is not: its files outlive a PE that is killed, and PEs of a host map each other's
 * memory anyway. */
static bool is_shared_memory(const char *name)
{
    return strstr(name, "shm") || strstr(name, "sm2");
}

static bool is_usable(const struct fi_info *info)
{
    return !is_shared_memory(provider_name(info)) &&
           info->ep_attr->max_msg_size >= SHEAF_OFI_BEFORE_DATA + SHEAF_OFI_SHORT_FRAGMENT;
}

static bool has_sockets(const struct fi_info *info)
{
    return info->addr_format == FI_SOCKADDR || info->addr_format == FI_SOCKADDR_IN ||
           info->addr_format == FI_SOCKADDR_IN6;
}

bool sheaf_ofi_has_listeners(const struct fi_info *info)
{
    return is_named(info, "tcp") || is_named(info, "net");
}

bool sheaf_ofi_is_plain_tcp(const struct fi_info *info)
{
    return sheaf_ofi_has_listeners(info) && info->ep_attr->protocol != FI_PROTO_RXM;
}

bool sheaf_ofi_is_loopback(const void *address)
{
    const struct sockaddr_in *four = address;
    const struct sockaddr_in6 *six = address;
    return four->sin_family == AF_INET6 ? IN6_IS_ADDR_LOOPBACK(&six->sin6_addr)
                                        : ntohl(four->sin_addr.s_addr) >> 24 == 127;
}

static bool is_bridge(const char *interface)
{
    char path[sizeof "/sys/class/net//bridge" + IF_NAMESIZE];
    snprintf(path, sizeof path, "/sys/class/net/%.*s/bridge", IF_NAMESIZE, interface);
    return access(path, F_OK) == 0;
}

/* How unlikely other hosts are to reach this address: 0 is best. A bridge usually belongs to a host's own
 * containers or virtual machines. */
static int distance_of(const struct fi_info *info)
{
    const struct sockaddr_in *four = info->src_addr;
    const struct sockaddr_in6 *six = info->src_addr;
    if (!has_sockets(info) || !four)
        return 0;
    bool is_six = four->sin_family == AF_INET6;
    if (sheaf_ofi_is_loopback(four))
        return 4;
    if (is_six && IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr))
        return 3;
    return is_bridge(info->domain_attr->name) ? 2 : is_six;
}

static bool is_set(const char *settings)
{
    bool is_set = false;
    for (char **variable = environ; *variable; variable++)
        is_set |= strncmp(*variable, settings, strlen(settings)) == 0;
    return is_set;
}

/* Whether the user has set variables of another provider over TCP, its network or ports say, which this
 * one does not read. */
static bool reads_no_settings(const struct fi_info *info)
{
    return sheaf_ofi_is_plain_tcp(info) &&
           (is_set("FI_OFI_RXM_") || (is_named(info, "net") && is_set("FI_TCP_")));
}

static int ofi_rank_of(const struct fi_info *info)
{
    return (reads_no_settings(info) ? PREFERRED : preference_of(info)) * 8 + distance_of(info);
}

static const struct fi_info *choose_among(const struct fi_info *all, const char *named)
{
    const struct fi_info *best = NULL;
    for (const struct fi_info *info = all; info; info = info->next) {
        bool is_wanted = named ? is_named(info, named) : preference_of(info) < PREFERRED;
        if (is_wanted && is_usable(info) && (!best || ofi_rank_of(info) < ofi_rank_of(best)))
            best = info;
    }
    return best;
}

static void explain_absence(const struct fi_info *all, const char *named, char *why, size_t size)
{
    char list[256];
    sheaf_ofi_list(all, list, sizeof list);
    if (!*list && getenv("FI_PROVIDER"))
        snprintf(why, size, "FI_PROVIDER=%.60s leaves none of libfabric's networks, and its shared memory "
                            "is never used: unset it, or name a network", getenv("FI_PROVIDER"));
    else if (!named)
        snprintf(why, size, "of libfabric's providers (%s) none is known to serve: name one by "
                            "SHEAF_OFI_PROVIDER", list);
    else if (is_shared_memory(named))
        snprintf(why, size, "SHEAF_OFI_PROVIDER=%.60s: shared memory of libfabric is never used: name a "
                            "network, here one of %s", named, list);
    else
        snprintf(why, size, "SHEAF_OFI_PROVIDER=%.60s: libfabric has no such provider on this host: name "
                            "one of %s", named, list);
}

/* libfabric silently takes another network if there is none of the given name. Returns the setting that
 * had no effect, or NULL. */
static const char *ignored_setting(const struct fi_info *chosen)
{
    const char *setting = is_named(chosen, "tcp") ? "FI_TCP_IFACE" : "FI_NET_IFACE";
    const char *interface = sheaf_ofi_has_listeners(chosen) ? getenv(setting) : NULL;
    return interface && strcmp(chosen->domain_attr->name, interface) != 0 ? setting : NULL;
}

const struct fi_info *sheaf_ofi_choose(const struct fi_info *all, char *why, size_t size)
{
    const char *named = sheaf_settings_text("SHEAF_OFI_PROVIDER");
    if (named && !*named)
        named = NULL;
    const struct fi_info *chosen = choose_among(all, named);
    const char *setting = chosen ? ignored_setting(chosen) : NULL;
    if (setting) {
        snprintf(why, size, "%s=%.60s: this host has no such network that libfabric's %s can use: 'ip "
                            "link' lists those there are", setting, getenv(setting), provider_name(chosen));
        return NULL;
    }
    if (!chosen)
        explain_absence(all, named, why, size);
    else if (named)
        snprintf(why, size, "SHEAF_OFI_PROVIDER=%.60s", named);
    else
        snprintf(why, size, "%s", preferred[preference_of(chosen)].why);
    return chosen;
}

/* Checked first, since asking libfabric starts its providers. */
static bool may_have_fabric(void)
{
    char path[64];
    bool found = sheaf_ofi_has(SHEAF_OFI_FABRIC);
    for (int i = 0; i < PREFERRED && !found; i++)
        if (preferred[i].module) {
            snprintf(path, sizeof path, "/sys/module/%s", preferred[i].module);
            found = access(path, F_OK) == 0;
        }
    return found;
}

static bool is_fabric_provider(const struct fi_info *info)
{
    int index = preference_of(info);
    return sheaf_ofi_has(SHEAF_OFI_FABRIC) || (index < PREFERRED && preferred[index].module);
}

bool sheaf_ofi_drives_fabric(void)
{
    char why[400];
    if (sheaf_ofi_read_rules() != 0 || !may_have_fabric() || sheaf_ofi_load(why, sizeof why) != 0)
        return false;
    struct fi_info *all = sheaf_ofi_providers(0, why, sizeof why);
    const struct fi_info *chosen = all ? sheaf_ofi_choose(all, why, sizeof why) : NULL;
    bool has = chosen && is_fabric_provider(chosen);
    if (all)
        sheaf_ofi.fi_freeinfo(all);
    return has;
}

void sheaf_ofi_print_provider(const struct fi_info *info, char *text, size_t size)
{
    char host[INET6_ADDRSTRLEN] = "";
    const struct sockaddr_in *four = info->src_addr;
    const struct sockaddr_in6 *six = info->src_addr;
    if (has_sockets(info) && four)
        inet_ntop(four->sin_family, four->sin_family == AF_INET6 ? (const void *)&six->sin6_addr
                                                                 : &four->sin_addr, host, sizeof host);
    snprintf(text, size, *host ? "%s on %s (%s)" : "%s on %s", provider_name(info), info->domain_attr->name,
             host);
}

static bool is_first(const struct fi_info *all, const struct fi_info *info)
{
    while (all != info && strcmp(provider_name(all), provider_name(info)) != 0)
        all = all->next;
    return all == info;
}

void sheaf_ofi_list(const struct fi_info *all, char *text, size_t size)
{
    text[0] = '\0';
    for (const struct fi_info *info = all; info; info = info->next) {
        size_t used = strlen(text);
        if (is_usable(info) && is_first(all, info))
            snprintf(text + used, size - used, "%s%s", used ? ", " : "", provider_name(info));
    }
}
