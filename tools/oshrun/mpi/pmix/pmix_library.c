/* SPDX-License-Identifier: BSD-3-Clause
 * See pmix_library.h.
 */
#ifdef SHEAF_HAS_PMIX_SERVER

#include "oshrun/mpi/pmix/pmix_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sheaf_pmix_library_load(struct pmix_library *library, char *why, size_t size)
{
    static const char *const names[] = {
#define LIBPMIX_NAME(name) #name,
        LIBPMIX_FUNCTIONS(LIBPMIX_NAME)};
    void **pointers = (void **)library;
    void *handle = dlopen(SHEAF_LIBPMIX, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(why, size, "%s cannot be loaded (%s); install it (Debian: libpmix2)", SHEAF_LIBPMIX,
                 dlerror());
        return -1;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pointers[i] = dlsym(handle, names[i]);
        if (!pointers[i]) {
            snprintf(why, size, "%s has no %s: version %s or later is needed", SHEAF_LIBPMIX, names[i],
                     SHEAF_PMIX_SERVES);
            return -1;
        }
    }
    const char *version = library->PMIx_Get_version();
    if (sheaf_pmix_serves(version))
        return 0;
    snprintf(why, size, "%s is %.60s: version %s or later is needed", SHEAF_LIBPMIX, version,
             SHEAF_PMIX_SERVES);
    return -1;
}

#endif
