/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Images and teams as gfortran 8 to 15 asks for them.
 */
#include "../../sync.h"
#include "../../team.h"
#include "../descriptor.h"
#include "../libcaf.h"

#include <shmemx_ft.h>

int _gfortran_caf_this_image(int distance)
{
    return sheaf_images_at(distance)->image;
}

int _gfortran_caf_num_images(int distance, int failed)
{
    const struct sheaf_images *team = sheaf_images_at(distance);
    int dead = 0;
    for (int i = 0; failed >= 0 && i < team->images; i++)
        dead += shmemx_pe_status(team->pes[i]) != SHMEMX_PE_ALIVE;
    return failed < 0 ? team->images : failed ? dead : team->images - dead;
}

void _gfortran_caf_form_team(int number, void **team, int index)
{
    SHEAF_STATEMENT("FORM TEAM");
    *team = sheaf_team_form(number, index);
}

void _gfortran_caf_change_team(void **team, int unused)
{
    SHEAF_STATEMENT("CHANGE TEAM");
    (void)unused;
    sheaf_team_change(*team);
}

void _gfortran_caf_end_team(void **unused)
{
    SHEAF_STATEMENT("END TEAM");
    (void)unused;
    sheaf_team_end();
}

void _gfortran_caf_sync_team(void **team, int unused)
{
    SHEAF_STATEMENT("SYNC TEAM");
    (void)unused;
    if (!team || !*team)
        sheaf_outcome_refuse("SYNC TEAM", "the team was not formed");
    sheaf_sync_team(*team);
}

void *_gfortran_caf_get_team(int *level)
{
    (void)level;
    return sheaf_current;
}

int _gfortran_caf_team_number(void *team)
{
    const struct sheaf_images *asked = team ? team : sheaf_current;
    return (int)asked->number;
}
