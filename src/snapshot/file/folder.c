/* SPDX-License-Identifier: BSD-3-Clause
 * See folder.h.
 */
#include "snapshot/file/folder.h"

#include "base/sanitize.h"
#include "snapshot/file/hash.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void put_reason(struct sheaf_snapshot_reason *why, const char *format, va_list arguments)
{
    vsnprintf(why->text, sizeof why->text, format, arguments);
    sheaf_sanitize(why->text, 0);
}

int sheaf_snapshot_explain(struct sheaf_snapshot_reason *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_reason(why, format, arguments);
    va_end(arguments);
    why->is_damage = false;
    return -1;
}

int sheaf_snapshot_explain_damage(struct sheaf_snapshot_reason *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_reason(why, format, arguments);
    va_end(arguments);
    why->is_damage = true;
    return -1;
}

#define OPEN_FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define SUFFIX      ".part"

static int check_tag(const char *tag, struct sheaf_snapshot_reason *why)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t length = tag ? strlen(tag) : 0;
    if (length > 0 && length < SHEAF_SNAPSHOT_TAG && strspn(tag, allowed) == length && tag[0] != '.')
        return 0;
    return sheaf_snapshot_explain(why,
                                  "the tag is \"%.80s\": expected 1 to %d letters, digits or ._-, and no "
                                  "point in front", tag ? tag : "(null)", SHEAF_SNAPSHOT_TAG - 1);
}

/* Checks that the owner is this user or root, and that no other user may write, unless the mode has the
 * bit but. */
static int check_owner_but(mode_t but, int fd, const char *name, struct sheaf_snapshot_reason *why)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return sheaf_snapshot_explain(why, "%.200s: %s", name, strerror(errno));
    if ((status.st_uid != geteuid() && status.st_uid != 0) ||
        ((status.st_mode & (S_IWGRP | S_IWOTH)) && !(status.st_mode & but)))
        return sheaf_snapshot_explain(why,
                                      "%.200s belongs to user %u with mode %o: another user could have "
                                      "written there; take one of your own, chmod go-w",
                                      name, status.st_uid, status.st_mode & 07777);
    return 0;
}

static int check_owner(int fd, const char *name, struct sheaf_snapshot_reason *why)
{
    return check_owner_but(0, fd, name, why);
}

/* DIR itself may be a link; the entries in it are checked. */
static int open_dir(const char *dir, struct sheaf_snapshot_reason *why)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        sheaf_snapshot_explain(why, "the folder %.200s: %s", dir, strerror(errno));
    return fd;
}

static void name_part(struct sheaf_snapshot_folder *folder, const struct sheaf_snapshot_id *id)
{
    snprintf(folder->name, sizeof folder->name, ".%.64s.%016llx" SUFFIX, folder->tag,
             (unsigned long long)id->words[0]);
}

/* Lists a folder from its start; the descriptor stays open. NULL: it cannot be read. */
static DIR *list_of(int fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (list)
        rewinddir(list);
    else if (copy >= 0)
        close(copy);
    return list;
}

static bool is_snapshot_file(const char *name)
{
    size_t stem = strlen(SHEAF_SNAPSHOT_PE);
    return strcmp(name, SHEAF_MANIFEST) == 0 ||
           (strncmp(name, SHEAF_SNAPSHOT_PE, stem) == 0 && name[stem] >= '0' && name[stem] <= '9');
}

static bool holds_other_files(int fd)
{
    bool found = false;
    DIR *list = list_of(fd);
    for (const struct dirent *entry; list && !found && (entry = readdir(list));)
        found = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                !is_snapshot_file(entry->d_name);
    if (list)
        closedir(list);
    return found || !list;
}

/* Removes a snapshot's files. Other files stay, and so does the folder with them. */
static void empty_folder(int fd)
{
    DIR *list = list_of(fd);
    if (!list)
        return;
    for (const struct dirent *entry; (entry = readdir(list));)
        if (is_snapshot_file(entry->d_name))
            unlinkat(fd, entry->d_name, 0);
    closedir(list);
}

static void remove_folder(int dir, const char *name, int fd)
{
    empty_folder(fd);
    unlinkat(dir, name, AT_REMOVEDIR);
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcmp(name + length - tail, end) == 0;
}

