/* SPDX-License-Identifier: BSD-3-Clause
 * See process.h. An open /proc/PID belongs to one process: when that has ended nothing in it can be
 * opened any more, whoever has the number then.
 */
#include "base/os/process.h"

#include "base/os/os.h"
#include "base/container.h"
#include "base/times.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define START_FIELD 22 /* of stat, counted from 1 */

static bool read_text(int folder, const char *name, char *text, size_t size)
{
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* The second field is a name in parentheses, of any characters. 0 when the process has ended. */
static uint64_t start_of(int folder)
{
    char text[1024];
    char *field = read_text(folder, "stat", text, sizeof text) ? strrchr(text, ')') : NULL;
    for (int i = 3; i <= START_FIELD && field; i++)
        field = strchr(field + 1, ' ');
    return field ? strtoull(field, NULL, 10) : 0;
}

/* Of the process whose folder of /proc that is; 0 also where it cannot be read. */
static uint64_t start_in(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return 0;
    uint64_t started = start_of(folder);
    close(folder);
    return started;
}

static bool is_of_this_user(int folder)
{
    char text[1024];
    unsigned real, effective;
    const char *line = read_text(folder, "status", text, sizeof text) ? strstr(text, "\nUid:") : NULL;
    return line && sscanf(line, "\nUid: %u %u", &real, &effective) == 2 && effective == geteuid();
}

static bool is_meant(int folder, const struct sheaf_process *process)
{
    uint64_t started = start_of(folder);
    return started != 0 && (process->started == 0 || started == process->started) &&
           is_of_this_user(folder);
}

static int open_folder(const struct sheaf_process *process)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d", process->pid);
    int folder = process->pid > 0 ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (folder >= 0 && is_meant(folder, process))
        return folder;
    if (folder >= 0)
        close(folder);
    errno = ESRCH;
    return -1;
}

struct sheaf_process sheaf_process_self(void)
{
    return (struct sheaf_process){.pid = getpid(), .started = start_in("/proc/self")};
}

struct sheaf_process sheaf_process_of_child(int pid)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d", pid);
    return (struct sheaf_process){.pid = pid, .started = start_in(path)};
}

bool sheaf_process_is_there(const struct sheaf_process *process)
{
    if (sheaf_container_is_number(process->pid))
        return !sheaf_container_has_ended(process->pid);
    int folder = open_folder(process);
    if (folder >= 0)
        close(folder);
    return folder >= 0;
}

bool sheaf_process_has_ended(int pid)
{
    if (sheaf_container_is_number(pid))
        return sheaf_container_has_ended(pid);
    int process = sheaf_os_open_process(pid);
    struct pollfd end = {.fd = process, .events = POLLIN};
    if (process < 0)
        return kill(pid, 0) != 0 && errno == ESRCH;
    bool has_ended = poll(&end, 1, 0) > 0;
    close(process);
    return has_ended;
}

/* The start is read behind the descriptor: a process with another one is not the one meant, and that has
 * ended. It cannot be read where /proc is not mounted, or hides the process. */
int sheaf_process_watch(const struct sheaf_process *process)
{
    char path[32];
    if (sheaf_container_is_number(process->pid))
        return sheaf_container_copy(process->pid, SHEAF_CONTAINER_PROCESS);
    int watched = sheaf_os_open_process(process->pid);
    if (watched < 0 || process->started == 0)
        return watched;
    snprintf(path, sizeof path, "/proc/%d", process->pid);
    uint64_t started = start_in(path);
    if (started == 0 || started == process->started)
        return watched;
    close(watched);
    errno = ESRCH;
    return -1;
}

#define FIRST_FILE 3

/* Without LD_ variables: libraries that the program preloads, and paths to its own, are not for a program
 * that needs libc alone. NULL: no memory. */
