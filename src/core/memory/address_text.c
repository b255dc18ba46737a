/* SPDX-License-Identifier: BSD-3-Clause
 * See address_text.h. It also runs in a fault handler, so it uses no stdio stream and, after
 * sheaf_address_be_brief(), no allocation.
 */
#include "core/memory/address_text.h"

#include "base/elf/members.h"
#include "base/elf/symbols.h"
#include "base/os/os.h"
#include "core/memory/blocks.h"
#include "core/memory/symmetric.h"
#include "core/memory/external.h"
#include "core/memory/space.h"
#include "core/memory/team_blocks.h"
#include "image/image.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* For a system without /proc: whether the page is mapped; its access rights are not known. */
static bool is_resident(uintptr_t address)
{
    unsigned char resident;
    uintptr_t page = address & ~(uintptr_t)(sheaf_os_page_size() - 1);
    return mincore((void *)page, 1, &resident) == 0;
}

/* Finds the line of /proc/self/maps that contains address: whether it can be read, and its path, "" for
 * none. */
static bool find_mapping(uintptr_t address, bool *is_readable, char *path, size_t size)
{
    char buffer[4096];
    size_t used = 0;
    bool found = false;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        snprintf(path, size, "private memory");
        *is_readable = true;
        return is_resident(address);
    }
    for (ssize_t got; !found && (got = read(fd, buffer + used, sizeof buffer - 1 - used)) > 0;) {
        used += (size_t)got;
        buffer[used] = '\0';
        char *line = buffer, *end;
        for (; !found && (end = strchr(line, '\n')); line = end + 1) {
            unsigned long start, stop;
            int at = 0;
            char access[8];
            *end = '\0';
            if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %n", &start, &stop, access, &at) == 3 &&
                address >= start && address < stop) {
                snprintf(path, size, "%s", at ? line + at : "");
                *is_readable = access[0] == 'r';
                found = true;
            }
        }
        used = strlen(line);
        memmove(buffer, line, used);
    }
    close(fd);
    return found;
}

bool sheaf_address_is_mapped(const void *address)
{
    char path[256];
    bool is_readable;
    return find_mapping((uintptr_t)address, &is_readable, path, sizeof path) && is_readable;
}

static sheaf_address_place *find_place; /* NULL: source lines are not known */
static bool has_members = true;

void sheaf_address_set_place(sheaf_address_place *place)
{
    find_place = place;
}

void sheaf_address_be_brief(void)
{
    find_place = NULL;
    has_members = false;
}

