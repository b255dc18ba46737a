/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the UCX transport share.
 */
#ifndef SHEAF_ENGINE_UCX_UCX_H
#define SHEAF_ENGINE_UCX_UCX_H

#include "engine/transport.h"
#include "engine/ucx/library.h"

/* Written by start.c. user stays after stop: other users of UCX go on through the gate. */
extern struct sheaf_ucx_state {
    const struct sheaf_transport_user *user;
    ucp_context_h context;
    bool is_gated; /* connections begin with the job's key */
} sheaf_ucx_state;

/* All messages are of one kind for UCX; the protocol's header says more. */
#define SHEAF_UCX_MESSAGE 0

/* What a port publishes; UCX's address follows. */
struct sheaf_ucx_address {
    uint64_t is_gated; /* connections begin with the job's key */
};

/* UCX's own are the transport's. */
static inline ucp_ep_h sheaf_ucx_endpoint(sheaf_transport_link *link)
{
    return (ucp_ep_h)link;
}

/* What a callback tells: NULL, or why not. */
static inline const char *sheaf_ucx_why(ucs_status_t status)
{
    return status == UCS_OK ? NULL : sheaf_ucx.ucs_status_string(status);
}

/* start.c: a context with these features beside those that the transport always needs. */
ucs_status_t sheaf_ucx_make_context(uint64_t features, ucp_context_h *context);
/* The value of a setting, for messages. */
const char *sheaf_ucx_setting(const char *name);
/* Why UCX gives no context and no worker, with the settings that decide. */
const char *sheaf_ucx_explain(ucs_status_t status);
int sheaf_ucx_start(const struct sheaf_transport_user *user, struct sheaf_transport_abilities *abilities);
void sheaf_ucx_stop(void);
bool sheaf_ucx_is_installed(void);
bool sheaf_ucx_describe(FILE *out);

/* hardware.c: what the transports do by themselves. transports: "rc_verbs/mlx5_0:1, tcp/eth0". */
bool sheaf_ucx_has_adapter(const char *transports);
sheaf_amo_set sheaf_ucx_native_atomics(char *why, size_t size);
/* UCX's, where a transport has all of them. */
sheaf_amo_set sheaf_ucx_probe_atomics(void);
/* UCX's features for these. */
uint64_t sheaf_ucx_atomic_features(sheaf_amo_set native);
/* Opens the adapter among transports. Returns its operations, or 0 and why. */
sheaf_amo_set sheaf_ucx_open_adapter(const char *transports, char *why, size_t size);
/* Whether an adapter gets memory for what arrives; tells if not. 0 or -1. Before a port is opened. */
int sheaf_ucx_check_lockable(ucp_context_h context);

/* direct.c */
extern const struct sheaf_transport_direct sheaf_ucx_direct;
ucs_status_t sheaf_ucx_map(ucp_context_h context, void *start, size_t bytes, ucp_mem_h *memory);

/* dead_hosts.c: looks once a second, whoever calls; before and after a port is opened. */
void sheaf_ucx_look_for_dead_hosts(void);
void sheaf_ucx_before_port(void);
void sheaf_ucx_after_port(void);
/* Whether UCX listens there for one of our ports. */
bool sheaf_ucx_is_our_listener(int fd);

/* gate.c. Whether connections begin with the job's key from now on; not, where UCX is built otherwise. */
bool sheaf_ucx_gate(void);
/* This thread is in a call of UCX that may connect one of our ports. */
extern __thread bool sheaf_ucx_is_inside __attribute__((tls_model("initial-exec")));

/* wireup.c: from now on no connection that breaks while it is made ends this process. */
void sheaf_ucx_bear_broken(void);

/* Questions of the kernel, sheaf_times.network_probe apart, on a connection on which nothing is said. */
#define SHEAF_UCX_KEEP_COUNT 6

#endif
