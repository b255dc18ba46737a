/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who am I, who else is there. Started by oshrun: the job's file. Alone: a job of one PE.
 */
#ifndef SHEAF_BOOT_BOOT_H
#define SHEAF_BOOT_BOOT_H

#include <stdint.h>

struct sheaf_boot {
    int pe;
    int npes;
    int native; /* started by oshrun: sheaf_image.control is mapped */
};

/* What was found when the library was loaded; valid afterwards. */
extern struct sheaf_boot sheaf_boot;

/* When a launcher that Sheaf cannot talk to started several copies: prints why they stop, and
 * returns -1. Else 0. */
int sheaf_boot_check(void);

#endif
