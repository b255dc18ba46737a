/* SPDX-License-Identifier: BSD-3-Clause
 * Teams; see prif.h. flang passes descriptors of TEAM_TYPE, and the module's procedures addresses.
 */
#include "../sync.h"
#include "../team.h"
#include "prif.h"

#include <stdlib.h>

/* Levels of GET_TEAM, as ISO_FORTRAN_ENV of flang has them. */
enum { CURRENT = -1, INITIAL = -2, PARENT = -3 };

static struct sheaf_images **teams; /* team n is teams[n - 1] */
static int64_t team_count;

static int64_t *value_of(const struct prif_array *team)
{
    if (team && (!team->base || team->length < sizeof(int64_t)))
        sheaf_outcome_refuse("TEAM", "the argument is no TEAM_TYPE");
    return team ? (int64_t *)(void *)team->base : NULL;
}

struct sheaf_images *sheaf_prif_team(const char *statement, const int64_t *team)
{
    if (!team)
        return sheaf_current;
    if (*team < 1 || *team > team_count)
        sheaf_outcome_refuse(statement, "the team was not formed");
    return teams[*team - 1];
}

static void give_team(const char *statement, int64_t *to, struct sheaf_images *team)
{
    int64_t i = 0;
    while (i < team_count && teams[i] != team)
        i++;
    if (i == team_count) {
        struct sheaf_images **more = realloc(teams, (size_t)(team_count + 1) * sizeof(void *));
        if (!more)
            sheaf_outcome_refuse(statement, "no memory for a list of %ld teams", (long)team_count + 1);
        teams = more;
        teams[team_count++] = team;
    }
    *to = i + 1;
}

int sheaf_prif_images_of_number(const char *statement, int64_t number)
{
    const struct sheaf_images *initial = sheaf_current;
    while (initial->parent)
        initial = initial->parent;
    int images = number == initial->number ? initial->images : sheaf_images_of_sibling(number);
    if (images == 0)
        sheaf_outcome_refuse(statement, "TEAM_NUMBER is %ld: no team formed with the current one has it",
                     (long)number);
    return images;
}

PRIF_BODY num_images_with_team_number(const int64_t *number, int *images)
{
    SHEAF_STATEMENT("NUM_IMAGES");
    *images = sheaf_prif_images_of_number("NUM_IMAGES", *number);
}

PRIF(num_images_with_team_number)(const int64_t *number, int *images)
{
    num_images_with_team_number(number, images);
}

PRIF_FLANG(num_images_with_team_number)(const int64_t *number, int *images)
{
    num_images_with_team_number(number, images);
}

PRIF(num_images)(int *images)
{
    *images = sheaf_current->images;
}

PRIF_FLANG(num_images)(int *images)
{
    *images = sheaf_current->images;
}

/* A procedure of a team alone, by an address and by flang's descriptor. */
#define OF_TEAM(NAME, TYPE, STATEMENT, MEMBER)                                                     \
    PRIF(NAME)(const int64_t *team, TYPE *result)                                                  \
    {                                                                                              \
        SHEAF_STATEMENT(STATEMENT);                                                                \
        *result = sheaf_prif_team(STATEMENT, team)->MEMBER;                                        \
    }                                                                                              \
    PRIF_FLANG(NAME)(const struct prif_array *team, TYPE *result)                                  \
    {                                                                                              \
        SHEAF_STATEMENT(STATEMENT);                                                                \
        *result = sheaf_prif_team(STATEMENT, value_of(team))->MEMBER;                              \
    }
OF_TEAM(num_images_with_team, int, "NUM_IMAGES", images)
OF_TEAM(this_image_no_coarray, int, "THIS_IMAGE", image)
OF_TEAM(team_number, int64_t, "TEAM_NUMBER", number)

PRIF_BODY get_team(const int *level, int64_t *team)
{
    SHEAF_STATEMENT("GET_TEAM");
    struct sheaf_images *asked = sheaf_current;
    if (level && (*level < PARENT || *level > CURRENT))
        sheaf_outcome_refuse("GET_TEAM", "LEVEL is %d: expected INITIAL_TEAM, PARENT_TEAM or CURRENT_TEAM",
                     *level);
    while (level && *level != CURRENT && asked->parent) {
        asked = asked->parent;
        if (*level == PARENT)
            break;
    }
    give_team("GET_TEAM", team, asked);
}

