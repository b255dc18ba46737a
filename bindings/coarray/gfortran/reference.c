/* SPDX-License-Identifier: BSD-3-Clause
 * See descriptor.h.
 */
#include "descriptor.h"

#include "../sync.h"

#include <string.h>

static void add_dimension(const char *statement, struct sheaf_section *section,
                          const struct sheaf_dimension *dimension)
{
    if (section->rank == SHEAF_RANK_MOST)
        sheaf_outcome_refuse(statement, "more than %d dimensions", SHEAF_RANK_MOST);
    section->dimensions[section->rank++] = *dimension;
}

static ptrdiff_t extent(ptrdiff_t lower, ptrdiff_t upper, ptrdiff_t stride)
{
    ptrdiff_t count = stride == 0 ? 0 : (upper - lower) / stride + 1;
    bool is_empty = stride > 0 ? upper < lower : upper > lower;
    return is_empty || count < 0 ? 0 : count;
}

size_t sheaf_gfortran_bytes(const struct gfortran_array *array)
{
    size_t bytes = array->span > 0 ? (size_t)array->span : array->dtype.length;
    for (int i = 0; i < array->dtype.rank; i++)
        bytes *= (size_t)extent(array->dimensions[i].lower, array->dimensions[i].upper, 1);
    return bytes;
}

void sheaf_gfortran_section(const struct gfortran_array *array,
                            const struct gfortran_vector *vectors, int kind,
                            struct sheaf_section *section)
{
    /* A component of an array of structures has their distance as its span. */
    ptrdiff_t distance = array->span > 0 ? array->span : (ptrdiff_t)array->dtype.length;
    section->base = array->base;
    section->element = (struct sheaf_element){array->dtype.length, array->dtype.type, kind};
    section->rank = 0;
    for (int i = 0; i < array->dtype.rank; i++) {
        ptrdiff_t lower = array->dimensions[i].lower, step = array->dimensions[i].stride * distance;
        struct sheaf_dimension made = {extent(lower, array->dimensions[i].upper, 1), step, NULL, 0,
                                       lower};
        if (vectors && vectors[i].count) {
            made.count = (ptrdiff_t)vectors[i].count;
            made.index = vectors[i].index;
            made.index_kind = vectors[i].kind;
        } else if (vectors) {
            section->base += (vectors[i].lower - lower) * step;
            made.count = extent(vectors[i].lower, vectors[i].upper, vectors[i].stride);
            made.step = step * vectors[i].stride;
        }
        section->dimensions[section->rank++] = made;
    }
}

/* Where the references have led to so far. */
struct place {
    const char *statement;
    const struct gfortran_reference *reference; /* the next */
    struct gfortran_array array;                /* its descriptor on that image; base: there */
    int pe;
};

static void read_there(const struct place *place, void *to, void *from, size_t bytes)
{
    sheaf_sync_before_get(place->pe);
    shmem_getmem(to, from, bytes, place->pe);
}

/* One dimension of a reference to an array: moves the base, and adds what is more than one element.
 */
static void follow_dimension(struct place *place, int i, ptrdiff_t lower, ptrdiff_t upper,
                             ptrdiff_t step, struct sheaf_section *section)
{
    const struct gfortran_reference *reference = place->reference;
    ptrdiff_t start = reference->array.dimensions[i].start,
              end = reference->array.dimensions[i].end;
    ptrdiff_t stride = reference->array.dimensions[i].stride;
    struct sheaf_dimension made = {.step = step, .lower = lower};
    switch (reference->array.mode[i]) {
    case MODE_SINGLE:
        section->base += (start - lower) * step;
        return;
    case MODE_VECTOR:
        made.index = reference->array.dimensions[i].vector.index;
        made.count = (ptrdiff_t)reference->array.dimensions[i].vector.count;
        made.index_kind = reference->array.dimensions[i].vector.kind;
        add_dimension(place->statement, section, &made);
        return;
    case MODE_FULL:
        start = stride < 0 ? upper : lower;
        end = stride < 0 ? lower : upper;
        break;
    case MODE_OPEN_END:
        end = upper;
        break;
    case MODE_OPEN_START:
        start = lower;
        break;
    default:
        break;
    }
    section->base += (start - lower) * step;
    made.step = step * stride;
    made.count = extent(start, end, stride);
    add_dimension(place->statement, section, &made);
}

