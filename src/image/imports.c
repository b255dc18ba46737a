/* SPDX-License-Identifier: BSD-3-Clause
 * See imports.h.
 */
#include "image/imports.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct search {
    const char *prefix;
    bool (*is_meant)(const char *name); /* instead of the prefix, and for the program alone */
    bool is_linked;
    bool is_program; /* the object visited is the program, which comes first */
    bool found;
};

struct symbols {
    const ElfW(Sym) *table;
    const char *strings;
    const uint32_t *hash, *gnu_hash;
    struct relocations {
        const ElfW(Rela) *list;
        size_t bytes;
    } data, calls;
};

static bool contains_this(const struct dl_phdr_info *info)
{
    uintptr_t here = (uintptr_t)sheaf_image_imports;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && here >= start &&
            here - start < info->dlpi_phdr[i].p_memsz)
            return true;
    }
    return false;
}

/* The loader has relocated these addresses, except those of the kernel's own object. */
static const void *dynamic_address(const struct dl_phdr_info *info, const ElfW(Dyn) *entry)
{
    uintptr_t at = entry->d_un.d_ptr;
    return (const void *)(at < info->dlpi_addr ? at + info->dlpi_addr : at);
}

static struct symbols find_symbols(const struct dl_phdr_info *info)
{
    struct symbols symbols = {0};
    const ElfW(Dyn) *entry = NULL;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entry = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_SYMTAB)
            symbols.table = dynamic_address(info, entry);
        else if (entry->d_tag == DT_STRTAB)
            symbols.strings = dynamic_address(info, entry);
        else if (entry->d_tag == DT_HASH)
            symbols.hash = dynamic_address(info, entry);
        else if (entry->d_tag == DT_GNU_HASH)
            symbols.gnu_hash = dynamic_address(info, entry);
        else if (entry->d_tag == DT_JMPREL)
            symbols.calls.list = dynamic_address(info, entry);
        else if (entry->d_tag == DT_PLTRELSZ)
            symbols.calls.bytes = entry->d_un.d_val;
        else if (entry->d_tag == DT_RELA)
            symbols.data.list = dynamic_address(info, entry);
        else if (entry->d_tag == DT_RELASZ)
            symbols.data.bytes = entry->d_un.d_val;
    return symbols;
}

static size_t count_relocated(const struct relocations *relocations)
{
    size_t count = 0;
    for (size_t i = 0; relocations->list && i < relocations->bytes / sizeof *relocations->list; i++) {
        size_t number = ELF64_R_SYM(relocations->list[i].r_info);
        count = number >= count ? number + 1 : count;
    }
    return count;
}

/* The number of symbols to search for undefined ones. GNU's table counts those before its own. It says 1
 * where it is empty, as in -no-pie programs that define nothing for others: then the relocations name the
 * symbols used. The other table counts all. */
static size_t count_symbols(const struct symbols *symbols)
{
    if (!symbols->table || !symbols->strings)
        return 0;
    if (!symbols->gnu_hash)
        return symbols->hash ? symbols->hash[1] : 0;
    size_t of_data = count_relocated(&symbols->data), of_calls = count_relocated(&symbols->calls);
    return symbols->gnu_hash[1] > 1 ? symbols->gnu_hash[1] : of_data > of_calls ? of_data : of_calls;
}

static bool name_matches(const struct search *search, const char *name)
{
    if (search->is_meant)
        return search->is_meant(name);
    return strncmp(name + (name[0] == 'p'), search->prefix, strlen(search->prefix)) == 0;
}

static bool refers_to_name(const struct symbols *symbols, const struct search *search)
{
    for (size_t i = 1, count = count_symbols(symbols); i < count; i++)
        if (symbols->table[i].st_shndx == SHN_UNDEF &&
            name_matches(search, symbols->strings + symbols->table[i].st_name))
            return true;
    return false;
}

static int visit_imports(struct dl_phdr_info *info, size_t size, void *context)
{
    struct search *search = context;
    (void)size;
    if (!search->is_meant && contains_this(info)) {
        search->found |= search->is_program && search->is_linked;
    } else {
        struct symbols symbols = find_symbols(info);
        search->found |= refers_to_name(&symbols, search);
    }
    search->is_program = false;
    return search->found || search->is_meant;
}

bool sheaf_image_imports(const char *prefix, bool is_linked)
{
    struct search search = {.prefix = prefix, .is_linked = is_linked, .is_program = true};
    dl_iterate_phdr(visit_imports, &search);
    return search.found;
}

bool sheaf_image_program_imports(bool (*is_meant)(const char *name))
{
    struct search search = {.is_meant = is_meant, .is_program = true};
    dl_iterate_phdr(visit_imports, &search);
    return search.found;
}
