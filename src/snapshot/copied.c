/* SPDX-License-Identifier: BSD-3-Clause
 * See copied.h.
 */
#include "snapshot/copied.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>

#if defined(__x86_64__)
#define COPIES R_X86_64_COPY
#else
#define COPIES R_AARCH64_COPY
#endif

struct relocations {
    uintptr_t bias;
    const ElfW(Rela) *list;
    size_t count;
    const ElfW(Sym) *symbols;
    uintptr_t functions; /* the loader's table, which it fills as functions are first called */
    size_t functions_size;
};

/* Its first entries are the loader's own. */
#define OWN_ENTRIES 3

/* The loader has relocated these addresses. */
static const void *address(uintptr_t bias, const ElfW(Dyn) *entry)
{
    uintptr_t at = entry->d_un.d_ptr;
    return (const void *)(at < bias ? at + bias : at);
}

/* The first object is the program. */
static int read_program(struct dl_phdr_info *info, size_t size, void *context)
{
    struct relocations *all = context;
    const ElfW(Dyn) *entry = NULL;
    (void)size;
    *all = (struct relocations){.bias = info->dlpi_addr};
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entry = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_RELA)
            all->list = address(all->bias, entry);
        else if (entry->d_tag == DT_RELASZ)
            all->count = entry->d_un.d_val / sizeof *all->list;
        else if (entry->d_tag == DT_SYMTAB)
            all->symbols = address(all->bias, entry);
        else if (entry->d_tag == DT_PLTGOT)
            all->functions = (uintptr_t)address(all->bias, entry);
        else if (entry->d_tag == DT_PLTRELSZ)
            all->functions_size = (entry->d_un.d_val / sizeof *all->list + OWN_ENTRIES) * sizeof(void *);
    return 1;
}

char *sheaf_copied_next(const char *at, size_t *size)
{
    static struct relocations all;
    uintptr_t found = UINTPTR_MAX;
    if (!all.symbols)
        dl_iterate_phdr(read_program, &all);
    if (all.functions && all.functions + all.functions_size > (uintptr_t)at) {
        found = all.functions;
        *size = all.functions_size;
    }
    for (size_t i = 0; all.list && all.symbols && i < all.count; i++) {
        if (ELF64_R_TYPE(all.list[i].r_info) != COPIES)
            continue;
        uintptr_t start = all.bias + all.list[i].r_offset;
        size_t length = all.symbols[ELF64_R_SYM(all.list[i].r_info)].st_size;
        if (start + length > (uintptr_t)at && start < found) {
            found = start;
            *size = length;
        }
    }
    return found == UINTPTR_MAX ? NULL : (char *)found;
}
