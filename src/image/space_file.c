/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A memory space in files of the user, PATH.RANK for each member. The content outlives the job:
 *   | header, 64 KiB | content |
 * A file is used if it belongs to this user alone and its header names a space of this size at this rank.
 * Other users cannot open it, and a lock keeps another job out meanwhile.
 */
#include "image/space_internal.h"

#include "base/os/os.h"
#include "image/image_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Offset of the content in bytes: the largest page that a kernel has, so that the content begins on a
 * page. */
#define CONTENT ((uint64_t)64 << 10)

#define OPEN_FLAGS (O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)

struct header {
    char magic[12];
    uint32_t version;
    uint32_t rank, size; /* rank of the member, and number of members */
    uint64_t length;     /* of the content in bytes */
};

static struct header make_header(const struct sheaf_space_map *map, const struct sheaf_space_wish *wish)
{
    struct header header = {.magic = "sheaf space", .version = 1, .rank = (uint32_t)wish->rank,
                            .size = (uint32_t)wish->size, .length = map->length};
    return header;
}

static int file_name(const struct sheaf_space_wish *wish, int rank, char path[PATH_MAX])
{
    if (snprintf(path, PATH_MAX, "%s.%d", wish->path, rank) < PATH_MAX)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

/* Checks the file before it opens it, since opening a device, say, may have effects. */
static int open_known(const char *path, struct stat *file, struct sheaf_space_reason *why)
{
    struct stat opened;
    if (lstat(path, file) != 0)
        return sheaf_space_explain(why, "%s: %s", path, strerror(errno));
    if (!S_ISREG(file->st_mode) || file->st_nlink != 1)
        return sheaf_space_explain(why, "%s is no regular file with one name", path);
    if (file->st_uid != geteuid() || (file->st_mode & 077) != 0)
        return sheaf_space_explain(why, "%s is not this user's alone: its owner must be, and chmod 600",
                                   path);
    int fd = open(path, OPEN_FLAGS);
    if (fd < 0)
        return sheaf_space_explain(why, "%s: %s", path, strerror(errno));
    if (fstat(fd, &opened) == 0 && opened.st_ino == file->st_ino && opened.st_dev == file->st_dev)
        return fd;
    close(fd);
    return sheaf_space_explain(why, "%s was replaced just now", path);
}

static int check_header(int fd, const struct stat *file, const struct header *expected, const char *path,
                        struct sheaf_space_reason *why)
{
    struct header found = {.version = 0};
    if (pread(fd, &found, sizeof found, 0) != (ssize_t)sizeof found ||
        memcmp(found.magic, expected->magic, sizeof found.magic) != 0 || found.version != expected->version)
        return sheaf_space_explain(why, "%s holds no memory space of this version", path);
    if (found.rank != expected->rank || found.size != expected->size || found.length != expected->length ||
        (uint64_t)file->st_size != CONTENT + expected->length)
        return sheaf_space_explain(why, "%s holds %llu bytes of member %u of %u; this is member %u of %u "
                                   "and asks for %llu", path, (unsigned long long)found.length, found.rank,
                                   found.size, expected->rank, expected->size,
                                   (unsigned long long)expected->length);
    return 0;
}

/* A length beyond the limit on file sizes raises a signal, so the limit is compared first. */
static int give_length(int fd, uint64_t length, const char *path, struct sheaf_space_reason *why)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && length > limit.rlim_cur)
        return sheaf_space_explain(why, "%s would have %llu bytes: ulimit -f allows %llu", path,
                                   (unsigned long long)length, (unsigned long long)limit.rlim_cur);
    if (ftruncate(fd, (off_t)length) != 0 ||
        (fallocate(fd, 0, 0, (off_t)length) != 0 && errno != EOPNOTSUPP && errno != ENOSYS &&
         errno != EPERM))
        return sheaf_space_explain(why, "%s: %s", path, strerror(errno));
    return 0;
}

static int make_file(struct sheaf_space_map *map, int fd, const struct header *header, const char *path,
                     struct sheaf_space_reason *why)
{
    map->path = strdup(path);
    if (!map->path) {
        unlink(path);
        return sheaf_space_explain(why, "%s", strerror(ENOMEM));
    }
    if (fchmod(fd, 0600) != 0 || give_length(fd, CONTENT + header->length, path, why) != 0)
        return why->text[0] ? -1 : sheaf_space_explain(why, "%s: %s", path, strerror(errno));
    return pwrite(fd, header, sizeof *header, 0) == (ssize_t)sizeof *header
               ? 0
               : sheaf_space_explain(why, "%s: %s", path, strerror(errno));
}

/* Sets map->fd in every case. */
static int open_own(struct sheaf_space_map *map, const struct header *header, const char *path,
                    struct sheaf_space_reason *why)
{
    struct stat file;
    map->fd = open(path, OPEN_FLAGS | O_CREAT | O_EXCL, 0600);
    bool is_new = map->fd >= 0;
    if (!is_new && errno != EEXIST)
        return sheaf_space_explain(why, "%s: %s", path, strerror(errno));
    if (!is_new && (map->fd = open_known(path, &file, why)) < 0)
        return -1;
    if (flock(map->fd, LOCK_EX | LOCK_NB) != 0)
        return sheaf_space_explain(why, "%s is in use by another memory space, of this job or another",
                                   path);
    return is_new ? make_file(map, map->fd, header, path, why) : check_header(map->fd, &file, header, path,
                                                                              why);
}

int sheaf_space_map_file(struct sheaf_space_map *map, const struct sheaf_space_wish *wish,
                         struct sheaf_space_reason *why)
{
    char path[PATH_MAX];
    struct stat file;
    struct header header = make_header(map, wish);
    if (file_name(wish, wish->rank, path) != 0)
        return sheaf_space_explain(why, "its path is longer than %d bytes", PATH_MAX);
    if (open_own(map, &header, path, why) != 0)
        return -1;
    map->fd = sheaf_os_move_up(map->fd);
    if (map->fd < 0 || fstat(map->fd, &file) != 0 ||
        sheaf_image_map_shared(map->start, map->length, map->fd, CONTENT) != 0)
        return sheaf_space_explain(why, "%s: %s", path, strerror(errno));
    map->file = (struct sheaf_space_file){SHEAF_SPACE_IN_PATH, -1, file.st_ino, file.st_dev, CONTENT};
    return 0;
}

void sheaf_space_close_file(struct sheaf_space_map *map, bool keep)
{
    if (map->path && !keep)
        unlink(map->path);
    free(map->path);
    map->path = NULL;
    if (map->fd >= 0)
        close(map->fd);
}

int sheaf_space_open_file(const struct sheaf_space_wish *wish, int rank,
                          const struct sheaf_space_file *file)
{
    char path[PATH_MAX];
    struct stat opened;
    int fd = file_name(wish, rank, path) == 0 ? open(path, OPEN_FLAGS) : -1;
    if (fd < 0)
        return -1;
    if (fstat(fd, &opened) == 0 && opened.st_ino == file->inode && opened.st_dev == file->device)
        return fd;
    close(fd);
    errno = ESTALE;
    return -1;
}
