/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of the UCX transport.
 */
#ifndef SHEAF_ENGINE_UCX_UCX_H
#define SHEAF_ENGINE_UCX_UCX_H

#include "engine/transport.h"
#include "engine/ucx/library.h"

/* Written by start.c. user stays valid after stop: other users of UCX still pass the gate. */
extern struct sheaf_ucx_state {
    const struct sheaf_transport_user *user;
    ucp_context_h context;
    bool is_gated; /* connections begin with the job's key */
    bool has_devices;
    char devices[160]; /* that reach other hosts, with their transports: "tcp/eth0, rc_verbs/mlx5_0:1" */
} sheaf_ucx_state;

/* All messages are of one kind for UCX; the protocol's header has the kind. PADDED: SHEAF_UCX_PADDING bytes
 * go before the data (transport.c). */
#define SHEAF_UCX_MESSAGE 0
#define SHEAF_UCX_PADDED  1
#define SHEAF_UCX_PADDING 64

/* In bytes, over TCP: the most data of a message, and what UCX receives at once, which is that with all
 * headers. A sender takes its own value for the receiver's, so both are the same in all processes. */
#define SHEAF_UCX_LONGEST 262144
#define SHEAF_UCX_RECEIVE 262656

/* In bytes, over TCP: the data of the last message of a put or a get's answer of 64 KiB and more. UCX hands
 * a message over when all of it is here. The kernel's segments have 65160 bytes. So with one message for
 * 64 KiB the copy to its place began after a segment of 0.5 KiB, and puts took 65 us, not 33. */
#define SHEAF_UCX_LAST_PART 16384

/* The address record that a port publishes; UCX's address follows. */
struct sheaf_ucx_address {
    uint64_t is_gated; /* connections begin with the job's key */
};

/* The transport's links are UCX's endpoints. */
static inline ucp_ep_h sheaf_ucx_endpoint(sheaf_transport_link *link)
{
    return (ucp_ep_h)link;
}

/* The reason for a callback: NULL, or UCX's words. */
static inline const char *sheaf_ucx_why(ucs_status_t status)
{
    return status == UCS_OK ? NULL : sheaf_ucx.ucs_status_string(status);
}

/* start.c: makes a context with these features beside those that the transport always needs. */
ucs_status_t sheaf_ucx_make_context(uint64_t features, ucp_context_h *context);
/* The value of a setting, for messages. */
const char *sheaf_ucx_setting(const char *name);
/* The reason why UCX makes no context or worker, with the settings that decide. */
const char *sheaf_ucx_explain(ucs_status_t status);
int sheaf_ucx_start(const struct sheaf_transport_user *user, struct sheaf_transport_abilities *abilities);
void sheaf_ucx_stop(void);
bool sheaf_ucx_is_installed(void);
bool sheaf_ucx_describe(FILE *out);

/* hardware.c: what the transports do by themselves. transports: "rc_verbs/mlx5_0:1, tcp/eth0". */
bool sheaf_ucx_has_adapter(const char *transports);
sheaf_amo_set sheaf_ucx_native_atomics(char *why, size_t size);
/* UCX's atomic operations, if a transport has all of them. */
sheaf_amo_set sheaf_ucx_probe_atomics(void);
/* UCX's features for these operations. */
uint64_t sheaf_ucx_atomic_features(sheaf_amo_set native);
/* Opens the adapter among transports. Returns its operations, or 0 and the reason. */
sheaf_amo_set sheaf_ucx_open_adapter(const char *transports, char *why, size_t size);
/* Whether an adapter gets memory for receiving; prints an error if not. 0 or -1. Before a port is
 * opened. */
int sheaf_ucx_check_lockable(ucp_context_h context);

/* direct.c */
extern const struct sheaf_transport_direct sheaf_ucx_direct;
ucs_status_t sheaf_ucx_map(ucp_context_h context, void *start, size_t bytes, ucp_mem_h *memory);

/* dead_hosts.c: look: once a second, by any thread. before and after: around the creation of a worker.
 * know: from now on the listeners of workers are known; false: this UCX is built in another way. */
void sheaf_ucx_look_for_dead_hosts(void);
void sheaf_ucx_before_port(void);
void sheaf_ucx_after_port(void);
bool sheaf_ucx_know_listeners(void);
/* Whether fd is UCX's listener for one of our ports. */
bool sheaf_ucx_is_our_listener(int fd);

/* gate.c. Whether connections begin with the job's key from now on. They do not where UCX is built in
 * another way. */
bool sheaf_ucx_gate(void);
/* This thread is in a call of UCX that may connect one of our ports. */
extern __thread bool sheaf_ucx_is_inside __attribute__((tls_model("initial-exec")));

/* handlers.c: from now on UCX asks an interface for its attributes once, not for each handler of messages;
 * ask_again: a worker is about to get new interfaces. */
void sheaf_ucx_ask_once(void);
void sheaf_ucx_ask_again(void);

/* system_calls.c: from now on small messages over TCP take shorter system calls. */
void sheaf_ucx_shorten_system_calls(void);

/* wireup.c: from now on a connection that breaks while it is made does not end this process. */
void sheaf_ucx_survive_broken_wireup(void);

/* Unanswered probes of a silent connection before the kernel gives it up; sheaf_times.network_probe
 * apart. */
#define SHEAF_UCX_KEEP_COUNT 6

#endif
