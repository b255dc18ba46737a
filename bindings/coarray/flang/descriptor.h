/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The arguments that flang passes to a coarray library: array descriptors, as its
 * ISO_Fortran_binding.h has them, and STAT= and ERRMSG=.
 */
#ifndef SHEAF_COARRAY_FLANG_DESCRIPTOR_H
#define SHEAF_COARRAY_FLANG_DESCRIPTOR_H

#include "../section.h"

struct flang_array {
    char *base;
    size_t length; /* of an element, in bytes */
    int version;
    unsigned char rank;
    signed char type;
    unsigned char attribute, extra;
    struct {
        ptrdiff_t lower, count, step; /* step: bytes */
    } dimensions[SHEAF_RANK_MOST];
};

/* The section that a descriptor stands for. */
void sheaf_flang_section(const char *statement, const struct flang_array *array,
                         struct sheaf_section *section);

/* STAT= in flang's numbers, and ERRMSG= as one of two descriptors: of a variable, or of an
 * allocatable one. All may be NULL. */
struct flang_reply {
    struct sheaf_outcome outcome; /* for the core */
    int status;
    char text[256];
    int *stat;
    struct flang_array *message, *allocatable;
};

const struct sheaf_outcome *sheaf_flang_ask(struct flang_reply *reply, const char *statement,
                                            int *stat, struct flang_array *message,
                                            struct flang_array *allocatable);
void sheaf_flang_answer(struct flang_reply *reply);

#endif
