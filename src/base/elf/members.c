/* SPDX-License-Identifier: BSD-3-Clause
 * See members.h.
 */
#include "base/elf/members.h"

#include "base/os/library.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_DEPTH      64 /* of scopes, and of types within types */
#define MOST_DIMENSIONS 16

#define FUNCTIONS(X)                                                                               \
    X(dwarf_begin) X(dwarf_end) X(dwarf_nextcu) X(dwarf_offdie) X(dwarf_child) X(dwarf_siblingof)    \
    X(dwarf_tag) X(dwarf_attr_integrate) X(dwarf_hasattr) X(dwarf_getlocation) X(dwarf_formref_die)  \
    X(dwarf_formudata) X(dwarf_diename) X(dwarf_aggregate_size) X(dwarf_peel_type) X(dwarf_srclang)  \
    X(dwarf_getlocation_attr) X(dwarf_formaddr)

#define FIELD(function) __typeof__(function) *function;
static struct { FUNCTIONS(FIELD) } dw;

static bool load(void)
{
    const char *why;
    void *library = sheaf_library_open("libdw.so.1", &why);
    if (!library)
        return false;
#define LOAD(function) dw.function = (__typeof__(function) *)sheaf_library_symbol(library, #function);
    FUNCTIONS(LOAD)
#define MISSING(function) || !dw.function
    return !(false FUNCTIONS(MISSING));
}

static bool number_of(Dwarf_Die *die, unsigned name, Dwarf_Word *number)
{
    Dwarf_Attribute attribute;
    return dw.dwarf_attr_integrate(die, name, &attribute) &&
           dw.dwarf_formudata(&attribute, number) == 0;
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Die named;
    return dw.dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
           dw.dwarf_formref_die(&attribute, &named) && dw.dwarf_peel_type(&named, type) == 0;
}

/* gcc writes the address itself, clang (DWARF 5) its number in a table. */
static bool lies_at(Dwarf_Die *variable, uint64_t address)
{
    Dwarf_Attribute attribute, entry;
    Dwarf_Addr found;
    Dwarf_Op *place;
    size_t length;
    if (!dw.dwarf_attr_integrate(variable, DW_AT_location, &attribute) ||
        dw.dwarf_getlocation(&attribute, &place, &length) != 0 || length != 1)
        return false;
    if (place->atom == DW_OP_addrx)
        return dw.dwarf_getlocation_attr(&attribute, place, &entry) == 0 &&
               dw.dwarf_formaddr(&entry, &found) == 0 && found == address;
    return place->atom == DW_OP_addr && place->number == address;
}

static bool is_scope(int tag)
{
    return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace ||
           tag == DW_TAG_module || tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

/* Among what stands within scope, at any depth: also functions' static variables. */
static bool find_variable(Dwarf_Die *scope, uint64_t address, int depth, Dwarf_Die *variable)
{
    Dwarf_Die die;
    if (depth > MOST_DEPTH || dw.dwarf_child(scope, &die) != 0)
        return false;
    do {
        int tag = dw.dwarf_tag(&die);
        if (tag == DW_TAG_variable && lies_at(&die, address)) {
            *variable = die;
            return true;
        }
        if (is_scope(tag) && find_variable(&die, address, depth + 1, variable))
            return true;
    } while (dw.dwarf_siblingof(&die, &die) == 0);
    return false;
}

/* What is appended to, and stays a string. */
struct text {
    char *at;
    size_t left;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    size_t used = length < 0 ? 0 : (size_t)length < text->left ? (size_t)length : text->left - 1;
    text->at += used;
    text->left -= used;
}

static size_t dimensions_of(Dwarf_Die *array, Dwarf_Word *counts)
{
    Dwarf_Die die;
    size_t found = 0;
    if (dw.dwarf_child(array, &die) != 0)
        return 0;
    do {
        Dwarf_Word number;
        if (dw.dwarf_tag(&die) != DW_TAG_subrange_type)
            continue;
        if (number_of(&die, DW_AT_count, &number))
            counts[found++] = number;
        else
            counts[found++] = number_of(&die, DW_AT_upper_bound, &number) ? number + 1 : 0;
    } while (found < MOST_DIMENSIONS && dw.dwarf_siblingof(&die, &die) == 0);
    return found;
}

/* Goes on in the element that holds the offset. */
static bool enter_element(Dwarf_Die *type, uint64_t *offset, struct text *text)
{
    Dwarf_Word counts[MOST_DIMENSIONS], bytes, below = 1;
    Dwarf_Die element;
    size_t dimensions = dimensions_of(type, counts);
    if (dimensions == 0 || !type_of(type, &element) || dw.dwarf_aggregate_size(&element, &bytes) != 0 ||
        bytes == 0)
        return false;
    uint64_t index = *offset / bytes;
    for (size_t i = 1; i < dimensions; i++)
        below *= counts[i] ? counts[i] : 1;
    for (size_t i = 0; i < dimensions; i++) {
        add(text, "[%llu]", (unsigned long long)(index / below));
        index %= below;
        below /= i + 1 < dimensions && counts[i + 1] ? counts[i + 1] : 1;
    }
    *offset %= bytes;
    *type = element;
    return true;
}

/* Whether die is a member, or a base class, that holds the offset, and where it begins. */
static bool is_at(Dwarf_Die *die, uint64_t offset, Dwarf_Word *start, Dwarf_Die *type)
{
    Dwarf_Word bytes;
    int tag = dw.dwarf_tag(die);
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dw.dwarf_hasattr(die, DW_AT_external) ||
        !type_of(die, type))
        return false;
    if (!number_of(die, DW_AT_data_member_location, start))
        *start = 0; /* of a union */
    return dw.dwarf_aggregate_size(type, &bytes) == 0 && offset >= *start && offset - *start < bytes;
}