/* A folder being written is locked by its maker while that process lives. */
static void remove_if_dead(int dir, const char *name)
{
    struct sheaf_snapshot_reason why;
    int fd = openat(dir, name, OPEN_FOLDER);
    if (fd >= 0 && check_owner(fd, name, &why) == 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        remove_folder(dir, name, fd);
    if (fd >= 0)
        close(fd);
}

/* ".TAG.ID.part", the ID of 16 digits; tag NULL: any that begins and ends so. */
static bool is_part(const char *name, const char *tag)
{
    size_t length = tag ? strlen(tag) : 0;
    if (name[0] != '.' || !ends_with(name, SUFFIX) || !tag)
        return name[0] == '.' && ends_with(name, SUFFIX);
    return strncmp(name + 1, tag, length) == 0 && name[1 + length] == '.' &&
           strspn(name + 2 + length, "0123456789abcdef") == 16 &&
           strlen(name) == 2 + length + 16 + strlen(SUFFIX);
}

static void remove_dead(int dir, const char *tag)
{
    DIR *list = list_of(dir);
    if (!list)
        return;
    for (const struct dirent *entry; (entry = readdir(list));)
        if (is_part(entry->d_name, tag))
            remove_if_dead(dir, entry->d_name);
    closedir(list);
}

void sheaf_folder_remove_dead(const struct sheaf_snapshot_folder *folder, bool own)
{
    remove_dead(folder->dir, own ? folder->tag : NULL);
}

/* Opens the earlier snapshot that has the tag and will be replaced. -1 with ENOENT: there is none. */
static int open_replaced(const struct sheaf_snapshot_folder *folder, struct sheaf_snapshot_reason *why)
{
    int fd = openat(folder->dir, folder->tag, OPEN_FOLDER);
    if (fd < 0 && errno == ENOENT)
        return -1;
    if (fd < 0)
        return sheaf_snapshot_explain(why, "what is there already: %s", strerror(errno));
    if (check_owner(fd, folder->tag, why) == 0 && !holds_other_files(fd))
        return fd;
    if (!why->text[0])
        sheaf_snapshot_explain(why, "the folder %s is there already, and has other files than a snapshot's",
                               folder->tag);
    close(fd);
    errno = EEXIST;
    return -1;
}

static int check_replaced(const struct sheaf_snapshot_folder *folder, struct sheaf_snapshot_reason *why)
{
    int fd = open_replaced(folder, why);
    if (fd >= 0)
        close(fd);
    return why->text[0] ? -1 : 0;
}

int sheaf_folder_create(struct sheaf_snapshot_folder *folder, const char *dir, const char *tag,
                        const struct sheaf_snapshot_id *id, bool is_alone,
                        struct sheaf_snapshot_reason *why)
{
    *folder = (struct sheaf_snapshot_folder){.dir = -1, .part = -1, .tag = tag};
    if (check_tag(tag, why) != 0)
        return -1;
    name_part(folder, id);
    if (mkdir(dir, 0700) != 0 && errno != EEXIST)
        return sheaf_snapshot_explain(why, "the folder %.200s cannot be made: %s", dir, strerror(errno));
    folder->dir = open_dir(dir, why);
    if (folder->dir < 0 || (is_alone && check_owner_but(S_ISVTX, folder->dir, dir, why) != 0) ||
        check_replaced(folder, why) != 0)
        return -1;
    if (mkdirat(folder->dir, folder->name, 0700) == 0)
        folder->part = openat(folder->dir, folder->name, OPEN_FOLDER);
    if (folder->part < 0 || flock(folder->part, LOCK_EX | LOCK_NB) != 0)
        return sheaf_snapshot_explain(why, "nothing can be written to %.200s: %s", dir, strerror(errno));
    return check_owner(folder->part, folder->name, why);
}

int sheaf_folder_join(struct sheaf_snapshot_folder *folder, const char *dir, const char *tag,
                      const struct sheaf_snapshot_id *id, struct sheaf_snapshot_reason *why)
{
    *folder = (struct sheaf_snapshot_folder){.dir = open_dir(dir, why), .part = -1, .tag = tag};
    if (folder->dir < 0)
        return -1;
    name_part(folder, id);
    folder->part = openat(folder->dir, folder->name, OPEN_FOLDER);
    if (folder->part < 0)
        return sheaf_snapshot_explain(why,
                                      "%.200s/%s, which PE 0 has made, is not here: %s; all hosts must "
                                      "have the same folder", dir, folder->name, strerror(errno));
    return check_owner(folder->part, folder->name, why);
}

/* Renames the new folder. An earlier snapshot gets the temporary name, and is removed later. Where the
 * file system cannot exchange two names, the earlier one is removed first. */
static int rename_part(struct sheaf_snapshot_folder *folder, struct sheaf_snapshot_reason *why)
{
    if (renameat2(folder->dir, folder->name, folder->dir, folder->tag, RENAME_NOREPLACE) == 0)
        return 0;
    int fd = open_replaced(folder, why);
    if (fd < 0)
        return errno == ENOENT ? renameat(folder->dir, folder->name, folder->dir, folder->tag) : -1;
    bool is_exchanged =
        renameat2(folder->dir, folder->name, folder->dir, folder->tag, RENAME_EXCHANGE) == 0;
    if (!is_exchanged)
        remove_folder(folder->dir, folder->tag, fd);
    close(fd);
    return is_exchanged ? 0 : renameat(folder->dir, folder->name, folder->dir, folder->tag);
}

void sheaf_folder_unpublish(const struct sheaf_snapshot_folder *folder)
{
    int error = errno;
    if (renameat2(folder->dir, folder->tag, folder->dir, folder->name, RENAME_NOREPLACE) != 0)
        renameat2(folder->dir, folder->tag, folder->dir, folder->name, RENAME_EXCHANGE);
    errno = error;
}

int sheaf_folder_publish(struct sheaf_snapshot_folder *folder, struct sheaf_snapshot_reason *why)
{
    if (fsync(folder->part) == 0 && rename_part(folder, why) == 0) {
        if (fsync(folder->dir) == 0)
            return 0;
        sheaf_folder_unpublish(folder); /* it may not be durable */
    }
    return why->text[0] ? -1
                        : sheaf_snapshot_explain(why, "it cannot be put in its place: %s", strerror(errno));
}

/* Opens the replaced snapshot under the temporary name. An outdated view of DIR, as in a network file
 * system, may still show the new snapshot there: then returns -1. */
static int open_replaced_part(const struct sheaf_snapshot_folder *folder)
{
    struct sheaf_snapshot_reason unused;
    struct stat mine, found;
    int fd = openat(folder->dir, folder->name, OPEN_FOLDER);
    if (fd < 0 || (check_owner(fd, folder->name, &unused) == 0 && fstat(fd, &found) == 0 &&
                   fstat(folder->part, &mine) == 0 && found.st_ino != mine.st_ino))
        return fd;
    close(fd);
    return -1;
}

void sheaf_folder_remove_file(const struct sheaf_snapshot_folder *folder, int pe)
{
    char name[SHEAF_SNAPSHOT_FILE_NAME], part[SHEAF_SNAPSHOT_FILE_NAME];
    int fd = open_replaced_part(folder), failed = fd < 0;
    sheaf_folder_name_file(name, pe);
    sheaf_folder_name_part(part, name, 0);
    for (int i = 1; !failed; i++) {
        failed = unlinkat(fd, part, 0);
        sheaf_folder_name_part(part, name, i);
    }
    if (fd >= 0) {
        unlinkat(fd, name, 0);
        close(fd);
    }
}

void sheaf_folder_remove_replaced(const struct sheaf_snapshot_folder *folder)
{
    int fd = open_replaced_part(folder);
    if (fd >= 0) {
        remove_folder(folder->dir, folder->name, fd);
        close(fd);
    }
}

void sheaf_folder_drop(struct sheaf_snapshot_folder *folder)
{
    if (folder->part >= 0)
        remove_folder(folder->dir, folder->name, folder->part);
}

void sheaf_folder_abandon(const struct sheaf_snapshot_folder *folder)
{
    struct sheaf_snapshot_reason why;
    int fd = folder->dir >= 0 ? openat(folder->dir, folder->name, OPEN_FOLDER) : -1;
    if (fd >= 0 && check_owner(fd, folder->name, &why) == 0)
        remove_folder(folder->dir, folder->name, fd);
    if (fd >= 0)
        close(fd);
}

void sheaf_folder_close(struct sheaf_snapshot_folder *folder)
{
    if (folder->part >= 0)
        close(folder->part);
    if (folder->dir >= 0)
        close(folder->dir);
}

/* Checks the folder that contains a snapshot: a user who can write there could replace the snapshot by
 * an older one of the same user. */
static int check_parent(int snapshot, const char *name, struct sheaf_snapshot_reason *why)
{
    int around = openat(snapshot, "..", OPEN_FOLDER);
    if (around < 0)
        return sheaf_snapshot_explain(why, "%.200s: %s", name, strerror(errno));
    int failed = check_owner_but(S_ISVTX, around, name, why);
    close(around);
    return failed;
}

int sheaf_folder_open(const char *dir, const char *tag, struct sheaf_snapshot_reason *why)
{
    int fd = open_dir(dir, why);
    if (fd < 0 || (tag && check_tag(tag, why) != 0)) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    if (tag) {
        int snapshot = openat(fd, tag, OPEN_FOLDER);
        close(fd);
        fd = snapshot;
    }
    if (fd < 0)
        return sheaf_snapshot_explain(why, "there is no snapshot %.64s in %.200s: %s", tag, dir,
                                      strerror(errno));
    if (check_owner(fd, tag ? tag : dir, why) == 0 &&
        check_parent(fd, tag ? dir : "the folder around it", why) == 0)
        return fd;
    close(fd);
    return -1;
}

bool sheaf_folder_has_id(const char *name, const struct sheaf_snapshot_id *id)
{
    char end[32];
    snprintf(end, sizeof end, ".%016llx" SUFFIX, (unsigned long long)id->words[0]);
    return ends_with(name, end);
}

int sheaf_folder_find_part(struct sheaf_snapshot_folder *folder, const char *dir, const char *tag,
                           sheaf_folder_wants *wants, void *context)
{
    struct sheaf_snapshot_reason unused;
    bool found = false;
    *folder = (struct sheaf_snapshot_folder){.dir = open_dir(dir, &unused), .part = -1, .tag = tag};
    DIR *list = folder->dir >= 0 && check_tag(tag, &unused) == 0 ? list_of(folder->dir) : NULL;
    for (const struct dirent *entry; list && !found && (entry = readdir(list));) {
        int fd = is_part(entry->d_name, tag) ? openat(folder->dir, entry->d_name, OPEN_FOLDER) : -1;
        found = fd >= 0 && check_owner(fd, entry->d_name, &unused) == 0 &&
                wants(context, entry->d_name, fd);
        if (found) {
            folder->part = fd;
            snprintf(folder->name, sizeof folder->name, "%.127s", entry->d_name);
        } else if (fd >= 0) {
            close(fd);
        }
    }
    if (list)
        closedir(list);
    return found ? 0 : -1;
}

int sheaf_folder_open_before(const struct sheaf_snapshot_folder *folder)
{
    struct sheaf_snapshot_reason unused;
    int fd = openat(folder->dir, folder->tag, OPEN_FOLDER);
    if (fd < 0 || check_owner(fd, folder->tag, &unused) == 0)
        return fd;
    close(fd);
    return -1;
}

void sheaf_folder_tidy(int snapshot, const char *tag)
{
    int dir = openat(snapshot, "..", OPEN_FOLDER);
    if (dir >= 0) {
        remove_dead(dir, tag);
        close(dir);
    }
}

int sheaf_folder_create_file(int folder, const char *name, struct sheaf_snapshot_reason *why)
{
    int fd = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        sheaf_snapshot_explain(why, "its file %s cannot be made: %s", name, strerror(errno));
    return fd;
}

int sheaf_folder_open_file(int folder, const char *name, struct sheaf_snapshot_reason *why)
{
    struct stat status;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return sheaf_snapshot_explain(why, "its file %s: %s", name, strerror(errno));
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && check_owner(fd, name, why) == 0)
        return fd;
    close(fd);
    return why->text[0] ? -1 : sheaf_snapshot_explain(why, "its file %s is no file", name);
}

