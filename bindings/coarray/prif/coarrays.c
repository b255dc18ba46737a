/* SPDX-License-Identifier: BSD-3-Clause
 * Memory of coarrays, their handles and aliases, and cosubscripts; see prif.h.
 */
#include "../sync.h"
#include "../team.h"
#include "prif.h"

#include <stdlib.h>
#include <string.h>

struct prif_coarray *sheaf_prif_coarray(const char *statement, const struct prif_coarray *coarray)
{
    if (!coarray || !coarray->whole)
        sheaf_outcome_refuse(statement, "the coarray is not allocated");
    return (struct prif_coarray *)(uintptr_t)coarray;
}

void *sheaf_prif_place(const char *statement, prif_handle *handle, const size_t *offset, size_t bytes)
{
    const struct prif_coarray *coarray = sheaf_prif_coarray(statement, *handle);
    size_t room = coarray->whole->bytes - (size_t)(coarray->data - coarray->whole->memory);
    if (*offset > room || bytes > room - *offset)
        sheaf_outcome_refuse(statement, "%zu bytes from offset %zu on: the coarray has %zu bytes",
                             bytes, *offset, room);
    return coarray->data + *offset;
}

int sheaf_prif_pe(const char *statement, const int *image)
{
    if (*image < 1 || *image > shmem_n_pes())
        sheaf_outcome_refuse(statement, "there is no image %d: the initial team has images 1 to %d",
                             *image, shmem_n_pes());
    return *image - 1;
}

void *sheaf_prif_reach(const char *statement, int pe, const intptr_t *address)
{
    void *here = shmemx_local_address((const void *)*address, pe);
    if (!here)
        sheaf_outcome_refuse(statement, "image %d has no memory that others can reach at %p", pe + 1,
                             (void *)*address);
    return here;
}

/* Takes the cobounds of an argument: the last upper one may be absent, and does not count. */
static void take_cobounds(const char *statement, struct prif_coarray *coarray,
                          const struct prif_array *lower, const struct prif_array *upper)
{
    size_t corank = sheaf_prif_count(statement, lower, sizeof(int64_t));
    size_t uppers = sheaf_prif_count(statement, upper, sizeof(int64_t));
    if (corank < 1 || corank > SHEAF_RANK_MOST || (uppers != corank && uppers != corank - 1))
        sheaf_outcome_refuse(statement,
                             "%zu lower and %zu upper cobounds: expected 1 to %d, and as many or "
                             "one less",
                             corank, uppers, SHEAF_RANK_MOST);
    coarray->corank = (int)corank;
    for (size_t i = 0; i < corank; i++) {
        coarray->lower[i] = *(int64_t *)sheaf_prif_at(lower, i);
        int64_t most = i < uppers ? *(int64_t *)sheaf_prif_at(upper, i) : coarray->lower[i];
        if (__builtin_sub_overflow(most, coarray->lower[i] - 1, &coarray->counts[i]) ||
            coarray->counts[i] < 1)
            sheaf_outcome_refuse(statement,
                                 "cobounds %ld to %ld of codimension %zu: expected an image in it",
                                 (long)coarray->lower[i], (long)most, i + 1);
    }
}

static struct prif_coarray *new_record(const char *statement)
{
    struct prif_coarray *made = calloc(1, sizeof *made);
    if (!made)
        sheaf_outcome_refuse(statement, "no memory for the record of a coarray");
    return made;
}

PRIF(allocate_coarray)(const struct prif_array *lower, const struct prif_array *upper,
                       const size_t *bytes, void (*const *cleanup)(struct prif_coarray *),
                       struct prif_coarray **handle, void **memory, PRIF_REPLY)
{
    PRIF_STATEMENT("ALLOCATE");
    struct prif_coarray *made = new_record("ALLOCATE");
    take_cobounds("ALLOCATE", made, lower, upper);
    made->whole = sheaf_coarray_new(outcome, *bytes, false);
    *handle = NULL;
    *memory = NULL;
    if (!made->whole) {
        free(made);
        return;
    }
    made->whole->descriptor = made;
    made->original = made;
    made->size = *bytes;
    made->cleanup = *cleanup;
    *memory = made->data = made->whole->memory;
    *handle = made;
}

