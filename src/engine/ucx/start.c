/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine's table, and how it gets from nothing to ready and back.
 */
#include "engine/ucx/lanes.h"

#include "base/atomic.h"
#include "base/log.h"
#include "base/pace/processor.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct sheaf_ucx_state sheaf_ucx_state;
static struct sheaf_ucx_blob *blob;

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "(not set)";
}

/* Whether a name of UCX_NET_DEVICES is among transports, "tcp/eth0, self/memory". Lists of what to
 * leave out and ports of adapters are UCX's matter. */
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

static bool reaches_others(const char *transports)
{
    for (const char *at = transports; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strncmp(at, "self/", 5) != 0)
            return true;
    return false;
}

/* For messages: what names only such transports asks for nothing that is there. */
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

/* Without datagrams (ud) an adapter's peers meet by TCP. There UCX before 1.14 follows a null pointer, in
 * uct_tcp_iface_progress, where one of two connects and the other does not at the same time. */
static void warn_of_meeting(const char *transports)
{
    unsigned major, minor, release;
    sheaf_ucx.ucp_get_version(&major, &minor, &release);
    if (sheaf_ucx_state.job.pe == 0 && major == 1 && minor < 14 && strstr(transports, "rc_") &&
        !strstr(transports, "ud_") && !strstr(transports, "dc_"))
        sheaf_warn("engine ucx: with UCX_TLS=%s peers of the adapter meet by TCP, where UCX %u.%u crashes: "
                   "add ud to UCX_TLS, or use UCX 1.14 or later",
                   setting("UCX_TLS"), major, minor);
}

/* UCX would start, and fail at the first connection. */
static int check_transports(void)
{
    char transports[1024];
    sheaf_ucx_transports(sheaf_ucx_state.context, transports, sizeof transports);
    warn_of_meeting(transports);
    if (sheaf_ucx_state.job.npes == 1 || (finds_device(transports) && reaches_others(transports)))
        return 0;
    sheaf_error("engine ucx: with UCX_TLS=%s and UCX_NET_DEVICES=%s UCX finds only %s, which reaches "
                "no other host%s: 'ucx_info -d' lists the transports and devices there are",
                setting("UCX_TLS"), setting("UCX_NET_DEVICES"),
                transports[0] ? transports : "nothing", without_shared_memory());
    return -1;
}

#define TEXT_OF(value) #value
#define TEXT(value)    TEXT_OF(value)
#define SECONDS(value) TEXT(value) "s"

/* What is set differently unless the user has set it: see README.md. Of a transport's settings UCX
 * wants the name without the transport. */
static const struct {
    const char *variable, *key, *value;
    bool for_adapters;
} settings[] = {
    {"UCX_TCP_KEEPIDLE", "KEEPIDLE", SECONDS(SHEAF_UCX_KEEP_IDLE), true},
    {"UCX_TCP_KEEPINTVL", "KEEPINTVL", SECONDS(SHEAF_UCX_KEEP_INTERVAL), true},
    {"UCX_TCP_KEEPCNT", "KEEPCNT", TEXT(SHEAF_UCX_KEEP_COUNT), true},
    /* Over TCP asking the receiver first doubles what exchanging 64 KiB takes. */
    {"UCX_RNDV_THRESH", "RNDV_THRESH", TEXT(SHEAF_MESSAGE_ASKS), false},
};

ucs_status_t sheaf_ucx_make_context(uint64_t features, ucp_context_h *context)
{
    ucp_config_t *config;
    ucp_params_t params = {
        .field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED |
                      UCP_PARAM_FIELD_ESTIMATED_NUM_EPS,
        .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP | features,
        .mt_workers_shared = 1,
        .estimated_num_eps = (size_t)sheaf_ucx_state.job.npes,
    };
    ucs_status_t status = sheaf_ucx.ucp_config_read(NULL, NULL, &config);
    if (status != UCS_OK)
        return status;
    bool has_devices = sheaf_ucx_has_devices();
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (!getenv(settings[i].variable) && (settings[i].for_adapters || !has_devices))
            sheaf_ucx.ucp_config_modify(config, settings[i].key, settings[i].value);
    /* Whatever UCX_TLS says: a list of devices that has none. UCX's segments are open to the
     * user's group (mode 0660), its files in /dev/shm outlive a PE that is killed, and a worker takes
     * 2.5 ms to make instead of 9; PEs of one node have each other's memory anyway. */
    sheaf_ucx.ucp_config_modify(config, "SHM_DEVICES", "");
    /* Else UCX lets the processors do those on this node, which need not be coherent with others. */
    if (features & (UCP_FEATURE_AMO32 | UCP_FEATURE_AMO64))
        sheaf_ucx.ucp_config_modify(config, "ATOMIC_MODE", "device");
    status = sheaf_ucx.ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &params, config, context);
    sheaf_ucx.ucp_config_release(config);
    return status;
}

