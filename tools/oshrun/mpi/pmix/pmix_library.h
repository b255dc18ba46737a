/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libpmix, loaded when a job needs it: its server's functions, and the job's description in PMIx's
 * attributes.
 */
#ifndef SHEAF_OSHRUN_PMIX_LIBRARY_H
#define SHEAF_OSHRUN_PMIX_LIBRARY_H

#include "base/pmix_version.h"
#include "oshrun/command/options.h"

#include <pmix.h>
#include <pmix_server.h>
#include <stddef.h>

#define LIBPMIX_FUNCTIONS(FUNCTION)                                                                   \
    FUNCTION(PMIx_Get_version)                                                                     \
    FUNCTION(PMIx_server_init)                                                                     \
    FUNCTION(PMIx_server_finalize)                                                                 \
    FUNCTION(PMIx_server_register_nspace)                                                          \
    FUNCTION(PMIx_server_register_client)                                                          \
    FUNCTION(PMIx_server_deregister_nspace)                                                        \
    FUNCTION(PMIx_server_setup_fork)                                                               \
    FUNCTION(PMIx_Error_string)

struct pmix_library {
#define LIBPMIX_POINTER(name) __typeof__(&name) name;
    LIBPMIX_FUNCTIONS(LIBPMIX_POINTER)
};

/* Returns 0, or another value with the reason in why. */
int sheaf_pmix_library_load(struct pmix_library *library, char *why, size_t size);

/* Registers the job of this name: all PEs are on this host, and files are in folder. Returns
 * PMIX_SUCCESS, or libpmix's error. */
pmix_status_t sheaf_pmix_job_register(const struct pmix_library *library, const struct options *options,
                                      const char *name, const char *folder);

/* Sets one attribute; value stays the caller's. */
void sheaf_pmix_text(pmix_info_t *info, const char *key, const char *value);
void sheaf_pmix_flag(pmix_info_t *info, const char *key, bool value);

#endif