void sheaf_folder_name_file(char name[SHEAF_SNAPSHOT_FILE_NAME], int pe)
{
    snprintf(name, SHEAF_SNAPSHOT_FILE_NAME, SHEAF_SNAPSHOT_PE "%05d", pe);
}

void sheaf_folder_name_part(char part[SHEAF_SNAPSHOT_FILE_NAME], const char *name, int number)
{
    snprintf(part, SHEAF_SNAPSHOT_FILE_NAME, "%.20s.%d", name, number);
}

#define MOST_TEXT     1024 /* bytes */
#define MOST_PES (1 << 24)

/* The first word of the manifest differs between the kinds, so that no older library takes one for the
 * other. */
static const char *const kind_words[] = {
    [SHEAF_SNAPSHOT_TAKEN] = "sheaf-snapshot", [SHEAF_SNAPSHOT_POST_MORTEM] = "sheaf-post-mortem"};
#define KINDS (sizeof kind_words / sizeof *kind_words)

static int write_text(int fd, const struct sheaf_manifest *manifest)
{
    char text[MOST_TEXT];
    const struct sheaf_snapshot_id *id = &manifest->id;
    int length = snprintf(text, sizeof text,
                          "%s %d\nid %016llx%016llx\nnpes %d\nmembers %d %d %d\nheap %llu\nprogram %.39s\n",
                          kind_words[manifest->kind], SHEAF_SNAPSHOT_VERSION,
                          (unsigned long long)id->words[0],
                          (unsigned long long)id->words[1], manifest->npes, manifest->start,
                          manifest->stride, manifest->size, (unsigned long long)manifest->heap,
                          manifest->build_id[0] ? manifest->build_id : "-");
    length += snprintf(text + length, sizeof text - (size_t)length, "hash %016llx\n",
                       (unsigned long long)sheaf_hash(text, (size_t)length));
    return write(fd, text, (size_t)length) == length ? fsync(fd) : -1;
}

