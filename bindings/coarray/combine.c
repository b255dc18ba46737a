/* SPDX-License-Identifier: BSD-3-Clause
 * See combine.h. Elements pass through symmetric buffers, of which two take turns: who enters a
 * collective has read the result of the one before.
 */
#include "combine.h"

#include "sync.h"

#include <stdlib.h>
#include <string.h>

#define BUFFER ((size_t)256 << 10) /* bytes */

static char *source_buffer, *result_buffers[2];
static unsigned turn;
static uint64_t *offered; /* partial results, by the PE that has them: symmetric */
static uint64_t *taken;   /* of these, by this PE */

void sheaf_combine_begin(void)
{
    source_buffer = shmem_align(64, 3 * BUFFER);
    if (!source_buffer)
        sheaf_outcome_refuse("start", "no symmetric memory for the collectives' %zu bytes", 3 * BUFFER);
    offered = shmem_calloc((size_t)sheaf_current->images, sizeof *offered);
    taken = calloc((size_t)sheaf_current->images, sizeof *taken);
    if (!offered || !taken)
        sheaf_outcome_refuse("start", "no memory for the results of %d images", sheaf_current->images);
    result_buffers[0] = source_buffer + BUFFER;
    result_buffers[1] = source_buffer + 2 * BUFFER;
}

/* The library's reductions by type and kind; false: it has none. */
static bool reduce_number(enum sheaf_combination combination, const struct sheaf_element *element,
                          void *to, const void *from, size_t count)
{
    shmem_team_t team = sheaf_current->team;
#define ORDERED(TYPE, KIND, NAME)                                                                  \
    if (element->type == (TYPE) && element->kind == (KIND)) {                                      \
        if (combination == SHEAF_SUM)                                                              \
            shmem_##NAME##_sum_reduce(team, to, from, count);                                      \
        else if (combination == SHEAF_MIN)                                                         \
            shmem_##NAME##_min_reduce(team, to, from, count);                                      \
        else                                                                                       \
            shmem_##NAME##_max_reduce(team, to, from, count);                                      \
        return true;                                                                               \
    }
    if (combination == SHEAF_BY_FUNCTION)
        return false;
    ORDERED(SHEAF_INTEGER, 1, int8)
    ORDERED(SHEAF_INTEGER, 2, int16)
    ORDERED(SHEAF_INTEGER, 4, int32)
    ORDERED(SHEAF_INTEGER, 8, int64)
    ORDERED(SHEAF_REAL, 4, float)
    ORDERED(SHEAF_REAL, 8, double)
#undef ORDERED
    if (combination != SHEAF_SUM || element->type != SHEAF_COMPLEX)
        return false;
    if (element->kind == 4)
        shmem_complexf_sum_reduce(team, to, from, count);
    else if (element->kind == 8)
        shmem_complexd_sum_reduce(team, to, from, count);
    return element->kind == 4 || element->kind == 8;
}

/* into = the lesser or greater text of the two, for MIN and MAX of characters. */
static void choose_text(enum sheaf_combination combination, const struct sheaf_element *element,
                        char *into, const char *from)
{
    int order = 0;
    for (size_t i = 0; order == 0 && i < element->length / (size_t)element->kind; i++) {
        if (element->kind == 1) {
            order = (int)(unsigned char)from[i] - (int)(unsigned char)into[i];
        } else {
            uint32_t a, b;
            memcpy(&a, from + 4 * i, sizeof a);
            memcpy(&b, into + 4 * i, sizeof b);
            order = (a > b) - (a < b);
        }
    }
    if (combination == SHEAF_MIN ? order < 0 : order > 0)
        memcpy(into, from, element->length);
}

/* Integers of 16 bytes, which the library has no reductions for. Descriptors have no kinds: reals
 * of kind 10 and of kind 16 look the same. */
static void combine_wide(enum sheaf_combination combination, const struct sheaf_element *element,
                         char *into, const char *from)
{
    __int128 a, b;
    if (element->type != SHEAF_INTEGER || element->length != sizeof a)
        sheaf_outcome_refuse("CO_SUM, CO_MIN or CO_MAX",
                     "type %d of %zu bytes: integers, reals and complex numbers of kind 4 "
                     "and 8, and characters, can be combined",
                     element->type, element->length);
    memcpy(&a, into, sizeof a);
    memcpy(&b, from, sizeof b);
    if (combination == SHEAF_SUM)
        a += b;
    else if ((combination == SHEAF_MIN) == (b < a))
        a = b;
    memcpy(into, &a, sizeof a);
}

