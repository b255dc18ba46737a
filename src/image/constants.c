/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program's constants, mapped in each window at the same distance from the variables as here. Pages
 * that the linker filled and nobody may write are equal in all processes of one program: each PE maps
 * them from its own program file. Pages into which the loader has written addresses differ from PE to PE:
 * each PE copies its own into its slot, behind its variables.
 */
#include "image/image_internal.h"

#include "base/os/os.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SAMPLE 4096 /* bytes */

/* Whether the file holds the same constants as memory. It does not where the dynamic loader was started by
 * name: /proc/self/exe is then the loader. */
static bool is_program(int fd)
{
    char bytes[SAMPLE];
    for (int i = 0; i < sheaf_executable.constant_count; i++) {
        const struct sheaf_constants *part = &sheaf_executable.constants[i];
        ssize_t got = pread(fd, bytes, sizeof bytes, (off_t)part->file_offset);
        if (got <= 0 || memcmp(bytes, part->start, (size_t)got) != 0)
            return false;
    }
    return true;
}

/* Where the constants lie in the slot of a PE that cannot read its program's file. */
static uint64_t copy_offset(const struct sheaf_constants *part)
{
    return sheaf_image.slot_offset + sheaf_image.data_length + sheaf_executable.relocated.length +
           (uint64_t)(part->start - sheaf_executable.constants[0].start);
}

static int copy_constants(void)
{
    int failed = 0;
    for (int i = 0; i < sheaf_executable.constant_count && !failed; i++)
        failed = sheaf_image_copy_to_file(sheaf_executable.constants[i].start,
                                          sheaf_executable.constants[i].length,
                                          copy_offset(&sheaf_executable.constants[i]));
    return failed;
}

/* Whether a section holds constants that the loader has relocated. The loader's own tables are excluded:
 * they have another type or entries, or belong to a thread. */
static bool is_constants(const ElfW(Shdr) *section)
{
    const struct sheaf_segment *relocated = &sheaf_executable.relocated;
    uint64_t at = section->sh_addr + sheaf_executable.bias - (uintptr_t)relocated->start;
    return (section->sh_type == SHT_PROGBITS || section->sh_type == SHT_NOBITS) && section->sh_size > 0 &&
           section->sh_flags & SHF_ALLOC && !(section->sh_flags & SHF_TLS) && section->sh_entsize == 0 &&
           at < relocated->length;
}

/* Whether the program may have relocated constants. Most programs in C have none, and a mapping in each
 * window costs some us at start and end. A file without a section table counts as having some. */
static bool has_relocated(int fd)
{
    ElfW(Ehdr) header;
    ElfW(Shdr) section;
    if (pread(fd, &header, sizeof header, 0) != sizeof header || header.e_shnum == 0)
        return true;
    for (int i = 0; i < header.e_shnum; i++)
        if (pread(fd, &section, sizeof section, (off_t)(header.e_shoff + (uint64_t)i * sizeof section)) !=
                sizeof section || is_constants(&section))
            return true;
    return false;
}

/* The file in which the windows' constants lie. fd is -1 while none is open. */
static struct {
    int fd;
    dev_t device;
    ino_t inode;
    bool is_copy; /* it is this PE's slot, since the program's file cannot be read */
} constants_file = {.fd = -1};

static int open_program(void)
{
    struct stat file;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &file) != 0)
        return fd;
    constants_file.device = file.st_dev;
    constants_file.inode = file.st_ino;
    return sheaf_os_move_up(fd);
}

/* The program may have closed the descriptor, and opened another file under its number. */
static bool is_still_open(void)
{
    struct stat file;
    return constants_file.fd >= 0 && fstat(constants_file.fd, &file) == 0 &&
           file.st_dev == constants_file.device && file.st_ino == constants_file.inode;
}

int sheaf_image_open_constants(void)
{
    constants_file.fd = open_program();
    constants_file.is_copy = constants_file.fd < 0 || !is_program(constants_file.fd);
    if (!constants_file.is_copy && !has_relocated(constants_file.fd))
        sheaf_executable.relocated.length = 0;
    if (!constants_file.is_copy)
        return 0;
    sheaf_image_close_constants();
    return copy_constants();
}

void sheaf_image_close_constants(void)
{
    if (is_still_open())
        close(constants_file.fd);
    constants_file.fd = -1;
}

static int map_part(const char *start, size_t length, uintptr_t distance, int flags, int fd,
                    uint64_t offset)
{
    void *got = mmap((void *)((uintptr_t)start + distance), length, PROT_READ,
                     flags | MAP_FIXED | MAP_NORESERVE, fd, (off_t)offset);
    return got == MAP_FAILED ? -1 : 0;
}

int sheaf_image_map_constants(uintptr_t distance, int slot_fd, uint64_t slot_offset)
{
    const struct sheaf_segment *relocated = &sheaf_executable.relocated;
    bool is_copy = constants_file.is_copy;
    int failed = relocated->length ? map_part(relocated->start, relocated->length, distance, MAP_SHARED,
                                              slot_fd,
                                              slot_offset + sheaf_image.data_length) : 0;
    if (!is_copy && !is_still_open())
        constants_file.fd = open_program();
    for (int i = 0; i < sheaf_executable.constant_count && !failed; i++) {
        const struct sheaf_constants *part = &sheaf_executable.constants[i];
        failed = map_part(part->start, part->length, distance, is_copy ? MAP_SHARED : MAP_PRIVATE,
                          is_copy ? sheaf_image.fd : constants_file.fd,
                          is_copy ? copy_offset(part) : part->file_offset);
    }
    return failed;
}

bool sheaf_image_holds_constant(const void *address, size_t bytes)
{
    if (!sheaf_image.segments[SHEAF_SEGMENT_DATA].length)
        return false;
    for (int i = 0; i < sheaf_executable.constant_count; i++) {
        const struct sheaf_constants *part = &sheaf_executable.constants[i];
        const struct sheaf_segment pages = {part->start, part->length};
        if (sheaf_segment_holds(&pages, (uintptr_t)address, bytes))
            return true;
    }
    return sheaf_segment_holds(&sheaf_executable.relocated, (uintptr_t)address, bytes);
}
