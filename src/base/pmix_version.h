/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The library of PMIx: its name, from which version on oshrun can be its server, and which mix values up.
 */
#ifndef SHEAF_BASE_PMIX_VERSION_H
#define SHEAF_BASE_PMIX_VERSION_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define SHEAF_LIBPMIX "libpmix.so.2"

/* The server's table of 4.2 is what later ones begin with. */
#define SHEAF_PMIX_SERVES "4.2"

/* All versions here: as PMIx_Get_version() has it, "OpenPMIx 4.2.2, ..." or "PMIx 4.2.2, ...". */

static inline bool sheaf_pmix_serves(const char *version)
{
    int major = 0, minor = 0, least_major = 0, least_minor = 0;
    sscanf(SHEAF_PMIX_SERVES, "%d.%d", &least_major, &least_minor);
    return sscanf(version + strcspn(version, "0123456789"), "%d.%d", &major, &minor) == 2 &&
           (major > least_major || (major == least_major && minor >= least_minor));
}

/* Whether its store in shared memory (gds/shmem) may give the value of another key: 5.0.0 to 5.0.2, where
 * a process and its server number the keys each for itself (openpmix issue 3339). "hash" does not. */
static inline bool sheaf_pmix_mixes_keys(const char *version)
{
    int release = -1;
    return sscanf(version + strcspn(version, "0123456789"), "5.0.%d", &release) == 1 && release < 3;
}

#endif