static bool enter_member(Dwarf_Die *type, uint64_t *offset, struct text *text, const char *point)
{
    Dwarf_Die die, inner;
    Dwarf_Word start;
    if (dw.dwarf_child(type, &die) != 0)
        return false;
    do {
        if (!is_at(&die, *offset, &start, &inner))
            continue;
        const char *name = dw.dwarf_tag(&die) == DW_TAG_member ? dw.dwarf_diename(&die) : NULL;
        if (name)
            add(text, "%s%s", point, name);
        *offset -= start;
        *type = inner;
        return true;
    } while (dw.dwarf_siblingof(&die, &die) == 0);
    return false;
}

static void walk(Dwarf_Die *type, uint64_t offset, struct text *text)
{
    const char *begin = text->at;
    for (int depth = 0; depth < MOST_DEPTH; depth++) {
        int tag = dw.dwarf_tag(type);
        bool is_whole = tag == DW_TAG_array_type
                            ? enter_element(type, &offset, text)
                            : (tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
                               tag == DW_TAG_union_type) &&
                                  enter_member(type, &offset, text, text->at == begin ? "" : ".");
        if (!is_whole)
            break;
    }
    if (offset > 0)
        add(text, "+%llu", (unsigned long long)offset);
}

/* Fortran counts elements in another order, from other numbers. */
static bool is_like_c(Dwarf_Die *unit)
{
    switch (dw.dwarf_srclang(unit)) {
    case DW_LANG_Fortran77: case DW_LANG_Fortran90: case DW_LANG_Fortran95:
    case DW_LANG_Fortran03: case DW_LANG_Fortran08: return false;
    default: return true;
    }
}

static bool name_in(Dwarf *file, uint64_t address, size_t offset, struct text *name, struct text *path)
{
    Dwarf_Off unit = 0, next;
    size_t header;
    for (; dw.dwarf_nextcu(file, unit, &next, &header, NULL, NULL, NULL) == 0; unit = next) {
        Dwarf_Die die, variable, type;
        if (!dw.dwarf_offdie(file, unit + header, &die) || !find_variable(&die, address, 0, &variable))
            continue;
        const char *called = dw.dwarf_diename(&variable);
        if (!called || !is_like_c(&die) || !type_of(&variable, &type))
            return false;
        add(name, "%s", called);
        walk(&type, offset, path);
        return true;
    }
    return false;
}

bool sheaf_members_name(const struct sheaf_symbol *symbol, size_t offset, char *name, size_t name_size,
                        char *path, size_t path_size)
{
    struct text name_text = {name, name_size}, path_text = {path, path_size};
    *name = *path = '\0';
    int fd = load() ? open("/proc/self/exe", O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    Dwarf *file = dw.dwarf_begin(fd, DWARF_C_READ);
    uint64_t address = symbol->start - sheaf_symbols_bias();
    bool found = file && name_in(file, address, offset, &name_text, &path_text);
    if (file)
        dw.dwarf_end(file);
    close(fd);
    return found;
}
