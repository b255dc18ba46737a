/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What gfortran passes to a coarray library: array descriptors, vector subscripts and
 * references to components, as "Function ABI Documentation" of its manual has them.
 */
#ifndef SHEAF_COARRAY_GFORTRAN_DESCRIPTOR_H
#define SHEAF_COARRAY_GFORTRAN_DESCRIPTOR_H

#include "../coarray.h"
#include "../section.h"

struct gfortran_array {
    char *base;
    size_t offset;
    struct {
        size_t length; /* of an element, in bytes */
        int version;
        signed char rank, type;
        signed short attribute;
    } dtype;
    ptrdiff_t span;
    struct {
        ptrdiff_t stride, lower, upper; /* stride in elements */
    } dimensions[SHEAF_RANK_MOST];
};

/* By dimension; count 0: the bounds. */
struct gfortran_vector {
    size_t count;
    union {
        struct {
            void *index;
            int kind;
        };
        struct {
            ptrdiff_t lower, upper, stride;
        };
    };
};

enum { REFERENCE_COMPONENT, REFERENCE_ARRAY, REFERENCE_STATIC_ARRAY };
enum { MODE_NONE, MODE_VECTOR, MODE_FULL, MODE_RANGE, MODE_SINGLE, MODE_OPEN_END, MODE_OPEN_START };

/* One step from a coarray to the part that is meant. */
struct gfortran_reference {
    struct gfortran_reference *next;
    int type;
    size_t length; /* bytes of an element, or of the component */
    union {
        struct {
            ptrdiff_t offset;
            ptrdiff_t token_offset; /* not 0: what lies there is allocatable or a pointer */
        } component;
        struct {
            unsigned char mode[SHEAF_RANK_MOST]; /* by dimension, MODE_NONE behind the last */
            int type;
            union {
                struct {
                    ptrdiff_t start, end, stride;
                };
                struct {
                    void *index;
                    size_t count;
                    int kind;
                } vector;
            } dimensions[SHEAF_RANK_MOST];
        } array;
    };
};

/* Of all elements of an array without gaps. */
size_t sheaf_gfortran_bytes(const struct gfortran_array *array);

/* The section that a descriptor stands for; vectors may be NULL. */
void sheaf_gfortran_section(const struct gfortran_array *array,
                            const struct gfortran_vector *vectors, int kind,
                            struct sheaf_section *section);

/* The part of a coarray on PE pe that the references lead to; its base is an address here of memory
 * there. Returns whether it is allocated. */
bool sheaf_gfortran_follow(const char *statement, const struct sheaf_coarray *coarray, int pe,
                           const struct gfortran_reference *references,
                           struct sheaf_section *section);

#endif
