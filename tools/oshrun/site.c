/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks addr2line, which gets two seconds, and no second chance when it was slow: a job that is
 * to be ended must not hang on its own obituary.
 */
#include "site.h"

#include "base/clock.h"
#include "options.h"

#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE (2 * SHEAF_SECOND)

static bool was_slow;

static int start(const char *tool, const char *file, const char *address, int *reader)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    int pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        dup2(null, 0);
        dup2(ends[1], 1);
        dup2(null, 2);
        execl(tool, "addr2line", "-s", "-e", file, address, (char *)NULL);
        _exit(STATUS_NOT_FOUND);
    }
    close(ends[1]);
    if (pid < 0)
        close(ends[0]);
    *reader = ends[0];
    return pid;
}

/* Its first line, up to the end or until patience is over. */
static void read_line(int reader, char *line, size_t size)
{
    uint64_t until = sheaf_clock_ns() + PATIENCE;
    size_t length = 0;
    while (length + 1 < size) {
        uint64_t now = sheaf_clock_ns();
        struct pollfd ready = {.fd = reader, .events = POLLIN};
        was_slow = now >= until;
        if (was_slow || poll(&ready, 1, (int)((until - now) / SHEAF_MILLISECOND) + 1) < 0)
            break;
        if (!ready.revents)
            continue;
        ssize_t count = read(reader, line + length, size - 1 - length);
        if (count <= 0)
            break;
        length += (size_t)count;
    }
    line[length] = '\0';
    line[strcspn(line, "\n")] = '\0';
}

static bool ask(const char *file, uint64_t offset, char *name, size_t size)
{
    static char *tool;
    char address[32];
    int reader, status;
    if (!tool)
        tool = sheaf_program_search("addr2line");
    if (!tool || was_slow)
        return false;
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)offset);
    int pid = start(tool, file, address, &reader);
    if (pid < 0)
        return false;
    read_line(reader, name, size);
    close(reader);
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    name[strcspn(name, " ")] = '\0';
    return name[0] && name[0] != '?' && !strstr(name, ":?") && !strstr(name, ":0");
}

/* Addresses in a program that is not position-independent are its file's own. */
static bool is_fixed(const char *file)
{
    Elf64_Ehdr header;
    int fd = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool whole = fd >= 0 && read(fd, &header, sizeof header) == sizeof header;
    if (fd >= 0)
        close(fd);
    return whole && !memcmp(header.e_ident, ELFMAG, SELFMAG) && header.e_type == ET_EXEC;
}

bool sheaf_site_name(const char *file, int pid, uint64_t site, uint64_t site_base, char *name,
                     size_t size)
{
    char program[32];
    const char *path = file, *slash = strrchr(file, '/');
    if (!site || !file[0])
        return false;
    if (file[0] != '/') {
        snprintf(program, sizeof program, "/proc/%d/exe", pid);
        path = program;
    }
    uint64_t offset = is_fixed(path) ? site : site - site_base;
    /* The site is where the call returns to: the call is the instruction before. */
    if (ask(path, offset - 1, name, size))
        return true;
    snprintf(name, size, "%s+0x%llx", slash ? slash + 1 : file, (unsigned long long)offset);
    return true;
}
