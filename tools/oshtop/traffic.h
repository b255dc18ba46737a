/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a PE has moved, by the file that its profile is written to (addons/profile/format.h). Without a
 * profile nobody counts the operations within a host: they are a few instructions each.
 */
#ifndef SHEAF_OSHTOP_TRAFFIC_H
#define SHEAF_OSHTOP_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

struct top_count {
    uint64_t operations, bytes;
};

/* The profile that process pid writes as PE pe: a descriptor, or -1. */
int top_traffic_open(int pid, int pe);

/* Its puts, gets and atomic operations so far, on PEs that are near and on others. False: the file
 * is no profile of a PE of so many, and says nothing. */
bool top_traffic_read(int fd, const bool *is_near, int npes, struct top_count *near,
                      struct top_count *far);

#endif
