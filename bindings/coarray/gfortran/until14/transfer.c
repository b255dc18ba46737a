/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads and writes of coarrays: what gfortran 8 to 14 call for them.
 */
#include "../descriptor.h"
#include "../libcaf.h"

#include "../../sync.h"
#include "../../team.h"

#include <shmemx_ft.h>
#include <stdlib.h>
#include <string.h>

#define READ  "read of a coarray"
#define WRITE "write of a coarray"

const int sheaf_thread_level = SHMEM_THREAD_SINGLE;

void sheaf_gfortran_begin(void)
{
}

/* Memory of an image that has failed can still be read and written. */
static void give_stat(int *stat, int pe)
{
    if (stat)
        *stat = shmemx_pe_status(pe) == SHMEMX_PE_ALIVE ? 0 : SHEAF_STAT_FAILED;
}

/* A source that the destination may overlap is copied first. */
static char *keep_source(const char *statement, struct sheaf_section *source, int may_overlap)
{
    if (!may_overlap || source->rank == 0)
        return NULL;
    char *kept = sheaf_section_pack(statement, source);
    sheaf_section_packed(source, source, &source->element, kept);
    return kept;
}

/* Of this image alone: what overlaps is in its memory. */
static bool is_mine(int pe)
{
    return pe == sheaf_current->pes[sheaf_current->image - 1];
}

/* Moves a section whose base the compiler gave as an offset into the coarray. */
static void place(const char *statement, caf_token_t token, size_t offset,
                  const struct gfortran_array *array, struct sheaf_section *section)
{
    const struct sheaf_coarray *coarray = token;
    if (!sheaf_coarray_is_record(coarray) || !coarray->memory)
        sheaf_outcome_refuse(statement, "the coarray is not allocated");
    if (coarray->text && offset % coarray->text != 0)
        sheaf_outcome_refuse(statement,
                             "gfortran gives a substring of another image the length of the whole: name the"
                             " whole, and take the substring of a variable");
    section->base += (uintptr_t)coarray->memory + offset - (uintptr_t)array->base;
    if (sheaf_section_is_in(section, coarray->memory, coarray->bytes))
        return;
    if (section->rank == 0 && section->element.type == SHEAF_COMPLEX)
        sheaf_outcome_refuse(
            statement,
            "gfortran gives a wrong place for this complex scalar: declare it as an array of one "
            "element, and name the section (1:1)");
    sheaf_outcome_refuse(statement, "the section is not inside of the coarray, which has %zu bytes",
                 coarray->bytes);
}

/* One element of the same type and kind on both sides, on this host: the most frequent access, and
 * a load or a store. Returns where it lies, or NULL: the access is of another kind. */
static char *near_element(const struct sheaf_coarray *coarray, size_t offset, int pe,
                          const struct gfortran_array *there, const struct gfortran_array *here,
                          bool is_plain)
{
    size_t length = there->dtype.length;
    if (!is_plain || sheaf_is_observed || there->dtype.rank != 0 || here->dtype.rank != 0 ||
        here->dtype.length != length || here->dtype.type != there->dtype.type ||
        !sheaf_coarray_is_record(coarray) || coarray->bytes < length ||
        offset > coarray->bytes - length || (coarray->text && offset % coarray->text != 0))
        return NULL;
    return shmem_ptr(coarray->memory + offset, pe);
}

/* An array without elements on this image's side: there is nothing to move. The other side's shape is not
 * looked at, since gfortran passes a vector subscript without elements as if it were a triplet. */
static bool is_empty(const struct sheaf_section *here)
{
    return here->rank > 0 && sheaf_section_count(here) == 0;
}

static void copy_element(char *to, const char *from, size_t length)
{
    if (length == 8)
        memcpy(to, from, 8);
    else if (length == 4)
        memcpy(to, from, 4);
    else
        memmove(to, from, length);
}

