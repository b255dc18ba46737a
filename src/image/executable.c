/* SPDX-License-Identifier: BSD-3-Clause
 * See executable.h. Runs before the program's constructors, so it allocates nothing.
 */
#include "image/executable.h"

#include "base/os/os.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

struct sheaf_executable sheaf_executable;

#define MAX_OBJECTS 512

/* The parts of a loaded object that lead to its dependencies. */
struct object {
    const ElfW(Dyn) *dynamic;
    const char *strings;
    const char *name;
    bool reached;
    bool is_library;
};

struct walk {
    struct sheaf_executable *executable;
    struct object objects[MAX_OBJECTS];
    int count;
};

static uint32_t fnv_hash(uint32_t hash, const void *bytes, size_t length)
{
    for (const unsigned char *at = bytes; length--; at++)
        hash = (hash ^ *at) * 16777619u;
    return hash;
}

static void add_range(struct sheaf_executable *executable, uintptr_t start, uintptr_t file_end,
                      uintptr_t end, bool runnable)
{
    if (start >= end || executable->count == SHEAF_MAX_RANGES)
        return;
    file_end = file_end < start ? start : file_end;
    executable->ranges[executable->count++] = (struct sheaf_range){
        .start = (char *)start,
        .length = end - start,
        .file_length = file_end - start,
        .executable = runnable,
    };
}

/* Adds one writable segment, less the pages that the loader has made read-only after relocation. */
static void add_segment(struct sheaf_executable *executable, uintptr_t bias,
                        const ElfW(Phdr) *segment, uintptr_t relro, uintptr_t relro_end)
{
    uintptr_t page = sheaf_os_page_size();
    uintptr_t start = (bias + segment->p_vaddr) / page * page;
    uintptr_t file_end = sheaf_round_up(bias + segment->p_vaddr + segment->p_filesz, page);
    uintptr_t end = sheaf_round_up(bias + segment->p_vaddr + segment->p_memsz, page);
    bool runnable = segment->p_flags & PF_X;

    if (relro_end <= start || relro >= end) {
        add_range(executable, start, file_end, end, runnable);
        return;
    }
    add_range(executable, start, file_end < relro ? file_end : relro, relro, runnable);
    add_range(executable, relro_end, file_end, end, runnable);
    executable->relocated.start = (char *)relro;
    executable->relocated.length = relro_end > relro ? relro_end - relro : 0;
}

/* Adds one segment that cannot be written. */
static void add_constants(struct sheaf_executable *executable, uintptr_t bias, const ElfW(Phdr) *segment)
{
    uintptr_t page = sheaf_os_page_size(), first = segment->p_vaddr % page;
    uintptr_t start = bias + segment->p_vaddr - first;
    if (executable->constant_count == SHEAF_MAX_RANGES || segment->p_filesz == 0)
        return;
    executable->constants[executable->constant_count++] = (struct sheaf_constants){
        (char *)start, sheaf_round_up(segment->p_filesz + first, page), segment->p_offset - first};
}

static void read_build_id(struct sheaf_executable *executable, const char *notes, size_t length)
{
    const char *end = notes + length;
    while (notes + sizeof(ElfW(Nhdr)) <= end) {
        const ElfW(Nhdr) *note = (const void *)notes;
        const char *name = notes + sizeof *note;
        const unsigned char *body = (const void *)(name + sheaf_round_up(note->n_namesz, 4));
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
            executable->hash = fnv_hash(executable->hash, body, note->n_descsz);
            for (size_t i = 0; i < note->n_descsz && 2 * i + 3 <= sizeof executable->build_id; i++)
                snprintf(executable->build_id + 2 * i, 3, "%02x", body[i]);
            return;
        }
        notes = (const char *)body + sheaf_round_up(note->n_descsz, 4);
    }
}

static void read_program(struct sheaf_executable *executable, const struct dl_phdr_info *info)
{
    uintptr_t page = sheaf_os_page_size(), relro = 0, relro_end = 0;

    executable->bias = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_GNU_RELRO) {
            relro = start / page * page;
            relro_end = (start + segment->p_memsz) / page * page;
        } else if (segment->p_type == PT_NOTE && !executable->build_id[0]) {
            read_build_id(executable, (const char *)start, segment->p_memsz);
        } else if (segment->p_type == PT_INTERP) {
            executable->is_static = false;
        }
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_W)
            add_segment(executable, info->dlpi_addr, segment, relro, relro_end);
        else if (segment->p_type == PT_LOAD && segment->p_flags & PF_R)
            add_constants(executable, info->dlpi_addr, segment);
    }
}

