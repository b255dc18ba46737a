/* SPDX-License-Identifier: BSD-3-Clause
 * See manifest.h.
 */
#include "snapshot/manifest.h"

#include "image/image.h"
#include "snapshot/file/folder.h"
#include "snapshot/file/hash.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST 1024 /* bytes */

#define LINES                                                                                      \
    "sheaf-snapshot %d\nid %016llx%016llx\nnpes %d\nmembers %d %d %d\nheap %llu\n"

static int write_text(int fd, const struct sheaf_manifest *manifest)
{
    char text[MOST];
    int length = snprintf(text, sizeof text, LINES "program %s\n", SHEAF_SNAPSHOT_VERSION,
                          (unsigned long long)manifest->id.words[0],
                          (unsigned long long)manifest->id.words[1], manifest->npes, manifest->start,
                          manifest->stride, manifest->size, (unsigned long long)manifest->heap,
                          sheaf_image_build_id()[0] ? sheaf_image_build_id() : "-");
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

static int read_text(const char *text, struct sheaf_manifest *manifest)
{
    unsigned long long words[2], heap, hash;
    int version;
    const char *last = strstr(text, "\nhash ");
    if (!last || sscanf(last, "\nhash %16llx", &hash) != 1 ||
        hash != sheaf_hash(text, (size_t)(last + 1 - text)) ||
        sscanf(text, "sheaf-snapshot %d id %16llx%16llx npes %d members %d %d %d heap %llu", &version,
               &words[0], &words[1], &manifest->npes, &manifest->start, &manifest->stride, &manifest->size,
               &heap) != 8 || version != SHEAF_SNAPSHOT_VERSION)
        return -1;
    manifest->id = (struct sheaf_snapshot_id){{words[0], words[1]}};
    manifest->heap = heap;
    return 0;
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
