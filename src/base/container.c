/* SPDX-License-Identifier: BSD-3-Clause
 * See container.h.
 */
#include "base/container.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct listed {
    bool is_listed;
    int files[SHEAF_CONTAINER_FILES];
} *list;
static int length;

static bool grow(int slots)
{
    struct listed *longer = slots <= length ? list : realloc(list, (size_t)slots * sizeof *list);
    if (!longer)
        return false;
    for (list = longer; length < slots; length++)
        list[length].is_listed = false;
    return true;
}

uint32_t sheaf_container_namespace(int pid)
{
    char path[32] = "/proc/self/ns/pid";
    struct stat namespace;
    if (pid != 0)
        snprintf(path, sizeof path, "/proc/%d/ns/pid", pid);
    return stat(path, &namespace) == 0 ? (uint32_t)namespace.st_ino : 0;
}

bool sheaf_container_list(int slot, const int files[SHEAF_CONTAINER_FILES])
{
    if (!grow(slot + 1))
        return false;
    memcpy(list[slot].files, files, sizeof list[slot].files);
    list[slot].is_listed = true;
    return true;
}

int sheaf_container_file(int32_t pid, enum sheaf_container_descriptor which)
{
    int slot = sheaf_container_number(pid); /* its own inverse */
    if (sheaf_container_is_number(pid) && slot < length && list[slot].is_listed)
        return list[slot].files[which];
    errno = ESRCH;
    return -1;
}

bool sheaf_container_has_ended(int32_t pid)
{
    struct pollfd end = {.fd = sheaf_container_file(pid, SHEAF_CONTAINER_PROCESS), .events = POLLIN};
    return end.fd < 0 || poll(&end, 1, 0) > 0;
}

int sheaf_container_copy(int32_t pid, enum sheaf_container_descriptor which)
{
    int file = sheaf_container_file(pid, which);
    return file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, 0);
}
