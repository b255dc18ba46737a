/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/os/process.c: a signal reaches the process that is meant or none, and of its files only the one
 * that is meant is opened. As root also: nothing of another user's. A program apart is started with its files,
 * or the reason why not comes back.
 */
#include "base/clock.h"
#include "base/os/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: not so: %s (errno %d)\n", __LINE__, #condition, errno);               \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

/* What a peer has open, made before it is forked. */
static int area, other_area, folder_file, pipe_ends[2];

static uint64_t inode_of(int fd)
{
    struct stat file;
    return fstat(fd, &file) == 0 ? file.st_ino : 0;
}

static void open_files(void)
{
    char name[] = "/tmp/sheaf-test-XXXXXX";
    area = memfd_create("area", MFD_CLOEXEC);
    other_area = memfd_create("other", MFD_CLOEXEC);
    folder_file = mkstemp(name);
    CHECK(area >= 0 && other_area >= 0 && folder_file >= 0 && pipe(pipe_ends) == 0);
    unlink(name);
}

/* Of a peer that is another user's. */
static struct { int file; uint64_t inode; } foreign;

/* A child that waits for a signal, as user unless that is 0. It says who it is, and makes a file. */
static struct sheaf_process start_peer(uid_t user)
{
    int said[2];
    struct sheaf_process peer = {0};
    if (pipe(said) != 0)
        exit(1);
    pid_t pid = fork();
    if (pid == 0) {
        if (user && setuid(user) != 0)
            _exit(1);
        peer = sheaf_process_self();
        foreign.file = memfd_create("foreign", MFD_CLOEXEC);
        foreign.inode = inode_of(foreign.file);
        if (write(said[1], &peer, sizeof peer) != sizeof peer ||
            write(said[1], &foreign, sizeof foreign) != sizeof foreign)
            _exit(1);
        poll(NULL, 0, 60000);
        _exit(0);
    }
    CHECK(read(said[0], &peer, sizeof peer) == sizeof peer && peer.pid == pid && peer.started != 0);
    CHECK(read(said[0], &foreign, sizeof foreign) == sizeof foreign && foreign.inode != 0);
    close(said[0]);
    close(said[1]);
    return peer;
}

static bool is_running(const struct sheaf_process *peer)
{
    return waitpid(peer->pid, NULL, WNOHANG) == 0;
}

static void end_peer(const struct sheaf_process *peer)
{
    kill(peer->pid, SIGKILL);
    waitpid(peer->pid, NULL, 0);
}

static void check_strangers(const struct sheaf_process *peer)
{
    struct sheaf_process strangers[] = {
        {peer->pid, peer->started + 1}, {peer->pid, peer->started - 1}, {0, 0}, {-1, 0},
        {-peer->pid, peer->started}, {getpid(), peer->started + 1}};
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        CHECK(!sheaf_process_is_there(&strangers[i]));
        CHECK(sheaf_process_signal(&strangers[i], SIGKILL) == -1 && errno == ESRCH);
        CHECK(sheaf_process_watch(&strangers[i]) == -1 && (errno == ESRCH || errno == EINVAL));
        CHECK(sheaf_process_open_file(&strangers[i], area, 0, area) == -1 && errno == ESRCH);
        CHECK(sheaf_process_open_file(&strangers[i], area, inode_of(area), -1) == -1 && errno == ESRCH);
        CHECK(sheaf_process_open_file(&strangers[i], area, inode_of(other_area), area) == -1 && errno == ESRCH);
    }
    CHECK(is_running(peer));
}

static void refuse(const struct sheaf_process *peer, int file, uint64_t inode, int expected)
{
    CHECK(sheaf_process_open_file(peer, file, inode, area) == -1);
    CHECK(errno == expected);
}

static void check_files(const struct sheaf_process *peer)
{
    refuse(peer, area, inode_of(area) + 1, ESTALE);
    refuse(peer, other_area, inode_of(area), ESTALE);
    refuse(peer, folder_file, inode_of(folder_file), ESTALE);
    refuse(peer, pipe_ends[1], inode_of(pipe_ends[1]), ESTALE);
    refuse(peer, 987, inode_of(area), ENOENT);
    int opened = sheaf_process_open_file(peer, area, inode_of(area), other_area);
    CHECK(opened >= 0 && inode_of(opened) == inode_of(area));
    CHECK(pwrite(opened, "x", 1, 0) == 1);
    close(opened);
    const struct sheaf_process another = {peer->pid, peer->started + 1}; /* the file is the one meant all the same */
    opened = sheaf_process_open_file(&another, area, inode_of(area), other_area);
    CHECK(opened >= 0 && inode_of(opened) == inode_of(area));
    close(opened);
    int any = sheaf_process_hold_file(peer, other_area, 0, -1);
    CHECK(any >= 0 && inode_of(any) == inode_of(other_area) && write(any, "x", 1) == -1);
    close(any);
}

