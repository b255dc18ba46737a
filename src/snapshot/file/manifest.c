/* SPDX-License-Identifier: BSD-3-Clause
 * See manifest.h.
 */
#include "snapshot/file/manifest.h"

#include "snapshot/file/folder.h"
#include "snapshot/file/hash.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST     1024 /* bytes */
#define MOST_PES (1 << 24)

/* The first word tells the kinds apart, so that no older library takes one for the other. */
static const char *const words[] = {
    [SHEAF_SNAPSHOT_TAKEN] = "sheaf-snapshot", [SHEAF_SNAPSHOT_POST_MORTEM] = "sheaf-post-mortem"};
#define KINDS (sizeof words / sizeof *words)

static int write_text(int fd, const struct sheaf_manifest *manifest)
{
    char text[MOST];
    const struct sheaf_snapshot_id *id = &manifest->id;
    int length = snprintf(text, sizeof text,
                          "%s %d\nid %016llx%016llx\nnpes %d\nmembers %d %d %d\nheap %llu\nprogram %.39s\n",
                          words[manifest->kind], SHEAF_SNAPSHOT_VERSION, (unsigned long long)id->words[0],
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
        size_t length = strlen(words[kind]);
        manifest->kind = (enum sheaf_snapshot_kind)kind;
        if (strncmp(text, words[kind], length) == 0 && text[length] == ' ')
            return 0;
    }
    return -1;
}

static bool is_sound(const struct sheaf_manifest *manifest)
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
    return is_sound(manifest) ? 0 : -1;
}

int sheaf_manifest_read(int folder, struct sheaf_manifest *manifest, struct sheaf_snapshot_reason *why)
{
    char text[MOST] = "";
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