static char **copy_environment(void)
{
    size_t count = 0, kept = 0;
    while (environ && environ[count])
        count++;
    char **copy = malloc((count + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        if (strncmp(environ[i], "LD_", 3) != 0)
            copy[kept++] = environ[i];
    if (copy)
        copy[kept] = NULL;
    return copy;
}

static void close_files(const int *files, int count)
{
    for (int i = 0; i < count; i++)
        close(files[i]);
}

/* The same files under numbers behind those that the program is to have: none of these is one of them, and
 * so dup2() makes each anew, without the mark that closes it. */
static int copy_files(const int *files, int count, int *copies)
{
    for (int i = 0; i < count; i++) {
        copies[i] = fcntl(files[i], F_DUPFD_CLOEXEC, FIRST_FILE + count);
        if (copies[i] < 0) {
            int error = errno;
            close_files(copies, i);
            errno = error;
            return -1;
        }
    }
    return 0;
}

/* An errno, as posix_spawn(). */
static int spawn(const char *path, const int *copies, int count, char **environment, pid_t *child)
{
    char *const words[] = {(char *)path, NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    for (int i = 0; i < count; i++)
        posix_spawn_file_actions_adddup2(&actions, copies[i], FIRST_FILE + i);
    error = posix_spawn(child, path, &actions, NULL, words, environment);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static int await_report(pid_t child, int report, uint64_t within_ns)
{
    struct pollfd readable = {.fd = report, .events = POLLIN};
    uint64_t until = sheaf_clock_ns() + within_ns, now;
    int error = EIO, ready = 0;
    while (ready <= 0 && (now = sheaf_clock_ns()) < until)
        ready = poll(&readable, 1, sheaf_times_ms(until - now));
    if (ready <= 0)
        kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    if (ready <= 0)
        return ETIMEDOUT;
    return read(report, &error, sizeof error) == sizeof error ? error : EIO;
}

/* files end with the report's writing end. */
static int start_apart(const char *path, const int *files, int count, int report, uint64_t within_ns)
{
    int copies[SHEAF_PROCESS_MOST_FILES + 1];
    pid_t child = -1;
    char **environment = copy_environment();
    int error = environment ? 0 : ENOMEM;
    if (error == 0 && copy_files(files, count, copies) != 0)
        error = errno;
    if (error == 0) {
        error = spawn(path, copies, count, environment, &child);
        close_files(copies, count);
    }
    free(environment);
    close(files[count - 1]);
    return child > 0 && error == 0 ? await_report(child, report, within_ns) : error;
}

int sheaf_process_start_apart(const char *path, const int *files, int count, uint64_t within_ns)
{
    int report[2], all[SHEAF_PROCESS_MOST_FILES + 1];
    if (count > SHEAF_PROCESS_MOST_FILES) {
        errno = EINVAL;
        return -1;
    }
    if (pipe2(report, O_CLOEXEC) != 0)
        return -1;
    memcpy(all, files, (size_t)count * sizeof *all);
    all[count] = report[1];
    int error = start_apart(path, all, count + 1, report[0], within_ns);
    close(report[0]);
    errno = error;
    return error == 0 ? 0 : -1;
}

static int signal_pidfd(int pidfd, int signal)
{
    if (pidfd < 0)
        return -1;
#ifdef SYS_pidfd_send_signal
    return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
#else
    (void)pidfd, (void)signal;
    errno = ENOSYS;
    return -1;
#endif
}

/* Kernels before 5.3, and filters of system calls, have no descriptors of processes. */
static int send_signal(int folder, int pid, int signal)
{
    int pidfd = sheaf_os_open_process(pid), failed = -1;
    if (pidfd < 0)
        return errno == ENOSYS || errno == EPERM ? kill(pid, signal) : -1;
    /* The folder can still be read: the number was that process's when the descriptor was made. */
    if (start_of(folder) != 0)
        failed = signal_pidfd(pidfd, signal);
    else
        errno = ESRCH;
    int error = errno;
    close(pidfd);
    errno = error;
    return failed;
}

int sheaf_process_signal(const struct sheaf_process *process, int signal)
{
    if (sheaf_container_is_number(process->pid))
        return signal_pidfd(sheaf_container_file(process->pid, SHEAF_CONTAINER_PROCESS), signal);
    int folder = open_folder(process);
    if (folder < 0)
        return -1;
    int failed = send_signal(folder, process->pid, signal), error = errno;
    close(folder);
    errno = error;
    return failed;
}

/* Descriptors of the kind that is opened for nothing but its name (O_PATH) have no effects on what
 * they name: a device or a pipe that stands there instead does not notice. */
static bool is_anonymous(int held, uint64_t inode, int like)
{
    struct stat found, known;
    struct statfs system;
    return fstat(held, &found) == 0 && S_ISREG(found.st_mode) && found.st_nlink == 0 &&
           (inode == 0 || found.st_ino == inode) &&
           (like < 0 || (fstat(like, &known) == 0 && known.st_dev == found.st_dev)) &&
           fstatfs(held, &system) == 0 &&
           (system.f_type == TMPFS_MAGIC || system.f_type == HUGETLBFS_MAGIC);
}

static bool is_own(int held)
{
    struct stat found;
    return fstat(held, &found) == 0 && found.st_uid == geteuid();
}

/* What stands there, where it is the file that is meant; else -1 and errno. */
static int hold_if_meant(int folder, const char *path, uint64_t inode, int like)
{
    int held = openat(folder, path, O_PATH | O_CLOEXEC);
    if (held < 0 || (is_anonymous(held, inode, like) && is_own(held)))
        return held;
    close(held);
    errno = ESTALE;
    return -1;
}

/* Inode and device tell a file from all others, whichever process has it. Only where they are not given, or
 * do not fit, is the process looked at: that takes twice as long, and P PEs of a node open P * P files. */
int sheaf_process_hold_file(const struct sheaf_process *process, int file, uint64_t inode, int like)
{
    char path[48];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", process->pid, file);
    int held = inode != 0 && like >= 0 ? hold_if_meant(AT_FDCWD, path, inode, like) : -1;
    int folder = held < 0 ? open_folder(process) : -1;
    if (folder < 0)
        return held;
    snprintf(path, sizeof path, "fd/%d", file);
    held = hold_if_meant(folder, path, inode, like);
    int error = errno;
    close(folder);
    errno = error;
    return held;
}

int sheaf_process_open_held(int held, int flags)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", held);
    return open(path, flags | O_CLOEXEC);
}

/* Whoever has passed it has proven itself, and may have another user's number in its container. */
static int open_passed(const struct sheaf_process *process, uint64_t inode, int like)
{
    int fd = sheaf_container_copy(process->pid, SHEAF_CONTAINER_MEMORY);
    if (fd < 0 || is_anonymous(fd, inode, like))
        return fd;
    close(fd);
    errno = ESTALE;
    return -1;
}

int sheaf_process_open_file(const struct sheaf_process *process, int file, uint64_t inode, int like)
{
    if (sheaf_container_is_number(process->pid))
        return open_passed(process, inode, like);
    int held = sheaf_process_hold_file(process, file, inode, like);
    if (held < 0)
        return -1;
    int fd = sheaf_process_open_held(held, O_RDWR), error = errno;
    close(held);
    errno = error;
    return fd;
}

/* The descriptor may be another file by now, and to open a device has effects: this one (O_PATH) is good
 * for a look. */
static int hold_pipe(int32_t pid, int fd, uint32_t inode)
{
    char path[64];
    struct stat file;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
    int held = open(path, O_PATH | O_CLOEXEC);
    if (held >= 0 && fstat(held, &file) == 0 && S_ISFIFO(file.st_mode) && file.st_uid == geteuid() &&
        (uint32_t)file.st_ino == inode)
        return held;
    if (held >= 0) {
        close(held);
        errno = ESTALE;
    }
    return -1;
}

int sheaf_process_open_pipe(int32_t pid, int fd, uint32_t inode, int flags)
{
    char path[64];
    int held = hold_pipe(pid, fd, inode);
    if (held < 0)
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", held);
    int pipe = open(path, flags | O_CLOEXEC), reason = errno;
    close(held);
    errno = reason;
    return pipe;
}
