/* SPDX-License-Identifier: BSD-3-Clause
 * See prif.h: images, SYNC statements, collective subroutines.
 */
#include "prif.h"

#include "../combine.h"
#include "../sync.h"
#include "../team.h"

#include <stdlib.h>

const int sheaf_thread_level = SHMEM_THREAD_SINGLE;

/* At exit, which STOP and the program's end come to. */
static void leave(void)
{
    shmemx_call_for("END PROGRAM", NULL);
    sheaf_leave();
}

void PRIF(init)(int *stat)
{
    sheaf_start();
    if (atexit(leave) != 0)
        sheaf_outcome_refuse("start", "no memory for what is to be done at the end");
    sheaf_sync_team(sheaf_current);
    *stat = 0;
}

void PRIF(num_images)(int *images)
{
    *images = sheaf_current->images;
}

void PRIF(sync_all)(PRIF_REPLY)
{
    PRIF_STATEMENT("SYNC ALL");
    sheaf_sync_all(outcome);
    sheaf_flang_answer(&reply);
}

void PRIF(sync_images)(const struct flang_array *images, PRIF_REPLY)
{
    PRIF_STATEMENT("SYNC IMAGES");
    if (!images) {
        sheaf_sync_images(outcome, -1, NULL);
        sheaf_flang_answer(&reply);
        return;
    }
    struct sheaf_section section;
    sheaf_flang_section("SYNC IMAGES", images, &section);
    size_t count = sheaf_section_count(&section);
    if (section.element.type != SHEAF_INTEGER || section.element.length != sizeof(int) ||
        count > INT32_MAX)
        sheaf_outcome_refuse("SYNC IMAGES", "%zu integers of %zu bytes: expected numbers of images, of 4",
                     count, section.element.length);
    char *numbers = sheaf_section_pack("SYNC IMAGES", &section);
    sheaf_sync_images(outcome, (int)count, (const int *)(void *)numbers);
    free(numbers);
    sheaf_flang_answer(&reply);
}

void PRIF(sync_memory)(PRIF_REPLY)
{
    PRIF_STATEMENT("SYNC MEMORY");
    sheaf_sync_quiet();
    sheaf_outcome_good(outcome);
    sheaf_flang_answer(&reply);
}

void PRIF(co_broadcast)(const struct flang_array *array, const int *image, PRIF_REPLY)
{
    PRIF_STATEMENT("CO_BROADCAST");
    struct sheaf_section section;
    sheaf_flang_section("CO_BROADCAST", array, &section);
    sheaf_combine_broadcast(outcome, &section, *image);
    sheaf_flang_answer(&reply);
}

#define COMBINE(NAME, TEXT, COMBINATION)                                                           \
    void PRIF(NAME)(const struct flang_array *array, const int *image, PRIF_REPLY)                 \
    {                                                                                              \
        PRIF_STATEMENT(TEXT);                                                                      \
        struct sheaf_section section;                                                              \
        sheaf_flang_section(TEXT, array, &section);                                                \
        sheaf_combine(outcome, COMBINATION, NULL, &section, image ? *image : 0);                   \
        sheaf_flang_answer(&reply);                                                                \
    }
COMBINE(co_sum, "CO_SUM", SHEAF_SUM)
COMBINE(co_min, "CO_MIN", SHEAF_MIN)
COMBINE(co_max, "CO_MAX", SHEAF_MAX)
COMBINE(co_min_character, "CO_MIN", SHEAF_MIN)
COMBINE(co_max_character, "CO_MAX", SHEAF_MAX)
