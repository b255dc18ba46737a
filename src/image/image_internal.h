/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of image/ share and nobody else needs.
 */
#ifndef SHEAF_IMAGE_INTERNAL_H
#define SHEAF_IMAGE_INTERNAL_H

#include "image/executable.h"
#include "image/image.h"

#include <sys/types.h>

extern struct sheaf_executable sheaf_executable;

/* Core files show this much of a large data image or heap, and none of the windows. */
#define SHEAF_DUMP_LIMIT ((size_t)64 << 20)

/* Where in sheaf_image.fd an address of the data image lies. */
static inline off_t sheaf_data_offset(const char *address)
{
    return (off_t)(sheaf_image.slot_offset + (uint64_t)(address - sheaf_image.data));
}

/* Calls use(start, length) for each run of pages in the range that hold anything: all of the
 * first file_length bytes, and what is resident after. Returns 0 or the first nonzero result. */
int sheaf_range_each_used(const struct sheaf_range *range,
                          int (*use)(char *start, size_t length, void *context), void *context);

/* Copies whole pages of the image. */
void sheaf_copy_image(void *to, const void *from, size_t length);

/* Heap and data of this slot lie on this PE's NUMA node from here on, where the machine has several, the
 * kernel allows it, and nobody has set a memory policy. */
void sheaf_image_place_on_node(void);

/* Registers the handlers that keep a forked child out of the job's memory. */
int sheaf_image_watch_forks(void);

#endif
