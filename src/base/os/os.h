/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What Linux tells: processors, memory, limits, and a futex. Calls the kernel directly where
 * libc has no wrapper.
 */
#ifndef SHEAF_BASE_OS_OS_H
#define SHEAF_BASE_OS_OS_H

#include "base/keep_errno.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

size_t sheaf_os_page_size(void);

/* Processors this process may really use: the smaller of its affinity mask and the cgroup's
 * quota, rounded up; at least 1. */
int sheaf_os_usable_cpus(void);

/* The processors of this process's affinity mask, a bit each; those beyond the words are left out. */
#define SHEAF_CPU_WORDS 64
void sheaf_os_affinity(uint64_t *mask, size_t words);

/* A thread of a process that is bound to one processor, and is not to share it with the others: the
 * calling thread may run on all others that the system lets it have. Where there is no other, and with more
 * than one processor, nothing changes. */
void sheaf_os_leave_own_cpu(void);

/* So many processors, or what the cgroup's quota allows; at least 1. */
int sheaf_os_within_quota(int cpus);

/* Bytes this process's machine can hold: physical memory, of the NUMA nodes that it may use, or the
 * cgroup's limit, the smaller. */
size_t sheaf_os_memory_total(void);

/* Bytes that could be touched now without swapping, alike: MemAvailable or what the cgroup has left. */
size_t sheaf_os_memory_available(void);

/* Sleeps while *word == expected, until woken or until timeout_ns passed (0: no limit). Works
 * between processes that share the page. May return early. */
void sheaf_os_futex_wait(uint32_t *word, uint32_t expected, uint64_t timeout_ns);

/* The same while *other == expected_other as well; whoever changes other wakes sleepers on it. Where
 * the kernel cannot (before Linux 5.16) it returns within a millisecond. */
void sheaf_os_futex_wait_two(uint32_t *word, uint32_t expected, uint32_t *other, uint32_t expected_other,
                             uint64_t timeout_ns);

/* Wakes all that sleep on word. */
void sheaf_os_futex_wake(uint32_t *word);

/* A full fence on every processor that runs a thread of this process now. prepare: whether the kernel
 * can (Linux 4.14); before the first. */
bool sheaf_os_prepare_fence_all(void);
void sheaf_os_fence_all(void);

/* A descriptor that tells of a process's end by POLLIN; -1 and errno. Linux 5.3. */
int sheaf_os_open_process(int pid);

/* Descriptors of the library begin here: programs expect the lowest ones to be free. */
#define SHEAF_OS_HIGH_FD 600

/* The same descriptor under a number out of the way of programs that expect the lowest ones to be free,
 * and of shells, which use 3 to 9 and 255; as it is where there is no such number. It is closed on exec. */
int sheaf_os_move_up(int fd);

/* Whether this process runs in valgrind, for which addresses cost memory and time, reserved ones too. */
bool sheaf_os_is_in_valgrind(void);

/* Whether /proc is mounted. errno stays as it was. */
bool sheaf_os_has_proc(void);

/* The whole of a small file such as /proc/meminfo, NUL-terminated, cut at size - 1. Returns the
 * length, or -1. Allocates nothing. */
long sheaf_os_read_file(const char *path, char *text, size_t size);

/* True, and the value, when path holds a line "key ... number". */
bool sheaf_os_read_key(const char *path, const char *key, uint64_t *value);

static inline size_t sheaf_round_up(size_t value, size_t step)
{
    return (value + step - 1) / step * step;
}

#endif
