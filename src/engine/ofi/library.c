/* SPDX-License-Identifier: BSD-3-Clause
 * See library.h.
 */
#include "engine/ofi/library.h"

#include "base/os/hook.h"
#include "base/os/library.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sheaf_ofi_library sheaf_ofi;

/* Settings that the providers read once, when the first of them is asked for. FI_PROVIDER excludes shared
 * memory, which some of them would use beside the network: its files in /dev/shm outlive a PE that is
 * killed, and it catches signals. The interval: a PE that has not been contacted yet looks for connections
 * every 10 ms by default, so a first message takes that long. Looking every millisecond takes 0.1 % of a
 * turn's time. */
static const struct default_value {
    const char *name, *value;
} defaults[] = {
    {"FI_PROVIDER", "^shm,sm2"},
    {"FI_OFI_RXM_CM_PROGRESS_INTERVAL", "1000"},
};
enum { DEFAULTS = sizeof defaults / sizeof defaults[0] };

static int ofi_find_functions(void *library, char *why, size_t size)
{
#define FIND(name)                                                                                 \
    if (!(sheaf_ofi.name = (__typeof__(&name))sheaf_library_symbol(library, #name))) {             \
        snprintf(why, size, "the system's libfabric has no %s", #name);                            \
        return -1;                                                                                 \
    }
    SHEAF_OFI_FUNCTIONS(FIND)
#undef FIND
    return 0;
}

static int ofi_check_version(char *why, size_t size)
{
    uint32_t version = sheaf_ofi.fi_version();
    if (FI_VERSION_GE(version, SHEAF_OFI_INTERFACE))
        return 0;
    snprintf(why, size, "the system's libfabric is %u.%u, and %d.%d or later is needed",
             FI_MAJOR(version), FI_MINOR(version), SHEAF_OFI_OLDEST_MAJOR, SHEAF_OFI_OLDEST_MINOR);
    return -1;
}

static FILE *open_without_symbols(const char *path, const char *mode)
{
    if (strcmp(path, "/proc/kallsyms") != 0)
        return fopen(path, mode);
    errno = ENOENT;
    return NULL;
}

/* The verbs provider of 1.17 searches all symbols of the kernel for the adapters' abilities with memory of
 * accelerators: 0.1 s of a processor in each process. Without an adapter that is useless, so the file of
 * symbols is hidden then. Returns whether fopen must be restored. */
static bool hide_kernel_symbols(void)
{
    return access("/sys/class/infiniband", F_OK) != 0 &&
           sheaf_hook("/libfabric.so", "fopen", (void *)open_without_symbols);
}

/* Makes the providers read their settings, whatever they return. */
static void start_providers(void)
{
    bool is_set[DEFAULTS], is_hidden = hide_kernel_symbols();
    struct fi_info *any = NULL;
    for (int i = 0; i < DEFAULTS; i++) {
        is_set[i] = !getenv(defaults[i].name);
        if (is_set[i])
            setenv(defaults[i].name, defaults[i].value, 0);
    }
    if (sheaf_ofi.fi_getinfo(SHEAF_OFI_INTERFACE, NULL, NULL, FI_PROV_ATTR_ONLY, NULL, &any) == 0)
        sheaf_ofi.fi_freeinfo(any);
    for (int i = 0; i < DEFAULTS; i++)
        if (is_set[i])
            unsetenv(defaults[i].name);
    if (is_hidden)
        sheaf_hook("/libfabric.so", "fopen", (void *)fopen);
}

int sheaf_ofi_load(char *why, size_t size)
{
    static bool is_loaded;
    const char *reason;
    if (is_loaded)
        return 0;
    void *library = sheaf_library_open("libfabric.so.1", &reason);
    if (!library) {
        snprintf(why, size, "%s: install libfabric (Debian: libfabric1), link dynamically", reason);
        return -1;
    }
    if (ofi_find_functions(library, why, size) != 0 || ofi_check_version(why, size) != 0)
        return -1;
    start_providers();
    is_loaded = true;
    return 0;
}

const char *sheaf_ofi_words(ssize_t error)
{
    return sheaf_ofi.fi_strerror((int)(error < 0 ? -error : error));
}
