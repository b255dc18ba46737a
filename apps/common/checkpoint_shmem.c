/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checkpoints by Sheaf's snapshots; other OpenSHMEM libraries have none.
 */
#include "app.h"
#include "checkpoint.h"

#if __has_include(<shmemx.h>)
#include <shmemx.h>
#endif
#if __has_include(<shmemx_ft.h>)
#include <shmemx_ft.h>
#endif

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef SHEAF_SHMEMX_H

int checkpoint_save(const char *folder, const char *tag)
{
    return shmemx_snapshot(SHMEM_TEAM_WORLD, folder, tag) != 0;
}

int checkpoint_restore(bool *restored)
{
    const int result = shmemx_restore(SHMEM_TEAM_WORLD, NULL, NULL);
    *restored = result == 0;
    return result != 0 && result != 1;
}

static _Thread_local sigjmp_buf out; /* not symmetric: a restore leaves it alone */

static void leave(void *unused)
{
    (void)unused;
    siglongjmp(out, 1);
}

/* A PE that has died since its place was asked about is asked for the next time. */
#define TRIES 16

/* Whoever is first asks for each. 0: all are there. */
static int meet(void)
{
    int *dead = malloc((size_t)shmem_n_pes() * sizeof *dead), missed = 1, tries = 0;
    while (dead != NULL && missed != 0 && tries < TRIES) {
        const int count = shmemx_failed_pes(dead);
        for (int i = 0; i < count; i++)
            if (dead[i] != shmem_my_pe())
                shmemx_respawn(dead[i]);
        missed = shmemx_rejoin();
        tries = missed < 0 ? tries + 1 : 0;
    }
    free(dead);
    return missed;
}

/* New processes have nothing of what the others have, and cannot end as they do: the lowest PE that lives
 * ends the job. */
static void give_up(const char *why)
{
    int lowest = 0;
    while (lowest < shmem_my_pe() && shmemx_pe_status(lowest) != SHMEMX_PE_ALIVE)
        lowest++;
    if (lowest < shmem_my_pe())
        sleep(5); /* until it has */
    fprintf(stderr, "PE %d: %s\n", shmem_my_pe(), why);
    shmem_global_exit(1);
}

bool checkpoint_is_new(void)
{
    return shmemx_is_respawned();
}

int checkpoint_survive(const char *folder, const char *tag, int (*work)(void *argument, bool is_back),
                       void *argument)
{
    const bool is_back = sigsetjmp(out, 0) != 0 || shmemx_is_respawned();
    shmemx_on_failure(leave, NULL);
    if (is_back && meet() != 0)
        give_up("no new process can be had for a dead PE: oshrun --spare N");
    if (is_back && shmemx_restore(SHMEM_TEAM_WORLD, folder, tag) != 0)
        give_up("no host has all of the last checkpoint any more");
    return work(argument, is_back);
}

#else
#include "checkpoint_none.c"
#endif
