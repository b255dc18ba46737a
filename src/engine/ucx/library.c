/* SPDX-License-Identifier: BSD-3-Clause
 * See library.h.
 */
#include "engine/ucx/library.h"

#include "base/os/library.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sheaf_ucx_library sheaf_ucx;

bool sheaf_ucx_has_devices(void)
{
    DIR *adapters = opendir("/sys/class/infiniband");
    struct dirent *entry;
    bool found = false;
    while (adapters && (entry = readdir(adapters)) != NULL)
        found |= entry->d_name[0] != '.';
    if (adapters)
        closedir(adapters);
    return found;
}

/* UCX reads these once, when it is loaded. Its defaults affect the program. It patches libc's mmap and brk,
 * which is useful only for adapters, since they cache registrations. It catches SIGSEGV and similar
 * signals, and SIGHUP, which then does not end the process. It prints errors of its own beside ours. Where
 * its file system of statistics is installed, it starts a thread that obeys any process at
 * /tmp/ucx-vfs-USER.sock. */
static const struct default_value {
    const char *name, *value;
    bool for_adapters;
} defaults[] = {
    {"UCX_MEM_EVENTS", "n", false},
    {"UCX_MEMTYPE_CACHE", "n", false},
    {"UCX_HANDLE_ERRORS", "none", true},
    {"UCX_ERROR_SIGNALS", "", true},
    {"UCX_DEBUG_SIGNO", "0", true},
    {"UCX_LOG_LEVEL", "fatal", true},
    {"UCX_VFS_ENABLE", "n", true},
};
enum { DEFAULTS = sizeof defaults / sizeof defaults[0] };

static void *open_libraries(void **ucs, const char **why)
{
    bool is_set[DEFAULTS] = {false}, adapters = sheaf_ucx_has_devices();
    for (int i = 0; i < DEFAULTS; i++) {
        is_set[i] = !getenv(defaults[i].name) && (defaults[i].for_adapters || !adapters);
        if (is_set[i])
            setenv(defaults[i].name, defaults[i].value, 0);
    }
    void *ucp = sheaf_library_open("libucp.so.0", why);
    *ucs = ucp ? sheaf_library_open("libucs.so.0", why) : NULL;
    for (int i = 0; i < DEFAULTS; i++)
        if (is_set[i])
            unsetenv(defaults[i].name);
    return ucp;
}

static int ucx_find_functions(void *ucp, void *ucs, char *why, size_t size)
{
#define FIND(library, name)                                                                        \
    if (!(sheaf_ucx.name = (__typeof__(&name))sheaf_library_symbol(library, #name))) {             \
        snprintf(why, size, "the system's UCX has no %s", #name);                                  \
        return -1;                                                                                 \
    }
    SHEAF_UCX_FUNCTIONS(FIND)
#undef FIND
    return 0;
}

static int ucx_check_version(char *why, size_t size)
{
    unsigned major, minor, release;
    sheaf_ucx.ucp_get_version(&major, &minor, &release);
    if (major == SHEAF_UCX_OLDEST_MAJOR && minor >= SHEAF_UCX_OLDEST_MINOR)
        return 0;
    snprintf(why, size, "the system's UCX is %u.%u.%u, and %d.%d or a later %d.x is needed", major,
             minor, release, SHEAF_UCX_OLDEST_MAJOR, SHEAF_UCX_OLDEST_MINOR,
             SHEAF_UCX_OLDEST_MAJOR);
    return -1;
}

int sheaf_ucx_load(char *why, size_t size)
{
    static bool is_loaded;
    void *ucs;
    if (is_loaded)
        return 0;
    const char *reason;
    void *ucp = open_libraries(&ucs, &reason);
    if (!ucp || !ucs) {
        snprintf(why, size, "%s: install UCX (Debian: libucx0), link dynamically", reason);
        return -1;
    }
    if (ucx_find_functions(ucp, ucs, why, size) != 0 || ucx_check_version(why, size) != 0)
        return -1;
    is_loaded = true;
    return 0;
}

/* UCX prints a context as lines, one per transport and device: "... resource 0 : ... tcp/eth0". */
static void append_transport(const char *line, char *text, size_t size)
{
    const char *name = strrchr(line, ' ');
    size_t used = strlen(text);
    if (!strstr(line, " resource ") || !name || !strchr(name, '/'))
        return;
    snprintf(text + used, size - used, "%s%s", used ? ", " : "", name + 1);
}

void sheaf_ucx_transports(ucp_context_h context, char *text, size_t size)
{
    char *lines = NULL, *rest;
    size_t length;
    text[0] = '\0';
    FILE *stream = open_memstream(&lines, &length);
    if (!stream)
        return;
    sheaf_ucx.ucp_context_print_info(context, stream);
    fclose(stream);
    for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        append_transport(line, text, size);
    free(lines);
}
