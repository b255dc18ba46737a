/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Images and teams as gfortran from version 16 on asks for them.
 */
#include "../../sync.h"
#include "../../team.h"
#include "../descriptor.h"
#include "../libcaf.h"

/* STAT= and ERRMSG=: what cannot be done ends the job. */
static void good(int *stat)
{
    if (stat)
        *stat = 0;
}

int _gfortran_caf_this_image(void *team)
{
    const struct sheaf_images *asked = team ? team : sheaf_current;
    return asked->image;
}

int _gfortran_caf_num_images(void *team, const int32_t *number)
{
    if (number)
        return sheaf_images_of_sibling(*number);
    const struct sheaf_images *asked = team ? team : sheaf_current;
    return asked->images;
}

void _gfortran_caf_form_team(int number, void **team, const int *index, int *stat, char *text,
                             size_t length)
{
    SHEAF_STATEMENT("FORM TEAM");
    (void)text, (void)length;
    *team = sheaf_team_form(number, index ? *index : 0);
    good(stat);
}

void _gfortran_caf_change_team(void *team, int *stat, char *text, size_t length)
{
    SHEAF_STATEMENT("CHANGE TEAM");
    (void)text, (void)length;
    sheaf_team_change(team);
    good(stat);
}

void _gfortran_caf_end_team(int *stat, char *text, size_t length)
{
    SHEAF_STATEMENT("END TEAM");
    (void)text, (void)length;
    sheaf_team_end();
    good(stat);
}

void _gfortran_caf_sync_team(void *team, int *stat, char *text, size_t length)
{
    SHEAF_STATEMENT("SYNC TEAM");
    (void)text, (void)length;
    if (!team)
        sheaf_outcome_refuse("SYNC TEAM", "the team was not formed");
    sheaf_sync_team(team);
    good(stat);
}

/* LEVEL of GET_TEAM: INITIAL_TEAM, PARENT_TEAM and CURRENT_TEAM of ISO_FORTRAN_ENV. */
void *_gfortran_caf_get_team(const int32_t *level)
{
    enum { INITIAL, PARENT, CURRENT };
    struct sheaf_images *team = sheaf_current;
    if (level && *level != CURRENT && team->parent)
        team = team->parent;
    while (level && *level == INITIAL && team->parent)
        team = team->parent;
    return team;
}

int _gfortran_caf_team_number(void *team)
{
    const struct sheaf_images *asked = team ? team : sheaf_current;
    return (int)asked->number;
}
