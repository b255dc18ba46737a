/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What runs before main() writes globals: .preinit_array, constructors with and without priority.
 * Other PEs must see those values once the library is up, and destructors must find theirs.
 */
#include "check.h"

#include <string.h>
#include <unistd.h>

static long from_preinit, from_first, from_default;
static long process;
static long table[5000];
static char *text;
static int finished;

static void write_early(int argc, char **argv, char **envp)
{
    (void)argc, (void)argv, (void)envp;
    from_preinit = 101;
}
__attribute__((section(".preinit_array"), used)) static void (*early)(int, char **,
                                                                      char **) = write_early;

__attribute__((constructor(101))) static void write_first(void)
{
    from_first = from_preinit + 1;
}

__attribute__((constructor)) static void write_default(void)
{
    from_default = from_first + 1;
    process = getpid();
    text = strdup("allocated before main");
    for (int i = 0; i < 5000; i++)
        table[i] = (long)i * i;
}

/* After main, and after finalize: wrong values change the exit status, which ends the job. */
__attribute__((destructor)) static void look_back(void)
{
    if (finished && (from_default != 103 || table[4999] != 4999L * 4999))
        _exit(9);
}

int main(void)
{
    CHECK_EQ(from_default, 103);
    shmem_init();
    int npes = shmem_n_pes();
    static long of_next;
    long copy[5000];
    CHECK_EQ(process, getpid());
    CHECK(strcmp(text, "allocated before main") == 0);
    shmem_long_p(&of_next, process, (shmem_my_pe() + npes - 1) % npes);
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++) {
        CHECK_EQ(shmem_long_g(&from_preinit, pe), 101);
        CHECK_EQ(shmem_long_g(&from_first, pe), 102);
        CHECK_EQ(shmem_long_g(&from_default, pe), 103);
        shmem_long_get(copy, table, 5000, pe);
        for (int i = 0; i < 5000; i++)
            CHECK_EQ(copy[i], (long)i * i);
    }
    CHECK_EQ(shmem_long_g(&process, (shmem_my_pe() + 1) % npes), of_next);
    /* Processes of two hosts may have the same number. */
    CHECK(npes == 1 || !test_is_near((shmem_my_pe() + 1) % npes) || of_next != process);
    finished = 1;
    return test_finish();
}