/* UCX's where a transport has all of them; else the adapter's own, past UCX; else none. Those that a test
 * names are imitated by UCX where the adapter lacks them. transports: NULL without an adapter. */
static void choose_atomics(const struct sheaf_engine_job *job, const char *transports,
                           struct sheaf_ucx_state *state)
{
    char why[200];
    state->atomics = job->native_atomics;
    if (!state->atomics && transports)
        state->atomics = sheaf_ucx_probe_atomics();
    if (!transports || (state->atomics && !job->native_atomics))
        return;
    sheaf_amo_set found = sheaf_ucx_lanes_open(transports, why, sizeof why);
    state->has_lanes = found && !(job->native_atomics & ~found);
    if (state->has_lanes && !state->atomics)
        state->atomics = found;
    else if (!state->has_lanes && found)
        sheaf_adapter_close();
}

/* What the network is to do by itself, of what the job asks for and the transports can. */
static void choose(const struct sheaf_engine_job *job, const char *transports,
                   struct sheaf_ucx_state *state)
{
    bool has_adapter = sheaf_ucx_has_adapter(transports);
    state->is_native =
        job->rma == SHEAF_RMA_NATIVE || (job->rma == SHEAF_RMA_AUTO && has_adapter);
    state->atomics = 0;
    if (job->atomics != SHEAF_ATOMICS_CPU)
        choose_atomics(job, has_adapter ? transports : NULL, state);
    state->has_keys = state->is_native || (state->atomics && !state->has_lanes);
}

/* UCX sets up other connections for what the network is to do by itself, so it is told. */
static ucs_status_t choose_context(const struct sheaf_engine_job *job,
                                   struct sheaf_ucx_state *state)
{
    char transports[1024];
    ucs_status_t status = sheaf_ucx_make_context(0, &state->context);
    if (status != UCS_OK)
        return status;
    sheaf_ucx_transports(state->context, transports, sizeof transports);
    if (sheaf_ucx_has_adapter(transports) && sheaf_ucx_check_lockable(state->context) != 0) {
        sheaf_ucx.ucp_cleanup(state->context);
        return UCS_ERR_EXCEEDS_LIMIT;
    }
    choose(job, transports, state);
    if (!state->has_keys)
        return UCS_OK;
    sheaf_ucx.ucp_cleanup(state->context);
    return sheaf_ucx_make_context((state->is_native ? UCP_FEATURE_RMA : 0) |
                                      (state->has_lanes ? 0 : sheaf_ucx_atomic_features(state->atomics)),
                                  &state->context);
}