void _gfortran_caf_get(caf_token_t token, size_t offset, int image, struct gfortran_array *source,
                       struct gfortran_vector *vectors, struct gfortran_array *dest,
                       int source_kind, int dest_kind, bool may_overlap, int *stat)
{
    SHEAF_ACCESS();
    struct sheaf_section from, to;
    int pe = sheaf_images_pe_of(READ, sheaf_current, image);
    give_stat(stat, pe);
    char *near =
        near_element(token, offset, pe, source, dest, !vectors && source_kind == dest_kind);
    if (near) {
        copy_element(dest->base, near, dest->dtype.length);
        return;
    }
    sheaf_gfortran_section(dest, NULL, dest_kind, &to);
    if (is_empty(&to))
        return;
    sheaf_gfortran_section(source, vectors, source_kind, &from);
    place(READ, token, offset, source, &from);
    char *kept = keep_source(READ, &from, may_overlap && is_mine(pe));
    if (kept)
        sheaf_section_copy(READ, &to, &from);
    else
        sheaf_section_get(READ, &to, &from, pe);
    free(kept);
}

void _gfortran_caf_send(caf_token_t token, size_t offset, int image, struct gfortran_array *dest,
                        struct gfortran_vector *vectors, struct gfortran_array *source,
                        int dest_kind, int source_kind, bool may_overlap, int *stat, void *team)
{
    SHEAF_ACCESS();
    struct sheaf_section from, to;
    int pe = sheaf_images_pe_of(WRITE, sheaf_current, image);
    (void)team;
    give_stat(stat, pe);
    char *near =
        near_element(token, offset, pe, dest, source, !vectors && source_kind == dest_kind);
    if (near) {
        copy_element(near, source->base, dest->dtype.length);
        return;
    }
    sheaf_gfortran_section(source, NULL, source_kind, &from);
    if (is_empty(&from))
        return;
    sheaf_gfortran_section(dest, vectors, dest_kind, &to);
    place(WRITE, token, offset, dest, &to);
    if (from.rank == 0 && from.element.type == SHEAF_CHARACTER && from.element.length == 0)
        sheaf_outcome_refuse(WRITE,
                             "gfortran gives an expression of characters the length 0: assign it to a "
                             "variable first; and write ' ' in place of ''");
    if (to.element.type == SHEAF_CHARACTER && from.element.type == SHEAF_INTEGER) /* what ACHAR returns */
        from.element.type = SHEAF_CHARACTER;
    char *kept = keep_source(WRITE, &from, may_overlap && is_mine(pe));
    sheaf_section_put(WRITE, &to, &from, pe);
    free(kept);
}

/* dest on one image = source of another, through a copy here. */
static void pass_on(struct sheaf_section *to, int to_pe, struct sheaf_section *from, int from_pe)
{
    size_t bytes, count = sheaf_section_count(from);
    char *copy =
        __builtin_mul_overflow(count, from->element.length, &bytes) ? NULL : malloc(bytes + 1);
    if (!copy)
        sheaf_outcome_refuse(WRITE, "no memory for a copy of %zu elements", count);
    struct sheaf_section here;
    sheaf_section_packed(&here, from, &from->element, copy);
    sheaf_section_get(READ, &here, from, from_pe);
    sheaf_section_put(WRITE, to, &here, to_pe);
    free(copy);
}

void _gfortran_caf_sendget(caf_token_t dest_token, size_t dest_offset, int dest_image,
                           struct gfortran_array *dest, struct gfortran_vector *dest_vectors,
                           caf_token_t source_token, size_t source_offset, int source_image,
                           struct gfortran_array *source, struct gfortran_vector *source_vectors,
                           int dest_kind, int source_kind, bool may_overlap, int *stat)
{
    SHEAF_ACCESS();
    struct sheaf_section from, to;
    int from_pe = sheaf_images_pe_of(READ, sheaf_current, source_image);
    int to_pe = sheaf_images_pe_of(WRITE, sheaf_current, dest_image);
    (void)may_overlap;
    sheaf_gfortran_section(source, source_vectors, source_kind, &from);
    sheaf_gfortran_section(dest, dest_vectors, dest_kind, &to);
    place(READ, source_token, source_offset, source, &from);
    place(WRITE, dest_token, dest_offset, dest, &to);
    pass_on(&to, to_pe, &from, from_pe);
    give_stat(stat, to_pe);
}

static void follow(const char *statement, caf_token_t token, int pe,
                   struct gfortran_reference *references, int type, int kind,
                   struct sheaf_section *section)
{
    if (!sheaf_coarray_is_record(token))
        sheaf_outcome_refuse(statement, "the coarray is not allocated");
    if (!sheaf_gfortran_follow(statement, token, pe, references, section))
        sheaf_outcome_refuse(statement, "the component is not allocated on that image");
    section->element.type = type;
    section->element.kind = kind;
}