static void follow_array(struct place *place, struct sheaf_section *section)
{
    const struct gfortran_reference *reference = place->reference;
    for (int i = 0; i < SHEAF_RANK_MOST && reference->array.mode[i] != MODE_NONE; i++)
        follow_dimension(place, i, place->array.dimensions[i].lower,
                         place->array.dimensions[i].upper,
                         place->array.dimensions[i].stride * (ptrdiff_t)reference->length, section);
    section->element.length = reference->length;
}

/* An array with constant bounds: positions are offsets in elements from its first. */
static void follow_static_array(struct place *place, struct sheaf_section *section)
{
    const struct gfortran_reference *reference = place->reference;
    for (int i = 0; i < SHEAF_RANK_MOST && reference->array.mode[i] != MODE_NONE; i++) {
        ptrdiff_t stride = reference->array.dimensions[i].stride,
                  length = (ptrdiff_t)reference->length;
        ptrdiff_t start = reference->array.dimensions[i].start,
                  end = reference->array.dimensions[i].end;
        struct sheaf_dimension made = {extent(start, end, stride), stride * length, NULL, 0, 0};
        if (reference->array.mode[i] == MODE_VECTOR)
            sheaf_outcome_refuse(place->statement,
                         "a vector subscript of a component with constant bounds is not there yet");
        section->base += start * length;
        if (reference->array.mode[i] != MODE_SINGLE)
            add_dimension(place->statement, section, &made);
    }
    section->element.length = reference->length;
}

/* What an allocatable component or a pointer points to, and its descriptor where it is an array. */
static bool follow_pointer(struct place *place, struct sheaf_section *section)
{
    const struct gfortran_reference *next = place->reference->next;
    char *there = NULL;
    if (section->rank > 0)
        sheaf_outcome_refuse(place->statement,
                     "an allocatable component of an array section of another image");
    if (next && next->type == REFERENCE_ARRAY) {
        size_t head = offsetof(struct gfortran_array, dimensions);
        read_there(place, &place->array, section->base, head);
        int rank = place->array.dtype.rank;
        if (rank < 0 || rank > SHEAF_RANK_MOST)
            sheaf_outcome_refuse(place->statement, "a component of rank %d", rank);
        read_there(place, place->array.dimensions, section->base + head,
                   (size_t)rank * sizeof *place->array.dimensions);
        there = place->array.base;
    } else {
        read_there(place, &there, section->base, sizeof there);
    }
    if (!there)
        return false;
    section->base = sheaf_component_reach(there, place->pe);
    if (!section->base)
        sheaf_outcome_refuse(place->statement,
                     "the component points to memory of that image that others cannot reach");
    return true;
}

bool sheaf_gfortran_follow(const char *statement, const struct sheaf_coarray *coarray, int pe,
                           const struct gfortran_reference *references,
                           struct sheaf_section *section)
{
    struct place place = {.statement = statement, .pe = pe};
    *section = (struct sheaf_section){.base = coarray->memory, .element.length = coarray->bytes};
    if (!section->base)
        return false;
    if (coarray->descriptor)
        memcpy(&place.array, coarray->descriptor,
               offsetof(struct gfortran_array, dimensions) +
                   (size_t)((const struct gfortran_array *)coarray->descriptor)->dtype.rank *
                       sizeof *place.array.dimensions);
    for (place.reference = references; place.reference; place.reference = place.reference->next) {
        switch (place.reference->type) {
        case REFERENCE_COMPONENT:
            section->base += place.reference->component.offset;
            section->element.length = place.reference->length;
            if (place.reference->component.token_offset > 0 && !follow_pointer(&place, section))
                return false;
            break;
        case REFERENCE_ARRAY:
            follow_array(&place, section);
            break;
        case REFERENCE_STATIC_ARRAY:
            follow_static_array(&place, section);
            break;
        default:
            sheaf_outcome_refuse(statement, "a reference of kind %d, which is unknown",
                         place.reference->type);
        }
    }
    return true;
}
