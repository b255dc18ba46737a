/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The job's file has no name and holes of many terabytes, and every process maps all of it: DMTCP would
 * read each mapping to its end, and find no file to put it back into. Here the process that has made the
 * file saves its data, once. At a restart it makes a new file, and all processes map that where the old
 * one was.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAPS_BYTES ((size_t)64 << 20) /* of /proc/self/maps */

/* A line of /proc/self/maps: include/procmapsarea.h of DMTCP's source, which it does not install. */
struct area {
    uint64_t begin, end, size, offset, protection, flags, device_major, device_minor, inode;
    int64_t file_bytes;
    uint64_t properties;
    char name[1024];
};
int dmtcp_skip_memory_region_ckpting(struct area *area);

struct mapping {
    char *address;
    size_t bytes;
    off_t offset;
    uint64_t inode;
    int protection;
};

struct extent {
    off_t at;
    size_t bytes;
};

static struct {
    struct mapping *mappings;
    size_t count, most;
    struct extent *extents; /* of data in the file, and the data of all one after the other */
    size_t extent_count;
    char *data;
    size_t data_bytes;
    off_t length;
    bool is_writing; /* the image */
} memory;

static bool is_job_file(const char *name)
{
    return strncmp(name, NAMED(JOB_FILE), strlen(NAMED(JOB_FILE))) == 0;
}

static bool is_of_program(const struct area *area)
{
    const ElfW(Phdr) *headers = (const void *)getauxval(AT_PHDR);
    size_t count = getauxval(AT_PHNUM);
    ElfW(Addr) base = 0;
    for (size_t i = 0; i < count; i++)
        if (headers[i].p_type == PT_PHDR)
            base = (ElfW(Addr))headers - headers[i].p_vaddr;
    for (size_t i = 0; i < count; i++) {
        ElfW(Addr) begin = base + headers[i].p_vaddr;
        if (headers[i].p_type == PT_LOAD && area->begin < begin + headers[i].p_memsz && begin < area->end)
            return true;
    }
    return false;
}

/* DMTCP asks twice: before it looks for files, where all of the job's file is left out, and while it writes
 * the image. There the program's variables are written as private memory: code that runs until the file is
 * back reads some, such as environ. */
int dmtcp_skip_memory_region_ckpting(struct area *area)
{
    if (!is_job_file(area->name))
        return 0;
    if (!memory.is_writing || !is_of_program(area))
        return 1;
    area->flags = MAP_PRIVATE | MAP_ANONYMOUS;
    area->name[0] = 0;
    return 0;
}

static void add_mapping(const char *line)
{
    unsigned long begin, end, offset, inode;
    char letters[5];
    if (!strstr(line, NAMED(JOB_FILE)) ||
        sscanf(line, "%lx-%lx %4s %lx %*s %lu", &begin, &end, letters, &offset, &inode) != 5)
        return;
    if (memory.count == memory.most)
        sheaf_dmtcp_fail("more than %zu mappings of the job's memory", memory.most);
    memory.mappings[memory.count++] = (struct mapping){
        .address = (char *)begin,
        .bytes = end - begin,
        .offset = (off_t)offset,
        .inode = inode,
        .protection = (letters[0] == 'r' ? PROT_READ : 0) | (letters[1] == 'w' ? PROT_WRITE : 0)};
}

void sheaf_dmtcp_memory_find(void)
{
    char *text = sheaf_dmtcp_reserve(MAPS_BYTES);
    int fd = sheaf_dmtcp_open("/proc/self/maps", O_RDONLY);
    size_t length = 0;
    for (long got; length < MAPS_BYTES - 1 && (got = read(fd, text + length, MAPS_BYTES - 1 - length)) > 0;)
        length += (size_t)got;
    close(fd);
    memory.most = 1 << 16;
    memory.mappings = sheaf_dmtcp_reserve(memory.most * sizeof *memory.mappings);
    memory.count = 0;
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = 0;
        add_mapping(line);
    }
    sheaf_dmtcp_release(text, MAPS_BYTES);
    memory.is_writing = true;
}

static size_t find_extents(int fd, struct extent *extents)
{
    size_t count = 0;
    for (off_t at = 0, end; (at = lseek(fd, at, SEEK_DATA)) >= 0; at = end) {
        if ((end = lseek(fd, at, SEEK_HOLE)) < 0)
            break;
        if (extents)
            extents[count] = (struct extent){at, (size_t)(end - at)};
        count++;
    }
    return count;
}

void sheaf_dmtcp_memory_save(int fd)
{
    struct stat file;
    if (fstat(fd, &file) != 0)
        sheaf_dmtcp_fail("the job's file: %s", strerror(errno));
    memory.length = file.st_size;
    memory.extent_count = find_extents(fd, NULL);
    memory.extents = sheaf_dmtcp_reserve((memory.extent_count + 1) * sizeof *memory.extents);
    find_extents(fd, memory.extents);
    for (size_t i = 0; i < memory.extent_count; i++)
        memory.data_bytes += memory.extents[i].bytes;
    char *to = memory.data = sheaf_dmtcp_reserve(memory.data_bytes + 1);
    for (size_t i = 0; i < memory.extent_count; i++)
        for (size_t done = 0; done < memory.extents[i].bytes;) {
            ssize_t got = pread(fd, to, memory.extents[i].bytes - done,
                                memory.extents[i].at + (off_t)done);
            if (got <= 0)
                sheaf_dmtcp_fail("the job's file cannot be read: %s", strerror(errno));
            done += (size_t)got;
            to += got;
        }
}

int sheaf_dmtcp_memory_make(void)
{
    int fd = (int)KERNEL(SYS_memfd_create, JOB_FILE, MFD_CLOEXEC, 0, 0);
    if (fd < 0 || ftruncate(fd, memory.length) != 0)
        sheaf_dmtcp_fail("no file for the job's memory: %s", strerror(errno));
    const char *from = memory.data;
    for (size_t i = 0; i < memory.extent_count; i++)
        for (size_t done = 0; done < memory.extents[i].bytes;) {
            ssize_t put = pwrite(fd, from, memory.extents[i].bytes - done,
                                 memory.extents[i].at + (off_t)done);
            if (put <= 0)
                sheaf_dmtcp_fail("the job's memory cannot be written: %s", strerror(errno));
            done += (size_t)put;
            from += put;
        }
    return fd;
}

void sheaf_dmtcp_memory_map(void)
{
    int fd = -1;
    for (size_t i = 0; i < memory.count; i++) {
        const struct mapping *mapping = &memory.mappings[i];
        if (i == 0 || mapping->inode != mapping[-1].inode) {
            close(fd);
            fd = sheaf_dmtcp_descriptors_open(mapping->inode, O_RDWR);
        }
        if (mmap(mapping->address, mapping->bytes, mapping->protection,
                 MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, mapping->offset) == MAP_FAILED)
            sheaf_dmtcp_fail("the job's memory cannot be mapped at %p: %s", (void *)mapping->address,
                             strerror(errno));
    }
    close(fd);
}

void sheaf_dmtcp_memory_drop(void)
{
    sheaf_dmtcp_release(memory.mappings, memory.most * sizeof *memory.mappings);
    sheaf_dmtcp_release(memory.extents, (memory.extent_count + 1) * sizeof *memory.extents);
    sheaf_dmtcp_release(memory.data, memory.data_bytes + 1);
    memset(&memory, 0, sizeof memory);
}
