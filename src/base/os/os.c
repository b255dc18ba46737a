/* SPDX-License-Identifier: BSD-3-Clause
 * See os.h.
 */
#include "base/os/os.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

size_t sheaf_os_page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

long sheaf_os_read_file(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    size_t used = 0;
    while (used < size - 1) {
        ssize_t got = read(fd, text + used, size - 1 - used);
        if (got <= 0)
            break;
        used += (size_t)got;
    }
    close(fd);
    text[used] = '\0';
    return (long)used;
}

bool sheaf_os_has_proc(void)
{
    SHEAF_KEEP_ERRNO;
    return access("/proc/self", F_OK) == 0;
}

bool sheaf_os_read_key(const char *path, const char *key, uint64_t *value)
{
    char text[8192];
    if (sheaf_os_read_file(path, text, sizeof text) < 0)
        return false;
    size_t length = strlen(key);
    for (char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) == 0)
            return sscanf(line + length, "%*[: \t]%lu", value) == 1;
    }
    return false;
}

void sheaf_os_affinity(uint64_t *mask, size_t words)
{
    size_t size = CPU_ALLOC_SIZE(8192);
    cpu_set_t *set = CPU_ALLOC(8192);
    memset(mask, 0, words * sizeof *mask);
    if (set && sched_getaffinity(0, size, set) == 0)
        for (size_t cpu = 0; cpu < words * 64 && cpu < 8192; cpu++)
            mask[cpu / 64] |= (uint64_t)(CPU_ISSET_S(cpu, size, set) != 0) << cpu % 64;
    CPU_FREE(set);
}

void sheaf_os_leave_own_cpu(void)
{
    cpu_set_t own, others;
    if (sched_getaffinity(0, sizeof own, &own) != 0 || CPU_COUNT(&own) != 1)
        return;
    memset(&others, 0xff, sizeof others); /* the kernel leaves out those that the process may not have */
    CPU_XOR(&others, &others, &own);      /* else it may leave the thread where it is */
    sched_setaffinity(0, sizeof others, &others);
}

void sheaf_os_futex_wait(uint32_t *word, uint32_t expected, uint64_t timeout_ns)
{
    struct timespec limit = {.tv_sec = (time_t)(timeout_ns / SHEAF_SECOND),
                             .tv_nsec = (long)(timeout_ns % SHEAF_SECOND)};
    SHEAF_KEEP_ERRNO;
    syscall(SYS_futex, word, FUTEX_WAIT, expected, timeout_ns ? &limit : NULL, NULL, 0);
}

/* As the kernel has it, whose headers may be older. */
#define FUTEX_WAITV_CALL 449
struct futex_of_two {
    uint64_t expected, address;
    uint32_t flags, reserved;
};
#define FUTEX_OF_32_BITS 2

static struct futex_of_two futex_of(const uint32_t *word, uint32_t expected)
{
    return (struct futex_of_two){expected, (uintptr_t)word, FUTEX_OF_32_BITS, 0};
}

void sheaf_os_futex_wait_two(uint32_t *word, uint32_t expected, uint32_t *other, uint32_t expected_other,
                             uint64_t timeout_ns)
{
    SHEAF_KEEP_ERRNO;
    struct futex_of_two both[] = {futex_of(word, expected), futex_of(other, expected_other)};
    uint64_t end_ns = timeout_ns ? sheaf_clock_ns() + timeout_ns : 0;
    struct timespec end = {.tv_sec = (time_t)(end_ns / SHEAF_SECOND),
                           .tv_nsec = (long)(end_ns % SHEAF_SECOND)};
    long woken = syscall(FUTEX_WAITV_CALL, both, 2, 0, end_ns ? &end : NULL, CLOCK_MONOTONIC);
    if (woken >= 0 || errno != ENOSYS)
        return;
    bool is_short = timeout_ns != 0 && timeout_ns < SHEAF_MILLISECOND;
    sheaf_os_futex_wait(word, expected, is_short ? timeout_ns : SHEAF_MILLISECOND);
}

void sheaf_os_futex_wake(uint32_t *word)
{
    SHEAF_KEEP_ERRNO;
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

bool sheaf_os_prepare_fence_all(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void sheaf_os_fence_all(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

int sheaf_os_move_up(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, SHEAF_OS_HIGH_FD);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

int sheaf_os_open_process(int pid)
{
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, pid, 0);
#else
    (void)pid;
    errno = ENOSYS;
    return -1;
#endif
}

bool sheaf_os_is_in_valgrind(void)
{
    const char *preloaded = getenv("LD_PRELOAD"); /* static programs have it too */
    return preloaded && strstr(preloaded, "/vgpreload_");
}
