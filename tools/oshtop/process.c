/* SPDX-License-Identifier: BSD-3-Clause
 * See process.h.
 */
#include "process.h"

#include "base/clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The name of the program, in brackets, may hold anything: fields are counted from its end. */
bool top_process_read(int pid, struct top_process *process)
{
    char path[32], text[1024], state;
    unsigned long long user, kernel, started;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[length > 0 ? length : 0] = '\0';
    const char *end = strrchr(text, ')');
    if (!end || sscanf(end + 1,
                       " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %*d %*d %*d %*d "
                       "%*d %*d %llu",
                       &state, &user, &kernel, &started) != 4)
        return false;
    process->cpu_ns = (user + kernel) * (SHEAF_SECOND / (uint64_t)sysconf(_SC_CLK_TCK));
    process->started = started;
    return state != 'Z' && state != 'X';
}
