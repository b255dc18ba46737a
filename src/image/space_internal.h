/* SPDX-License-Identifier: BSD-3-Clause
 * Shared by the files about memory spaces: where one lies (space.c), and its memory.
 */
#ifndef SHEAF_IMAGE_SPACE_INTERNAL_H
#define SHEAF_IMAGE_SPACE_INTERNAL_H

#include "image/space.h"

/* The spaces that sheaf_space_back has made in this process. */
struct sheaf_space_map *sheaf_space_maps(void);

/* back: maps memory over the addresses of this PE's copy and fills fd and file. -1, and why. unback: takes
 * the memory away, also after a failed back. */
int sheaf_space_back(struct sheaf_space_map *map, const struct sheaf_space_wish *wish,
                     struct sheaf_space_reason *why);
void sheaf_space_unback(struct sheaf_space_map *map, bool keep);

/* space_file.c: the same for files of the user's. */
int sheaf_space_map_file(struct sheaf_space_map *map, const struct sheaf_space_wish *wish,
                         struct sheaf_space_reason *why);
void sheaf_space_close_file(struct sheaf_space_map *map, bool keep);
int sheaf_space_open_file(const struct sheaf_space_wish *wish, int rank,
                          const struct sheaf_space_file *file);

/* Opens the file that the PE in slot, the member of this rank, has published: sheaf_image.fd, or a
 * descriptor that the caller closes. -1 and errno. */
int sheaf_space_open(const struct sheaf_space_wish *wish, int slot, int rank,
                     const struct sheaf_space_file *file);

#endif
