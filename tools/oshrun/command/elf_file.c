/* SPDX-License-Identifier: BSD-3-Clause
 * See elf_file.h.
 */
#include "oshrun/command/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_HEADERS 256
#define MOST_ENTRIES 4096
#define MOST_NAMES   ((size_t)1 << 20) /* bytes of names */

struct file {
    int fd;
    ElfW(Phdr) headers[MOST_HEADERS];
    size_t count;
    ElfW(Dyn) entries[MOST_ENTRIES];
    size_t entry_count;
    uint64_t strings; /* their offset in the file */
};

static bool read_at(const struct file *file, uint64_t offset, void *bytes, size_t length)
{
    return offset <= INT64_MAX && pread(file->fd, bytes, length, (off_t)offset) == (ssize_t)length;
}

/* The machine that oshrun itself was compiled for. */
#if defined __x86_64__
#define MACHINE EM_X86_64
#elif defined __aarch64__
#define MACHINE EM_AARCH64
#endif

static bool read_headers(struct file *file)
{
    ElfW(Ehdr) start;
    if (!read_at(file, 0, &start, sizeof start) || memcmp(start.e_ident, ELFMAG, SELFMAG) != 0 ||
        start.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
        start.e_machine != MACHINE || start.e_phentsize != sizeof file->headers[0] ||
        start.e_phnum > MOST_HEADERS)
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

/* The offset in the file of an address of the program. */
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

/* Reads the entries up to DT_NULL, and finds the offset of their strings. */
static bool read_entries(struct file *file)
{
    const ElfW(Phdr) *dynamic = dynamic_of(file);
    size_t count = dynamic ? dynamic->p_filesz / sizeof file->entries[0] : 0;
    bool has_strings = false;
    if (count == 0 || count > MOST_ENTRIES ||
        !read_at(file, dynamic->p_offset, file->entries, count * sizeof file->entries[0]))
        return false;
    for (file->entry_count = 0; file->entry_count < count; file->entry_count++) {
        const ElfW(Dyn) *entry = &file->entries[file->entry_count];
        if (entry->d_tag == DT_NULL)
            break;
        if (entry->d_tag == DT_STRTAB)
            has_strings = offset_of(file, entry->d_un.d_ptr, &file->strings);
    }
    return has_strings;
}

/* Reads a text that ends within size bytes; otherwise the text is "". */
static bool read_text(const struct file *file, uint64_t at, char *text, size_t size)
{
    uint64_t offset = file->strings + at;
    ssize_t got = -1;
    if (at <= INT64_MAX && offset <= INT64_MAX)
        got = pread(file->fd, text, size, (off_t)offset);
    if (got <= 0 || !memchr(text, '\0', (size_t)got))
        *text = '\0';
    return *text;
}

static void collect_needs(const struct file *file, struct elf_needs *needs)
{
    bool has_runpath = false;
    for (size_t i = 0; i < file->entry_count; i++) {
        uint64_t at = file->entries[i].d_un.d_val;
        switch (file->entries[i].d_tag) {
        case DT_NEEDED:
            if (needs->count < ELF_MOST_NEEDED && read_text(file, at, needs->names[needs->count], ELF_NAME))
                needs->count++;
            break;
        case DT_RUNPATH:
            has_runpath = read_text(file, at, needs->run_path, sizeof needs->run_path);
            needs->is_rpath = false;
            break;
        case DT_RPATH:
            if (!has_runpath)
                needs->is_rpath = read_text(file, at, needs->run_path, sizeof needs->run_path);
        }
    }
}

bool sheaf_elf_read(const char *path, struct elf_needs *needs)
{
    static struct file file;
    struct stat status;
    needs->count = 0;
    needs->run_path[0] = '\0';
    needs->is_rpath = false;
    file.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file.fd < 0)
        return false;
    bool fits = fstat(file.fd, &status) == 0 && S_ISREG(status.st_mode) && read_headers(&file);
    if (fits && read_entries(&file))
        collect_needs(&file, needs);
    close(file.fd);
    return fits;
}

/* Whether the file has one of the names. Names of symbols are in the same table as those of libraries. */
static bool has_name(const struct file *file, const char *const *names)
{
    static char table[MOST_NAMES];
    uint64_t size = 0;
    bool found = false;
    for (size_t i = 0; i < file->entry_count; i++)
        if (file->entries[i].d_tag == DT_STRSZ)
            size = file->entries[i].d_un.d_val;
    if (size > sizeof table || !read_at(file, file->strings, table, size))
        return false;
    for (; *names && !found; names++)
        found = memmem(table, size, *names, strlen(*names) + 1) != NULL;
    return found;
}

bool sheaf_elf_names(const char *path, const char *const *names)
{
    static struct file file;
    struct stat status;
    file.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file.fd < 0)
        return false;
    bool found = fstat(file.fd, &status) == 0 && S_ISREG(status.st_mode) && read_headers(&file) &&
                 read_entries(&file) && has_name(&file, names);
    close(file.fd);
    return found;
}

const char *sheaf_elf_other_machine(const char *path)
{
    static const struct {
        int number;
        const char *name;
    } machines[] = {{EM_X86_64, "x86-64"}, {EM_386, "32-bit x86"}, {EM_AARCH64, "AArch64"},
                    {EM_ARM, "32-bit Arm"}, {EM_PPC64, "POWER"},   {EM_RISCV, "RISC-V"},
                    {EM_S390, "s390"}};
    struct file file = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
    ElfW(Ehdr) start = {0}; /* e_machine has the same place for 32 and for 64 bits */
    bool is_elf = file.fd >= 0 && read_at(&file, 0, &start, offsetof(ElfW(Ehdr), e_entry)) &&
                  memcmp(start.e_ident, ELFMAG, SELFMAG) == 0;
    if (file.fd >= 0)
        close(file.fd);
    if (!is_elf || start.e_machine == MACHINE)
        return NULL;
    bool is_swapped = start.e_ident[EI_DATA] == ELFDATA2MSB;
    int number = is_swapped ? __builtin_bswap16(start.e_machine) : start.e_machine;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (machines[i].number == number)
            return machines[i].name;
    return "another kind of machine";
}
