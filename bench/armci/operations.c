/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Time of ARMCI's operations from process 0 to process 1, which waits in a barrier: a line for each row, "row bytes
 * microseconds", the median of batches of 5 ms at least. Stores are fenced one by one. Strided calls move 64 runs, which lie
 * in twice their room. Compiled with Sheaf's ARMCI, or with ARMCI-MPI and -DWITH_MPI, which wants MPI_Init. Arguments: the sizes, in bytes, up to LARGEST. */
#include <armci.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

enum { RUNS = 64, LARGEST = 4 << 20, BATCHES = 9 };
static void *base[2];
static char *buffer;
static int bytes; /* of the row that is measured */

static void put(void) { ARMCI_Put(buffer, base[1], bytes, 1), ARMCI_Fence(1); }
static void put_unfenced(void) { ARMCI_Put(buffer, base[1], bytes, 1); }
static void get(void) { ARMCI_Get(base[1], buffer, bytes, 1); }

static void accumulate(int type, void *scale)
{
    ARMCI_Acc(type, scale, buffer, base[1], bytes, 1);
    ARMCI_Fence(1);
}
static void accumulate_doubles(void) { accumulate(ARMCI_ACC_DBL, &(double){1}); }
static void accumulate_longs(void) { accumulate(ARMCI_ACC_LNG, &(long){1}); }

static void fetch_add(void)
{
    long before;
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &before, base[1], 1, 1);
}

static void strided_put(void)
{
    int run = bytes / RUNS, apart = 2 * run;
    ARMCI_PutS(buffer, &apart, base[1], &apart, (int[]){run, RUNS}, 1, 1);
    ARMCI_Fence(1);
}
static void strided_get(void)
{
    int run = bytes / RUNS, apart = 2 * run;
    ARMCI_GetS(base[1], &apart, buffer, &apart, (int[]){run, RUNS}, 1, 1);
}
static void strided_accumulate(void)
{
    int run = bytes / RUNS, apart = 2 * run;
    ARMCI_AccS(ARMCI_ACC_DBL, &(double){1}, buffer, &apart, base[1], &apart, (int[]){run, RUNS}, 1, 1);
    ARMCI_Fence(1);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e6 * time.tv_sec + 1e-3 * time.tv_nsec;
}

static double time_of(void (*operation)(void), long count)
{
    double begin = now();
    for (long i = 0; i < count; i++)
        operation();
    return now() - begin;
}

static int compare(const void *a, const void *b)
{
    return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b);
}

static void row(const char *name, void (*operation)(void))
{
    double took[BATCHES];
    long count = 1;
    while (time_of(operation, count) < 5000)
        count *= 2;
    for (int i = 0; i < BATCHES; i++)
        took[i] = time_of(operation, count) / count;
    qsort(took, BATCHES, sizeof *took, compare);
    printf("%s %d %.4f\n", name, bytes, took[BATCHES / 2]);
    fflush(stdout);
    ARMCI_AllFence();
}

int main(int argc, char **argv)
{
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
#endif
    ARMCI_Init();
    ARMCI_Malloc(base, 2L * LARGEST);
    buffer = ARMCI_Malloc_local(2L * LARGEST);
    memset(buffer, 0, 2L * LARGEST);
    memset(base[armci_msg_me()], 0, 2L * LARGEST);
    ARMCI_Barrier();
    for (double begin = now(); armci_msg_me() == 0 && now() - begin < 200e3;) /* connections, and what a library learns */
        bytes = 8, put(), get();
    for (int i = 1; armci_msg_me() == 0 && i < argc && (bytes = atoi(argv[i])) > 0 && bytes <= LARGEST; i++) {
        row("put+fence", put);
        row("put", put_unfenced);
        row("get", get);
        row("accumulate-doubles", accumulate_doubles);
        row("accumulate-longs", accumulate_longs);
        if (bytes >= RUNS * 8) {
            row("strided-put", strided_put);
            row("strided-get", strided_get);
            row("strided-accumulate", strided_accumulate);
        }
    }
    bytes = sizeof(long);
    if (armci_msg_me() == 0) /* last: integers near a read-modify-write are accumulated by atomic operations */
        row("fetch-add", fetch_add);
    ARMCI_Barrier();
    ARMCI_Free_local(buffer);
    ARMCI_Free(base[armci_msg_me()]);
    ARMCI_Finalize();
#ifdef WITH_MPI
    MPI_Finalize();
#endif
}
