/* SPDX-License-Identifier: BSD-3-Clause
 * See pmix_library.h.
 */
#ifdef SHEAF_HAS_PMIX_SERVER

#include "pmix/pmix_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The server's table of 4.2 is what later ones begin with. */
#define LEAST_MAJOR 4
#define LEAST_MINOR 2

/* "OpenPMIx 4.2.2, ..." or "PMIx 4.2.2, ...". */
static bool is_recent(const char *version)
{
    int major = 0, minor = 0;
    const char *digits = version + strcspn(version, "0123456789");
    return sscanf(digits, "%d.%d", &major, &minor) == 2 &&
           (major > LEAST_MAJOR || (major == LEAST_MAJOR && minor >= LEAST_MINOR));
}

int sheaf_pmix_library_load(struct pmix_library *library, char *why, size_t size)
{
    static const char *const names[] = {
#define LIBPMIX_NAME(name) #name,
        LIBPMIX_FUNCTIONS(LIBPMIX_NAME)};
    void **pointers = (void **)library;
    void *handle = dlopen(LIBPMIX, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(why, size, "%s cannot be loaded (%s); install it (Debian: libpmix2)", LIBPMIX, dlerror());
        return -1;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pointers[i] = dlsym(handle, names[i]);
        if (!pointers[i]) {
            snprintf(why, size, "%s has no %s: version %d.%d or later is needed", LIBPMIX, names[i],
                     LEAST_MAJOR, LEAST_MINOR);
            return -1;
        }
    }
    const char *version = library->PMIx_Get_version();
    if (is_recent(version))
        return 0;
    snprintf(why, size, "%s is %.60s: version %d.%d or later is needed", LIBPMIX, version, LEAST_MAJOR,
             LEAST_MINOR);
    return -1;
}

#endif
