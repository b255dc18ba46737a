/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The PE's file: made new, for this user alone, and grown in chunks that have their room on the
 * disk before they are mapped: a write to a mapped page without room would end the program.
 */
#include "profile/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static int file = -1;

static void *map(uint64_t at, size_t bytes)
{
    int failed = posix_fallocate(file, (off_t)at, (off_t)bytes);
    if (failed) {
        errno = failed;
        return NULL;
    }
    void *place = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)at);
    return place == MAP_FAILED ? NULL : place;
}

static void read_line(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    text[length < 0 ? 0 : length] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

/* Arguments are separated by zeros there. */
static void read_arguments(char *text, size_t size)
{
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    for (ssize_t i = 0; i + 1 < length; i++)
        if (text[i] == '\0')
            text[i] = ' ';
}

static void describe(struct profile_header *header)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    header->realtime_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    header->tick[0] = header->tick[1] = profile_ticks();
    header->ns[0] = header->ns[1] = profile_now_ns();
    header->pid = (uint32_t)getpid();
    gethostname(header->host, sizeof header->host - 1);
    read_line("/proc/sys/kernel/random/boot_id", header->boot_id, sizeof header->boot_id);
    ssize_t length = readlink("/proc/self/exe", header->program, sizeof header->program - 1);
    header->program[length < 0 ? 0 : length] = '\0';
    read_arguments(header->arguments, sizeof header->arguments);
}

#define NAME_ROOM 32

static int open_folder(const char *folder, int pe, char name[NAME_ROOM])
{
    snprintf(name, NAME_ROOM, "pe-%05d.sheaf", pe);
    return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

void profile_file_remove(const char *folder, int pe)
{
    char name[NAME_ROOM];
    int at = file < 0 ? -1 : open_folder(folder, pe, name);
    if (at < 0)
        return;
    unlinkat(at, name, 0);
    close(at);
}

int profile_file_create(const char *folder, int pe)
{
    char name[NAME_ROOM];
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return errno;
    int at = open_folder(folder, pe, name);
    if (at < 0)
        return errno;
    int fd = openat(at, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600),
        failed = errno;
    close(at);
    if (fd < 0)
        return failed;
    file =
        fcntl(fd, F_DUPFD_CLOEXEC, 300); /* out of the way of programs that count on low numbers */
    if (file < 0)
        file = fd;
    else
        close(fd);
    struct profile_header *header = map(0, PROFILE_UNIT);
    if (!header)
        return errno;
    describe(header);
    header->version = PROFILE_VERSION;
    header->bytes = PROFILE_UNIT;
    header->used = PROFILE_UNIT;
    header->state = PROFILE_RUNNING;
    memcpy(header->magic, PROFILE_MAGIC, sizeof header->magic);
    profile.header = header;
    return 0;
}

struct profile_chunk *profile_file_add(enum profile_chunk_kind kind, uint32_t thread, size_t bytes,
                                       uint64_t *at)
{
    uint64_t place = profile.header->used;
    bytes = (bytes + sizeof(struct profile_chunk) + PROFILE_UNIT - 1) / PROFILE_UNIT * PROFILE_UNIT;
    struct profile_chunk *chunk = map(place, bytes);
    if (!chunk)
        return NULL;
    *chunk = (struct profile_chunk){kind, thread, bytes, 0, 0};
    __atomic_store_n(&profile.header->used, place + bytes, __ATOMIC_RELEASE);
    if (at)
        *at = place;
    return chunk;
}

int profile_file_lay(void *place, uint64_t at, size_t size)
{
    void *laid =
        mmap(place, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)at);
    return laid == MAP_FAILED ? -1 : 0;
}

void profile_file_clock(void)
{
    struct profile_header *header = profile.header;
    uint64_t before = profile_ticks(), ns = profile_now_ns(), after = profile_ticks();
    header->ns[1] = ns;
    header->tick[1] = before + (after - before) / 2;
}
