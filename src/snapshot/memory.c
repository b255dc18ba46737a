/* SPDX-License-Identifier: BSD-3-Clause
 * See memory.h.
 */
#include "snapshot/memory.h"

#include "base/os/os.h"
#include "core/memory/space.h"
#include "image/image.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>

static void add_piece(struct sheaf_pieces *pieces, struct sheaf_piece piece)
{
    if (piece.length > 0 && pieces->count < SHEAF_MOST_PIECES)
        pieces->list[pieces->count++] = piece;
}

/* The descriptors of the shared files, or -1 for private memory: in a job of one PE the heap is
 * private, and without a launcher the variables are too. */
static int heap_file(void)
{
    return sheaf_image.window ? sheaf_image.fd : -1;
}

static int data_file(void)
{
    return sheaf_image.data ? sheaf_image.fd : -1;
}

static void add_data(struct sheaf_pieces *pieces)
{
    char *start, *first = NULL;
    size_t length, filled;
    for (int i = 0; sheaf_image_data_range(i, &start, &length, &filled); i++) {
        first = first ? first : start;
        uint64_t offset = (uint64_t)(start - first);
        add_piece(pieces, (struct sheaf_piece){.segment = SHEAF_SEGMENT_DATA, .start = start,
                                               .length = length, .offset = offset,
                                               .filled = data_file() < 0 ? filled : 0,
                                               .fd = data_file(),
                                               .file_offset = sheaf_image.slot_offset + offset});
    }
}

/* The complete heap up to its limit: a job that has just begun may restore more than it has allocated. */
static void add_heap(struct sheaf_pieces *pieces)
{
    const struct sheaf_segment *heap = &sheaf_image.segments[SHEAF_SEGMENT_HEAP];
    size_t length = sheaf_round_up(heap->length, sheaf_os_page_size()), most = sheaf_image.heap_length;
    add_piece(pieces, (struct sheaf_piece){.segment = SHEAF_SEGMENT_HEAP, .start = heap->start,
                                           .length = length < most ? length : most, .fd = heap_file(),
                                           .file_offset = sheaf_image.slot_offset +
                                                          sheaf_image.slot_size / 2});
}

static void add_spaces(struct sheaf_pieces *pieces)
{
    for (unsigned i = 0; i < sheaf_space_count; i++) {
        const struct sheaf_space_map *map = &sheaf_spaces[i].map;
        if (sheaf_spaces[i].segment.length > 0)
            add_piece(pieces, (struct sheaf_piece){.segment = SHEAF_SEGMENTS + i, .start = map->start,
                                                   .length = map->length,
                                                   .fd = map->fd >= 0 ? map->fd : heap_file(),
                                                   .file_offset = map->file.offset});
    }
}

int sheaf_pieces_find(struct sheaf_pieces *pieces, struct sheaf_snapshot_reason *why)
{
    pieces->count = 0;
    if (sheaf_image.is_static)
        return sheaf_snapshot_explain(why,
                                      "the program is statically linked: among its variables are the C "
                                           "library's own; link it with libsheaf.so");
    if ((sheaf_image.window || sheaf_image.data) && !sheaf_image_has_file())
        return sheaf_snapshot_explain(why, "the program has closed the descriptor of the job's file");
    if (!sheaf_image.came_late)
        add_data(pieces);
    add_heap(pieces);
    add_spaces(pieces);
    return 0;
}

uint64_t sheaf_pieces_bytes(const struct sheaf_pieces *pieces)
{
    uint64_t bytes = 0;
    for (int i = 0; i < pieces->count; i++)
        bytes += pieces->list[i].length;
    return bytes;
}

char *sheaf_pieces_address(const struct sheaf_pieces *pieces, uint32_t segment, uint64_t offset,
                           size_t length)
{
    for (int i = 0; i < pieces->count; i++) {
        const struct sheaf_piece *piece = &pieces->list[i];
        uint64_t inside = offset - piece->offset;
        if (piece->segment == segment && inside < piece->length && length <= piece->length - inside)
            return piece->start + inside;
    }
    return NULL;
}

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

/* The first entries of that table are the loader's own. */
#define OWN_ENTRIES 3

/* The address in a dynamic entry; some loaders have relocated it. */
static const void *address_in(uintptr_t bias, const ElfW(Dyn) *entry)
{
    uintptr_t at = entry->d_un.d_ptr;
    return (const void *)(at < bias ? at + bias : at);
}

/* The first object is the program. */
static int read_relocations(struct dl_phdr_info *info, size_t size, void *context)
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
            all->list = address_in(all->bias, entry);
        else if (entry->d_tag == DT_RELASZ)
            all->count = entry->d_un.d_val / sizeof *all->list;
        else if (entry->d_tag == DT_SYMTAB)
            all->symbols = address_in(all->bias, entry);
        else if (entry->d_tag == DT_PLTGOT)
            all->functions = (uintptr_t)address_in(all->bias, entry);
        else if (entry->d_tag == DT_PLTRELSZ)
            all->functions_size = (entry->d_un.d_val / sizeof *all->list + OWN_ENTRIES) * sizeof(void *);
    return 1;
}

char *sheaf_copied_next(const char *at, size_t *size)
{
    static struct relocations all;
    uintptr_t found = UINTPTR_MAX;
    if (!all.symbols)
        dl_iterate_phdr(read_relocations, &all);
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