static void check_end(const struct sheaf_process *peer)
{
    struct sheaf_process not_known = {peer->pid, 0};
    int status = 0;
    CHECK(sheaf_process_is_there(peer) && sheaf_process_is_there(&not_known));
    struct pollfd ends[] = {{sheaf_process_watch(peer), POLLIN, 0}, {sheaf_process_watch(&not_known), POLLIN, 0}};
    CHECK(ends[0].fd >= 0 && ends[1].fd >= 0 && poll(ends, 2, 0) == 0);
    CHECK(sheaf_process_signal(peer, SIGKILL) == 0);
    CHECK(poll(ends, 1, 10000) == 1 && poll(ends + 1, 1, 10000) == 1);
    const struct sheaf_process child = sheaf_process_of_child(peer->pid); /* also when it has ended */
    CHECK(child.pid == peer->pid && child.started == peer->started);
    CHECK(waitpid(peer->pid, &status, 0) == peer->pid && WIFSIGNALED(status));
    CHECK(!sheaf_process_is_there(peer) && !sheaf_process_is_there(&not_known));
    CHECK(sheaf_process_signal(peer, SIGKILL) == -1 && errno == ESRCH);
    CHECK(sheaf_process_watch(&child) == -1 && errno == ESRCH);
}

static void check_other_user(void)
{
    if (geteuid() != 0)
        return;
    struct sheaf_process peer = start_peer(65534);
    CHECK(!sheaf_process_is_there(&peer));
    CHECK(sheaf_process_signal(&peer, SIGKILL) == -1 && errno == ESRCH);
    CHECK(is_running(&peer));
    refuse(&peer, area, 0, ESRCH);
    refuse(&peer, foreign.file, foreign.inode, ESRCH);
    end_peer(&peer);
}

/* This program starts itself apart: with this variable it says what to report, or none, or sleep. */
#define APART "SHEAF_TEST_APART"

enum { REPORT = 5, SOON_MS = 200, LATE_MS = 20000 };

/* Of a file with one letter in it. */
static char letter_of(int fd)
{
    char letter = 0;
    return pread(fd, &letter, 1, 0) == 1 ? letter : 0;
}

_Noreturn static void be_apart(const char *what)
{
    int error = atoi(what);
    if (strcmp(what, "sleep") == 0)
        poll(NULL, 0, LATE_MS);
    if (strcmp(what, "sleep") == 0 || strcmp(what, "none") == 0)
        _exit(0);
    if (letter_of(3) != 'a' || letter_of(4) != 'b' || getenv("LD_PRELOAD") || !getenv("PATH"))
        error = EDOM;
    _exit(write(REPORT, &error, sizeof error) == sizeof error ? 0 : 1);
}

/* 0, or the errno. */
static int start_apart(const int *files, const char *what, int within_ms)
{
    char path[] = "/proc/self/exe";
    setenv(APART, what, 1);
    return sheaf_process_start_apart(path, files, 2, (uint64_t)within_ms * SHEAF_MILLISECOND) == 0 ? 0 : errno;
}

/* A user of whom nothing else runs may have one process. Root is never refused. */
_Noreturn static void start_limited(const int *files)
{
    const struct rlimit limit = {1, 1};
    if (setrlimit(RLIMIT_NPROC, &limit) != 0 || setuid(3141592) != 0)
        _exit(77);
    _exit(start_apart(files, "0", LATE_MS) == EAGAIN ? 0 : 1);
}

static int make_file(const char *letter)
{
    int fd = memfd_create("file", MFD_CLOEXEC);
    CHECK(fd >= 0 && write(fd, letter, 1) == 1);
    return fd;
}

/* The files stand under each other's numbers here. */
static void check_apart(void)
{
    int first = make_file("a"), second = make_file("b"), status;
    CHECK(dup3(first, 4, O_CLOEXEC) == 4 && dup3(second, 3, O_CLOEXEC) == 3);
    const int files[] = {4, 3}, none[] = {-1, 3};
    setenv("LD_PRELOAD", "", 1);
    CHECK(start_apart(files, "0", LATE_MS) == 0);
    CHECK(start_apart(files, "24", LATE_MS) == 24);
    CHECK(start_apart(files, "none", LATE_MS) == EIO);
    CHECK(start_apart(files, "sleep", SOON_MS) == ETIMEDOUT);
    CHECK(start_apart(none, "0", LATE_MS) == EBADF);
    CHECK(sheaf_process_start_apart("/nowhere/agent", files, 2, SHEAF_SECOND) == -1 && errno == ENOENT);
    CHECK(waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD);
    pid_t child = geteuid() == 0 ? fork() : -1;
    if (child == 0)
        start_limited(files);
    CHECK(child < 0 || (waitpid(child, &status, 0) == child && WIFEXITED(status) &&
                        (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77)));
}

int main(void)
{
    if (getenv(APART))
        be_apart(getenv(APART));
    struct sheaf_process self = sheaf_process_self();
    CHECK(self.pid == getpid() && self.started != 0 && sheaf_process_is_there(&self));
    open_files();
    struct sheaf_process peer = start_peer(0);
    check_strangers(&peer);
    check_files(&peer);
    check_end(&peer);
    check_other_user();
    check_apart();
    return failures != 0;
}
