/* SPDX-License-Identifier: BSD-3-Clause
 * See section.h.
 */
#include "section.h"

#include "sync.h"

#include <stdlib.h>
#include <string.h>

/* Pieces of memory that are written or read by one call. */
#define PIECES_MOST 512

/* An assignment whose two sides have the same shape. */
struct assignment {
    const char *statement;
    struct sheaf_section dest, source;
    bool is_plain; /* bytes as they are */
};

size_t sheaf_section_count(const struct sheaf_section *section)
{
    size_t count = 1;
    for (int i = 0; i < section->rank; i++)
        count *= section->dimensions[i].count > 0 ? (size_t)section->dimensions[i].count : 0;
    return count;
}

static ptrdiff_t offset_of(const struct sheaf_dimension *dimension, ptrdiff_t i)
{
    if (!dimension->index)
        return i * dimension->step;
    int64_t at = 0;
    switch (dimension->index_kind) {
    case 1:
        at = ((const int8_t *)dimension->index)[i];
        break;
    case 2:
        at = ((const int16_t *)dimension->index)[i];
        break;
    case 4:
        at = ((const int32_t *)dimension->index)[i];
        break;
    case 8:
        at = ((const int64_t *)dimension->index)[i];
        break;
    default:
        sheaf_outcome_refuse("vector subscript", "integer kind %d: expected 1, 2, 4 or 8",
                     dimension->index_kind);
    }
    return (at - dimension->lower) * dimension->step;
}

/* The least and the greatest offset of a dimension that has elements. */
static void range_of(const struct sheaf_dimension *dimension, ptrdiff_t *least, ptrdiff_t *most)
{
    ptrdiff_t last = dimension->count - 1;
    *least = *most = offset_of(dimension, 0);
    for (ptrdiff_t i = dimension->index ? 1 : last; i <= last; i++) {
        ptrdiff_t offset = offset_of(dimension, i);
        *least = offset < *least ? offset : *least;
        *most = offset > *most ? offset : *most;
    }
}

bool sheaf_section_is_in(const struct sheaf_section *section, const char *memory, size_t bytes)
{
    __int128 first = (__int128)(uintptr_t)section->base - (uintptr_t)memory, last = first;
    if (sheaf_section_count(section) == 0)
        return true;
    for (int i = 0; i < section->rank; i++) {
        ptrdiff_t least, most;
        range_of(&section->dimensions[i], &least, &most);
        first += least;
        last += most;
    }
    return first >= 0 && last + section->element.length <= bytes;
}

/* to = from, with the dimensions of one element moved into the base. A section has room for far
 * more dimensions than it mostly has: they are not copied. */
static void take(struct sheaf_section *to, const struct sheaf_section *from)
{
    int rank = 0;
    to->base = from->base;
    to->element = from->element;
    for (int i = 0; i < from->rank; i++) {
        if (from->dimensions[i].count == 1)
            to->base += offset_of(&from->dimensions[i], 0);
        else
            to->dimensions[rank++] = from->dimensions[i];
    }
    to->rank = rank;
}

static bool is_joined(const struct sheaf_section *section)
{
    return section->rank > 0 && !section->dimensions[0].index &&
           section->dimensions[0].step == (ptrdiff_t)section->element.length;
}

static void join_first(struct sheaf_section *section)
{
    section->element.length *= (size_t)section->dimensions[0].count;
    section->rank--;
    memmove(section->dimensions, section->dimensions + 1,
            (size_t)section->rank * sizeof *section->dimensions);
}

static bool are_same(const struct sheaf_element *a, const struct sheaf_element *b)
{
    return a->length == b->length &&
           (a->type == b->type ? a->kind == b->kind || a->type == SHEAF_DERIVED : false);
}

static void prepare(struct assignment *made, const char *statement,
                    const struct sheaf_section *dest, const struct sheaf_section *source)
{
    made->statement = statement;
    take(&made->dest, dest);
    take(&made->source, source);
    struct sheaf_section *to = &made->dest, *from = &made->source;
    if (from->rank == 0 && to->rank > 0) {
        from->rank = to->rank;
        for (int i = 0; i < to->rank; i++)
            from->dimensions[i] = (struct sheaf_dimension){.count = to->dimensions[i].count};
    }
    for (int i = 0; i < to->rank || i < from->rank; i++)
        if (to->rank != from->rank || to->dimensions[i].count != from->dimensions[i].count)
            sheaf_outcome_refuse(made->statement, "the shapes differ: %zu elements are assigned to %zu",
                         sheaf_section_count(source), sheaf_section_count(dest));
    made->is_plain = are_same(&to->element, &from->element);
    while (made->is_plain && is_joined(to) && is_joined(from)) {
        join_first(to);
        join_first(from);
    }
}

