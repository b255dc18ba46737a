/* SPDX-License-Identifier: BSD-3-Clause
 * See library.h.
 */
#include "engine/ucx/library.h"

#include "base/os/hook.h"
#include "base/os/library.h"
#include "base/settings/env.h"

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
 * which is useful only for adapters, since they cache registrations. It loads the libraries of adapters,
 * which takes 2 ms of a CPU. It catches SIGSEGV and similar signals, and SIGHUP, which then does not end
 * the process. It prints errors of its own beside ours. Where its file system of statistics is installed,
 * it starts a thread that obeys any process at /tmp/ucx-vfs-USER.sock. */
static const struct default_value {
    const char *name, *value;
    bool for_adapters;
} defaults[] = {
    {"UCX_MEM_EVENTS", "n", false},
    {"UCX_MEMTYPE_CACHE", "n", false},
    {"UCX_MODULES", "^ib,rdmacm", false},
    {"UCX_HANDLE_ERRORS", "none", true},
    {"UCX_ERROR_SIGNALS", "", true},
    {"UCX_DEBUG_SIGNO", "0", true},
    {"UCX_LOG_LEVEL", "fatal", true},
    {"UCX_VFS_ENABLE", "n", true},
};
enum { DEFAULTS = sizeof defaults / sizeof defaults[0] };

static void *open_with_defaults(const char *file, const char **why)
{
    bool is_set[DEFAULTS] = {false}, adapters = sheaf_ucx_has_devices();
    for (int i = 0; i < DEFAULTS; i++) {
        is_set[i] = !getenv(defaults[i].name) && (defaults[i].for_adapters || !adapters);
        if (is_set[i])
            setenv(defaults[i].name, defaults[i].value, 0);
    }
    void *handle = sheaf_library_open(file, why);
    for (int i = 0; i < DEFAULTS; i++)
        if (is_set[i])
            unsetenv(defaults[i].name);
    return handle;
}

/* What is loaded. The host's libucp brings UCX's other libraries, and finds their functions too. */
static struct {
    void *handle;
    bool is_bundled;
} loaded;

#define BUNDLED_FILE "libsheaf-ucx.so"
#define BUNDLED_PREFIX "sheaf_"

/* libc's names are as they are. */
static void name_symbol(const char *name, char *text, size_t size)
{
    bool is_of_ucx = strncmp(name, "uc", 2) == 0;
    snprintf(text, size, "%s%s", loaded.is_bundled && is_of_ucx ? BUNDLED_PREFIX : "", name);
}

void *sheaf_ucx_symbol(const char *name)
{
    char text[64];
    name_symbol(name, text, sizeof text);
    return sheaf_library_symbol(loaded.handle, text);
}

bool sheaf_ucx_hook(const char *part, const char *name, void *function)
{
    char text[64], file[32];
    name_symbol(name, text, sizeof text);
    snprintf(file, sizeof file, "/lib%s.so", part);
    return sheaf_hook(loaded.is_bundled ? "/" BUNDLED_FILE : file, text, function);
}

static int ucx_find_functions(char *why, size_t size)
{
#define FIND(name)                                                                                 \
    if (!(sheaf_ucx.name = (__typeof__(&name))sheaf_ucx_symbol(#name))) {                          \
        snprintf(why, size, "UCX has no %s", #name);                                               \
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

static int load_host_ucx(char *why, size_t size)
{
    const char *reason;
    loaded.is_bundled = false;
    loaded.handle = open_with_defaults("libucp.so.0", &reason);
    if (loaded.handle)
        return ucx_find_functions(why, size) != 0 ? -1 : ucx_check_version(why, size);
    snprintf(why, size, "%s: install UCX (Debian: libucx0), link dynamically", reason);
    return -1;
}

static int load_bundled_ucx(char *why, size_t size)
{
    char path[4096];
    const char *reason = "this Sheaf came with no UCX: 'make install NETWORK=bundled' brings one, and so "
                         "does the wheel";
    loaded.is_bundled = true;
    loaded.handle = sheaf_library_beside(BUNDLED_FILE, SHEAF_TO_LIBRARY, path, sizeof path)
                        ? open_with_defaults(path, &reason)
                        : NULL;
    if (loaded.handle)
        return ucx_find_functions(why, size);
    snprintf(why, size, "%s", reason);
    return -1;
}

/* Without an adapter the one that came with Sheaf goes first: it is the same on all hosts. It has sockets
 * alone. A reason is the host's: most installations came with none. */
static int load_best_ucx(char *why, size_t size)
{
    char unused[256];
    if (sheaf_ucx_has_devices())
        return load_host_ucx(why, size) == 0 ? 0 : load_bundled_ucx(unused, sizeof unused);
    return load_bundled_ucx(unused, sizeof unused) == 0 ? 0 : load_host_ucx(why, size);
}

int sheaf_ucx_load(char *why, size_t size)
{
    static bool is_loaded;
    if (is_loaded)
        return 0;
    int wanted = sheaf_settings_choice("SHEAF_UCX");
    int status = wanted == SHEAF_UCX_AUTO   ? load_best_ucx(why, size)
                 : wanted == SHEAF_UCX_HOST ? load_host_ucx(why, size)
                                            : load_bundled_ucx(why, size);
    is_loaded = status == 0;
    return status;
}

void sheaf_ucx_print_origin(FILE *out)
{
    char path[4096];
    if (!sheaf_library_path((void *)sheaf_ucx.ucp_get_version, path, sizeof path))
        snprintf(path, sizeof path, "unknown");
    fprintf(out, "library: %s (%s; SHEAF_UCX=%s)\n", path,
            loaded.is_bundled ? "came with Sheaf: sockets alone" : "this host's",
            sheaf_ucx_names[sheaf_settings_choice("SHEAF_UCX")]);
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
