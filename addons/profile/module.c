/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whose code an address is: the file, its build id, and the place in it, by which addr2line finds
 * the line.
 */
#include "profile/internal.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct profile_chunk *modules;

int profile_modules_prepare(void)
{
    modules = profile_file_add(PROFILE_MODULES, 0,
                               PROFILE_MAX_MODULES * sizeof(struct profile_module), NULL);
    return modules ? 0 : -1;
}

struct search {
    uintptr_t address;
    uint32_t module;
    uint64_t offset;
};

static bool is_within(const struct dl_phdr_info *info, uintptr_t address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && address - start < info->dlpi_phdr[i].p_memsz)
            return true;
    }
    return false;
}

static void write_id(char *text, size_t size, const unsigned char *id, size_t length)
{
    for (size_t i = 0; i < length && 2 * i + 2 < size; i++)
        snprintf(text + 2 * i, 3, "%02x", id[i]);
}

static void read_id(const struct dl_phdr_info *info, char *text, size_t size)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_NOTE)
            continue;
        const char *at = (const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        const char *end = at + info->dlpi_phdr[i].p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *note = (const void *)at;
            const char *name = at + sizeof *note, *id = name + ((note->n_namesz + 3) & ~3u);
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
                memcmp(name, "GNU", 4) == 0)
                write_id(text, size, (const unsigned char *)id, note->n_descsz);
            at = id + ((note->n_descsz + 3) & ~3u);
        }
    }
}

static uint32_t enter(const struct dl_phdr_info *info)
{
    struct profile_module *all = (struct profile_module *)(modules + 1);
    for (uint64_t i = 0; i < modules->count; i++)
        if (all[i].base == info->dlpi_addr)
            return (uint32_t)i;
    if (modules->count == PROFILE_MAX_MODULES)
        return UINT32_MAX;
    struct profile_module *made = &all[modules->count];
    made->base = info->dlpi_addr;
    const char *path =
        info->dlpi_name && *info->dlpi_name ? info->dlpi_name : profile.header->program;
    memcpy(made->path, path, strnlen(path, sizeof made->path - 1));
    read_id(info, made->build_id, sizeof made->build_id);
    return (uint32_t)modules->count++;
}

static int visit(struct dl_phdr_info *info, size_t size, void *argument)
{
    struct search *search = argument;
    (void)size;
    if (!is_within(info, search->address))
        return 0;
    search->module = enter(info);
    search->offset = search->address - info->dlpi_addr;
    return 1;
}

void profile_module_of(uintptr_t address, uint32_t *module, uint64_t *offset)
{
    struct search search = {address, UINT32_MAX, address};
    dl_iterate_phdr(visit, &search);
    *module = search.module;
    *offset = search.offset;
}
