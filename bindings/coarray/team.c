/* SPDX-License-Identifier: BSD-3-Clause
 * See team.h.
 */
#include "team.h"

#include "coarray.h"
#include "combine.h"
#include "counter.h"
#include "outcome.h"
#include "sync.h"

#include <stdlib.h>
#include <string.h>

/* The race checker's, which a program of oshfort --check=races has. */
extern void __tsan_init(void) __attribute__((weak));

static bool is_set(const char *setting)
{
    char first[2] = "";
    return shmemx_tool_read(setting, first, sizeof first) == 0 && *first;
}

void sheaf_start(void)
{
    if (sheaf_current)
        return;
    int is_up, level = sheaf_thread_level;
    shmem_query_initialized(&is_up);
    if (is_up)
        shmem_query_thread(&level);
    else if (shmem_init_thread(sheaf_thread_level, &level) != 0)
        exit(EXIT_FAILURE); /* the library has said why */
    if (level < sheaf_thread_level)
        sheaf_outcome_refuse(
            "start",
            "the program has begun OpenSHMEM with a thread level of %d, and coarrays need %d",
            level, sheaf_thread_level);
    struct sheaf_images *team = sheaf_images_new(NULL, -1, shmem_n_pes());
    team->team = SHMEM_TEAM_WORLD;
    team->image = shmem_my_pe() + 1;
    for (int i = 0; i < team->images; i++)
        team->pes[i] = i;
    sheaf_this_image = team->image;
    shmemx_call_pe("image", team->image);
    sheaf_current = team;
    sheaf_is_observed = is_set("SHEAF_PROFILE") || is_set("SHEAF_TRACE") || __tsan_init;
    sheaf_sync_begin();
    sheaf_combine_begin();
    sheaf_counter_begin();
    sheaf_component_begin();
}

void (*sheaf_before_end)(void);

static bool is_ending; /* with an error, for all images */

void sheaf_leave(void)
{
    if (is_ending)
        return;
    sheaf_sync_stop();
    if (sheaf_before_end)
        sheaf_before_end();
    shmem_finalize();
}

void sheaf_stop(int status)
{
    sheaf_leave();
    exit(status);
}

void sheaf_stop_error(int status)
{
    is_ending = true;
    sheaf_flush_units();
    shmem_global_exit(status);
    abort(); /* it does not return */
}

/* The images of the current team that wish the same number, in the order of the new team, in
 * members; returns how many. */
static int choose_members(const struct sheaf_member *wishes, const struct sheaf_member *mine,
                          int *members)
{
    int count = 0;
    for (int i = 0; i < sheaf_current->images; i++)
        if (wishes[i].number == mine->number)
            members[count++] = i;
    if (mine->index == 0)
        return count;
    int *ordered = malloc((size_t)count * sizeof *ordered);
    if (!ordered)
        sheaf_outcome_refuse("FORM TEAM", "no memory for a team of %d images", count);
    memset(ordered, -1, (size_t)count * sizeof *ordered);
    for (int i = 0; i < count; i++) {
        int64_t index = wishes[members[i]].index;
        if (index < 1 || index > count || ordered[index - 1] >= 0)
            sheaf_outcome_refuse(
                "FORM TEAM",
                "NEW_INDEX is %ld on image %d: expected each of 1 to %d once in team %ld",
                (long)index, members[i] + 1, count, (long)mine->number);
        ordered[index - 1] = members[i];
    }
    memcpy(members, ordered, (size_t)count * sizeof *members);
    free(ordered);
    return count;
}

struct sheaf_images *sheaf_team_form(int64_t number, int index)
{
    size_t images = (size_t)sheaf_current->images;
    struct sheaf_member mine = {number, index}, *wishes = malloc(images * sizeof *wishes);
    int *members = malloc(images * sizeof *members);
    if (!wishes || !members)
        sheaf_outcome_refuse("FORM TEAM", "no memory for the numbers of %zu images", images);
    sheaf_sync_quiet();
    shmemx_team_exchange(sheaf_current->team, &mine, sizeof mine, wishes);
    int count = choose_members(wishes, &mine, members);
    struct sheaf_images *team = sheaf_images_new(sheaf_current, number, count);
    if (shmemx_team_from_pes(sheaf_current->team, members, count, NULL, 0, &team->team) != 0)
        sheaf_outcome_refuse("FORM TEAM", "team %ld of %d images cannot be made", (long)number,
                             count);
    team->image = shmem_team_my_pe(team->team) + 1;
    for (int i = 0; i < count; i++)
        team->pes[i] = sheaf_current->pes[members[i]];
    team->members = wishes;
    free(members);
    return team;
}

void sheaf_team_change(struct sheaf_images *team)
{
    if (!team || team->parent != sheaf_current)
        sheaf_outcome_refuse("CHANGE TEAM", "the team was not formed by the current team");
    sheaf_current = team;
    sheaf_sync_team(team);
}

void sheaf_team_end(void)
{
    struct sheaf_images *team = sheaf_current;
    if (!team->parent)
        sheaf_outcome_refuse("END TEAM", "the current team is the initial one");
    sheaf_sync_team(team);
    sheaf_coarray_free_all(team);
    sheaf_current = team->parent;
}
