/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pipes, and the job's file, by their inode numbers. At a restart one process makes each anew: a pipe the
 * first that says so, the file the one that has made the former. It leaves the path of its descriptor in a
 * folder that all processes of the job have, and the others open that path, each with the access that it
 * had.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST         4096 /* numbers that are looked at */
#define MOST_OUTSIDE 32
#define OUTSIDE      "DMTCP_SHEAF_OUTSIDE" /* their inode numbers, for programs that are started later */
#define PIPE_BYTES   ((size_t)1 << 20)

struct descriptor {
    int number, status, flags; /* F_GETFL, F_GETFD */
    int signal;                /* of O_ASYNC: F_GETSIG */
    uint64_t inode;
    bool is_pipe;
    char *bytes; /* that were in the pipe */
    size_t count;
};

/* What this process has made, until all have taken it. */
struct made {
    uint64_t inode;
    int fd;
};

static struct descriptor saved[MOST];
static struct made made[MOST];
static int count, made_count;

/* Pipes that lead out of the job, which are DMTCP's to treat. */
static struct {
    uint64_t inodes[MOST_OUTSIDE];
    int count;
    int numbers[MOST_OUTSIDE]; /* of descriptors, when the image was written */
    int number_count;
} outside;

static bool read_name(int number, char name[PATH_BYTES])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", number);
    long length = KERNEL(SYS_readlinkat, AT_FDCWD, path, name, PATH_BYTES - 1);
    name[length < 0 ? 0 : length] = 0;
    return length > 0;
}

static bool is_pipe(const char *name)
{
    return strncmp(name, "pipe:", 5) == 0;
}

static bool is_outside(uint64_t inode)
{
    for (int i = 0; i < outside.count; i++)
        if (outside.inodes[i] == inode)
            return true;
    return false;
}

static void add_outside(int number)
{
    char name[PATH_BYTES];
    struct stat file;
    if (outside.count < MOST_OUTSIDE && read_name(number, name) && is_pipe(name) &&
        fstat(number, &file) == 0)
        outside.inodes[outside.count++] = file.st_ino;
}

static void tell_children(void)
{
    char text[MOST_OUTSIDE * 24] = "";
    for (int i = 0; i < outside.count; i++)
        snprintf(text + strlen(text), 24, "%llu,", (unsigned long long)outside.inodes[i]);
    setenv(OUTSIDE, text, 1);
}

/* What the job's first process finds open leads out of the job, such as its standard output: after a
 * restart that is dmtcp_restart's. */
void sheaf_dmtcp_descriptors_begin(void)
{
    const char *given = getenv(OUTSIDE);
    char *end;
    for (const char *at = given; at && *at && outside.count < MOST_OUTSIDE; at = *end ? end + 1 : end)
        outside.inodes[outside.count++] = strtoull(at, &end, 10);
    if (given)
        return;
    for (int number = 0; number < MOST; number++)
        add_outside(number);
    tell_children();
}

/* DMTCP has put others in their places. */
void sheaf_dmtcp_descriptors_go_on(void)
{
    outside.count = 0;
    for (int i = 0; i < outside.number_count; i++)
        add_outside(outside.numbers[i]);
}

/* tee() leaves the bytes where they are. Whoever reads the pipe has them; one puts them back. */
static void save_bytes(struct descriptor *descriptor)
{
    int copy[2];
    if (KERNEL(SYS_pipe2, copy, O_NONBLOCK, 0, 0) != 0)
        sheaf_dmtcp_fail("no pipe: %s", strerror(errno));
    fcntl(copy[1], F_SETPIPE_SZ, (int)PIPE_BYTES);
    ssize_t there = tee(descriptor->number, copy[1], PIPE_BYTES, SPLICE_F_NONBLOCK);
    if (there > 0) {
        descriptor->bytes = sheaf_dmtcp_reserve((size_t)there);
        descriptor->count = (size_t)there;
        if (read(copy[0], descriptor->bytes, (size_t)there) != there)
            sheaf_dmtcp_fail("the bytes in pipe %d cannot be read", descriptor->number);
    }
    close(copy[0]);
    close(copy[1]);
}

static bool is_job_file(const char *name)
{
    return strncmp(name, NAMED(JOB_FILE), strlen(NAMED(JOB_FILE))) == 0;
}

static void save(int number, const char *name)
{
    struct stat file;
    if (!is_pipe(name) && !is_job_file(name))
        return;
    if (fstat(number, &file) != 0)
        sheaf_dmtcp_fail("descriptor %d: %s", number, strerror(errno));
    if (is_outside(file.st_ino)) {
        if (outside.number_count < MOST_OUTSIDE)
            outside.numbers[outside.number_count++] = number;
        return;
    }
    struct descriptor *descriptor = &saved[count++];
    *descriptor = (struct descriptor){.number = number,
                                      .status = fcntl(number, F_GETFL),
                                      .flags = fcntl(number, F_GETFD),
                                      .signal = fcntl(number, F_GETSIG),
                                      .inode = file.st_ino,
                                      .is_pipe = is_pipe(name)};
    if (descriptor->is_pipe && (descriptor->status & O_ACCMODE) != O_WRONLY)
        save_bytes(descriptor);
}

int sheaf_dmtcp_descriptors_save(void)
{
    char name[PATH_BYTES];
    int job_file = -1;
    count = made_count = outside.number_count = 0;
    for (int number = 0; number < MOST; number++)
        if (read_name(number, name)) {
            save(number, name);
            job_file = is_job_file(name) ? number : job_file;
        }
    return job_file;
}

static void name_folder(char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/sheaf-%s", dmtcp_get_tmpdir(), dmtcp_get_computation_id_str());
}

