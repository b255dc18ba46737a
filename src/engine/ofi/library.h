/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of libfabric that the engine uses. Most of libfabric's interface is calls through tables
 * of its objects, which its headers define; these few are symbols. The library is loaded when a job needs
 * it, so that a job on one machine runs without it.
 */
#ifndef SHEAF_ENGINE_OFI_LIBRARY_H
#define SHEAF_ENGINE_OFI_LIBRARY_H

#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_rma.h>

#include <stdbool.h>
#include <stddef.h>

/* The oldest version that is loaded, and the version of the interface that is requested. */
#define SHEAF_OFI_OLDEST_MAJOR 1
#define SHEAF_OFI_OLDEST_MINOR 14
#define SHEAF_OFI_INTERFACE    FI_VERSION(SHEAF_OFI_OLDEST_MAJOR, SHEAF_OFI_OLDEST_MINOR)

#define SHEAF_OFI_FUNCTIONS(X)                                                                     \
    X(fi_version)                                                                                  \
    X(fi_getinfo)                                                                                  \
    X(fi_freeinfo)                                                                                 \
    X(fi_dupinfo)                                                                                  \
    X(fi_fabric)                                                                                   \
    X(fi_strerror)

struct sheaf_ofi_library {
#define SHEAF_OFI_MEMBER(name) __typeof__(&name) name;
    SHEAF_OFI_FUNCTIONS(SHEAF_OFI_MEMBER)
#undef SHEAF_OFI_MEMBER
};

/* Filled by sheaf_ofi_load(). */
extern struct sheaf_ofi_library sheaf_ofi;

/* Loads libfabric once. Returns 0, or -1 and the reason in words. */
int sheaf_ofi_load(char *why, size_t size);

/* libfabric's text for an error, given as a positive or negative number; it stays valid. */
const char *sheaf_ofi_words(ssize_t error);

#endif
