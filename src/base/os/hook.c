/* SPDX-License-Identifier: BSD-3-Clause
 * See hook.h.
 */
#include "base/os/hook.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The parts of a loaded library that name what it calls elsewhere. */
struct image {
    const char *library;
    uintptr_t base;
    const ElfW(Sym) *symbols;
    const char *names;
    struct relocations {
        const ElfW(Rela) *start;
        size_t bytes;
    } calls, others;
    uintptr_t protected, protected_end; /* read-only once the library is loaded */
};

static void note_dynamic(struct image *image, const ElfW(Dyn) *entry)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_SYMTAB)
            image->symbols = (const void *)entry->d_un.d_ptr;
        else if (entry->d_tag == DT_STRTAB)
            image->names = (const void *)entry->d_un.d_ptr;
        else if (entry->d_tag == DT_JMPREL)
            image->calls.start = (const void *)entry->d_un.d_ptr;
        else if (entry->d_tag == DT_PLTRELSZ)
            image->calls.bytes = entry->d_un.d_val;
        else if (entry->d_tag == DT_RELA)
            image->others.start = (const void *)entry->d_un.d_ptr;
        else if (entry->d_tag == DT_RELASZ)
            image->others.bytes = entry->d_un.d_val;
    }
}

/* Whether it names anything. */
static bool read_image(const struct dl_phdr_info *info, struct image *image)
{
    image->base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_DYNAMIC)
            note_dynamic(image, (const void *)(image->base + part->p_vaddr));
        if (part->p_type == PT_GNU_RELRO) {
            image->protected = image->base + part->p_vaddr;
            image->protected_end = image->protected + part->p_memsz;
        }
    }
    return image->symbols && image->names;
}

static int find_library(struct dl_phdr_info *info, size_t size, void *argument)
{
    struct image *image = argument;
    (void)size;
    return strstr(info->dlpi_name, image->library) && read_image(info, image);
}

static bool set_entry(const struct image *image, uintptr_t entry, void *function)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = entry & ~(page - 1);
    bool is_protected = entry >= image->protected && entry < image->protected_end;
    if (is_protected && mprotect((void *)start, page, PROT_READ | PROT_WRITE) != 0)
        return false;
    __atomic_store_n((void **)entry, function, __ATOMIC_RELEASE);
    if (is_protected)
        mprotect((void *)start, page, PROT_READ);
    return true;
}

static int replace_in(const struct image *image, const struct relocations *relocations,
                      const char *name, void *function)
{
    int replaced = 0;
    for (size_t i = 0; i < relocations->bytes / sizeof *relocations->start; i++) {
        const ElfW(Rela) *at = &relocations->start[i];
        const ElfW(Sym) *symbol = &image->symbols[ELF64_R_SYM(at->r_info)];
        if (ELF64_R_SYM(at->r_info) && strcmp(image->names + symbol->st_name, name) == 0)
            replaced += set_entry(image, image->base + at->r_offset, function);
    }
    return replaced;
}

bool sheaf_hook(const char *library, const char *name, void *function)
{
    struct image image = {.library = library};
    return dl_iterate_phdr(find_library, &image) &&
           replace_in(&image, &image.calls, name, function) +
                   replace_in(&image, &image.others, name, function) > 0;
}

struct replacement {
    bool (*is_left)(const char *path);
    const char *name;
    void *function;
    int images;
};

/* The kernel's own image names its tables by other addresses, and calls nobody; nor does the loader. */
static int replace_in_image(struct dl_phdr_info *info, size_t size, void *argument)
{
    struct replacement *replacement = argument;
    struct image image = {.library = NULL};
    (void)size;
    if (strstr(info->dlpi_name, "linux-vdso") || strstr(info->dlpi_name, "/ld-linux") ||
        replacement->is_left(info->dlpi_name) || !read_image(info, &image))
        return 0;
    replacement->images +=
        replace_in(&image, &image.calls, replacement->name, replacement->function) +
            replace_in(&image, &image.others, replacement->name, replacement->function) > 0;
    return 0;
}

int sheaf_hook_everywhere(bool (*is_left)(const char *path), const char *name, void *function)
{
    struct replacement replacement = {is_left, name, function, 0};
    dl_iterate_phdr(replace_in_image, &replacement);
    return replacement.images;
}
