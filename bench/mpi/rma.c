/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI-3's one-sided operations called directly, to compare with: what put.c, get.c and net/stream.c measure,
 * under the same names. The target is passive: MPI_Win_lock_all once, then MPI_Put or MPI_Get, and MPI_Win_flush.
 * Memory is the window's own (MPI_Win_allocate), which is what both libraries are fastest with. With
 * BENCH_WINDOW=create it is memory that the program has (MPI_Win_create), as symmetric memory is for MPI.
 */
#include "mpi_bench.h"

#define MOST   ((size_t)64 << 20)
#define WINDOW 16 /* as in net/stream.c */

static MPI_Win window;

static void puts_of(char *mine, size_t bytes, int target, const char *what, int parts)
{
    struct bench_run run;
    for (bench_begin_alone(&run, what, bytes), run.parts = parts; bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            for (int n = 0; n < parts; n++)
                MPI_Put(mine, (int)bytes, MPI_BYTE, target, 0, (int)bytes, MPI_BYTE, window);
            MPI_Win_flush(target, window);
        }
}

/* A flush for each batch, hundreds of them: where memory is shared each is done when it returns, or could be. */
static void unflushed_puts_of(char *mine, size_t bytes, int target)
{
    struct bench_run run;
    for (bench_begin_alone(&run, "put", bytes); bench_batch(&run);) {
        for (long i = 0; i < run.count; i++)
            MPI_Put(mine, (int)bytes, MPI_BYTE, target, 0, (int)bytes, MPI_BYTE, window);
        MPI_Win_flush(target, window);
    }
}

static int is_one_host(void)
{
    MPI_Comm here;
    int count;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &count);
    MPI_Comm_free(&here);
    return count == bench_pes;
}

static void gets_of(char *mine, size_t bytes, int target, const char *what, int parts)
{
    struct bench_run run;
    for (bench_begin_alone(&run, what, bytes), run.parts = parts; bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            for (int n = 0; n < parts; n++)
                MPI_Get(mine, (int)bytes, MPI_BYTE, target, 0, (int)bytes, MPI_BYTE, window);
            MPI_Win_flush(target, window);
        }
}

/* The first process alone; the second waits in a barrier, where its MPI does what the network leaves to
 * it. */
static void measure(char *mine, int one_host)
{
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
        if (one_host)
            unflushed_puts_of(mine, bytes, 1);
        puts_of(mine, bytes, 1, "put + quiet", 1);
        gets_of(mine, bytes, 1, "get", 1);
        puts_of(mine, bytes, 1, "put, streamed", WINDOW);
        gets_of(mine, bytes, 1, "get, streamed", WINDOW);
    }
}

static void open_window(char **memory)
{
    const char *kind = getenv("BENCH_WINDOW");
    if (!kind || strcmp(kind, "create") != 0) {
        MPI_Win_allocate((MPI_Aint)MOST, 1, MPI_INFO_NULL, MPI_COMM_WORLD, memory, &window);
        return;
    }
    *memory = bench_memory(MOST);
    MPI_Win_create(*memory, (MPI_Aint)MOST, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    if (bench_pes != 2) {
        fprintf(stderr, "bench: rma runs on 2 processes, not on %d\n", bench_pes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    int one_host = is_one_host();
    char *memory, *mine = bench_memory(MOST);
    open_window(&memory);
    memset(memory, 1, MOST); /* not zeros: see bench_memory() */
    bench_barrier();
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    if (bench_me == 0)
        measure(mine, one_host);
    bench_barrier();
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    free(mine);
    bench_end();
}