int sheaf_manifest_write(int folder, const struct sheaf_manifest *manifest,
                         struct sheaf_snapshot_reason *why)
{
    int fd = sheaf_folder_create_file(folder, SHEAF_MANIFEST, why);
    if (fd < 0)
        return -1;
    int failed = write_text(fd, manifest);
    if (failed)
        sheaf_snapshot_explain(why, "its manifest cannot be written: %s", strerror(errno));
    close(fd);
    return failed;
}

static int read_kind(const char *text, struct sheaf_manifest *manifest)
{
    for (size_t kind = 0; kind < KINDS; kind++) {
        size_t length = strlen(kind_words[kind]);
        manifest->kind = (enum sheaf_snapshot_kind)kind;
        if (strncmp(text, kind_words[kind], length) == 0 && text[length] == ' ')
            return 0;
    }
    return -1;
}

static bool is_sound_manifest(const struct sheaf_manifest *manifest)
{
    long long last = manifest->start + (manifest->size - 1LL) * manifest->stride;
    return manifest->npes > 0 && manifest->npes <= MOST_PES && manifest->size > 0 &&
           manifest->size <= manifest->npes && manifest->start >= 0 && manifest->start < manifest->npes &&
           last >= 0 && last < manifest->npes;
}

static int read_text(const char *text, struct sheaf_manifest *manifest)
{
    unsigned long long id[2], heap, hash;
    int version;
    const char *last = strstr(text, "\nhash ");
    if (!last || sscanf(last, "\nhash %16llx", &hash) != 1 ||
        hash != sheaf_hash(text, (size_t)(last + 1 - text)) || read_kind(text, manifest) != 0 ||
        sscanf(text, "%*s %d id %16llx%16llx npes %d members %d %d %d heap %llu program %39s", &version,
               &id[0], &id[1], &manifest->npes, &manifest->start, &manifest->stride, &manifest->size, &heap,
               manifest->build_id) != 9 || version != SHEAF_SNAPSHOT_VERSION)
        return -1;
    manifest->id = (struct sheaf_snapshot_id){{id[0], id[1]}};
    manifest->heap = heap;
    return is_sound_manifest(manifest) ? 0 : -1;
}

int sheaf_manifest_read(int folder, struct sheaf_manifest *manifest, struct sheaf_snapshot_reason *why)
{
    char text[MOST_TEXT] = "";
    int fd = sheaf_folder_open_file(folder, SHEAF_MANIFEST, why);
    if (fd < 0)
        return -1;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0 || read_text(text, manifest) != 0)
        return sheaf_snapshot_explain(why, "its manifest is damaged, or of another version");
    return 0;
}

int sheaf_manifest_require_taken(const struct sheaf_manifest *manifest, struct sheaf_snapshot_reason *why)
{
    if (manifest->kind == SHEAF_SNAPSHOT_TAKEN)
        return 0;
    return sheaf_snapshot_explain(why,
                                  "it is what a failed job has left (oshrun --save-on-failure): its PEs "
                                  "stood anywhere, and none can go on from there; oshdump shows it");
}
