/* SPDX-License-Identifier: BSD-3-Clause
 * See agent_start.h.
 */
#include "boot/replicated_log/agent_start.h"

#include "base/log.h"
#include "base/os/library.h"
#include "base/os/process.h"
#include "base/settings/env.h"
#include "base/times.h"
#include "boot/replicated_log/passed.h"
#include "boot/world/world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME      "sheaf-agent"
#define MOST_PATH 4096

/* Below a folder's first length bytes. */
static bool find_below(const char *folder, size_t length, const char *from, char path[MOST_PATH])
{
    int used = snprintf(path, MOST_PATH, "%.*s/%s/%s", (int)length, folder, from, NAME);
    return used > 0 && used < MOST_PATH && access(path, X_OK) == 0;
}

/* Where this library was installed, or built; or a command that has it in itself. */
static bool find_beside_library(char path[MOST_PATH])
{
    char own[MOST_PATH];
    bool is_known = sheaf_library_path((void *)find_beside_library, own, sizeof own);
    const char *slash = is_known ? strrchr(own, '/') : NULL;
    return slash && (find_below(own, (size_t)(slash - own), SHEAF_AGENT_BY_LIBRARY, path) ||
                     find_below(own, (size_t)(slash - own), SHEAF_AGENT_BY_COMMANDS, path));
}

/* Where oshrun was: a program that is linked with libsheaf.a lies anywhere. */
static bool find_beside_commands(char path[MOST_PATH])
{
    const char *at = getenv("PATH");
    for (size_t length; at && *at; at += length + (at[length] == ':')) {
        length = strcspn(at, ":");
        bool is_folder = length < MOST_PATH && *at == '/';
        if (is_folder && find_below(at, length, SHEAF_AGENT_BY_COMMANDS, path))
            return true;
    }
    return false;
}

static bool find_program(char path[MOST_PATH])
{
    const char *chosen = sheaf_settings_text("SHEAF_AGENT");
    if (!chosen || !*chosen)
        return find_beside_library(path) || find_beside_commands(path);
    snprintf(path, MOST_PATH, "%s", chosen);
    return true;
}

static int start_program(const char *path, const struct sheaf_control *area, int file, int inbox,
                         char address[SHEAF_MESH_ADDRESS])
{
    int passed = sheaf_passed_create(area);
    if (passed < 0)
        return -1;
    const int files[] = {file, inbox, passed};
    _Static_assert(SHEAF_PASSED_AREA == 3 && SHEAF_PASSED_REPORT == 6, "files are 3, 4, 5, and the report");
    int failed = sheaf_process_start_apart(path, files, 3, sheaf_times.agents_connect);
    if (!failed)
        failed = sheaf_passed_address(passed, address);
    int error = errno;
    close(passed);
    errno = error;
    return failed;
}

static int start_with_pipe(const char *path, const struct sheaf_control *area, int file,
                           char address[SHEAF_MESH_ADDRESS], int *outbox)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    int failed = start_program(path, area, file, ends[0], address), error = errno;
    close(ends[0]);
    if (failed)
        close(ends[1]);
    else
        *outbox = ends[1];
    errno = error;
    return failed;
}

static const char *reason_of(int error)
{
    switch (error) {
    case EPROTO: return "it belongs to another version of Sheaf";
    case EIO: return "it ended at once";
    case ETIMEDOUT: return "it does not start";
    default: return strerror(error);
    }
}

int sheaf_agent_start(const struct sheaf_control *area, int file, char address[SHEAF_MESH_ADDRESS],
                      int *outbox)
{
    char path[MOST_PATH];
    const char *host = sheaf_boot_host_of(sheaf_boot.pe);
    if (!find_program(path)) {
        sheaf_error("SH607 SHEAF_FAILURES=report: host %s has no %s beside its libsheaf or oshrun: install "
                    "it, or name it in SHEAF_AGENT", host, NAME);
        return -1;
    }
    if (start_with_pipe(path, area, file, address, outbox) == 0)
        return 0;
    sheaf_error("SH607 SHEAF_FAILURES=report: host %s cannot start %s: %s", host, path, reason_of(errno));
    return -1;
}
