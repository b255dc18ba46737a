/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Order, by a mark for each process: what the caller has under way there. A read of a process's
 * memory waits for stores under way to that process, and for no others.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

unsigned char *sheaf_armci_under_way;
static int *progress_word; /* symmetric */

void sheaf_armci_order_init(void)
{
    sheaf_armci_under_way = calloc((size_t)sheaf_armci.size, 1);
    progress_word = shmem_calloc(1, sizeof *progress_word);
    if (!sheaf_armci_under_way || !progress_word)
        sheaf_armci_refuse("ARMCI_Init", "no memory for a byte for each of %d processes",
                           sheaf_armci.size);
}

void sheaf_armci_order_fini(void)
{
    shmem_free(progress_word);
    free(sheaf_armci_under_way);
    sheaf_armci_under_way = NULL;
}

void sheaf_armci_complete(int pe)
{
    if (sheaf_armci_under_way[pe] == 0)
        return;
    if (sheaf_armci.is_spread)
        shmem_pe_quiet(&pe, 1);
    else
        shmem_quiet();
    if (!sheaf_armci.is_threaded)
        sheaf_armci_under_way[pe] = 0;
}

void sheaf_armci_complete_all(void)
{
    shmem_quiet();
    if (!sheaf_armci.is_threaded)
        memset(sheaf_armci_under_way, 0, (size_t)sheaf_armci.size);
}

static __attribute__((noinline)) void fence_slowly(const char *call, int proc, const void *place)
{
    WAITS_WHERE(true, call, place)
    sheaf_armci_check_process(call, proc);
    sheaf_armci_complete(proc);
}

/* On one host a fence waits for nobody. */
void PARMCI_Fence(int proc)
{
    if ((unsigned)proc >= (unsigned)sheaf_armci.quick) {
        fence_slowly(CALL, proc, PLACE);
    } else if (sheaf_armci_under_way[proc] != 0) {
        sheaf_armci_under_way[proc] = 0;
        shmem_quiet();
    }
}
TWIN(Fence)

void PARMCI_AllFence(void)
{
    WAITS
    sheaf_armci_check_up(CALL);
    sheaf_armci_complete_all();
}
TWIN(AllFence)

void PARMCI_Barrier(void)
{
    WAITS
    sheaf_armci_check_up(CALL);
    sheaf_armci_complete_all();
    shmem_sync_all();
}
TWIN(Barrier)

int PARMCI_WaitProc(int proc)
{
    WAITS
    sheaf_armci_check_process(CALL, proc);
    sheaf_armci_complete(proc);
    return 0;
}
TWIN(WaitProc)

int PARMCI_WaitAll(void)
{
    WAITS
    sheaf_armci_check_up(CALL);
    sheaf_armci_complete_all();
    return 0;
}
TWIN(WaitAll)

void parmci_msg_barrier(void)
{
    WAITS
    sheaf_armci_check_up(CALL);
    shmem_sync_all();
}
extern __typeof__(parmci_msg_barrier) armci_msg_barrier
    __attribute__((weak, alias("parmci_msg_barrier")));

void parmci_msg_group_barrier(ARMCI_Group *group)
{
    WAITS
    shmem_team_sync(sheaf_armci_group(CALL, group, true)->team);
}
extern __typeof__(parmci_msg_group_barrier) armci_msg_group_barrier
    __attribute__((weak, alias("parmci_msg_group_barrier")));

/* Every call of OpenSHMEM that looks for another's store carries out what has arrived. */
void ARMCIX_Progress(void)
{
    sheaf_armci_check_up(CALL);
    (void)shmem_int_test(progress_word, SHMEM_CMP_NE, 0);
}
