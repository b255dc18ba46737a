/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Array sections: elements in up to 15 dimensions with a distance each, or picked by a vector
 * subscript; and assignments from one to another, of this image or of another.
 */
#ifndef SHEAF_COARRAY_SECTION_H
#define SHEAF_COARRAY_SECTION_H

#include "outcome.h"

#include <stdbool.h>
#include <stdint.h>

#define SHEAF_RANK_MOST 15

/* Types, as gfortran numbers them. */
enum {
    SHEAF_INTEGER = 1,
    SHEAF_LOGICAL,
    SHEAF_REAL,
    SHEAF_COMPLEX,
    SHEAF_DERIVED,
    SHEAF_CHARACTER
};

struct sheaf_element {
    size_t length; /* bytes */
    int type, kind;
};

struct sheaf_dimension {
    ptrdiff_t count, step; /* step: bytes */
    const void *index; /* vector subscript: element i is at (index[i] - lower) * step; or NULL */
    int index_kind;
    ptrdiff_t lower;
};

struct sheaf_section {
    char *base;
    struct sheaf_element element;
    int rank;
    struct sheaf_dimension dimensions[SHEAF_RANK_MOST];
};

size_t sheaf_section_count(const struct sheaf_section *section);

/* Whether all elements lie in bytes of memory. */
bool sheaf_section_is_in(const struct sheaf_section *section, const char *memory, size_t bytes);

/* dest = source with the conversions of an assignment: kinds, lengths of characters, a scalar to
 * all. Both in this process. */
void sheaf_section_copy(const char *statement, const struct sheaf_section *dest,
                        const struct sheaf_section *source);

/* The same where one of them is on another PE: its base is the address here of the same memory. */
void sheaf_section_get(const char *statement, const struct sheaf_section *dest,
                       const struct sheaf_section *source, int pe);
void sheaf_section_put(const char *statement, const struct sheaf_section *dest,
                       const struct sheaf_section *source, int pe);

/* A section of the same shape whose elements lie without gaps at base. */
void sheaf_section_packed(struct sheaf_section *made, const struct sheaf_section *section,
                          const struct sheaf_element *element, char *base);
/* Elements without gaps in a new buffer, and back. */
char *sheaf_section_pack(const char *statement, const struct sheaf_section *section);
void sheaf_section_unpack(const char *statement, const struct sheaf_section *section, char *from);

/* One element: dest = source. */
void sheaf_element_convert(const char *statement, char *dest, const struct sheaf_element *to,
                           const char *source, const struct sheaf_element *from);

#endif
