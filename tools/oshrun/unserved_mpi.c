/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See unserved_mpi.h. Open MPI speaks PMIx alone. Its library is libmpi.so.20 or a higher number; MPICH's
 * and Intel's are libmpi.so.12 and libmpich.so.12. A file that is no program of this machine's kind, or
 * makes no sense, is linked with nothing.
 */
#include "unserved_mpi.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_OPEN_MPI 20
#define MOST_HEADERS   256
#define MOST_ENTRIES   4096

struct file {
    int fd;
    ElfW(Phdr) headers[MOST_HEADERS];
    size_t count;
};

static bool read_at(const struct file *file, uint64_t offset, void *bytes, size_t length)
{
    return offset <= INT64_MAX && pread(file->fd, bytes, length, (off_t)offset) == (ssize_t)length;
}

static bool read_headers(struct file *file)
{
    ElfW(Ehdr) start;
    if (!read_at(file, 0, &start, sizeof start) || memcmp(start.e_ident, ELFMAG, SELFMAG) != 0 ||
        start.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
        start.e_phentsize != sizeof file->headers[0] || start.e_phnum > MOST_HEADERS)
        return false;
    file->count = start.e_phnum;
    return read_at(file, start.e_phoff, file->headers, file->count * sizeof file->headers[0]);
}

static const ElfW(Phdr) *dynamic_of(const struct file *file)
{
    for (size_t i = 0; i < file->count; i++)
        if (file->headers[i].p_type == PT_DYNAMIC)
            return &file->headers[i];
    return NULL;
}

/* Where in the file an address of the program stands. */
static bool offset_of(const struct file *file, ElfW(Addr) address, uint64_t *offset)
{
    for (size_t i = 0; i < file->count; i++) {
        const ElfW(Phdr) *part = &file->headers[i];
        if (part->p_type == PT_LOAD && address >= part->p_vaddr &&
            address - part->p_vaddr < part->p_filesz) {
            *offset = part->p_offset + (address - part->p_vaddr);
            return true;
        }
    }
    return false;
}

static bool is_open_mpi(const char *name)
{
    static const char stem[] = "libmpi.so.";
    return strncmp(name, stem, sizeof stem - 1) == 0 && atoi(name + sizeof stem - 1) >= FIRST_OPEN_MPI;
}

/* Whether Open MPI is among the libraries that the program names. */
static bool names_open_mpi(const struct file *file, const ElfW(Dyn) *entries, size_t count,
                           uint64_t strings)
{
    for (size_t i = 0; i < count && entries[i].d_tag != DT_NULL; i++) {
        char name[32] = "";
        if (entries[i].d_tag == DT_NEEDED && read_at(file, strings + entries[i].d_un.d_val, name, 13) &&
            is_open_mpi(name))
            return true;
    }
    return false;
}

static bool is_linked_with_open_mpi(const struct file *file)
{
    static ElfW(Dyn) entries[MOST_ENTRIES];
    const ElfW(Phdr) *dynamic = dynamic_of(file);
    uint64_t strings;
    size_t count = dynamic ? dynamic->p_filesz / sizeof entries[0] : 0;
    if (count == 0 || count > MOST_ENTRIES ||
        !read_at(file, dynamic->p_offset, entries, count * sizeof entries[0]))
        return false;
    for (size_t i = 0; i < count && entries[i].d_tag != DT_NULL; i++)
        if (entries[i].d_tag == DT_STRTAB && offset_of(file, entries[i].d_un.d_ptr, &strings))
            return names_open_mpi(file, entries, count, strings);
    return false;
}

static void check(const struct program *program, int npes)
{
    static struct file file;
    file.fd = open(program->path, O_RDONLY | O_CLOEXEC);
    if (file.fd < 0)
        return;
    bool refused = read_headers(&file) && is_linked_with_open_mpi(&file);
    close(file.fd);
    if (refused)
        sheaf_die(STATUS_NOT_EXECUTABLE, "%s is linked with Open MPI, which oshrun does not serve: the "
                  "MPI of each PE would find itself alone; start it with Open MPI's mpirun -n %d",
                  program->argv[0], npes);
}

void sheaf_unserved_mpi_refuse(const struct options *options)
{
    for (int i = 0; i < options->program_count && options->npes > 1; i++)
        check(&options->programs[i], options->npes);
}