static void assign_one(const struct assignment *made, char *to, const char *from)
{
    if (made->is_plain)
        memmove(to, from, made->dest.element.length);
    else
        sheaf_element_convert(made->statement, to, &made->dest.element, from,
                              &made->source.element);
}

/* Words at distances, as the columns of a matrix. */
static bool assign_words(const struct assignment *made, const struct sheaf_dimension *dest,
                         const struct sheaf_dimension *source, char *to, const char *from)
{
    size_t length = made->dest.element.length;
    if (!made->is_plain || (length != 4 && length != 8) || dest->index || source->index)
        return false;
    for (ptrdiff_t i = 0; i < dest->count; i++, to += dest->step, from += source->step)
        if (length == 8)
            memcpy(to, from, 8);
        else
            memcpy(to, from, 4);
    return true;
}

static void assign(const struct assignment *made, int rank, char *to, const char *from)
{
    if (rank == 0) {
        assign_one(made, to, from);
        return;
    }
    const struct sheaf_dimension *dest = &made->dest.dimensions[rank - 1];
    const struct sheaf_dimension *source = &made->source.dimensions[rank - 1];
    if (rank == 1 && assign_words(made, dest, source, to, from))
        return;
    for (ptrdiff_t i = 0; i < dest->count; i++)
        assign(made, rank - 1, to + offset_of(dest, i), from + offset_of(source, i));
}

void sheaf_section_copy(const char *statement, const struct sheaf_section *dest,
                        const struct sheaf_section *source)
{
    struct assignment made;
    prepare(&made, statement, dest, source);
    assign(&made, made.dest.rank, made.dest.base, made.source.base);
}

void sheaf_section_packed(struct sheaf_section *made, const struct sheaf_section *section,
                          const struct sheaf_element *element, char *base)
{
    ptrdiff_t step = (ptrdiff_t)element->length;
    made->base = base;
    made->element = *element;
    made->rank = section->rank;
    for (int i = 0; i < made->rank; i++) {
        made->dimensions[i] =
            (struct sheaf_dimension){.count = section->dimensions[i].count, .step = step};
        step *= made->dimensions[i].count;
    }
}

static char *buffer_for(const char *statement, size_t count, size_t length)
{
    size_t bytes;
    char *buffer = __builtin_mul_overflow(count, length, &bytes) ? NULL : malloc(bytes ? bytes : 1);
    if (!buffer)
        sheaf_outcome_refuse(statement, "no memory for a copy of %zu elements of %zu bytes", count, length);
    return buffer;
}

char *sheaf_section_pack(const char *statement, const struct sheaf_section *section)
{
    char *buffer = buffer_for(statement, sheaf_section_count(section), section->element.length);
    struct sheaf_section to;
    sheaf_section_packed(&to, section, &section->element, buffer);
    sheaf_section_copy(statement, &to, section);
    return buffer;
}

void sheaf_section_unpack(const char *statement, const struct sheaf_section *section, char *from)
{
    struct sheaf_section source;
    sheaf_section_packed(&source, section, &section->element, from);
    sheaf_section_copy(statement, section, &source);
}

/* Pieces of another PE's memory and of this image's. */
struct pieces {
    void (*move)(const shmemx_vector_t *vectors, size_t count, int pe);
    int pe;
    size_t bytes, count;
    void *to[PIECES_MOST];
    const void *from[PIECES_MOST];
};

static void move_pieces(struct pieces *pieces)
{
    shmemx_vector_t vector = {pieces->to, pieces->from, pieces->count, pieces->bytes};
    if (pieces->count > 0)
        pieces->move(&vector, 1, pieces->pe);
    pieces->count = 0;
}

static void add_pieces(struct pieces *pieces, const struct assignment *made, int rank, char *to,
                       char *from)
{
    if (rank > 0) {
        const struct sheaf_dimension *dest = &made->dest.dimensions[rank - 1];
        const struct sheaf_dimension *source = &made->source.dimensions[rank - 1];
        for (ptrdiff_t i = 0; i < dest->count; i++)
            add_pieces(pieces, made, rank - 1, to + offset_of(dest, i), from + offset_of(source, i));
        return;
    }
    if (pieces->count == PIECES_MOST)
        move_pieces(pieces);
    pieces->to[pieces->count] = to;
    pieces->from[pieces->count++] = from;
}

/* Whether the dimension's elements lie at one distance, and do not overlap. */
static bool is_strided(const struct sheaf_dimension *dimension, size_t length)
{
    return !dimension->index && (size_t)labs(dimension->step) >= length;
}

