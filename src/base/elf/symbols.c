/* SPDX-License-Identifier: BSD-3-Clause
 * See symbols.h.
 */
#include "base/elf/symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The program's file, and what of it is needed; every part lies within its length. */
struct file {
    const char *bytes;
    size_t length;
    const ElfW(Sym) *symbols;
    size_t count;
    const char *names;
    size_t names_length;
};

struct range {
    uintptr_t start;
    size_t size;
};
static struct range *sorted; /* no two begin at one address */
static size_t sorted_count;

static bool is_within(const struct file *file, uint64_t offset, uint64_t bytes)
{
    return offset <= file->length && bytes <= file->length - offset;
}

static const ElfW(Ehdr) *header_of(const struct file *file)
{
    const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)file->bytes;
    bool is_elf = file->length >= sizeof *header && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
                  header->e_shentsize == sizeof(ElfW(Shdr)) && header->e_shoff % sizeof(ElfW(Addr)) == 0 &&
                  is_within(file, header->e_shoff, (uint64_t)header->e_shnum * sizeof(ElfW(Shdr)));
    return is_elf ? header : NULL;
}

/* The names of a table of symbols, which end with a zero byte. */
static bool take_table(struct file *file, const ElfW(Shdr) *sections, size_t count,
                       const ElfW(Shdr) *table)
{
    const ElfW(Shdr) *names = table->sh_link < count ? &sections[table->sh_link] : NULL;
    if (!names || names->sh_size == 0 || table->sh_offset % sizeof(ElfW(Addr)) != 0 ||
        !is_within(file, table->sh_offset, table->sh_size) ||
        !is_within(file, names->sh_offset, names->sh_size) ||
        file->bytes[names->sh_offset + names->sh_size - 1] != '\0')
        return false;
    file->symbols = (const ElfW(Sym) *)(file->bytes + table->sh_offset);
    file->count = table->sh_size / sizeof *file->symbols;
    file->names = file->bytes + names->sh_offset;
    file->names_length = names->sh_size;
    return true;
}

/* A stripped program has what it exports. */
static bool find_table(struct file *file)
{
    const ElfW(Ehdr) *header = header_of(file);
    const ElfW(Shdr) *sections = header ? (const ElfW(Shdr) *)(file->bytes + header->e_shoff) : NULL;
    static const uint32_t kinds[] = {SHT_SYMTAB, SHT_DYNSYM};
    for (size_t kind = 0; sections && kind < sizeof kinds / sizeof *kinds; kind++)
        for (size_t i = 0; i < header->e_shnum; i++)
            if (sections[i].sh_type == kinds[kind] &&
                take_table(file, sections, header->e_shnum, &sections[i]))
                return true;
    return false;
}

static void close_file(struct file *file)
{
    munmap((void *)file->bytes, file->length);
}

static bool open_file(struct file *file)
{
    struct stat status;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    void *bytes = MAP_FAILED;
    if (fstat(fd, &status) == 0 && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED)
        return false;
    *file = (struct file){.bytes = bytes, .length = (size_t)status.st_size};
    if (find_table(file))
        return true;
    close_file(file);
    return false;
}

/* The kernel tells where the program headers lie; those of the first segment come with it. */
uintptr_t sheaf_symbols_bias(void)
{
    const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    size_t count = getauxval(AT_PHNUM);
    for (size_t i = 0; headers && i < count; i++)
        if (headers[i].p_type == PT_PHDR)
            return (uintptr_t)headers - headers[i].p_vaddr;
    for (size_t i = 0; headers && i < count; i++)
        if (headers[i].p_type == PT_LOAD && headers[i].p_offset == 0)
            return (uintptr_t)headers - sizeof(ElfW(Ehdr)) - headers[i].p_vaddr;
    return 0;
}

static bool is_variable(const struct file *file, const ElfW(Sym) *symbol)
{
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    return (type == STT_OBJECT || type == STT_COMMON) && symbol->st_shndx != SHN_UNDEF &&
           symbol->st_size > 0 && symbol->st_name < file->names_length;
}

/* The one that begins last among those before address, and of these the longest. */
static const ElfW(Sym) *last_before(const struct file *file, uintptr_t address)
{
    const ElfW(Sym) *last = NULL;
    for (size_t i = 0; i < file->count; i++) {
        const ElfW(Sym) *symbol = &file->symbols[i];
        if (!is_variable(file, symbol) || symbol->st_value > address)
            continue;
        if (!last || symbol->st_value > last->st_value ||
            (symbol->st_value == last->st_value && symbol->st_size > last->st_size))
            last = symbol;
    }
    return last;
}

bool sheaf_symbols_find(uintptr_t address, struct sheaf_symbol *symbol)
{
    struct file file;
    uintptr_t bias = sheaf_symbols_bias();
    if (!open_file(&file))
        return false;
    const ElfW(Sym) *found = last_before(&file, address - bias);
    if (found) {
        *symbol = (struct sheaf_symbol){.start = found->st_value + bias, .size = found->st_size};
        snprintf(symbol->name, sizeof symbol->name, "%s", file.names + found->st_name);
    }
    close_file(&file);
    return found != NULL;
}

static int compare(const void *one, const void *other)
{
    const struct range *a = one, *b = other;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->size < b->size) - (a->size > b->size);
}

void sheaf_symbols_sort(void)
{
    struct file file;
    uintptr_t bias = sheaf_symbols_bias();
    if (sorted || !open_file(&file))
        return;
    sorted = malloc((file.count + 1) * sizeof *sorted);
    for (size_t i = 0; sorted && i < file.count; i++)
        if (is_variable(&file, &file.symbols[i]))
            sorted[sorted_count++] =
                (struct range){file.symbols[i].st_value + bias, file.symbols[i].st_size};
    close_file(&file);
    if (sorted)
        qsort(sorted, sorted_count, sizeof *sorted, compare);
}

/* Several names of one variable begin at one address, the longest first. */
bool sheaf_symbols_find_range(uintptr_t address, uintptr_t *start, size_t *size)
{
    size_t low = 0, high = sorted_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    while (low > 1 && sorted[low - 2].start == sorted[low - 1].start)
        low--;
    if (low == 0)
        return false;
    *start = sorted[low - 1].start;
    *size = sorted[low - 1].size;
    return true;
}
