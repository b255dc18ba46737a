/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The last-level cache, from folders made as the kernel makes them, and from the processor itself.
 * Argument: a folder that it may write in.
 */
#include "base/os/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static int failures;

static void expect(int line, struct sheaf_cache found, size_t bytes, int cpus)
{
    if (found.bytes == bytes && found.cpus == cpus)
        return;
    printf("line %d: %zu bytes for %d CPUs, not %zu for %d\n", line, found.bytes, found.cpus, bytes, cpus);
    failures++;
}
#define EXPECT(found, bytes, cpus) expect(__LINE__, found, (size_t)(bytes), cpus)

static void write_field(const char *folder, const char *field, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, field);
    FILE *file = fopen(path, "w");
    if (!file || fprintf(file, "%s\n", text) < 0 || fclose(file) != 0)
        exit(1);
}

static void write_cache(const char *root, int index, const char *level, const char *type, const char *size,
                        const char *map)
{
    char folder[2048];
    snprintf(folder, sizeof folder, "%s/index%d", root, index);
    mkdir(folder, 0700);
    write_field(folder, "level", level);
    write_field(folder, "type", type);
    write_field(folder, "size", size);
    write_field(folder, "shared_cpu_map", map);
}

/* What a run before this one has left. */
static void clear(const char *root)
{
    static const char *const fields[] = {"level", "type", "size", "shared_cpu_map"};
    char path[4096];
    for (int index = 0; index < 4; index++)
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            snprintf(path, sizeof path, "%s/index%d/%s", root, index, fields[i]);
            remove(path);
        }
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    const char *root = argv[1];
    mkdir(root, 0700);
    clear(root);
    EXPECT(sheaf_cache_of_folder("/nowhere"), 0, 1);
    write_cache(root, 0, "1", "Data", "32K", "00000001");
    write_cache(root, 1, "1", "Instruction", "64K", "00000001");
    EXPECT(sheaf_cache_of_folder(root), 32 << 10, 1);
    write_cache(root, 2, "2", "Unified", "1280K", "00000003");
    EXPECT(sheaf_cache_of_folder(root), 1280 << 10, 2);
    write_cache(root, 3, "3", "Unified", "36M", "00000000,ffff0000,0000ffff");
    EXPECT(sheaf_cache_of_folder(root), 36 << 20, 32);
    write_cache(root, 3, "3", "Unified", "nonsense", "");
    EXPECT(sheaf_cache_of_folder(root), 0, 1);
    write_cache(root, 3, "3", "Unified", "36M", "f");
    EXPECT(sheaf_cache_of_folder(root), 36 << 20, 4);
    clear(root);
#if defined(__x86_64__)
    struct sheaf_cache told = sheaf_cache_last(), asked = sheaf_cache_of_processor();
    if (asked.bytes > 0) /* an emulator's processor may say nothing */
        EXPECT(asked, told.bytes, asked.cpus);
#endif
    return failures > 0;
}
