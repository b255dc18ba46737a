/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Time of ARMCI's operations from process 0 to process 1, which waits in a barrier: a line for each row, "row bytes
 * microseconds", the median of batches of 5 ms at least. Stores are fenced one by one. Strided calls move 64 runs, which lie
 * in twice their room. Compiled with Sheaf's ARMCI, or with ARMCI-MPI and -DWITH_MPI, which wants MPI_Init. Arguments: the sizes, in bytes, up to LARGEST. */
#include "rows.h"

#include <armci.h>
#include <string.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

enum { RUNS = 64 };
static void *base[2];
static char *buffer;

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

static void row(const char *name, void (*operation)(void))
{
    print_row(name, operation);
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