PRIF(allocate)(const size_t *bytes, void **memory, PRIF_REPLY)
{
    PRIF_STATEMENT("ALLOCATE");
    struct sheaf_coarray *component = sheaf_component_new(outcome);
    *memory = NULL;
    if (sheaf_component_allocate(outcome, component, *bytes))
        *memory = component->memory;
    else
        sheaf_component_free(component);
}

PRIF(deallocate)(void *const *memory, PRIF_REPLY)
{
    PRIF_STATEMENT("DEALLOCATE");
    struct sheaf_coarray *component = sheaf_component_at(*memory);
    if (!component)
        sheaf_outcome_refuse("DEALLOCATE", "%p is no memory that prif_allocate has given", *memory);
    sheaf_component_free(component);
    sheaf_outcome_good(outcome);
}

static void clean_up(struct prif_coarray *coarray)
{
    if (coarray->cleanup)
        coarray->cleanup(coarray);
}

static void end_coarrays(void)
{
    sheaf_sync_team(sheaf_current);
    for (struct sheaf_coarray *one = sheaf_current->coarrays; one; one = one->next)
        if (one->descriptor)
            clean_up(one->descriptor);
    for (struct sheaf_coarray *one = sheaf_current->coarrays; one; one = one->next)
        free(one->descriptor);
}

PRIF_BODY end_team(PRIF_REPLY)
{
    PRIF_STATEMENT("END TEAM");
    sheaf_outcome_good(outcome);
    end_coarrays();
    sheaf_team_end();
}
PRIF_BOTH(end_team, (PRIF_REPLY), (stat, errmsg, errmsg_alloc))

/* The handles lie bytes apart. */
static void deallocate(const struct sheaf_outcome *outcome, char *handles, size_t count,
                       ptrdiff_t distance)
{
    sheaf_sync_team(sheaf_current);
    for (size_t i = 0; i < count; i++) {
        prif_handle *handle = (prif_handle *)(void *)(handles + (ptrdiff_t)i * distance);
        struct prif_coarray *coarray = sheaf_prif_coarray(outcome->statement, *handle);
        if (coarray->original != coarray || coarray->whole->owner != sheaf_current)
            sheaf_outcome_refuse(outcome->statement,
                                 "%s: expected the handle of a coarray of the current team",
                                 coarray->original != coarray ? "the handle is an alias"
                                                              : "another team allocated it");
        clean_up(coarray);
    }
    for (size_t i = 0; i < count; i++) {
        prif_handle *handle = (prif_handle *)(void *)(handles + (ptrdiff_t)i * distance);
        struct prif_coarray *coarray = *handle;
        sheaf_coarray_free(outcome, coarray->whole);
        coarray->whole = NULL;
        free(coarray);
    }
    sheaf_outcome_good(outcome);
}

PRIF(deallocate_coarray)(prif_handle *handle, PRIF_REPLY)
{
    PRIF_STATEMENT("DEALLOCATE");
    deallocate(outcome, (char *)(uintptr_t)handle, 1, 0);
}

PRIF(deallocate_coarrays)(const struct prif_array *handles, PRIF_REPLY)
{
    PRIF_STATEMENT("DEALLOCATE");
    deallocate(outcome, handles->base, sheaf_prif_count("DEALLOCATE", handles, sizeof(void *)),
               handles->dimensions[0].step);
}

PRIF(alias_create)(prif_handle *source, const struct prif_array *lower,
                   const struct prif_array *upper, const size_t *offset, struct prif_coarray **alias)
{
    SHEAF_STATEMENT("prif_alias_create");
    const struct prif_coarray *coarray = sheaf_prif_coarray("prif_alias_create", *source);
    struct prif_coarray *made = new_record("prif_alias_create");
    take_cobounds("prif_alias_create", made, lower, upper);
    made->whole = coarray->whole;
    made->original = coarray->original;
    made->size = coarray->size;
    made->data = sheaf_prif_place("prif_alias_create", source, offset, 0);
    *alias = made;
}

