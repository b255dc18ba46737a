/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same over ARMCI, as Global Arrays calls it.
 */
#include "plain.h"

#include "distributed.h"
#include "task.h"

#include <armci.h>

#include <stdlib.h>
#include <string.h>

static struct {
    int me, processes;
    void **density, **fock, **counter; /* of each process; process 0's counter counts */
    size_t bytes;                      /* of a matrix in each process */
    long elements;                     /* of a block */
    int block;                         /* its bytes */
} all;

static void **allocate(size_t bytes)
{
    void **addresses = calloc((size_t)all.processes, sizeof *addresses);
    if (addresses == NULL || ARMCI_Malloc(addresses, (armci_size_t)bytes) != 0)
        armci_msg_abort(app_fail("not enough memory for %zu bytes of each process", bytes));
    return addresses;
}

static void release(void **addresses)
{
    ARMCI_Free(addresses[all.me]);
    free(addresses);
}

int distributed_create(long blocks, long elements)
{
    all.me = armci_msg_me(), all.processes = armci_msg_nproc(), all.elements = elements;
    all.block = (int)((size_t)elements * sizeof(double));
    all.bytes = (size_t)((blocks + all.processes - 1) / all.processes * elements) * sizeof(double);
    all.density = allocate(all.bytes);
    all.fock = allocate(all.bytes);
    all.counter = allocate(sizeof(long));
    return 0;
}

void distributed_destroy(void)
{
    release(all.counter);
    release(all.fock);
    release(all.density);
}

double *distributed_density(void)
{
    return all.density[all.me];
}

double *distributed_fock(void)
{
    return all.fock[all.me];
}

void distributed_begin(void)
{
    memset(all.fock[all.me], 0, all.bytes);
    *(long *)all.counter[all.me] = 0;
    ARMCI_Barrier();
}

void distributed_settle(void)
{
    ARMCI_Barrier();
}

void distributed_get(long block, double *into)
{
    const int owner = (int)(block % all.processes);
    double *there = (double *)all.density[owner] + block / all.processes * all.elements;
    ARMCI_Get(there, into, all.block, owner);
}

void distributed_add(long block, const double *amounts)
{
    const int owner = (int)(block % all.processes);
    double *there = (double *)all.fock[owner] + block / all.processes * all.elements, scale = 1;
    ARMCI_Acc(ARMCI_ACC_DBL, &scale, (void *)amounts, there, all.block, owner);
}

long distributed_draw(void)
{
    long before;
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &before, all.counter[0], 1, 0);
    return before;
}

int main(int argc, char **argv)
{
    ARMCI_Init();
    const int status = task_run(argc, argv);
    ARMCI_Finalize();
    return status;
}