static void name_entry(char path[PATH_BYTES], uint64_t inode, const char *what)
{
    name_folder(path);
    size_t length = strlen(path);
    snprintf(path + length, PATH_BYTES - length, "/%llu%s", (unsigned long long)inode, what);
}

/* Whether this process is the first; then *fd is open for writing. */
static bool claim(uint64_t inode, const char *what, int *fd)
{
    char path[PATH_BYTES];
    name_entry(path, inode, what);
    *fd = sheaf_dmtcp_open(path, O_CREAT | O_EXCL | O_WRONLY);
    if (*fd < 0 && errno != EEXIST)
        sheaf_dmtcp_fail("%s: %s", path, strerror(errno));
    return *fd >= 0;
}

/* Out of the way of the numbers that are to come back. */
static int move_up(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, count ? saved[count - 1].number + 1 : 0);
    if (high < 0)
        sheaf_dmtcp_fail("no descriptor: %s; raise ulimit -n", strerror(errno));
    close(fd);
    return high;
}

/* For reading and writing, so that neither end waits for the other when it is opened. */
static int make_pipe(void)
{
    int ends[2];
    char path[64];
    if (KERNEL(SYS_pipe2, ends, O_CLOEXEC, 0, 0) != 0)
        sheaf_dmtcp_fail("no pipe: %s", strerror(errno));
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    int both = sheaf_dmtcp_open(path, O_RDWR);
    close(ends[0]);
    close(ends[1]);
    return both;
}

static void make(const struct descriptor *descriptor, int (*make_file)(void))
{
    char text[64];
    int entry;
    if ((!descriptor->is_pipe && !sheaf_dmtcp_is_maker) || !claim(descriptor->inode, "", &entry))
        return;
    entry = move_up(entry);
    int fd = move_up(descriptor->is_pipe ? make_pipe() : make_file());
    made[made_count++] = (struct made){descriptor->inode, fd};
    int length = snprintf(text, sizeof text, "/proc/%ld/fd/%d", KERNEL(SYS_getpid, 0, 0, 0, 0), fd);
    if (write(entry, text, (size_t)length) != length)
        sheaf_dmtcp_fail("a path cannot be written: %s", strerror(errno));
    close(entry);
}

void sheaf_dmtcp_descriptors_make(int (*make_file)(void))
{
    char path[PATH_BYTES];
    name_folder(path);
    KERNEL(SYS_mkdirat, AT_FDCWD, path, 0700, 0);
    for (int i = 0; i < count; i++)
        make(&saved[i], make_file);
}

int sheaf_dmtcp_descriptors_open(uint64_t inode, int flags)
{
    char path[PATH_BYTES], text[PATH_BYTES];
    name_entry(path, inode, "");
    int entry = sheaf_dmtcp_open(path, O_RDONLY);
    ssize_t length = entry < 0 ? -1 : read(entry, text, sizeof text - 1);
    close(entry);
    text[length < 0 ? 0 : length] = 0;
    int fd = length <= 0 ? -1 : sheaf_dmtcp_open(text, flags);
    if (fd < 0)
        sheaf_dmtcp_fail("what had inode %llu cannot be had from %s: %s", (unsigned long long)inode, text,
                         strerror(errno));
    return fd;
}

/* With its signal, as parent_death.c has set it: the owner is this process, by the kernel's number. */
static void take(const struct descriptor *descriptor)
{
    int number = descriptor->number, entry;
    int fd = sheaf_dmtcp_descriptors_open(descriptor->inode, (descriptor->status & O_ACCMODE) | O_NONBLOCK);
    if (fd != number) {
        KERNEL(SYS_dup3, fd, number, O_CLOEXEC, 0);
        close(fd);
    }
    KERNEL(SYS_fcntl, number, F_SETFD, descriptor->flags, 0);
    if (descriptor->signal) {
        KERNEL(SYS_fcntl, number, F_SETOWN, KERNEL(SYS_getpid, 0, 0, 0, 0), 0);
        KERNEL(SYS_fcntl, number, F_SETSIG, descriptor->signal, 0);
    }
    if (descriptor->count > 0 && claim(descriptor->inode, "-bytes", &entry)) {
        close(entry);
        int to = sheaf_dmtcp_descriptors_open(descriptor->inode, O_WRONLY | O_NONBLOCK);
        fcntl(to, F_SETPIPE_SZ, (int)descriptor->count);
        if (write(to, descriptor->bytes, descriptor->count) != (ssize_t)descriptor->count)
            sheaf_dmtcp_fail("pipe %d does not take its %zu bytes again", number, descriptor->count);
        close(to);
    }
    KERNEL(SYS_fcntl, number, F_SETFL, descriptor->status, 0);
}

void sheaf_dmtcp_descriptors_take(void)
{
    for (int i = 0; i < count; i++)
        take(&saved[i]);
}

void sheaf_dmtcp_descriptors_end(void)
{
    char path[PATH_BYTES];
    for (int i = 0; i < made_count; i++) {
        close(made[i].fd);
        name_entry(path, made[i].inode, "");
        KERNEL(SYS_unlinkat, AT_FDCWD, path, 0, 0);
        name_entry(path, made[i].inode, "-bytes");
        KERNEL(SYS_unlinkat, AT_FDCWD, path, 0, 0);
    }
    name_folder(path);
    KERNEL(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR, 0);
}

void sheaf_dmtcp_descriptors_drop(void)
{
    for (int i = 0; i < count; i++)
        sheaf_dmtcp_release(saved[i].bytes, saved[i].count);
    count = made_count = 0;
}
