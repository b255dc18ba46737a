/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of UCX that the engine uses. The library is loaded when a job needs it, so that a job on
 * one machine runs without it. The headers at build time declare its calls. It is the host's UCX, or one
 * that came with Sheaf: a single file, whose names begin with "sheaf_" so that no other UCX of the process
 * stands in for them (scripts/network).
 */
#ifndef SHEAF_ENGINE_UCX_LIBRARY_H
#define SHEAF_ENGINE_UCX_LIBRARY_H

#include <ucp/api/ucp.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define SHEAF_UCX_OLDEST_MAJOR 1
#define SHEAF_UCX_OLDEST_MINOR 13

/* scripts/network exports these from the library that comes with Sheaf. */
#define SHEAF_UCX_FUNCTIONS(X)                                                                     \
    X(ucp_get_version)                                                                             \
    X(ucp_get_version_string)                                                                      \
    X(ucp_config_read)                                                                             \
    X(ucp_config_modify)                                                                           \
    X(ucp_config_release)                                                                          \
    X(ucp_init_version)                                                                            \
    X(ucp_cleanup)                                                                                 \
    X(ucp_context_print_info)                                                                      \
    X(ucp_worker_create)                                                                           \
    X(ucp_worker_destroy)                                                                          \
    X(ucp_worker_get_address)                                                                      \
    X(ucp_worker_release_address)                                                                  \
    X(ucp_worker_get_efd)                                                                          \
    X(ucp_worker_arm)                                                                              \
    X(ucp_worker_progress)                                                                         \
    X(ucp_worker_set_am_recv_handler)                                                              \
    X(ucp_ep_create)                                                                               \
    X(ucp_ep_close_nbx)                                                                            \
    X(ucp_am_send_nbx)                                                                             \
    X(ucp_am_recv_data_nbx)                                                                        \
    X(ucp_mem_map)                                                                                 \
    X(ucp_mem_unmap)                                                                               \
    X(ucp_rkey_pack)                                                                               \
    X(ucp_rkey_buffer_release)                                                                     \
    X(ucp_ep_rkey_unpack)                                                                          \
    X(ucp_rkey_destroy)                                                                            \
    X(ucp_put_nbx)                                                                                 \
    X(ucp_get_nbx)                                                                                 \
    X(ucp_atomic_op_nbx)                                                                           \
    X(ucp_worker_print_info)                                                                       \
    X(ucp_worker_fence)                                                                            \
    X(ucp_ep_flush_nbx)                                                                            \
    X(ucp_request_check_status)                                                                    \
    X(ucp_request_free)                                                                            \
    X(ucs_status_string)

struct sheaf_ucx_library {
#define SHEAF_UCX_MEMBER(name) __typeof__(&name) name;
    SHEAF_UCX_FUNCTIONS(SHEAF_UCX_MEMBER)
#undef SHEAF_UCX_MEMBER
};

/* Filled by sheaf_ucx_load(). */
extern struct sheaf_ucx_library sheaf_ucx;

/* Loads UCX once. Returns 0, or -1 and the reason in words. */
int sheaf_ucx_load(char *why, size_t size);

/* A function that UCX's headers do not declare; NULL: this UCX has none of that name. */
void *sheaf_ucx_symbol(const char *name);

/* From now on calls of name in UCX's part "ucs", "uct" or "ucp" go to function. False: it makes none. */
bool sheaf_ucx_hook(const char *part, const char *name, void *function);

/* Which UCX is loaded and why, in words. */
void sheaf_ucx_print_origin(FILE *out);

/* Whether this host has adapters that UCX may use; asked before UCX is. */
bool sheaf_ucx_has_devices(void);

/* The transports and devices that context may use, "tcp/eth0, self/memory". */
void sheaf_ucx_transports(ucp_context_h context, char *text, size_t size);

#endif
