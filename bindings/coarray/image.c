/* SPDX-License-Identifier: BSD-3-Clause
 * See image.h.
 */
#include "image.h"

#include "outcome.h"

#include <stdlib.h>

struct sheaf_images *sheaf_current;

struct sheaf_images *sheaf_images_new(struct sheaf_images *parent, int64_t number, int images)
{
    struct sheaf_images *team = calloc(1, sizeof *team + (size_t)images * sizeof *team->pes);
    if (!team)
        sheaf_outcome_refuse("FORM TEAM", "no memory for a team of %d images", images);
    team->parent = parent;
    team->number = number;
    team->images = images;
    return team;
}

int sheaf_images_pe(const char *statement, int image)
{
    if (image == 0)
        return sheaf_current->pes[sheaf_current->image - 1];
    if (image < 1 || image > sheaf_current->images)
        sheaf_outcome_refuse(statement, "there is no image %d: the current team has images 1 to %d", image,
                     sheaf_current->images);
    return sheaf_current->pes[image - 1];
}

const struct sheaf_images *sheaf_images_at(int distance)
{
    const struct sheaf_images *team = sheaf_current;
    while (distance-- > 0 && team->parent)
        team = team->parent;
    return team;
}

int sheaf_images_of_sibling(int64_t number)
{
    int count = 0;
    if (!sheaf_current->parent)
        return number == sheaf_current->number ? sheaf_current->images : 0;
    for (int i = 0; i < sheaf_current->parent->images; i++)
        count += sheaf_current->numbers[i] == number;
    return count;
}
