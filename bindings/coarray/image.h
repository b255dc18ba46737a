/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Images and teams of images. Image i of the initial team is PE i - 1.
 */
#ifndef SHEAF_COARRAY_IMAGE_H
#define SHEAF_COARRAY_IMAGE_H

#include <shmemx.h>

#include <stdbool.h>
#include <stdint.h>

/* What an image of the parent has given FORM TEAM. */
struct sheaf_member {
    int64_t number;
    int64_t index; /* in the new team; 0: any */
};

/* A team, on one of its images. */
struct sheaf_images {
    struct sheaf_images *parent; /* NULL: the initial team */
    shmem_team_t team;
    int64_t number; /* of FORM TEAM; the initial team's is -1 */
    struct sheaf_member
        *members; /* of that FORM TEAM, by the parent's images; the initial team has none */
    int image, images;
    uint64_t syncs;  /* so far, of this team */
    bool has_failed; /* team is of those that live */
    struct sheaf_coarray
        *coarrays; /* allocated while this was the current team, the latest first */
    int pes[];     /* of the world, by image - 1 */
};

extern struct sheaf_images *sheaf_current; /* team */

/* The PE of an image of the current team, 0 being this image. Another number ends the job with a
 * line that names the statement. */
int sheaf_images_pe(const char *statement, int image);

/* A team without its PEs, which the caller fills in. */
struct sheaf_images *sheaf_images_new(struct sheaf_images *parent, int64_t number, int images);
/* The team that many CHANGE TEAM further out than the current one; the initial one where there are
 * fewer. */
const struct sheaf_images *sheaf_images_at(int distance);
/* How many images the team has that FORM TEAM made with that number beside the current one; 0:
 * none. */
int sheaf_images_of_sibling(int64_t number);
/* The PEs of an image of another team than the current one, as above. */
int sheaf_images_pe_of(const char *statement, const struct sheaf_images *team, int image);
int sheaf_images_pe_of_sibling(const char *statement, int64_t number, int image);

#endif
