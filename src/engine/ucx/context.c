/* SPDX-License-Identifier: BSD-3-Clause
 *
 * UCX's context, with the settings that differ from UCX's own.
 */
#include "engine/ucx/ucx.h"

#include "base/times.h"

#include <stdlib.h>

struct sheaf_ucx_state sheaf_ucx_state;

#define TEXT_OF(value) #value
#define TEXT(value)    TEXT_OF(value)

/* Settings that differ unless the user has set them: see README.md. UCX expects the name of a transport's
 * setting without the transport. A value of NULL stands for the time network_probe. */
static const struct {
    const char *variable, *key, *value;
    bool for_adapters;
} settings[] = {
    {"UCX_TCP_KEEPIDLE", "KEEPIDLE", NULL, true},
    {"UCX_TCP_KEEPINTVL", "KEEPINTVL", NULL, true},
    {"UCX_TCP_KEEPCNT", "KEEPCNT", TEXT(SHEAF_UCX_KEEP_COUNT), true},
    /* A cache of registrations, which only adapters have. Without UCX_MEM_EVENTS (library.c) UCX starts a
     * thread for it, fails, and ends the thread. */
    {"UCX_RCACHE_ENABLE", "RCACHE_ENABLE", "n", false},
    /* Over TCP asking the receiver first doubles the time to exchange 64 KiB. */
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
        .estimated_num_eps = sheaf_ucx_state.user ? (size_t)sheaf_ucx_state.user->job->npes : 0,
    };
    ucs_status_t status = sheaf_ucx.ucp_config_read(NULL, NULL, &config);
    if (status != UCS_OK)
        return status;
    bool has_devices = sheaf_ucx_has_devices();
    char probe[16];
    snprintf(probe, sizeof probe, "%ds", sheaf_times_s(sheaf_times.network_probe));
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (!getenv(settings[i].variable) && (settings[i].for_adapters || !has_devices))
            sheaf_ucx.ucp_config_modify(config, settings[i].key,
                                        settings[i].value ? settings[i].value : probe);
    /* A list of devices without any, whatever UCX_TLS says. UCX's segments are open to the user's group
     * (mode 0660), and its files in /dev/shm outlive a PE that is killed. Without them a worker takes 2.5
     * ms to make instead of 9. PEs of one node map each other's memory anyway. */
    sheaf_ucx.ucp_config_modify(config, "SHM_DEVICES", "");
    /* Whatever UCX_TCP_RX_SEG_SIZE says: a longer message than the receiver expects would be written beyond
     * its buffer. */
    sheaf_ucx.ucp_config_modify(config, "RX_SEG_SIZE", TEXT(SHEAF_UCX_RECEIVE));
    /* With other modes UCX lets the processors carry out those on this node, which need not be coherent
     * with the adapter's. Without an adapter, for tests alone, UCX imitates the operations. Its newer
     * protocols, the default from 1.16 on, cannot imitate them for links that report errors. */
    if (features & (UCP_FEATURE_AMO32 | UCP_FEATURE_AMO64)) {
        sheaf_ucx.ucp_config_modify(config, "ATOMIC_MODE", "device");
        if (!has_devices)
            sheaf_ucx.ucp_config_modify(config, "PROTO_ENABLE", "n");
    }
    status = sheaf_ucx.ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &params, config, context);
    sheaf_ucx.ucp_config_release(config);
    return status;
}
