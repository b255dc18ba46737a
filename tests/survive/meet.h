/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How all meet after deaths, in programs that replace their dead.
 */
#ifndef SURVIVE_MEET_H
#define SURVIVE_MEET_H

#include <shmem.h>
#include <shmemx_ft.h>

#define MOST_PES 64

/* Whoever is first asks for each. */
static void meet(void)
{
    int dead[MOST_PES];
    do {
        int count = shmemx_failed_pes(dead);
        for (int i = 0; i < count; i++)
            if (dead[i] != shmem_my_pe())
                shmemx_respawn(dead[i]);
    } while (shmemx_rejoin() != 0);
}

#endif
