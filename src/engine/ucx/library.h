/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of UCX that the engine uses. The library is loaded when a job needs it, so that a job on
 * one machine runs without it. The headers at build time declare its calls.
 */
#ifndef SHEAF_ENGINE_UCX_LIBRARY_H
#define SHEAF_ENGINE_UCX_LIBRARY_H

#include <ucp/api/ucp.h>

#include <stdbool.h>
#include <stddef.h>

#define SHEAF_UCX_OLDEST_MAJOR 1
#define SHEAF_UCX_OLDEST_MINOR 13

/* X(library, name): library is the handle in which load() finds the function. */
#define SHEAF_UCX_FUNCTIONS(X)                                                                     \
    X(ucp, ucp_get_version)                                                                        \
    X(ucp, ucp_get_version_string)                                                                 \
    X(ucp, ucp_config_read)                                                                        \
    X(ucp, ucp_config_modify)                                                                      \
    X(ucp, ucp_config_release)                                                                     \
    X(ucp, ucp_init_version)                                                                       \
    X(ucp, ucp_cleanup)                                                                            \
    X(ucp, ucp_context_print_info)                                                                 \
    X(ucp, ucp_worker_create)                                                                      \
    X(ucp, ucp_worker_destroy)                                                                     \
    X(ucp, ucp_worker_get_address)                                                                 \
    X(ucp, ucp_worker_release_address)                                                             \
    X(ucp, ucp_worker_get_efd)                                                                     \
    X(ucp, ucp_worker_arm)                                                                         \
    X(ucp, ucp_worker_progress)                                                                    \
    X(ucp, ucp_worker_set_am_recv_handler)                                                         \
    X(ucp, ucp_ep_create)                                                                          \
    X(ucp, ucp_ep_close_nbx)                                                                       \
    X(ucp, ucp_am_send_nbx)                                                                        \
    X(ucp, ucp_am_recv_data_nbx)                                                                   \
    X(ucp, ucp_mem_map)                                                                            \
    X(ucp, ucp_mem_unmap)                                                                          \
    X(ucp, ucp_rkey_pack)                                                                          \
    X(ucp, ucp_rkey_buffer_release)                                                                \
    X(ucp, ucp_ep_rkey_unpack)                                                                     \
    X(ucp, ucp_rkey_destroy)                                                                       \
    X(ucp, ucp_put_nbx)                                                                            \
    X(ucp, ucp_get_nbx)                                                                            \
    X(ucp, ucp_atomic_op_nbx)                                                                      \
    X(ucp, ucp_worker_print_info)                                                                  \
    X(ucp, ucp_worker_fence)                                                                       \
    X(ucp, ucp_ep_flush_nbx)                                                                       \
    X(ucp, ucp_request_check_status)                                                               \
    X(ucp, ucp_request_free)                                                                       \
    X(ucs, ucs_status_string)

struct sheaf_ucx_library {
#define SHEAF_UCX_MEMBER(library, name) __typeof__(&name) name;
    SHEAF_UCX_FUNCTIONS(SHEAF_UCX_MEMBER)
#undef SHEAF_UCX_MEMBER
};

/* Filled by sheaf_ucx_load(). */
extern struct sheaf_ucx_library sheaf_ucx;

/* Loads UCX once. Returns 0, or -1 and the reason in words. */
int sheaf_ucx_load(char *why, size_t size);

/* Whether this host has adapters that UCX may use; asked before UCX is. */
bool sheaf_ucx_has_devices(void);

/* The transports and devices that context may use, "tcp/eth0, self/memory". */
void sheaf_ucx_transports(ucp_context_h context, char *text, size_t size);

#endif