PRIF(alias_destroy)(prif_handle *alias)
{
    SHEAF_STATEMENT("prif_alias_destroy");
    struct prif_coarray *coarray = sheaf_prif_coarray("prif_alias_destroy", *alias);
    if (coarray->original == coarray)
        sheaf_outcome_refuse("prif_alias_destroy", "the handle is no alias");
    free(coarray);
}

/* These four have the handle itself, since they are called from C too. */
PRIF(local_data_pointer)(struct prif_coarray *coarray, void **data)
{
    *data = sheaf_prif_coarray("prif_local_data_pointer", coarray)->data;
}

PRIF(set_context_data)(struct prif_coarray *coarray, void *context)
{
    sheaf_prif_coarray("prif_set_context_data", coarray)->original->context = context;
}

PRIF(get_context_data)(struct prif_coarray *coarray, void **context)
{
    *context = sheaf_prif_coarray("prif_get_context_data", coarray)->original->context;
}

PRIF(size_bytes)(struct prif_coarray *coarray, size_t *bytes)
{
    *bytes = sheaf_prif_coarray("prif_size_bytes", coarray)->size;
}

/* Cosubscripts. The last codimension has as many as the images of the current team take. */

static int64_t count_of(const struct prif_coarray *coarray, int dimension)
{
    int64_t before = 1, images = sheaf_current->images;
    if (dimension < coarray->corank - 1)
        return coarray->counts[dimension];
    for (int i = 0; i < coarray->corank - 1 && before < images; i++)
        before *= coarray->counts[i] < images ? coarray->counts[i] : images;
    return (images + before - 1) / before;
}

static int dimension_of(const char *statement, const struct prif_coarray *coarray, const int *dim)
{
    if (*dim < 1 || *dim > coarray->corank)
        sheaf_outcome_refuse(statement, "DIM is %d: the coarray has %d codimensions", *dim,
                             coarray->corank);
    return *dim - 1;
}

static void check_corank(const char *statement, const struct prif_coarray *coarray,
                         const struct prif_array *array)
{
    size_t count = sheaf_prif_count(statement, array, sizeof(int64_t));
    if (count != (size_t)coarray->corank)
        sheaf_outcome_refuse(statement, "%zu cosubscripts: the coarray has %d codimensions", count,
                             coarray->corank);
}