PRIF_BODY form_team(const int64_t *number, int64_t *team, const int *index, PRIF_REPLY)
{
    PRIF_STATEMENT("FORM TEAM");
    sheaf_outcome_good(outcome);
    if (index && *index < 1)
        sheaf_outcome_refuse("FORM TEAM", "NEW_INDEX is %d: expected 1 or more", *index);
    give_team("FORM TEAM", team, sheaf_team_form(*number, index ? *index : 0));
}

PRIF_BODY change_team(const int64_t *team, PRIF_REPLY)
{
    PRIF_STATEMENT("CHANGE TEAM");
    sheaf_outcome_good(outcome);
    sheaf_team_change(sheaf_prif_team("CHANGE TEAM", team));
}

PRIF_BODY sync_team(const int64_t *team, PRIF_REPLY)
{
    PRIF_STATEMENT("SYNC TEAM");
    sheaf_outcome_good(outcome);
    sheaf_sync_team(sheaf_prif_team("SYNC TEAM", team));
}

PRIF(get_team)(const int *level, int64_t *team)
{
    get_team(level, team);
}

PRIF_FLANG(get_team)(const int *level, struct prif_array *team)
{
    get_team(level, value_of(team));
}

PRIF(form_team)(const int64_t *number, int64_t *team, const int *index, PRIF_REPLY)
{
    form_team(number, team, index, stat, errmsg, errmsg_alloc);
}

PRIF_FLANG(form_team)(const int64_t *number, struct prif_array *team, const int *index, PRIF_REPLY)
{
    PRIF_OF_FLANG;
    form_team(number, value_of(team), index, stat, errmsg, errmsg_alloc);
}

#define WITH_TEAM(NAME)                                                                            \
    PRIF(NAME)(const int64_t *team, PRIF_REPLY)                                                    \
    {                                                                                              \
        NAME(team, stat, errmsg, errmsg_alloc);                                                    \
    }                                                                                              \
    PRIF_FLANG(NAME)(const struct prif_array *team, PRIF_REPLY)                                    \
    {                                                                                              \
        PRIF_OF_FLANG;                                                                             \
        NAME(value_of(team), stat, errmsg, errmsg_alloc);                                          \
    }
WITH_TEAM(change_team)
WITH_TEAM(sync_team)

int sheaf_prif_image_status(const int *image, const int64_t *team)
{
    return sheaf_prif_stat(sheaf_sync_status(
        sheaf_images_pe_of("IMAGE_STATUS", sheaf_prif_team("IMAGE_STATUS", team), *image)));
}

/* ELEMENTAL, and so not BIND(C) in Fortran: by both compilers' names. */
PRIF_PUBLIC __prif_MOD_prif_image_status(const int *image, const int64_t *team, int *status)
{
    SHEAF_STATEMENT("IMAGE_STATUS");
    *status = sheaf_prif_image_status(image, team);
}

PRIF_FLANG(image_status)(const int *image, const int64_t *team, int *status)
{
    SHEAF_STATEMENT("IMAGE_STATUS");
    *status = sheaf_prif_image_status(image, team);
}

/* A new array of the images of a team that have this status. */
static void list_images(const char *statement, const int64_t *team, int status,
                        struct prif_array *array)
{
    const struct sheaf_images *images = sheaf_prif_team(statement, team);
    int count = 0;
    sheaf_prif_allocate(statement, array, (size_t)images->images * sizeof(int));
    for (int image = 1; image <= images->images; image++)
        if (sheaf_sync_status(images->pes[image - 1]) == status)
            ((int *)(void *)array->base)[count++] = image;
    array->dimensions[0].lower = 1;
    array->dimensions[0].count = count;
    array->dimensions[0].step = sizeof(int);
}

PRIF(failed_images)(const int64_t *team, struct prif_array *images)
{
    SHEAF_STATEMENT("FAILED_IMAGES");
    list_images("FAILED_IMAGES", team, SHEAF_STAT_FAILED, images);
}

PRIF(stopped_images)(const int64_t *team, struct prif_array *images)
{
    SHEAF_STATEMENT("STOPPED_IMAGES");
    list_images("STOPPED_IMAGES", team, SHEAF_STAT_STOPPED, images);
}
