/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that ends, or should end, in a way that its exit status and output tell: the first
 * argument says which. exits.py runs it and knows what must come out.
 */
#include "check.h"

#include <string.h>
#include <unistd.h>

static long gate;
static long object;
static long sync_array[SHMEM_BARRIER_SYNC_SIZE];

static void say_at_exit(void)
{
    printf("exit handler ran\n");
}

/* The last PE ends the job; the others are where it says. */
static void global_exit_from(const char *where, int status)
{
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    if (me == n - 1) {
        usleep(50000);
        printf("last words");
        shmem_global_exit(status);
    }
    if (strcmp(where, "barrier") == 0)
        shmem_barrier_all();
    else if (strcmp(where, "wait") == 0)
        shmem_long_wait_until(&gate, SHMEM_CMP_EQ, 1);
    else if (strcmp(where, "sleep") == 0)
        sleep(50);
    else if (strcmp(where, "compute") == 0)
        for (volatile long *p = &gate; *p == 0;)
            ;
    printf("PE %d went on\n", me);
}

static void pe_out_of_range(const char *call, int pe)
{
    long value = 1;
    uint64_t signal = 0;
    if (strcmp(call, "shmem_long_p") == 0)
        shmem_long_p(&object, 1, pe);
    else if (strcmp(call, "shmem_long_g") == 0)
        printf("%ld\n", shmem_long_g(&object, pe));
    else if (strcmp(call, "shmem_putmem") == 0)
        shmem_putmem(&object, &value, sizeof value, pe);
    else if (strcmp(call, "shmem_long_get_nbi") == 0)
        shmem_long_get_nbi(&value, &object, 1, pe);
    else if (strcmp(call, "shmem_long_iput") == 0)
        shmem_long_iput(&object, &value, 1, 1, 1, pe);
    else if (strcmp(call, "shmem_long_atomic_add") == 0)
        shmem_long_atomic_add(&object, 1, pe);
    else if (strcmp(call, "shmem_long_atomic_fetch") == 0)
        printf("%ld\n", shmem_long_atomic_fetch(&object, pe));
    else if (strcmp(call, "shmem_signal_set") == 0)
        shmem_signal_set(&signal, 1, pe);
    printf("went on\n");
}

static void unknown_signal_operation(const char *call, int operation)
{
    uint64_t *signal = shmem_calloc(1, sizeof *signal);
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    if (strcmp(call, "shmem_long_put_signal") == 0)
        shmem_long_put_signal(&object, &gate, 1, signal, 1, operation, 0);
    else if (strcmp(call, "shmem_putmem_signal_nbi") == 0)
        shmem_putmem_signal_nbi(&object, &gate, 1, signal, 1, operation, 0);
    else if (strcmp(call, "shmem_ctx_put32_signal") == 0)
        shmem_ctx_put32_signal(ctx, &object, &gate, 0, signal, 1, operation, 0);
    printf("went on\n");
}

static void team_invalid(const char *call)
{
    if (strcmp(call, "shmem_team_sync") == 0)
        shmem_team_sync(SHMEM_TEAM_INVALID);
    else if (strcmp(call, "shmem_long_sum_reduce") == 0)
        shmem_long_sum_reduce(SHMEM_TEAM_INVALID, &object, &object, 1);
    else if (strcmp(call, "shmem_broadcastmem") == 0)
        shmem_broadcastmem(SHMEM_TEAM_INVALID, &object, &gate, sizeof object, 0);
    printf("went on\n");
}

/* Needs an initialized library, and has none. */
static void call_without_init(const char *call)
{
    int value;
    if (strcmp(call, "shmem_my_pe") == 0)
        printf("%d\n", shmem_my_pe());
    else if (strcmp(call, "shmem_query_thread") == 0)
        shmem_query_thread(&value);
    else if (strcmp(call, "shmem_barrier_all") == 0)
        shmem_barrier_all();
    else if (strcmp(call, "shmem_malloc") == 0)
        printf("%p\n", shmem_malloc(8));
    else if (strcmp(call, "shmem_finalize") == 0)
        shmem_finalize();
    else if (strcmp(call, "shmem_barrier") == 0)
        shmem_barrier(0, 0, 1, sync_array);
    printf("went on\n");
}

/* All of the heap that SHMEM_SYMMETRIC_SIZE promises must be there, in one block. */
static void heap_holds(const char *bytes)
{
    int provided;
    const int status = shmem_init_thread(SHMEM_THREAD_SINGLE, &provided);
    if (status != 0) {
        printf("init_thread: failed\n");
        exit(3);
    }
    const size_t size = strtoull(bytes, NULL, 10);
    char *block = shmem_malloc(size);
    if (block && size) {
        block[0] = block[size - 1] = 1;
        shmem_char_p(&block[size - 1], 2, (shmem_my_pe() + 1) % shmem_n_pes());
    }
    shmem_barrier_all();
    printf("%s: %s\n", bytes, block ? "allocated" : "null");
    shmem_finalize();
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    const char *argument = argc > 2 ? argv[2] : "";
    const int number = argc > 3 ? atoi(argv[3]) : 0;
    if (strcmp(mode, "heap") == 0) {
        heap_holds(argument);
        return 0;
    }
    if (strcmp(mode, "before-init") == 0)
        call_without_init(argument);
    shmem_init();
    atexit(say_at_exit);
    if (strcmp(mode, "after-finalize") == 0) {
        shmem_finalize();
        call_without_init(argument);
        return 0;
    }
    if (strcmp(mode, "global-exit") == 0)
        global_exit_from(argument, number);
    else if (strcmp(mode, "global-exit-all") == 0)
        shmem_global_exit(40 + shmem_my_pe());
    else if (strcmp(mode, "pe") == 0)
        pe_out_of_range(argument, number);
    else if (strcmp(mode, "sig-op") == 0)
        unknown_signal_operation(argument, number);
    else if (strcmp(mode, "team-invalid") == 0)
        team_invalid(argument);
    return test_finish();
}