/* A query of cobounds, of one codimension and of all. */
#define COBOUND(NAME, VALUE)                                                                       \
    PRIF(NAME##_with_dim)(prif_handle *handle, const int *dim, int64_t *result)                    \
    {                                                                                              \
        const struct prif_coarray *coarray = sheaf_prif_coarray("prif_" #NAME, *handle);           \
        int i = dimension_of("prif_" #NAME, coarray, dim);                                         \
        *result = VALUE;                                                                           \
    }                                                                                              \
    PRIF(NAME##_no_dim)(prif_handle *handle, const struct prif_array *results)                     \
    {                                                                                              \
        const struct prif_coarray *coarray = sheaf_prif_coarray("prif_" #NAME, *handle);           \
        check_corank("prif_" #NAME, coarray, results);                                             \
        for (int i = 0; i < coarray->corank; i++)                                                  \
            *(int64_t *)sheaf_prif_at(results, (size_t)i) = VALUE;                                 \
    }
COBOUND(lcobound, coarray->lower[i])
COBOUND(ucobound, coarray->lower[i] + count_of(coarray, i) - 1)

PRIF(coshape)(prif_handle *handle, const struct prif_array *sizes)
{
    const struct prif_coarray *coarray = sheaf_prif_coarray("COSHAPE", *handle);
    check_corank("COSHAPE", coarray, sizes);
    for (int i = 0; i < coarray->corank; i++)
        *(int64_t *)sheaf_prif_at(sizes, (size_t)i) = count_of(coarray, i);
}

/* The image of a team with that many images that cosubscripts stand for, or 0. */
static int image_at(const char *statement, prif_handle *handle, const struct prif_array *sub,
                    int images)
{
    const struct prif_coarray *coarray = sheaf_prif_coarray(statement, *handle);
    int64_t image = 1, before = 1;
    check_corank(statement, coarray, sub);
    for (int i = 0; i < coarray->corank; i++) {
        int64_t at, steps, subscript = *(int64_t *)sheaf_prif_at(sub, (size_t)i);
        bool is_last = i == coarray->corank - 1;
        if (__builtin_sub_overflow(subscript, coarray->lower[i], &at) || at < 0 ||
            (!is_last && at >= coarray->counts[i]) ||
            __builtin_mul_overflow(at, before, &steps) || steps > images - image)
            return 0;
        image += steps;
        before = is_last || __builtin_mul_overflow(before, coarray->counts[i], &before) ? INT64_MAX
                                                                                         : before;
    }
    return (int)image;
}

PRIF(image_index)(prif_handle *handle, const struct prif_array *sub, int *image)
{
    *image = image_at("IMAGE_INDEX", handle, sub, sheaf_current->images);
}

PRIF(image_index_with_team)(prif_handle *handle, const struct prif_array *sub, const int64_t *team,
                            int *image)
{
    *image = image_at("IMAGE_INDEX", handle, sub, sheaf_prif_team("IMAGE_INDEX", team)->images);
}

PRIF(image_index_with_team_number)(prif_handle *handle, const struct prif_array *sub,
                                   const int64_t *number, int *image)
{
    *image = image_at("IMAGE_INDEX", handle, sub,
                      sheaf_prif_images_of_number("IMAGE_INDEX", *number));
}

/* The same as a number of the initial team, which accesses name images by. */
#define INDEX "prif_initial_team_index"

PRIF(initial_team_index_with_team)(prif_handle *handle, const struct prif_array *sub,
                                   const int64_t *team, int *image, int *stat)
{
    const struct sheaf_images *images = sheaf_prif_team(INDEX, team);
    *image = sheaf_images_pe_of(INDEX, images, image_at(INDEX, handle, sub, images->images)) + 1;
    if (stat)
        *stat = 0;
}

PRIF(initial_team_index)(prif_handle *handle, const struct prif_array *sub, int *image, int *stat)
{
    prif_initial_team_index_with_team(handle, sub, NULL, image, stat);
}

PRIF(initial_team_index_with_team_number)(prif_handle *handle, const struct prif_array *sub,
                                          const int64_t *number, int *image, int *stat)
{
    int found = image_at(INDEX, handle, sub, sheaf_prif_images_of_number(INDEX, *number));
    const struct sheaf_images *initial = sheaf_images_at(INT32_MAX);
    *image = 1 + (*number == initial->number ? sheaf_images_pe_of(INDEX, initial, found)
                                             : sheaf_images_pe_of_sibling(INDEX, *number, found));
    if (stat)
        *stat = 0;
}

/* The cosubscripts of this image, in that team; results[i * distance]: of codimension i. */
static int64_t cosubscript_of(const struct prif_coarray *coarray, const int64_t *team, int dimension)
{
    int64_t at = sheaf_prif_team("THIS_IMAGE", team)->image - 1;
    for (int i = 0; i < dimension; i++)
        at /= coarray->counts[i];
    return coarray->lower[dimension] +
           (dimension == coarray->corank - 1 ? at : at % coarray->counts[dimension]);
}

PRIF(this_image_with_dim)(prif_handle *handle, const int *dim, const int64_t *team, int64_t *result)
{
    const struct prif_coarray *coarray = sheaf_prif_coarray("THIS_IMAGE", *handle);
    *result = cosubscript_of(coarray, team, dimension_of("THIS_IMAGE", coarray, dim));
}

PRIF(this_image_with_coarray)(prif_handle *handle, const int64_t *team,
                              const struct prif_array *results)
{
    const struct prif_coarray *coarray = sheaf_prif_coarray("THIS_IMAGE", *handle);
    check_corank("THIS_IMAGE", coarray, results);
    for (int i = 0; i < coarray->corank; i++)
        *(int64_t *)sheaf_prif_at(results, (size_t)i) = cosubscript_of(coarray, team, i);
}