/* Moves the bytes of a section at distances by one call. Returns false for what that call does not take. */
static bool move_strided(const struct assignment *made, int pe, bool is_put)
{
    ptrdiff_t to[SHMEMX_MAX_DIMS - 1], from[SHMEMX_MAX_DIMS - 1];
    size_t counts[SHMEMX_MAX_DIMS] = {made->dest.element.length};
    int rank = made->dest.rank;
    if (rank >= SHMEMX_MAX_DIMS)
        return false;
    for (int i = 0; i < rank; i++) {
        const struct sheaf_dimension *dest = &made->dest.dimensions[i];
        const struct sheaf_dimension *source = &made->source.dimensions[i];
        if (!is_strided(dest, counts[0]) || !is_strided(source, counts[0]))
            return false;
        to[i] = dest->step;
        from[i] = source->step;
        counts[i + 1] = dest->count > 0 ? (size_t)dest->count : 0;
    }
    (is_put ? shmemx_putmem_strided : shmemx_getmem_strided)(made->dest.base, made->source.base, to,
                                                             from, counts, rank + 1, pe);
    return true;
}

/* Moves the bytes of a section, one of whose sides is PE pe's, which is far. */
static void move_far(const struct assignment *made, int pe, bool is_put)
{
    if (made->dest.element.length == 0 || move_strided(made, pe, is_put))
        return;
    struct pieces pieces = {.move = is_put ? shmemx_putmem_vector : shmemx_getmem_vector,
                            .pe = pe,
                            .bytes = made->dest.element.length};
    add_pieces(&pieces, made, made->dest.rank, made->dest.base, made->source.base);
    move_pieces(&pieces);
}

static bool is_one_piece(const struct assignment *made)
{
    return made->is_plain && made->dest.rank == 0;
}

/* Whether the bytes move from where they lie to where they belong. A copy here without gaps is better where
 * the far side has longer runs than this one, and where one element is assigned to all. */
static bool is_direct(const struct assignment *made, const struct sheaf_section *far,
                      const struct sheaf_section *here)
{
    return made->is_plain && !is_joined(far) &&
           (here->dimensions[0].step != 0 || here->dimensions[0].index);
}

/* Where another image's memory is mapped here; NULL: accesses are calls, by the program's place
 * where somebody looks on. */
static char *near_of(const char *statement, void *base, int pe)
{
    if (!sheaf_is_observed)
        return shmem_ptr(base, pe);
    if (sheaf_access_site)
        shmemx_call_for(statement, sheaf_access_site);
    return NULL;
}

static void get(const char *statement, const struct sheaf_section *dest,
                const struct sheaf_section *source, int pe)
{
    struct assignment made;
    char *near = near_of(statement, source->base, pe);
    if (!near)
        sheaf_sync_before_get(pe);
    prepare(&made, statement, dest, source);
    if (is_one_piece(&made)) {
        shmem_getmem(made.dest.base, made.source.base, made.dest.element.length, pe);
        return;
    }
    if (near) {
        assign(&made, made.dest.rank, made.dest.base, near + (made.source.base - source->base));
        return;
    }
    if (is_direct(&made, &made.source, &made.dest)) {
        move_far(&made, pe, false);
        return;
    }
    char *buffer = buffer_for(statement, sheaf_section_count(source), source->element.length);
    struct sheaf_section from;
    sheaf_section_packed(&from, source, &source->element, buffer);
    prepare(&made, statement, &from, source);
    move_far(&made, pe, false);
    sheaf_section_copy(statement, dest, &from);
    free(buffer);
}

static void put(const char *statement, const struct sheaf_section *dest,
                const struct sheaf_section *source, int pe)
{
    struct assignment made;
    char *near = near_of(statement, dest->base, pe);
    if (!near)
        sheaf_sync_before_put(pe);
    prepare(&made, statement, dest, source);
    if (is_one_piece(&made)) {
        shmem_putmem(made.dest.base, made.source.base, made.dest.element.length, pe);
        return;
    }
    if (near) {
        assign(&made, made.dest.rank, near + (made.dest.base - dest->base), made.source.base);
        return;
    }
    if (is_direct(&made, &made.dest, &made.source)) {
        move_far(&made, pe, true);
        return;
    }
    struct sheaf_section to;
    char *buffer = buffer_for(statement, sheaf_section_count(dest), dest->element.length);
    sheaf_section_packed(&to, dest, &dest->element, buffer);
    sheaf_section_copy(statement, &to, source);
    prepare(&made, statement, dest, &to);
    move_far(&made, pe, true);
    free(buffer);
}

void sheaf_section_get(const char *statement, const struct sheaf_section *dest,
                       const struct sheaf_section *source, int pe)
{
    get(statement, dest, source, pe);
    sheaf_access_end();
}

void sheaf_section_put(const char *statement, const struct sheaf_section *dest,
                       const struct sheaf_section *source, int pe)
{
    put(statement, dest, source, pe);
    sheaf_access_end();
}
