/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Beginning and end.
 */
#include "internal.h"

static int uses;          /* ARMCI_Init less ARMCI_Finalize */
static bool is_own_shmem; /* ARMCI_Init has called shmem_init */

static int start(const char *call, int requested)
{
    if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE)
        sheaf_armci_refuse(call, "requested is %d, which is no thread level of MPI's four",
                           requested);
    if (uses++ > 0)
        return 0;
    int is_up, provided = SHMEM_THREAD_SINGLE;
    shmem_query_initialized(&is_up);
    is_own_shmem = !is_up;
    if (!is_up && shmem_init_thread(requested, &provided) != 0)
        return 1;
    shmem_query_thread(&provided);
    sheaf_armci.me = shmem_my_pe();
    sheaf_armci.size = shmem_n_pes();
    sheaf_armci.is_threaded = provided == SHMEM_THREAD_MULTIPLE;
    sheaf_armci_groups_init();
    sheaf_armci_order_init();
    sheaf_armci_memory_init();
    sheaf_armci_accumulate_init();
    sheaf_armci_collectives_init();
    sheaf_armci_messages_init();
    sheaf_armci.quick = sheaf_armci.is_spread || sheaf_armci.is_threaded ? 0 : sheaf_armci.size;
    shmem_barrier_all();
    return provided < requested;
}

int PARMCI_Init(void)
{
    WAITS
    return start(CALL, SHMEM_THREAD_SINGLE);
}
TWIN(Init)

int PARMCI_Init_args(int *argc, char ***argv)
{
    WAITS
    (void)argc, (void)argv; /* nothing of theirs is ARMCI's */
    return start(CALL, SHMEM_THREAD_SINGLE);
}
TWIN(Init_args)

int PARMCI_Init_thread(int requested)
{
    WAITS
    return start(CALL, requested);
}
TWIN(Init_thread)

int PARMCI_Init_thread_comm(int requested, armci_comm_t comm)
{
    WAITS
    sheaf_armci_mpi_check_world(CALL, comm);
    return start(CALL, requested);
}
TWIN(Init_thread_comm)

int PARMCI_Init_mpi_comm(armci_comm_t comm)
{
    WAITS
    sheaf_armci_mpi_check_world(CALL, comm);
    return start(CALL, SHMEM_THREAD_SINGLE);
}
TWIN(Init_mpi_comm)

int PARMCI_Initialized(void)
{
    return sheaf_armci.size > 0;
}
TWIN(Initialized)

int PARMCI_Finalize(void)
{
    WAITS
    sheaf_armci_check_up(CALL);
    if (--uses > 0)
        return 0;
    ARMCI_Barrier();
    sheaf_armci_handles_fini();
    sheaf_armci_messages_fini();
    sheaf_armci_collectives_fini();
    sheaf_armci_accumulate_fini();
    sheaf_armci_memory_fini();
    sheaf_armci_order_fini();
    sheaf_armci_groups_fini();
    sheaf_armci.size = 0;
    sheaf_armci.quick = 0;
    if (is_own_shmem)
        shmem_finalize();
    return 0;
}
TWIN(Finalize)

/* For a process that is about to end without the others: nothing outlives its processes. */
void ARMCI_Cleanup(void)
{
}
