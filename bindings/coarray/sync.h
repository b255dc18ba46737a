/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Order between images: SYNC ALL, SYNC IMAGES, SYNC TEAM, SYNC MEMORY, and images that have
 * stopped.
 */
#ifndef SHEAF_COARRAY_SYNC_H
#define SHEAF_COARRAY_SYNC_H

#include "image.h"
#include "outcome.h"

void sheaf_sync_begin(void);

/* Completes this image's accesses to other images. */
void sheaf_sync_quiet(void);
void sheaf_sync_team(struct sheaf_images *team);
/* SYNC ALL: of the current team. */
void sheaf_sync_all(const struct sheaf_outcome *outcome);
/* images: of the current team, each once; count -1: all. site: the place of the program's call. */
void sheaf_sync_images(const struct sheaf_outcome *outcome, int count, const int *images, const void *site);

/* Meets SYNC ALL of images that go on, until all have stopped. */
void sheaf_sync_stop(void);
/* SHEAF_STAT_FAILED, SHEAF_STAT_STOPPED as far as its word has come to this image, or 0. */
int sheaf_sync_status(int pe);

/* Accesses to one image in the order of the statements: before a get from it, and before a put to
 * it. */
void sheaf_sync_before_get(int pe);
void sheaf_sync_before_put(int pe);
/* An atomic operation without a result is under way to it, which the next SYNC statement completes. */
void sheaf_sync_posted(int pe);

#endif