void sheaf_address_add(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

void sheaf_address_add_call(char *text, size_t size, const char *before, uint64_t returns,
                            const char *after)
{
    char place[128];
    if (returns && find_place && find_place((uintptr_t)returns - 1, place, sizeof place))
        sheaf_address_add(text, size, "%s%s%s", before, place, after);
}

/* Finds the blocks around an address of the heap or of a space. where: the name of the heap or space. */
static bool find_around(const void *address, struct sheaf_around *around, char *where, size_t size)
{
    const struct sheaf_space *space = sheaf_space_of(address);
    int members;
    if (sheaf_team_memory_holds(address, 1)) {
        bool is_up = sheaf_team_blocks_look_around(address, around, &members);
        snprintf(where, size, members ? "the memory of a team of %d PEs" : "the team memory", members);
        return is_up;
    }
    if (!space) {
        snprintf(where, size, "the symmetric heap");
        return sheaf_blocks_look_around(address, around);
    }
    snprintf(where, size, "a memory space of %d PEs", space->members.size);
    return sheaf_space_look_around(space, address, around);
}

static void describe_freed(const struct sheaf_around *around, const char *where, char *text, size_t size)
{
    const struct sheaf_freed *freed = &around->freed;
    sheaf_address_add(text, size, "byte %zu of a block of %zu bytes of %s that was freed",
                      (uintptr_t)around->start + around->offset - freed->start, freed->size, where);
    sheaf_address_add_call(text, size, " at ", freed->freed, "");
    sheaf_address_add_call(text, size, " (allocated at ", freed->allocated, ")");
}

static void describe_next(const struct sheaf_around *around, char *text, size_t size)
{
    const struct sheaf_heap_block *before = &around->before, *after = &around->after;
    if (after->size == 0) {
        sheaf_address_add(text, size, "; no block comes after it");
        return;
    }
    sheaf_address_add(text, size, "; the next block, of %zu bytes", after->size);
    sheaf_address_add_call(text, size, " allocated at ", after->label, "");
    sheaf_address_add(text, size, ", begins %zu bytes behind it",
                      after->offset - before->offset - before->size);
}

/* For an address with no block before it. */
static void describe_first(const struct sheaf_around *around, const char *where, char *text, size_t size)
{
    const struct sheaf_heap_block *after = &around->after;
    if (after->size == 0) {
        sheaf_address_add(text, size, "in %s's range, in no allocated block", where);
        return;
    }
    sheaf_address_add(text, size, "%zu bytes before the start of a block of %zu bytes of %s",
                      after->offset - around->offset, after->size, where);
    sheaf_address_add_call(text, size, ", allocated at ", after->label, "");
}

static void describe_block(const char *address, char *text, size_t size)
{
    char where[64];
    struct sheaf_around around;
    const struct sheaf_heap_block *before = &around.before;
    text[0] = '\0';
    if (!find_around(address, &around, where, sizeof where)) {
        snprintf(text, size, "in %s's range", where);
        return;
    }
    size_t at = around.offset - before->offset;
    if (around.freed.size > 0 && at >= before->size) {
        describe_freed(&around, where, text, size);
    } else if (before->size == 0) {
        describe_first(&around, where, text, size);
    } else if (at < before->size) {
        snprintf(text, size, "byte %zu of a block of %zu bytes of %s", at, before->size, where);
        sheaf_address_add_call(text, size, ", allocated at ", before->label, "");
    } else {
        snprintf(text, size, "%zu bytes past the end of a block of %zu bytes of %s", at - before->size,
                 before->size, where);
        sheaf_address_add_call(text, size, ", allocated at ", before->label, "");
        describe_next(&around, text, size);
    }
}

/* For a range that begins in a block and ends beyond it. */
bool sheaf_address_describe_overrun(const void *address, size_t bytes, char *text, size_t size)
{
    char where[64];
    struct sheaf_around around;
    const struct sheaf_heap_block *before = &around.before;
    if (!find_around(address, &around, where, sizeof where) ||
        around.offset - before->offset >= before->size)
        return false;
    size_t at = around.offset - before->offset;
    snprintf(text, size, "end %zu bytes past their block: they begin at byte %zu of one of %zu bytes of %s",
             bytes - (before->size - at), at, before->size, where);
    sheaf_address_add_call(text, size, ", allocated at ", before->label, "");
    describe_next(&around, text, size);
    return true;
}

/* "field[3].x of grid", "grid+24", "grid". */
static void name_byte(const struct sheaf_symbol *symbol, size_t offset, char *text, size_t size)
{
    char name[96], path[160];
    if (!has_members || !sheaf_members_name(symbol, offset, name, sizeof name, path, sizeof path))
        snprintf(text, size, offset ? "%s+%zu" : "%s", symbol->name, offset);
    else if (offset == 0)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%s%s%s", path, *path ? " of " : "", name);
}

/* Constants without a symbol (text in quotes) and code are not told by the symbol before them. */
static void describe_variable(const char *address, char *text, size_t size)
{
    struct sheaf_symbol symbol;
    bool is_constant = sheaf_image_holds_constant(address, 1);
    const char *kind = is_constant ? "constant" : "static variable";
    bool is_named = sheaf_symbols_find((uintptr_t)address, &symbol);
    size_t offset = is_named ? (size_t)((uintptr_t)address - symbol.start) : 0;
    if (is_named && offset < symbol.size) {
        name_byte(&symbol, offset, text, size);
        sheaf_address_add(text, size, ", a %s of the program", kind);
    } else if (is_named && !is_constant) {
        snprintf(text, size, "%zu bytes past the end of %s, a %s of %zu bytes", offset - symbol.size,
                 symbol.name, kind, symbol.size);
    } else {
        snprintf(text, size, "a %s of the program", is_constant ? "constant (or code)" : kind);
    }
}

/* The variables that were looked up last, for waits that turn slow again and again. */
#define NAMED 8
static struct sheaf_symbol named_variables[NAMED];
static unsigned named_count;

static const struct sheaf_symbol *find_named(uintptr_t address)
{
    for (unsigned i = 0; i < NAMED; i++)
        if (address - named_variables[i].start < named_variables[i].size)
            return &named_variables[i];
    struct sheaf_symbol *symbol = &named_variables[named_count++ % NAMED];
    if (!sheaf_symbols_find(address, symbol) || address - symbol->start >= symbol->size)
        symbol->size = 0;
    return symbol->size > 0 ? symbol : NULL;
}

void sheaf_address_name(const void *address, char *text, size_t size)
{
    bool is_variable = sheaf_symmetric_segment(address) == &sheaf_image.segments[SHEAF_SEGMENT_DATA];
    const struct sheaf_symbol *symbol = is_variable ? find_named((uintptr_t)address) : NULL;
    size_t offset = symbol ? (size_t)((uintptr_t)address - symbol->start) : 0;
    text[0] = '\0';
    if (symbol) /* "sum.0" is the static variable sum of a function */
        sheaf_address_add(text, size, offset ? " %.*s+%zu" : " %.*s",
                          (int)strcspn(symbol->name, "."), symbol->name, offset);
}

static struct {
    const char *call; /* NULL: no call has failed to allocate */
    size_t bytes;
    const void *site;
} last_null;

void sheaf_address_note_null(const char *call, size_t bytes, const void *site)
{
    last_null.call = call;
    last_null.bytes = bytes;
    last_null.site = site;
}

#define NEAR_NULL 65536 /* bytes: the offset of an element or a member */

bool sheaf_address_describe_null(const void *address, char *text, size_t size)
{
    if ((uintptr_t)address >= NEAR_NULL)
        return false;
    snprintf(text, size, "a null pointer%s", address ? " with an offset" : "");
    if (!last_null.call)
        return false;
    sheaf_address_add(text, size, " (%s of %zu bytes", last_null.call, last_null.bytes);
    sheaf_address_add_call(text, size, " at ", (uintptr_t)last_null.site, "");
    sheaf_address_add(text, size, " returned one: test its result; SHMEM_DEBUG=1 tells why)");
    return true;
}

void sheaf_address_describe(const void *address, char *text, size_t size)
{
    char path[256] = "";
    bool is_readable;
    const struct sheaf_segment *segment = sheaf_symmetric_segment(address);
    bool is_variable = segment == &sheaf_image.segments[SHEAF_SEGMENT_DATA];
    if (segment && !is_variable)
        describe_block(address, text, size);
    else if (segment)
        describe_variable(address, text, size);
    else if (sheaf_segment_holds(&sheaf_external_heap, (uintptr_t)address, 1))
        sheaf_external_describe(text, size);
    else if ((uintptr_t)address < NEAR_NULL)
        sheaf_address_describe_null(address, text, size);
    else if (sheaf_image_holds_data(address))
        snprintf(text, size, "a static variable, and these PEs run different programs");
    else if (!find_mapping((uintptr_t)address, &is_readable, path, sizeof path))
        snprintf(text, size, "not mapped at all");
    else if (!is_readable)
        snprintf(text, size, "memory that nobody may read");
    else if (strncmp(path, "[stack", 6) == 0)
        snprintf(text, size, "on the stack");
    else if (strcmp(path, "[heap]") == 0 || path[0] == '\0')
        snprintf(text, size, "private memory (malloc, or a thread's stack)");
    else
        snprintf(text, size, "in %s", path);
}
