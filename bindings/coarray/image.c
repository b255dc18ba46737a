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
    return sheaf_images_pe_of(statement, sheaf_current, image ? image : sheaf_current->image);
}

int sheaf_images_pe_of(const char *statement, const struct sheaf_images *team, int image)
{
    if (image < 1 || image > team->images)
        sheaf_outcome_refuse(statement, "there is no image %d: %s team has images 1 to %d", image,
                             team == sheaf_current ? "the current" : "that", team->images);
    return team->pes[image - 1];
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
        count += sheaf_current->members[i].number == number;
    return count;
}

int sheaf_images_pe_of_sibling(const char *statement, int64_t number, int image)
{
    int position = 0, images = sheaf_images_of_sibling(number);
    if (image < 1 || image > images)
        sheaf_outcome_refuse(statement, "there is no image %d in team %ld, which has %d images",
                             image, (long)number, images);
    if (!sheaf_current->parent)
        return sheaf_current->pes[image - 1];
    for (int i = 0; i < sheaf_current->parent->images; i++) {
        const struct sheaf_member *member = &sheaf_current->members[i];
        if (member->number != number)
            continue;
        position++;
        if ((member->index ? member->index : position) == image)
            return sheaf_current->parent->pes[i];
    }
    sheaf_outcome_refuse(statement, "team %ld has no image %d", (long)number, image);
}
