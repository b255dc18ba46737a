/* SPDX-License-Identifier: BSD-3-Clause
 * See library_search.h.
 */
#include "oshrun/mpi/library_search.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CACHE      "/etc/ld.so.cache"
#define MOST_CACHE ((off_t)64 << 20)
#define SYSTEM     "/lib64:/usr/lib64:/lib:/usr/lib:/usr/local/lib"

/* The cache format of glibc 2.2 and later; an older cache is ignored. */
#define CACHE_MAGIC "glibc-ld.so.cache1.1"

struct cache_header {
    char magic[sizeof CACHE_MAGIC - 1];
    uint32_t count, strings;
    uint8_t flags, padding[3];
    uint32_t extension, unused[3];
};

struct cache_entry {
    int32_t flags;
    uint32_t name, path; /* offsets from the beginning of the file */
    uint32_t version;
    uint64_t capabilities;
};

_Static_assert(sizeof(struct cache_header) == 48 && sizeof(struct cache_entry) == 24,
               "the loader's cache has no gaps");

/* Adds one folder: "$ORIGIN/../lib" of the file /a/b/c is /a/b/../lib. The loader's other words, such
 * as $LIB, are not replaced, so that the folder does not exist. */
static void add_folder(struct library_search *search, const char *origin, const char *folder, size_t length)
{
    static const char *const words[] = {"$ORIGIN", "${ORIGIN}"};
    const char *before = search->folders ? search->folders : "";
    char *longer;
    size_t cut = 0;
    for (size_t i = 0; i < 2; i++)
        if (strncmp(folder, words[i], strlen(words[i])) == 0)
            cut = strlen(words[i]);
    if (cut > length || asprintf(&longer, "%s%s%.*s:", before, cut ? origin : "", (int)(length - cut),
                                 folder + cut) < 0)
        return;
    free(search->folders);
    search->folders = longer;
}

void sheaf_library_search_add(struct library_search *search, const char *path, const char *run_path)
{
    char *whole = *run_path ? realpath(path, NULL) : NULL;
    if (!whole)
        return;
    *strrchr(whole, '/') = '\0';
    while (*run_path) {
        size_t length = strcspn(run_path, ":");
        if (length > 0)
            add_folder(search, whole, run_path, length);
        run_path += length + (run_path[length] == ':');
    }
    free(whole);
}

static bool find_in(const char *folders, const char *name, char *path)
{
    while (folders && *folders) {
        size_t length = strcspn(folders, ":;");
        int written = snprintf(path, LIBRARY_PATH, "%.*s/%s", length ? (int)length : 1,
                               length ? folders : ".", name);
        if (written < LIBRARY_PATH && access(path, R_OK) == 0)
            return true;
        folders += length + (folders[length] != '\0');
    }
    return false;
}

/* The program's LD_LIBRARY_PATH, which -x may have set. */
static const char *library_path(const struct program *program)
{
    static const char name[] = "LD_LIBRARY_PATH=";
    for (int i = program->env_count - 1; i >= 0; i--)
        if (strncmp(program->env[i], name, sizeof name - 1) == 0)
            return program->env[i] + sizeof name - 1;
    return getenv("LD_LIBRARY_PATH");
}

static void read_cache(struct library_search *search)
{
    struct stat status;
    int fd = open(CACHE, O_RDONLY | O_CLOEXEC);
    search->cache_was_read = true;
    if (fd < 0)
        return;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= MOST_CACHE)
        search->cache = calloc(1, (size_t)status.st_size + 1);
    ssize_t got = search->cache ? read(fd, search->cache, (size_t)status.st_size) : 0;
    search->cache_length = got > 0 ? (size_t)got : 0;
    close(fd);
}

/* Finds the first library of that name in the cache. The cache may have it for several kinds of
 * processor: the reader of the file tells them apart. */
static bool find_in_cache(struct library_search *search, const char *name, char *path)
{
    struct cache_header header;
    if (!search->cache_was_read)
        read_cache(search);
    if (search->cache_length < sizeof header)
        return false;
    memcpy(&header, search->cache, sizeof header);
    if (memcmp(header.magic, CACHE_MAGIC, sizeof header.magic) != 0 ||
        header.count > (search->cache_length - sizeof header) / sizeof(struct cache_entry))
        return false;
    for (uint32_t i = 0; i < header.count; i++) {
        struct cache_entry entry;
        memcpy(&entry, search->cache + sizeof header + i * sizeof entry, sizeof entry);
        if (entry.name < search->cache_length && entry.path < search->cache_length &&
            strcmp(search->cache + entry.name, name) == 0)
            return snprintf(path, LIBRARY_PATH, "%s", search->cache + entry.path) < LIBRARY_PATH;
    }
    return false;
}

bool sheaf_library_find(struct library_search *search, const char *name, char *path)
{
    if (strchr(name, '/'))
        return snprintf(path, LIBRARY_PATH, "%s", name) < LIBRARY_PATH;
    return find_in(search->folders, name, path) || find_in(library_path(search->program), name, path) ||
           find_in_cache(search, name, path) || find_in(SYSTEM, name, path);
}

void sheaf_library_search_end(struct library_search *search)
{
    free(search->folders);
    free(search->cache);
}