/* Allocates an array of the section's shape where the descriptor has none, or another. */
static void fit(struct gfortran_array *dest, const struct sheaf_section *like)
{
    bool fits = dest->base && dest->dtype.rank == like->rank;
    for (int i = 0; fits && i < like->rank; i++)
        fits =
            dest->dimensions[i].upper - dest->dimensions[i].lower + 1 == like->dimensions[i].count;
    if (fits || like->rank == 0)
        return;
    size_t bytes;
    if (__builtin_mul_overflow(sheaf_section_count(like), dest->dtype.length, &bytes))
        sheaf_outcome_refuse(READ, "%zu elements of %zu bytes", sheaf_section_count(like),
                     dest->dtype.length);
    free(dest->base);
    dest->base = malloc(bytes ? bytes : 1);
    if (!dest->base)
        sheaf_outcome_refuse(READ, "no memory for a copy of %zu bytes", bytes);
    ptrdiff_t stride = 1, before = 0;
    dest->dtype.rank = (signed char)like->rank;
    for (int i = 0; i < like->rank; i++) {
        dest->dimensions[i].lower = 1;
        dest->dimensions[i].upper = like->dimensions[i].count;
        dest->dimensions[i].stride = stride;
        before += stride;
        stride *= like->dimensions[i].count;
    }
    dest->offset = (size_t)-before;
    dest->span = (ptrdiff_t)dest->dtype.length;
}

void _gfortran_caf_get_by_ref(caf_token_t token, int image, struct gfortran_array *dest,
                              struct gfortran_reference *references, int dest_kind, int source_kind,
                              bool may_overlap, bool may_allocate, int *stat, int source_type)
{
    SHEAF_ACCESS();
    struct sheaf_section from, to;
    int pe = sheaf_images_pe_of(READ, sheaf_current, image);
    follow(READ, token, pe, references, source_type, source_kind, &from);
    if (may_allocate)
        fit(dest, &from);
    sheaf_gfortran_section(dest, NULL, dest_kind, &to);
    if (may_overlap)
        pass_on(&to, sheaf_current->pes[sheaf_current->image - 1], &from, pe);
    else
        sheaf_section_get(READ, &to, &from, pe);
    give_stat(stat, pe);
}

void _gfortran_caf_send_by_ref(caf_token_t token, int image, struct gfortran_array *source,
                               struct gfortran_reference *references, int dest_kind,
                               int source_kind, bool may_overlap, bool may_allocate, int *stat,
                               int dest_type)
{
    SHEAF_ACCESS();
    struct sheaf_section from, to;
    int pe = sheaf_images_pe_of(WRITE, sheaf_current, image);
    (void)may_allocate; /* of another image: nobody but its owner allocates */
    follow(WRITE, token, pe, references, dest_type, dest_kind, &to);
    sheaf_gfortran_section(source, NULL, source_kind, &from);
    char *kept = keep_source(WRITE, &from, may_overlap && is_mine(pe));
    sheaf_section_put(WRITE, &to, &from, pe);
    free(kept);
    give_stat(stat, pe);
}

void _gfortran_caf_sendget_by_ref(caf_token_t dest_token, int dest_image,
                                  struct gfortran_reference *dest_references,
                                  caf_token_t source_token, int source_image,
                                  struct gfortran_reference *source_references, int dest_kind,
                                  int source_kind, bool may_overlap, int *dest_stat,
                                  int *source_stat, int dest_type, int source_type)
{
    SHEAF_ACCESS();
    struct sheaf_section from, to;
    int from_pe = sheaf_images_pe_of(READ, sheaf_current, source_image);
    int to_pe = sheaf_images_pe_of(WRITE, sheaf_current, dest_image);
    (void)may_overlap;
    follow(READ, source_token, from_pe, source_references, source_type, source_kind, &from);
    follow(WRITE, dest_token, to_pe, dest_references, dest_type, dest_kind, &to);
    pass_on(&to, to_pe, &from, from_pe);
    give_stat(dest_stat, to_pe);
    give_stat(source_stat, from_pe);
}

int _gfortran_caf_is_present(caf_token_t token, int image, struct gfortran_reference *references)
{
    SHEAF_ACCESS();
    struct sheaf_section section;
    return sheaf_coarray_is_record(token) &&
           sheaf_gfortran_follow("ALLOCATED", token, sheaf_images_pe("ALLOCATED", image), references,
                                 &section);
}
