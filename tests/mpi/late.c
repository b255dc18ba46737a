/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of MPI alone, one of whose parts uses OpenSHMEM: it loads the library and initializes it when it is used
 * first, from whichever thread that is. Argument: libsheaf.so.
 */
#include <mpi.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MULTIPLE = 3 }; /* SHMEM_THREAD_MULTIPLE */

static struct {
    int (*init_thread)(int requested, int *provided);
    void (*finalize)(void);
    int (*my_pe)(void);
    int (*n_pes)(void);
    void *(*calloc)(size_t count, size_t size);
    void (*free)(void *memory);
    void (*barrier_all)(void);
    void (*p)(long *dest, long value, int pe);
} shmem;
static long *values;
static const char *library;

static void *find(void *handle, const char *name)
{
    void *symbol = dlsym(handle, name);
    if (!symbol) {
        printf("no %s\n", name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return symbol;
}

static void load(void)
{
    int given;
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        printf("%s\n", dlerror());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    *(void **)&shmem.init_thread = find(handle, "shmem_init_thread");
    *(void **)&shmem.finalize = find(handle, "shmem_finalize");
    *(void **)&shmem.my_pe = find(handle, "shmem_my_pe");
    *(void **)&shmem.n_pes = find(handle, "shmem_n_pes");
    *(void **)&shmem.calloc = find(handle, "shmem_calloc");
    *(void **)&shmem.free = find(handle, "shmem_free");
    *(void **)&shmem.barrier_all = find(handle, "shmem_barrier_all");
    *(void **)&shmem.p = find(handle, "shmem_long_p");
    shmem.init_thread(MULTIPLE, &given);
    values = shmem.calloc((size_t)shmem.n_pes(), sizeof *values);
}

/* What the part is for: the sum of all processes' values. */
static long sum_of(long mine)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    long sum = 0;
    pthread_once(&once, load);
    for (int pe = 0; pe < shmem.n_pes(); pe++)
        shmem.p(&values[shmem.my_pe()], mine, pe);
    shmem.barrier_all();
    for (int pe = 0; pe < shmem.n_pes(); pe++)
        sum += values[pe];
    shmem.barrier_all();
    return sum;
}

static void *use(void *rank)
{
    return (void *)sum_of(*(int *)rank);
}

int main(int argc, char **argv)
{
    int rank, size, sum;
    pthread_t thread;
    void *first;
    library = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pthread_create(&thread, NULL, use, &rank);
    pthread_join(thread, &first);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    int is_wrong = (long)first != sum || sum_of(rank + 1) != sum + size || shmem.my_pe() != rank;
    shmem.free(values);
    shmem.finalize();
    MPI_Finalize();
    if (is_wrong)
        printf("rank %d: wrong results\n", rank);
    return is_wrong;
}
