/* SPDX-License-Identifier: BSD-3-Clause
 *
 * System calls by the kernel's numbers. A program may have functions of its own called poll, read or open,
 * which every library of its process would get in place of libc's: in libsheaf's objects these names are
 * replaced by the ones below (direct.syms, src/CMakeLists.txt), or by libc's own reserved ones. Nothing
 * here is called by name. tests/interface/imports.py finds what is missing.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define KERNEL_SIGNALS 8 /* bytes of the kernel's set of signals, the first of libc's */

/* Those that libc hands on as they come: in registers, where the kernel looks at as much as it needs. */
#define SAME(name)                                                                                 \
    long sheaf_direct_##name(long a, long b, long c, long d, long e, long f);                      \
    long sheaf_direct_##name(long a, long b, long c, long d, long e, long f)                       \
    {                                                                                              \
        return syscall(SYS_##name, a, b, c, d, e, f);                                              \
    }
SAME(accept4) SAME(bind) SAME(close) SAME(connect) SAME(dup) SAME(dup3) SAME(epoll_create1)
SAME(epoll_ctl) SAME(fallocate) SAME(fchmod) SAME(fcntl) SAME(flock) SAME(fstatfs) SAME(fsync)
SAME(ftruncate) SAME(geteuid) SAME(getpeername) SAME(getpid) SAME(getrandom) SAME(getsockname)
SAME(getsockopt) SAME(ioctl) SAME(kill) SAME(linkat) SAME(listen) SAME(lseek) SAME(madvise)
SAME(memfd_create) SAME(mincore) SAME(mkdirat) SAME(mlockall) SAME(mmap) SAME(mprotect) SAME(mremap)
SAME(munmap) SAME(nanosleep) SAME(openat) SAME(pipe2) SAME(prctl) SAME(read) SAME(recvmsg)
SAME(renameat2) SAME(sched_get_priority_min) SAME(sched_setscheduler) SAME(sched_yield)
SAME(sendmsg) SAME(sendto) SAME(setsid) SAME(setsockopt) SAME(shutdown) SAME(sigaltstack)
SAME(socket) SAME(socketpair)
SAME(sync_file_range) SAME(sysinfo) SAME(timerfd_create) SAME(timerfd_settime) SAME(uname)
SAME(unlinkat) SAME(write)

/* By another's number, which every processor's kernel has. */
#define DIRECT(type, name, parameters, ...)                                                        \
    type sheaf_direct_##name parameters;                                                           \
    type sheaf_direct_##name parameters                                                            \
    {                                                                                              \
        return (type)syscall(__VA_ARGS__);                                                         \
    }
DIRECT(int, accept, (int fd, struct sockaddr *peer, socklen_t *length), SYS_accept4, fd, peer, length, 0)
DIRECT(int, access, (const char *path, int mode), SYS_faccessat, AT_FDCWD, path, mode)
DIRECT(int, epoll_wait, (int fd, struct epoll_event *events, int most, int ms), SYS_epoll_pwait, fd, events,
       most, ms, NULL, KERNEL_SIGNALS)
DIRECT(int, eventfd, (unsigned value, int flags), SYS_eventfd2, value, flags)
DIRECT(int, fstat, (int fd, struct stat *out), SYS_newfstatat, fd, "", out, AT_EMPTY_PATH)
DIRECT(int, getrlimit, (int which, struct rlimit *out), SYS_prlimit64, 0, which, NULL, out)
DIRECT(int, lstat, (const char *path, struct stat *out), SYS_newfstatat, AT_FDCWD, path, out,
       AT_SYMLINK_NOFOLLOW)
DIRECT(int, mkdir, (const char *path, mode_t mode), SYS_mkdirat, AT_FDCWD, path, mode)
DIRECT(int, open, (const char *path, int flags, mode_t mode), SYS_openat, AT_FDCWD, path, flags, mode)
DIRECT(ssize_t, pread, (int fd, void *out, size_t length, off_t at), SYS_pread64, fd, out, length, at)
DIRECT(ssize_t, pwrite, (int fd, const void *in, size_t length, off_t at), SYS_pwrite64, fd, in, length, at)
DIRECT(ssize_t, readlink, (const char *path, char *out, size_t size), SYS_readlinkat, AT_FDCWD, path, out,
       size)
DIRECT(ssize_t, recv, (int fd, void *out, size_t length, int flags), SYS_recvfrom, fd, out, length, flags,
       NULL, NULL)
DIRECT(int, renameat, (int from, const char *name, int to, const char *new_name), SYS_renameat2, from, name,
       to, new_name, 0)
DIRECT(ssize_t, send, (int fd, const void *in, size_t length, int flags), SYS_sendto, fd, in, length, flags,
       NULL, 0)
DIRECT(int, setrlimit, (int which, const struct rlimit *limit), SYS_prlimit64, 0, which, limit, NULL)
DIRECT(int, sigprocmask, (int how, const sigset_t *set, sigset_t *before), SYS_rt_sigprocmask, how, set,
       before, KERNEL_SIGNALS)
DIRECT(int, stat, (const char *path, struct stat *out), SYS_newfstatat, AT_FDCWD, path, out, 0)
DIRECT(int, unlink, (const char *path), SYS_unlinkat, AT_FDCWD, path, 0)
DIRECT(pid_t, waitpid, (pid_t pid, int *status, int options), SYS_wait4, pid, status, options, NULL)

int sheaf_direct_dup2(int from, int to);
int sheaf_direct_dup2(int from, int to)
{
    return from == to ? from : (int)syscall(SYS_dup3, from, to, 0);
}

/* The kernel writes the time that is left. */
int sheaf_direct_ppoll(struct pollfd *list, nfds_t count, const struct timespec *time, const sigset_t *set);
int sheaf_direct_ppoll(struct pollfd *list, nfds_t count, const struct timespec *time, const sigset_t *set)
{
    struct timespec left = time ? *time : (struct timespec){0};
    return (int)syscall(SYS_ppoll, list, count, time ? &left : NULL, set, KERNEL_SIGNALS);
}

int sheaf_direct_poll(struct pollfd *list, nfds_t count, int ms);
int sheaf_direct_poll(struct pollfd *list, nfds_t count, int ms)
{
    struct timespec timeout = {ms / 1000, ms % 1000 * 1000000L};
    return sheaf_direct_ppoll(list, count, ms < 0 ? NULL : &timeout, NULL);
}

int sheaf_direct_usleep(useconds_t us);
int sheaf_direct_usleep(useconds_t us)
{
    struct timespec time = {us / 1000000, us % 1000000 * 1000L};
    return (int)syscall(SYS_nanosleep, &time, NULL);
}

int sheaf_direct_gethostname(char *name, size_t size);
int sheaf_direct_gethostname(char *name, size_t size)
{
    struct utsname names;
    if (syscall(SYS_uname, &names) != 0)
        return -1;
    size_t length = strlen(names.nodename) + 1;
    memcpy(name, names.nodename, length < size ? length : size);
    errno = length <= size ? errno : ENAMETOOLONG;
    return length <= size ? 0 : -1;
}
