/* SPDX-License-Identifier: BSD-3-Clause
 * See exit_status.h.
 */
#include "boot/end/exit_status.h"

#include "base/os/os.h"
#include "base/times.h"

#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The kernel's struct pidfd_info as of its first version, which C libraries' headers may lack. */
struct info {
    uint64_t mask;
    uint64_t group;
    uint32_t ids[11];
    int32_t exit_code;
};
_Static_assert(sizeof(struct info) == 64, "the size is part of the request");
#define GET_INFO  _IOWR(0xFF, 11, struct info)
#define INFO_EXIT (UINT64_C(1) << 3)

/* Whether the kernel lets this process look into that one: else it shows 0 for the status. */
static bool may_look(int pid)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/%d/ns/user", pid);
    return access(path, F_OK) == 0;
}

/* The 52nd field, of a process that waits for its parent to ask. */
static bool read_entry(int pid, int *status)
{
    char path[32], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    if (!may_look(pid))
        return false;
    if (sheaf_os_read_file(path, text, sizeof text) <= 0)
        return false;
    const char *at = strrchr(text, ')'); /* ends the second field, which may hold anything */
    if (!at || strncmp(at, ") Z", 3) != 0)
        return false;
    for (int field = 2; at && field < 52; field++)
        at = strchr(at + 1, ' ');
    return at && sscanf(at, "%d", status) == 1;
}

static bool ask_descriptor(int process, int *status)
{
    struct info info = {.mask = INFO_EXIT};
    if (ioctl(process, GET_INFO, &info) != 0 || !(info.mask & INFO_EXIT))
        return false;
    *status = info.exit_code;
    return true;
}

/* Between the two the process is neither. */
bool sheaf_exit_status(int process, int pid, int *status)
{
    for (int attempt = 0; attempt < 20; attempt++) {
        if (read_entry(pid, status) || ask_descriptor(process, status))
            return true;
        poll(NULL, 0, sheaf_times_ms(sheaf_times.exit_status_look));
    }
    return false;
}