static bool object_contains(const struct dl_phdr_info *info, const void *address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (uintptr_t)address >= start &&
            (uintptr_t)address < start + info->dlpi_phdr[i].p_memsz)
            return true;
    }
    return false;
}

static void read_object(struct object *object, const struct dl_phdr_info *info)
{
    const char *slash = strrchr(info->dlpi_name, '/');
    object->name = slash ? slash + 1 : info->dlpi_name;
    object->is_library = object_contains(info, (const void *)sheaf_executable_read);
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            object->dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    uintptr_t name = 0;
    for (const ElfW(Dyn) *entry = object->dynamic; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_STRTAB)
            object->strings = (const char *)(entry->d_un.d_ptr < info->dlpi_addr
                                                 ? entry->d_un.d_ptr + info->dlpi_addr
                                                 : entry->d_un.d_ptr);
        else if (entry->d_tag == DT_SONAME)
            name = entry->d_un.d_val;
    }
    if (name && object->strings)
        object->name = object->strings + name;
}

static int visit_object(struct dl_phdr_info *info, size_t size, void *context)
{
    struct walk *walk = context;
    (void)size;
    if (walk->count == MAX_OBJECTS)
        return 1;
    if (walk->count == 0)
        read_program(walk->executable, info);
    read_object(&walk->objects[walk->count++], info);
    return 0;
}

static bool reach_needed(struct walk *walk, const struct object *from)
{
    bool changed = false;
    for (const ElfW(Dyn) *entry = from->dynamic; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag != DT_NEEDED || !from->strings)
            continue;
        const char *needed = from->strings + entry->d_un.d_val;
        const char *slash = strrchr(needed, '/');
        for (int i = 1; i < walk->count; i++)
            if (!walk->objects[i].reached &&
                strcmp(walk->objects[i].name, slash ? slash + 1 : needed) == 0)
                changed = walk->objects[i].reached = true;
    }
    return changed;
}

/* Whether following the program's dependencies leads to this library. A library that dlopen loaded is not
 * among them; the program may be running already then. */
static bool is_reachable(struct walk *walk)
{
    bool changed = true;
    walk->objects[0].reached = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < walk->count; i++)
            if (walk->objects[i].reached)
                changed |= reach_needed(walk, &walk->objects[i]);
    }
    for (int i = 0; i < walk->count; i++)
        if (walk->objects[i].is_library)
            return walk->objects[i].reached;
    return false;
}

/* For an executable without build-id: hashes the file's size and its first and last pages. Another host
 * may have a copy of the file under another inode number. */
static uint32_t hash_file(const char *path, uint32_t hash)
{
    unsigned char part[4096];
    struct stat file;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &file) != 0)
        return hash;
    hash = fnv_hash(hash, &file.st_size, sizeof file.st_size);
    for (off_t at = 0, most = 16 * (off_t)sizeof part; at < file.st_size; at += (off_t)sizeof part) {
        if (at == most && file.st_size > 2 * most)
            at = file.st_size - most;
        ssize_t got = pread(fd, part, sizeof part, at);
        if (got > 0)
            hash = fnv_hash(hash, part, (size_t)got);
    }
    close(fd);
    return hash;
}

/* The executable's path. Without /proc: the path it was started by, which holds until the program changes
 * its folder. */
static const char *own_path(void)
{
    static const char exe[] = "/proc/self/exe";
    const char *started = (const char *)getauxval(AT_EXECFN);
    return access(exe, R_OK) == 0 || !started ? exe : started;
}

static bool is_preloaded(void)
{
    const char *preload = getenv("LD_PRELOAD");
    return preload && strstr(preload, "libsheaf.so");
}

void sheaf_executable_read(struct sheaf_executable *executable)
{
    static struct walk walk;
    memset(executable, 0, sizeof *executable);
    executable->hash = 2166136261u;
    executable->is_static = true;
    walk.executable = executable;
    walk.count = 0;
    dl_iterate_phdr(visit_object, &walk);
    if (!executable->build_id[0])
        executable->hash = hash_file(own_path(), executable->hash);
    executable->brought_library = is_reachable(&walk) || is_preloaded();
}

struct sheaf_segment sheaf_executable_data(const struct sheaf_executable *executable)
{
    if (executable->count == 0)
        return (struct sheaf_segment){0};
    const struct sheaf_range *last = &executable->ranges[executable->count - 1];
    char *start = executable->ranges[0].start;
    return (struct sheaf_segment){start, (size_t)(last->start + last->length - start)};
}
