/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A Fock matrix over PEs. See README.md.
 */
#include "app.h"

#include "distributed.h"
#include "task.h"

#include <string.h>
#if __has_include(<shmemx.h>)
#include <shmemx.h>
#endif

static struct {
    double *density, *fock; /* symmetric */
    long *counter;          /* symmetric; PE 0's counts */
    size_t most;            /* elements on a PE */
    long elements;          /* of a block */
} all;

int distributed_create(long blocks, long elements)
{
    all.elements = elements;
    all.most = (size_t)((blocks + shmem_n_pes() - 1) / shmem_n_pes() * elements);
    all.density = app_allocate(all.most, sizeof(double), "the density");
    all.fock =
        all.density == NULL ? NULL : app_allocate(all.most, sizeof(double), "the Fock matrix");
    all.counter = all.fock == NULL ? NULL : app_allocate(1, sizeof(long), "a counter");
    if (all.counter != NULL)
        return 0;
    shmem_free(all.fock);
    shmem_free(all.density);
    return 1;
}

void distributed_destroy(void)
{
    shmem_free(all.counter);
    shmem_free(all.fock);
    shmem_free(all.density);
}

double *distributed_density(void)
{
    return all.density;
}

double *distributed_fock(void)
{
    return all.fock;
}

void distributed_begin(void)
{
    memset(all.fock, 0, all.most * sizeof *all.fock);
    *all.counter = 0;
    shmem_barrier_all();
}

void distributed_settle(void)
{
    shmem_barrier_all();
}

void distributed_get(long block, double *into)
{
    const int pe = (int)(block % shmem_n_pes());
    const double *there = all.density + block / shmem_n_pes() * all.elements;
    shmem_double_get(into, there, (size_t)all.elements, pe);
}

#ifdef SHMEMX_MAX_DIMS
static void add(double *dest, const double *amounts, long count, int pe)
{
    shmemx_double_accumulate(dest, amounts, 1, (size_t)count, pe);
}
#else
/* OpenSHMEM itself adds integers alone. */
static void add(double *dest, const double *amounts, long count, int pe)
{
    for (long i = 0; i < count; i++) {
        uint64_t *word = (uint64_t *)(void *)(dest + i), before;
        uint64_t was = shmem_uint64_atomic_fetch(word, pe);
        do {
            double value;
            uint64_t sum;
            memcpy(&value, &was, sizeof value);
            value += amounts[i];
            memcpy(&sum, &value, sizeof sum);
            before = was;
            was = shmem_uint64_atomic_compare_swap(word, before, sum, pe);
        } while (was != before);
    }
}
#endif

void distributed_add(long block, const double *amounts)
{
    const int pe = (int)(block % shmem_n_pes());
    add(all.fock + block / shmem_n_pes() * all.elements, amounts, all.elements, pe);
}

long distributed_draw(void)
{
    return shmem_long_atomic_fetch_inc(all.counter, 0);
}

int main(int argc, char **argv)
{
    shmem_init();
    const int status = task_run(argc, argv);
    shmem_finalize();
    return status;
}
