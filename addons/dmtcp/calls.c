/* SPDX-License-Identifier: BSD-3-Clause
 *
 * System calls that DMTCP treats otherwise than a job needs. libsheaf makes its system calls by number
 * (src/base/os/direct.c), and DMTCP hands on paths of these as they are, although it has given the
 * processes other numbers: /proc/PID/fd/N is a PE's way to the job's file and to oshrun's pipe. And DMTCP
 * makes a socket pair where a program asks for a pipe: that cannot be opened by such a path.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

bool sheaf_dmtcp_is_maker;

typedef long call(long number, ...);

long sheaf_dmtcp_call(long number, long a, long b, long c, long d)
{
    static call *libc;
    if (!libc)
        libc = (call *)dmtcp_dlsym_lib("libc.so", "syscall");
    if (!libc)
        sheaf_dmtcp_fail("libc has no syscall()");
    return libc(number, a, b, c, d, 0L, 0L);
}

int sheaf_dmtcp_open(const char *path, int flags)
{
    return (int)KERNEL(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);
}

void sheaf_dmtcp_fail(const char *format, ...)
{
    char text[PATH_BYTES] = "libsheaf-dmtcp: ";
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(text + length, sizeof text - 1 - length, format, arguments);
    va_end(arguments);
    length += written < 0 ? 0 : (size_t)written;
    length = length < sizeof text - 1 ? length : sizeof text - 2;
    text[length++] = '\n';
    if (write(STDERR_FILENO, text, length) < 0)
        length = 0;
    _exit(1);
}

void *sheaf_dmtcp_reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        sheaf_dmtcp_fail("no memory for %zu bytes: %s", bytes, strerror(errno));
    return memory;
}

void sheaf_dmtcp_release(void *memory, size_t bytes)
{
    if (memory)
        munmap(memory, bytes);
}

/* /proc/PID/... as the kernel knows it. */
static const char *kernel_path(const char *path, char text[PATH_BYTES])
{
    static const char proc[] = "/proc/";
    char *rest;
    if (!path || strncmp(path, proc, strlen(proc)) != 0)
        return path;
    long pid = strtol(path + strlen(proc), &rest, 10);
    if (pid <= 0 || *rest != '/')
        return path;
    snprintf(text, PATH_BYTES, "%s%d%s", proc, (int)dmtcp_pid_virtual_to_real((pid_t)pid), rest);
    return text;
}

long syscall(long number, ...)
{
    long with[6];
    char text[PATH_BYTES];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        with[i] = va_arg(arguments, long);
    va_end(arguments);
    if (number == SYS_openat || number == SYS_readlinkat || number == SYS_newfstatat ||
        number == SYS_faccessat)
        return KERNEL(number, with[0], kernel_path((const char *)with[1], text), with[2], with[3]);
    if (number == SYS_pipe2)
        return KERNEL(number, with[0], with[1], 0, 0);
    return ((call *)NEXT_FNC(syscall))(number, with[0], with[1], with[2], with[3], with[4], with[5]);
}

int pipe2(int ends[2], int flags)
{
    return (int)KERNEL(SYS_pipe2, ends, flags, 0, 0);
}

int pipe(int ends[2])
{
    return pipe2(ends, 0);
}

int memfd_create(const char *name, unsigned flags)
{
    int fd = (int)KERNEL(SYS_memfd_create, name, flags, 0, 0);
    if (fd >= 0 && strcmp(name, JOB_FILE) == 0)
        sheaf_dmtcp_is_maker = true;
    return fd;
}
