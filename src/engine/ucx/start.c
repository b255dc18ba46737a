/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Chooses what the network does by itself; start, stop and description.
 */
#include "engine/ucx/ucx.h"

#include "base/log.h"
#include "base/settings/env.h"
#include "engine/verbs/adapter.h"

#include <stdlib.h>
#include <string.h>

const char *sheaf_ucx_setting(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "(not set)";
}

/* For messages: a hint if UCX_TLS names shared memory, which is never used. */
static const char *without_shared_memory(void)
{
    static const char *const names[] = {"shm", "sm", "mm", "posix", "sysv", "cma", "knem", "xpmem"};
    char list[256], *rest = NULL;
    const char *given = getenv("UCX_TLS");
    if (!given || given[0] == '^')
        return "";
    snprintf(list, sizeof list, "%s", given);
    for (char *name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            if (strcmp(name + (name[0] == '\\'), names[i]) == 0)
                return " (UCX's shared memory is never used: name a network, such as tcp)";
    return "";
}

const char *sheaf_ucx_explain(ucs_status_t status)
{
    static char why[400];
    snprintf(why, sizeof why,
             "%s; it may use the transports UCX_TLS=%.60s and the devices UCX_NET_DEVICES=%.60s%s: "
             "'ucx_info -d' lists what there is", sheaf_ucx.ucs_status_string(status),
             sheaf_ucx_setting("UCX_TLS"), sheaf_ucx_setting("UCX_NET_DEVICES"), without_shared_memory());
    return why;
}

/* Whether a name of UCX_NET_DEVICES is among transports, "tcp/eth0, self/memory". Lists of excluded
 * devices and ports of adapters are left to UCX. */
static bool finds_device(const char *transports)
{
    char list[256], *rest = NULL, device[130];
    const char *given = getenv("UCX_NET_DEVICES");
    if (!given || given[0] == '^' || strstr(given, "all"))
        return true;
    snprintf(list, sizeof list, "%s", given);
    for (char *name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        snprintf(device, sizeof device, "/%.128s", name);
        if (strstr(transports, device))
            return true;
    }
    return false;
}

/* Keeps those of transports by which other hosts are reached. */
static void note_devices(const char *transports)
{
    char *devices = sheaf_ucx_state.devices;
    for (const char *at = transports; *at; at += strcspn(at, " "), at += *at == ' ') {
        size_t used = strlen(devices);
        if (strncmp(at, "self/", 5) != 0)
            snprintf(devices + used, sizeof sheaf_ucx_state.devices - used, "%s%.*s", used ? ", " : "",
                     (int)strcspn(at, ", "), at);
    }
}

static bool is_before_1_14(void)
{
    unsigned major, minor, release;
    sheaf_ucx.ucp_get_version(&major, &minor, &release);
    return major == 1 && minor < 14;
}

/* Without datagrams (ud) an adapter's peers exchange addresses over TCP. There UCX before 1.14 follows a
 * null pointer, in uct_tcp_iface_progress, if one of two connects while the other does not. */
static void warn_of_tcp_wireup(const char *transports)
{
    if (sheaf_ucx_state.user->job->pe == 0 && is_before_1_14() && strstr(transports, "rc_") &&
        !strstr(transports, "ud_") && !strstr(transports, "dc_"))
        sheaf_warn("SH503 engine ucx: with UCX_TLS=%s peers of the adapter connect by TCP, where UCX "
                   "before 1.14 crashes: add ud to UCX_TLS, or use UCX 1.14 or later",
                   sheaf_ucx_setting("UCX_TLS"));
}

/* UCX would start, and fail at the first connection. */
static int check_transports(void)
{
    char transports[1024];
    sheaf_ucx_transports(sheaf_ucx_state.context, transports, sizeof transports);
    warn_of_tcp_wireup(transports);
    note_devices(transports);
    if (sheaf_ucx_state.user->job->npes == 1 || (finds_device(transports) && sheaf_ucx_state.devices[0]))
        return 0;
    sheaf_error("SH503 engine ucx: with UCX_TLS=%s and UCX_NET_DEVICES=%s UCX finds only %s, which reaches "
                "no other host%s: 'ucx_info -d' lists the transports and devices there are",
                sheaf_ucx_setting("UCX_TLS"), sheaf_ucx_setting("UCX_NET_DEVICES"),
                transports[0] ? transports : "nothing", without_shared_memory());
    return -1;
}

/* Chooses UCX's atomic operations where a transport has all of them, else the adapter's own, past UCX,
 * else none. Operations that a test names are imitated by UCX where the adapter lacks them. transports:
 * NULL without an adapter. */
static void ucx_choose_native_atomics(const struct sheaf_engine_job *job, const char *transports,
                                      struct sheaf_transport_abilities *abilities)
{
    char why[200];
    abilities->atomics = job->native_atomics;
    if (!abilities->atomics && transports)
        abilities->atomics = sheaf_ucx_probe_atomics();
    if (!transports || (abilities->atomics && !job->native_atomics))
        return;
    sheaf_amo_set found = sheaf_ucx_open_adapter(transports, why, sizeof why);
    abilities->by_adapter = found && !(job->native_atomics & ~found);
    if (abilities->by_adapter && !abilities->atomics)
        abilities->atomics = found;
    else if (!abilities->by_adapter && found)
        sheaf_adapter_close();
}

/* Chooses what the network does by itself, from the job's wishes and the transports' abilities. */
static void ucx_choose_abilities(const struct sheaf_engine_job *job, const char *transports,
                                 struct sheaf_transport_abilities *abilities)
{
    bool has_adapter = sheaf_ucx_has_adapter(transports);
    bool has_devices = sheaf_ucx_state.has_devices = sheaf_ucx_has_devices();
    size_t longest = has_devices ? 0 : SHEAF_UCX_LONGEST;
    *abilities = (struct sheaf_transport_abilities){
        .sends_whole = has_devices,
        .longest = longest,
        .longest_whole = longest,
        .last_part = has_devices ? 0 : SHEAF_UCX_LAST_PART,
    };
    abilities->has_direct =
        job->rma == SHEAF_RMA_NATIVE || (job->rma == SHEAF_RMA_AUTO && has_adapter);
    if (job->atomics != SHEAF_ATOMICS_CPU)
        ucx_choose_native_atomics(job, has_adapter ? transports : NULL, abilities);
}

static uint64_t features_of(const struct sheaf_transport_abilities *abilities)
{
    return (abilities->has_direct ? UCP_FEATURE_RMA : 0) |
           (abilities->by_adapter ? 0 : sheaf_ucx_atomic_features(abilities->atomics));
}

/* UCX is told what the network does by itself, since it then sets up other connections. */
static ucs_status_t choose_context(const struct sheaf_engine_job *job, ucp_context_h *context,
                                   struct sheaf_transport_abilities *abilities)
{
    char transports[1024];
    ucs_status_t status = sheaf_ucx_make_context(0, context);
    if (status != UCS_OK)
        return status;
    sheaf_ucx_transports(*context, transports, sizeof transports);
    if (sheaf_ucx_has_adapter(transports) && sheaf_ucx_check_lockable(*context) != 0) {
        sheaf_ucx.ucp_cleanup(*context);
        return UCS_ERR_EXCEEDS_LIMIT;
    }
    ucx_choose_abilities(job, transports, abilities);
    if (!features_of(abilities))
        return UCS_OK;
    sheaf_ucx.ucp_cleanup(*context);
    return sheaf_ucx_make_context(features_of(abilities), context);
}

int sheaf_ucx_start(const struct sheaf_transport_user *user, struct sheaf_transport_abilities *abilities)
{
    char why[256];
    sheaf_ucx_state = (struct sheaf_ucx_state){.user = user};
    if (sheaf_ucx_load(why, sizeof why) != 0) {
        sheaf_error("SH503 engine ucx: %s", why);
        return -1;
    }
    sheaf_ucx_state.is_gated = sheaf_ucx_gate();
    sheaf_ucx_survive_broken_wireup();
    sheaf_ucx_ask_once();
    sheaf_ucx_shorten_system_calls();
    ucs_status_t status = choose_context(user->job, &sheaf_ucx_state.context, abilities);
    if (status == UCS_ERR_EXCEEDS_LIMIT) /* the error is printed already */
        return -1;
    if (status != UCS_OK) {
        sheaf_error("SH503 engine ucx: UCX cannot start: %s", sheaf_ucx_explain(status));
        return -1;
    }
    return check_transports();
}

void sheaf_ucx_stop(void)
{
    sheaf_ucx.ucp_cleanup(sheaf_ucx_state.context);
}

bool sheaf_ucx_is_installed(void)
{
    char why[256];
    return sheaf_ucx_load(why, sizeof why) == 0;
}

static void describe_ucx_rma(FILE *out, int rma, const char *transports, bool is_native)
{
    bool has_adapter = sheaf_ucx_has_adapter(transports);
    fprintf(out, "puts and gets: %s (SHEAF_RMA=%s; %s)\n",
            is_native ? "the network's own" : "messages to the target's processor",
            sheaf_rma_names[rma],
            has_adapter ? "a transport here has them in hardware"
                        : "no transport here has them in hardware: UCX would imitate them");
}

static bool describe_transports(FILE *out)
{
    char transports[512];
    const struct sheaf_engine_job job = {.rma = sheaf_settings_choice("SHEAF_RMA")};
    struct sheaf_transport_abilities abilities;
    ucp_context_h context;
    ucs_status_t status = choose_context(&job, &context, &abilities);
    if (status != UCS_OK) {
        fprintf(out, "cannot start: %s (UCX_TLS=%s, UCX_NET_DEVICES=%s)\n",
                sheaf_ucx.ucs_status_string(status), sheaf_ucx_setting("UCX_TLS"),
                sheaf_ucx_setting("UCX_NET_DEVICES"));
        return false;
    }
    sheaf_ucx_transports(context, transports, sizeof transports);
    fprintf(out, "transports: %s\n", transports);
    fprintf(out, "shared memory of UCX (posix, sysv, cma, ...): never used, whatever UCX_TLS says: "
                 "its segments are open to the user's group; PEs of a host have each other's memory\n");
    describe_ucx_rma(out, job.rma, transports, abilities.has_direct);
    sheaf_ucx.ucp_cleanup(context);
    if (abilities.by_adapter)
        sheaf_adapter_close();
    return true;
}

bool sheaf_ucx_describe(FILE *out)
{
    char why[256];
    if (sheaf_ucx_load(why, sizeof why) != 0) {
        fprintf(out, "not available: %s\n", why);
        return false;
    }
    fprintf(out, "UCX %s\n", sheaf_ucx.ucp_get_version_string());
    sheaf_ucx_print_origin(out);
    if (!describe_transports(out))
        return false;
    fprintf(out, "strangers: %s\n",
            sheaf_ucx_gate() ? "TCP connections that do not begin with the job's key are closed"
                             : "not kept from connecting, this UCX is built another way; their messages "
                               "are dropped");
    return true;
}
