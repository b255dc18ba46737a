/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whose code an address is: the file, its build id, and the place in it, by which addr2line finds
 * the line; of an interpreted program the line that it has announced; of a library over the library
 * the program's place and statement.
 */
#include "profile/internal.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct profile_chunk *modules, *lines;
/* The code that announces lines or statements, of the first object that does. */
static uintptr_t extension, extension_end;
static _Thread_local struct {
    const char *name;
    uintptr_t address;
    bool was_any;
} statement;
/* The thread's last one; number 0: it is not looked up yet. */
static _Thread_local struct {
    struct profile_line line;
    uint32_t number;
} announced;

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

static int note_extension(struct dl_phdr_info *info, size_t size, void *caller)
{
    (void)size;
    if (!is_within(info, *(uintptr_t *)caller))
        return 0;
    extension_end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && end > extension_end)
            extension_end = end;
    }
    extension = info->dlpi_addr;
    return 1;
}

static void find_extension(uintptr_t caller)
{
    pthread_mutex_lock(&profile.lock);
    if (!extension)
        dl_iterate_phdr(note_extension, &caller);
    pthread_mutex_unlock(&profile.lock);
}

bool profile_statement(const char *name, uintptr_t address, uintptr_t caller)
{
    bool is_first = !statement.was_any && profile.is_up;
    statement.name = address ? name : NULL;
    statement.address = address;
    if (is_first) {
        find_extension(caller);
        statement.was_any = true;
    }
    return is_first;
}

const char *profile_statement_at(uintptr_t address)
{
    return statement.address == address ? statement.name : NULL;
}

bool profile_is_plain(uintptr_t address)
{
    return !statement.name && address - extension >= extension_end - extension;
}

bool profile_line(const char *file, int line, uintptr_t caller)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    struct profile_line *last = &announced.line;
    bool is_first = last->line == 0;
    if (!profile.is_up || line <= 0)
        return false;
    find_extension(caller);
    if (last->line == (uint32_t)line && strncmp(last->file, name, sizeof last->file - 1) == 0)
        return false;
    *last = (struct profile_line){.line = (uint32_t)line};
    memcpy(last->file, name, strnlen(name, sizeof last->file - 1));
    announced.number = 0;
    return is_first;
}

/* The lock is held. Numbers are from 1 on, the last one is for what has no room; 0: no room at all. */
static uint32_t enter_line(const struct profile_line *line)
{
    static const struct profile_line further = {UINT32_MAX, "further lines"};
    if (!lines)
        lines = profile_file_add(PROFILE_LINES, 0, PROFILE_MAX_LINES * sizeof *line, NULL);
    if (!lines)
        return 0;
    struct profile_line *all = (struct profile_line *)(lines + 1);
    lines->count = PROFILE_MAX_LINES;
    uint32_t hash = line->line * 31;
    for (const char *at = line->file; *at; at++)
        hash = hash * 31 + (unsigned char)*at;
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t at = 1 + (hash + i) % (PROFILE_MAX_LINES - 2);
        if (all[at].line == 0)
            all[at] = *line;
        if (memcmp(&all[at], line, sizeof *line) == 0)
            return at;
    }
    all[PROFILE_MAX_LINES - 1] = further;
    return PROFILE_MAX_LINES - 1;
}

uintptr_t profile_line_of(uintptr_t address)
{
    if (address - extension >= extension_end - extension)
        return address;
    if (statement.name)
        return statement.address;
    if (announced.line.line == 0)
        return address;
    if (announced.number == 0) {
        pthread_mutex_lock(&profile.lock);
        announced.number = enter_line(&announced.line);
        pthread_mutex_unlock(&profile.lock);
    }
    return announced.number ? announced.number : address;
}
