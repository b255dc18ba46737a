/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same with MPI's one-sided operations, to compare with.
 */
#include "plain.h"

#include "distributed.h"
#include "task.h"

#include <mpi.h>

#include <string.h>

/* MPICH 4.0.2's sums are wrong in windows of 8 or 40 bytes on each of three ranks. */
#define LINE ((size_t)64)

enum { DENSITY, FOCK, COUNTER, WINDOWS };

static struct {
    int ranks;
    MPI_Win windows[WINDOWS];
    void *own[WINDOWS]; /* this rank's part of each */
    size_t bytes;       /* of a matrix on each rank */
    long elements;      /* of a block */
} all;

int distributed_create(long blocks, long elements)
{
    MPI_Comm_size(MPI_COMM_WORLD, &all.ranks);
    all.elements = elements;
    all.bytes = (size_t)((blocks + all.ranks - 1) / all.ranks * elements) * sizeof(double);
    all.bytes = (all.bytes + LINE - 1) / LINE * LINE;
    const size_t bytes[WINDOWS] = {all.bytes, all.bytes, LINE};
    for (int i = 0; i < WINDOWS; i++) { /* a rank without memory ends the job */
        MPI_Win_allocate((MPI_Aint)bytes[i], 1, MPI_INFO_NULL, MPI_COMM_WORLD, &all.own[i],
                         &all.windows[i]);
        MPI_Win_lock_all(0, all.windows[i]);
    }
    return 0;
}

void distributed_destroy(void)
{
    for (int i = WINDOWS - 1; i >= 0; i--) {
        MPI_Win_unlock_all(all.windows[i]);
        MPI_Win_free(&all.windows[i]);
    }
}

double *distributed_density(void)
{
    return all.own[DENSITY];
}

double *distributed_fock(void)
{
    return all.own[FOCK];
}

void distributed_settle(void)
{
    for (int i = 0; i < WINDOWS; i++) {
        MPI_Win_flush_all(all.windows[i]);
        MPI_Win_sync(all.windows[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < WINDOWS; i++)
        MPI_Win_sync(all.windows[i]);
}

void distributed_begin(void)
{
    memset(all.own[FOCK], 0, all.bytes);
    *(long *)all.own[COUNTER] = 0;
    distributed_settle();
}

/* Where a block begins in its owner's part. */
static MPI_Aint offset(long block)
{
    return block / all.ranks * all.elements * (MPI_Aint)sizeof(double);
}

void distributed_get(long block, double *into)
{
    const int owner = (int)(block % all.ranks), count = (int)all.elements;
    MPI_Get(into, count, MPI_DOUBLE, owner, offset(block), count, MPI_DOUBLE, all.windows[DENSITY]);
    MPI_Win_flush_local(owner, all.windows[DENSITY]);
}

void distributed_add(long block, const double *amounts)
{
    const int owner = (int)(block % all.ranks), count = (int)all.elements;
    MPI_Accumulate(amounts, count, MPI_DOUBLE, owner, offset(block), count, MPI_DOUBLE, MPI_SUM,
                   all.windows[FOCK]);
    MPI_Win_flush_local(owner, all.windows[FOCK]);
}

long distributed_draw(void)
{
    const long one = 1;
    long before;
    MPI_Fetch_and_op(&one, &before, MPI_LONG, 0, 0, MPI_SUM, all.windows[COUNTER]);
    MPI_Win_flush(0, all.windows[COUNTER]);
    return before;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int status = task_run(argc, argv);
    MPI_Finalize();
    return status;
}
