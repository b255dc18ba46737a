/* SPDX-License-Identifier: BSD-3-Clause
 * Teams; see prif.h. A TEAM_TYPE of flang has room for a number alone: that of the team in a list.
 */
#include "prif.h"

#include "../sync.h"
#include "../team.h"

#include <stdlib.h>

/* Levels of GET_TEAM, as ISO_FORTRAN_ENV of flang has them. */
enum { CURRENT = -1, INITIAL = -2, PARENT = -3 };

static struct sheaf_images **teams;
static int64_t team_count;

static int64_t *value_of(const char *statement, const struct flang_array *team)
{
    if (!team || !team->base || team->length < sizeof(int64_t))
        sheaf_outcome_refuse(statement, "the argument is no TEAM_TYPE");
    return (int64_t *)(void *)team->base;
}

/* NULL: the current team. */
static struct sheaf_images *team_of(const char *statement, const struct flang_array *team)
{
    if (!team)
        return sheaf_current;
    int64_t value = *value_of(statement, team);
    if (value < 0 || value >= team_count)
        sheaf_outcome_refuse(statement, "the team was not formed");
    return teams[value];
}

static void give_team(const char *statement, struct flang_array *to, struct sheaf_images *team)
{
    int64_t value = 0;
    while (value < team_count && teams[value] != team)
        value++;
    if (value == team_count) {
        struct sheaf_images **more = realloc(teams, (size_t)(team_count + 1) * sizeof(void *));
        if (!more)
            sheaf_outcome_refuse(statement, "no memory for a list of %ld teams", (long)team_count + 1);
        teams = more;
        teams[team_count++] = team;
    }
    *value_of(statement, to) = value;
}

void PRIF(num_images_with_team)(const struct flang_array *team, int *images)
{
    SHEAF_STATEMENT("NUM_IMAGES");
    *images = team_of("NUM_IMAGES", team)->images;
}

void PRIF(num_images_with_team_number)(const int64_t *number, int *images)
{
    SHEAF_STATEMENT("NUM_IMAGES");
    *images = sheaf_images_of_sibling(*number);
    if (*images == 0)
        sheaf_outcome_refuse("NUM_IMAGES", "TEAM_NUMBER is %ld: no team formed with the current one has it",
                     (long)*number);
}

void PRIF(this_image_no_coarray)(const struct flang_array *team, int *image)
{
    *image = team ? team_of("THIS_IMAGE", team)->image : sheaf_current->image;
}

void PRIF(team_number)(const struct flang_array *team, int64_t *number)
{
    *number = team_of("TEAM_NUMBER", team)->number;
}

void PRIF(get_team)(const int *level, struct flang_array *team)
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

void PRIF(form_team)(const int64_t *number, struct flang_array *team, const int *index, PRIF_REPLY)
{
    PRIF_STATEMENT("FORM TEAM");
    sheaf_outcome_good(outcome);
    if (index && *index < 1)
        sheaf_outcome_refuse("FORM TEAM", "NEW_INDEX is %d: expected 1 or more", *index);
    give_team("FORM TEAM", team, sheaf_team_form(*number, index ? *index : 0));
    sheaf_flang_answer(&reply);
}

void PRIF(change_team)(const struct flang_array *team, PRIF_REPLY)
{
    PRIF_STATEMENT("CHANGE TEAM");
    sheaf_outcome_good(outcome);
    sheaf_team_change(team_of("CHANGE TEAM", team));
    sheaf_flang_answer(&reply);
}

void PRIF(end_team)(PRIF_REPLY)
{
    PRIF_STATEMENT("END TEAM");
    sheaf_outcome_good(outcome);
    sheaf_team_end();
    sheaf_flang_answer(&reply);
}

void PRIF(sync_team)(const struct flang_array *team, PRIF_REPLY)
{
    PRIF_STATEMENT("SYNC TEAM");
    sheaf_outcome_good(outcome);
    sheaf_sync_team(team_of("SYNC TEAM", team));
    sheaf_flang_answer(&reply);
}