/* Threads that UCX makes take no signals of the program. */
static ucs_status_t open_all(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ucs_status_t status = choose_context(&sheaf_ucx_state.job, &sheaf_ucx_state);
    if (status == UCS_OK) {
        sheaf_ucx_state.service = sheaf_ucx_worker_create(&status);
        if (!sheaf_ucx_state.service)
            sheaf_ucx.ucp_cleanup(sheaf_ucx_state.context);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

static ucs_status_t make_blob(void)
{
    struct sheaf_ucx_worker *service = sheaf_ucx_state.service;
    ucp_address_t *address;
    size_t length;
    ucs_status_t status = sheaf_ucx.ucp_worker_get_address(service->ucp, &address, &length);
    if (status != UCS_OK)
        return status;
    blob = malloc(sizeof *blob + length);
    if (blob) {
        *blob = (struct sheaf_ucx_blob){.magic = SHEAF_UCX_MAGIC,
                                        .version = SHEAF_UCX_WIRE_VERSION,
                                        .length = length,
                                        .has_keys = sheaf_ucx_state.has_keys,
                                        .is_gated = sheaf_ucx_state.is_gated,
                                        .has_lanes = sheaf_ucx_state.has_lanes};
        for (int kind = 0; kind < SHEAF_SEGMENTS; kind++)
            blob->segments[kind] = (uintptr_t)sheaf_ucx_state.job.segments[kind].start;
        memcpy(blob + 1, address, length);
    }
    sheaf_ucx.ucp_worker_release_address(service->ucp, address);
    return blob ? UCS_OK : UCS_ERR_NO_MEMORY;
}

/* The thread is needed whatever the transport: also where hardware does puts, gets and atomic
 * operations, locks, accumulates, additions of signals, the processors' atomic operations, keys and
 * new connections are messages, and a PE that computes for long has to answer them. What hardware
 * does wakes nobody here, so that the thread sleeps then and costs nothing. */
static int start_progress(void)
{
    sigset_t all, before;
    if (!sheaf_ucx_state.has_thread) {
        sheaf_ucx_thread_add(sheaf_ucx_state.service);
        return 0;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = sheaf_ucx_thread_start();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        sheaf_error("engine ucx: the progress thread cannot be started: %s", strerror(error));
    sheaf_ucx_thread_add(sheaf_ucx_state.service);
    return error ? -1 : 0;
}

static int start(const struct sheaf_engine_job *job)
{
    char why[256];
    sheaf_ucx_state = (struct sheaf_ucx_state){.job = *job};
    sheaf_ucx_state.has_thread = job->progress != SHEAF_PROGRESS_NONE;
    /* A program that stops calling relies on the thread. */
    sheaf_ucx_state.gathers = sheaf_ucx_state.has_thread && job->gather == SHEAF_GATHER_ON;
    sheaf_pace_use_network(&sheaf_pace_here, true, sheaf_ucx_state.has_thread);
    if (sheaf_ucx_load(why, sizeof why) != 0) {
        sheaf_error("engine ucx: %s", why);
        return -1;
    }
    sheaf_ucx_state.sends_whole = sheaf_ucx_has_devices();
    sheaf_ucx_state.is_gated = sheaf_ucx_gate();
    ucs_status_t status = open_all();
    if (status == UCS_ERR_EXCEEDS_LIMIT) /* told already */
        return -1;
    if (status == UCS_OK)
        status = make_blob();
    if (status != UCS_OK) {
        sheaf_error("engine ucx: UCX cannot start: %s; it may use the transports UCX_TLS=%s and "
                    "the devices UCX_NET_DEVICES=%s%s: 'ucx_info -d' lists what there is",
                    sheaf_ucx.ucs_status_string(status), setting("UCX_TLS"),
                    setting("UCX_NET_DEVICES"), without_shared_memory());
        return -1;
    }
    if (check_transports() != 0)
        return -1;
    sheaf_ucx_state.service->is_shared = job->multiple;
    sheaf_ucx_batches_prepare(sheaf_ucx_state.service);
    if (sheaf_ucx_state.has_lanes && sheaf_ucx_lanes_start() != 0) {
        sheaf_error("engine ucx: no memory for connections of the adapter");
        return -1;
    }
    return sheaf_ucx_register_data() != 0 ? -1 : start_progress();
}

static void address(const void **address, size_t *length)
{
    *address = blob;
    *length = sizeof *blob + blob->length;
}

static void stop(void)
{
    struct sheaf_ucx_worker *service = sheaf_ucx_state.service;
    sheaf_store_release(&sheaf_ucx_state.is_stopping, true);
    if (sheaf_ucx_state.has_thread)
        sheaf_ucx_thread_stop();
    sheaf_ucx_state.has_thread = false;
    sheaf_ucx_contexts_stop();
    sheaf_ucx_thread_remove(service);
    sheaf_ucx_worker_destroy(service);
    sheaf_ucx_forget_messages();
    sheaf_ucx_unregister_all();
    if (sheaf_ucx_state.has_lanes)
        sheaf_ucx_lanes_stop();
    sheaf_ucx.ucp_cleanup(sheaf_ucx_state.context);
    sheaf_ucx_forget_lost();
    sheaf_ucx_tell_dropped();
    sheaf_pace_use_network(&sheaf_pace_here, false, false);
    free(blob);
    blob = NULL;
}

static void describe_rma(FILE *out, int rma, const char *transports, bool is_native)
{
    bool has_adapter = sheaf_ucx_has_adapter(transports);
    fprintf(out, "puts and gets: %s (SHEAF_RMA=%s; %s)\n",
            is_native ? "the network's own" : "messages to the target's processor",
            sheaf_rma_names[rma],
            has_adapter ? "a transport here has them in hardware"
                        : "no transport here has them in hardware: UCX would imitate them");
}

static int rma_setting(void)
{
    const char *value = getenv("SHEAF_RMA");
    int rma = value ? sheaf_names_find(sheaf_rma_names, value) : SHEAF_RMA_AUTO;
    return rma < 0 ? SHEAF_RMA_AUTO : rma;
}

static bool describe_transports(FILE *out)
{
    char transports[512];
    struct sheaf_ucx_state state = {.job.rma = rma_setting()};
    ucs_status_t status = choose_context(&state.job, &state);
    if (status != UCS_OK) {
        fprintf(out, "cannot start: %s (UCX_TLS=%s, UCX_NET_DEVICES=%s)\n",
                sheaf_ucx.ucs_status_string(status), setting("UCX_TLS"),
                setting("UCX_NET_DEVICES"));
        return false;
    }
    sheaf_ucx_transports(state.context, transports, sizeof transports);
    fprintf(out, "transports: %s\n", transports);
    fprintf(out, "shared memory of UCX (posix, sysv, cma, ...): never used, whatever UCX_TLS says: "
                 "its segments are open to the user's group; PEs of a host have each other's memory\n");
    describe_rma(out, state.job.rma, transports, state.is_native);
    sheaf_ucx.ucp_cleanup(state.context);
    return true;
}

static bool describe(FILE *out)
{
    char why[256];
    if (sheaf_ucx_load(why, sizeof why) != 0) {
        fprintf(out, "not available: %s\n", why);
        return false;
    }
    fprintf(out, "UCX %s\n", sheaf_ucx.ucp_get_version_string());
    if (!describe_transports(out))
        return false;
    fprintf(out, "progress: a thread that sleeps while no messages arrive; what hardware does by itself "
                 "does not wake it\n");
    fprintf(out, "strangers: %s\n",
            sheaf_ucx_gate() ? "TCP connections that do not begin with the job's key are closed"
                             : "not kept from connecting, this UCX is built another way; their messages "
                               "are dropped");
    fprintf(out, "contexts with connections of their own: %d; destroyed ones are kept for the next, with "
                 "up to %d connections in all\n", SHEAF_UCX_MOST_CONTEXTS, SHEAF_UCX_MOST_KEPT);
    return true;
}

const struct sheaf_engine sheaf_engine_ucx = {
    .name = "ucx",
    .start = start,
    .address = address,
    .stop = stop,
    .heap_grown = sheaf_ucx_heap_grown,
    .context_create = sheaf_ucx_context_create,
    .context_destroy = sheaf_ucx_context_destroy,
    .batch = sheaf_ucx_batch,
    .put = sheaf_ucx_put,
    .get = sheaf_ucx_get,
    .put_rows = sheaf_ucx_put_rows,
    .get_rows = sheaf_ucx_get_rows,
    .put_signal = sheaf_ucx_put_signal,
    .amo = sheaf_ucx_amo,
    .native_atomics = sheaf_ucx_native_atomics,
    .fence = sheaf_ucx_fence,
    .quiet = sheaf_ucx_quiet,
    .busy_with = sheaf_ucx_busy_with,
    .send = sheaf_ucx_send,
    .receive = sheaf_ucx_receive,
    .carried_out = sheaf_ucx_carried_out,
    .work = sheaf_ucx_work,
    .progress = sheaf_ucx_progress,
    .sleep = sheaf_ucx_sleep,
    .describe = describe,
};