/* into = into and from, for what the library has no reductions for. */
static void combine_here(enum sheaf_combination combination, const struct sheaf_function *function,
                         const struct sheaf_element *element, char *into, char *from, size_t count)
{
    if (function) {
        function->combine(function, into, from, count);
        return;
    }
    for (size_t i = 0; i < count; i++, into += element->length, from += element->length)
        if (element->type == SHEAF_CHARACTER)
            choose_text(combination, element, into, from);
        else
            combine_wide(combination, element, into, from);
}

/* Partial results go up a binomial tree of the team, those of lower images first, and the whole one
 * comes down to all. The result's buffer holds what comes from each child until then. */
static void reduce_by_tree(enum sheaf_combination combination,
                           const struct sheaf_function *function,
                           const struct sheaf_element *element, char *result, size_t count)
{
    shmem_team_t team = sheaf_current->team;
    int me = shmem_team_my_pe(team), members = shmem_team_n_pes(team);
    size_t bytes = count * element->length;
    for (int step = 1; step < members; step *= 2) {
        if (me & step) {
            int parent = shmem_team_translate_pe(team, me - step, SHMEM_TEAM_WORLD);
            shmem_fence();
            shmem_uint64_atomic_inc(&offered[shmem_my_pe()], parent);
            break;
        }
        if (me + step >= members)
            continue;
        int child = shmem_team_translate_pe(team, me + step, SHMEM_TEAM_WORLD);
        shmem_uint64_wait_until(&offered[child], SHMEM_CMP_GE, ++taken[child]);
        shmem_getmem(result, source_buffer, bytes, child);
        combine_here(combination, function, element, source_buffer, result, count);
    }
    shmem_broadcastmem(team, result, source_buffer, bytes, 0);
}

void sheaf_combine(const struct sheaf_outcome *outcome, enum sheaf_combination combination,
                   const struct sheaf_function *function, const struct sheaf_section *section,
                   int result_image)
{
    const struct sheaf_element *element = &section->element;
    sheaf_images_pe(outcome->statement, result_image);
    size_t left = sheaf_section_count(section), length = element->length ? element->length : 1;
    size_t most = BUFFER / length;
    if (most == 0)
        sheaf_outcome_refuse(outcome->statement, "elements of %zu bytes: at most %zu", length, BUFFER);
    char *all = sheaf_section_pack(outcome->statement, section), *at = all;
    while (left > 0) {
        size_t count = left < most ? left : most;
        char *result = result_buffers[turn++ % 2];
        memcpy(source_buffer, at, count * length);
        if (!reduce_number(combination, element, result, source_buffer, count))
            reduce_by_tree(combination, function, element, result, count);
        memcpy(at, result, count * length);
        at += count * length;
        left -= count;
    }
    if (result_image == 0 || result_image == sheaf_current->image)
        sheaf_section_unpack(outcome->statement, section, all);
    free(all);
    sheaf_outcome_good(outcome);
}

void sheaf_combine_broadcast(const struct sheaf_outcome *outcome,
                             const struct sheaf_section *section, int image)
{
    size_t length = section->element.length, bytes;
    if (image == 0)
        sheaf_outcome_refuse(outcome->statement, "SOURCE_IMAGE is 0: expected 1 to %d",
                     sheaf_current->images);
    bool is_root = image == sheaf_current->image;
    int root = shmem_team_translate_pe(SHMEM_TEAM_WORLD, sheaf_images_pe(outcome->statement, image),
                                       sheaf_current->team);
    if (root < 0) {
        sheaf_outcome_bad(outcome, SHEAF_STAT_FAILED, "image %d has failed", image);
        return;
    }
    char *all = sheaf_section_pack(outcome->statement, section), *at = all;
    for (size_t left = sheaf_section_count(section) * length; left > 0;
         left -= bytes, at += bytes) {
        char *result = result_buffers[turn++ % 2];
        bytes = left < BUFFER ? left : BUFFER;
        if (is_root)
            memcpy(source_buffer, at, bytes);
        shmem_team_sync(sheaf_current->team); /* nobody reads what the root is about to write */
        shmem_broadcastmem(sheaf_current->team, result, source_buffer, bytes, root);
        if (!is_root)
            memcpy(at, result, bytes);
    }
    if (!is_root)
        sheaf_section_unpack(outcome->statement, section, all);
    free(all);
    sheaf_outcome_good(outcome);
}
