/* SPDX-License-Identifier: BSD-3-Clause
 * SYNC statements and collective subroutines; see prif.h.
 */
#include "../combine.h"
#include "../sync.h"
#include "prif.h"

#include <stdlib.h>
#include <string.h>

PRIF_BODY sync_all(PRIF_REPLY)
{
    PRIF_STATEMENT("SYNC ALL");
    sheaf_sync_all(outcome);
}
PRIF_BOTH(sync_all, (PRIF_REPLY), (stat, errmsg, errmsg_alloc))

PRIF_BODY sync_memory(PRIF_REPLY)
{
    PRIF_STATEMENT("SYNC MEMORY");
    sheaf_sync_quiet();
    sheaf_outcome_good(outcome);
}
PRIF_BOTH(sync_memory, (PRIF_REPLY), (stat, errmsg, errmsg_alloc))

PRIF_BODY sync_images(const struct prif_array *images, PRIF_REPLY)
{
    PRIF_STATEMENT("SYNC IMAGES");
    if (!images) {
        sheaf_sync_images(outcome, -1, NULL, __builtin_return_address(0));
        return;
    }
    struct sheaf_section section;
    sheaf_prif_section("SYNC IMAGES", images, &section);
    size_t count = sheaf_section_count(&section);
    if (section.element.type != SHEAF_INTEGER || section.element.length != sizeof(int) ||
        count > INT32_MAX)
        sheaf_outcome_refuse("SYNC IMAGES", "%zu integers of %zu bytes: expected numbers of images, of 4",
                     count, section.element.length);
    bool is_dense = section.rank == 1 && section.dimensions[0].step == sizeof(int);
    char *packed = is_dense ? NULL : sheaf_section_pack("SYNC IMAGES", &section);
    sheaf_sync_images(outcome, (int)count, (const int *)(void *)(packed ? packed : section.base),
                      __builtin_return_address(0));
    free(packed);
}
PRIF_BOTH(sync_images, (const struct prif_array *images, PRIF_REPLY),
          (images, stat, errmsg, errmsg_alloc))

PRIF_BODY co_broadcast(const struct prif_array *array, const int *image, PRIF_REPLY)
{
    PRIF_STATEMENT("CO_BROADCAST");
    struct sheaf_section section;
    sheaf_prif_section("CO_BROADCAST", array, &section);
    sheaf_combine_broadcast(outcome, &section, *image);
}
PRIF_BOTH(co_broadcast, (const struct prif_array *array, const int *image, PRIF_REPLY),
          (array, image, stat, errmsg, errmsg_alloc))

static void all_bytes(struct sheaf_section *section, char *base, size_t count, size_t length)
{
    section->base = base;
    section->element = (struct sheaf_element){length, SHEAF_DERIVED, 0};
    section->rank = 1;
    section->dimensions[0] =
        (struct sheaf_dimension){.count = (ptrdiff_t)count, .step = (ptrdiff_t)length};
}

PRIF(co_broadcast_cptr)(char *const *a, const size_t *bytes, const int *image, PRIF_REPLY)
{
    PRIF_STATEMENT("CO_BROADCAST");
    struct sheaf_section section;
    all_bytes(&section, *a, *bytes, 1);
    sheaf_combine_broadcast(outcome, &section, *image);
}

#define COMBINE(NAME, TEXT, COMBINATION)                                                           \
    PRIF_BODY NAME(const struct prif_array *array, const int *image, PRIF_REPLY)                   \
    {                                                                                              \
        PRIF_STATEMENT(TEXT);                                                                      \
        struct sheaf_section section;                                                              \
        sheaf_prif_section(TEXT, array, &section);                                                 \
        sheaf_combine(outcome, COMBINATION, NULL, &section, image ? *image : 0);                   \
    }                                                                                              \
    PRIF_BOTH(NAME, (const struct prif_array *array, const int *image, PRIF_REPLY),                \
              (array, image, stat, errmsg, errmsg_alloc))
COMBINE(co_sum, "CO_SUM", SHEAF_SUM)
COMBINE(co_min, "CO_MIN", SHEAF_MIN)
COMBINE(co_max, "CO_MAX", SHEAF_MAX)
COMBINE(co_min_character, "CO_MIN", SHEAF_MIN)
COMBINE(co_max_character, "CO_MAX", SHEAF_MAX)

/* The program's function, whose second argument is its result. */
typedef void operation_wrapper(const void *first, void *second, size_t count, void *cdata);

struct reduction {
    struct sheaf_function function;
    operation_wrapper *wrapper;
    void *cdata;
};

static void combine_by_wrapper(const struct sheaf_function *function, char *into, char *from,
                               size_t count)
{
    const struct reduction *reduction = (const struct reduction *)(const void *)function;
    reduction->wrapper(into, from, count, reduction->cdata);
    memcpy(into, from, count * function->element.length);
}

static void reduce(const struct sheaf_outcome *outcome, const struct sheaf_section *section,
                   operation_wrapper *const *wrapper, void *cdata, const int *image)
{
    struct reduction reduction = {
        {combine_by_wrapper, NULL, section->element, false}, *wrapper, cdata};
    sheaf_combine(outcome, SHEAF_BY_FUNCTION, &reduction.function, section, image ? *image : 0);
}

PRIF(co_reduce)(const struct prif_array *array, operation_wrapper *const *wrapper, void *cdata,
                const int *image, PRIF_REPLY)
{
    PRIF_STATEMENT("CO_REDUCE");
    struct sheaf_section section;
    sheaf_prif_section("CO_REDUCE", array, &section);
    reduce(outcome, &section, wrapper, cdata, image);
}

PRIF(co_reduce_cptr)(char *const *a, const size_t *length, const size_t *count,
                     operation_wrapper *const *wrapper, void *cdata, const int *image, PRIF_REPLY)
{
    PRIF_STATEMENT("CO_REDUCE");
    struct sheaf_section section;
    all_bytes(&section, *a, *count, *length);
    reduce(outcome, &section, wrapper, cdata, image);
}
