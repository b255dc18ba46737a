/* SPDX-License-Identifier: BSD-3-Clause
 *
 * start_pes ignores its argument, does nothing the second time, and needs no finalize: the
 * library finalizes itself when the program exits, once all PEs have come that far. With an
 * argument it mixes with shmem_init and shmem_finalize, which must not finalize twice. It also
 * calls the other names of before 1.2.
 */
#include "check.h"

#include <string.h>
#include <unistd.h>

enum { DELAY_US = 100000 };

static long late, expected_late;

static void argument_is_ignored_and_later_calls_do_nothing(void)
{
    start_pes(-5);
    const int n = _num_pes();
    start_pes(2 * n + 7);
    CHECK_EQ(_num_pes(), n);
    CHECK_EQ(_num_pes(), shmem_n_pes());
    CHECK_EQ(_my_pe(), shmem_my_pe());
}

static void old_memory_names_allocate(void)
{
    const int me = _my_pe();
    const int n = _num_pes();
    long *block = shmalloc(10 * sizeof *block);
    CHECK(block != NULL);
    for (int i = 0; i < 10; i++)
        block[i] = me + i;
    block = shrealloc(block, 1000 * sizeof *block);
    CHECK(block != NULL);
    for (int i = 0; i < 10; i++)
        CHECK_EQ(block[i], me + i);
    shmem_barrier_all();
    shmem_long_p(&block[999], me, (me + 1) % n);
    shmem_barrier_all();
    CHECK_EQ(block[999], (me + n - 1) % n);
    char *aligned = shmemalign(1024, 3);
    CHECK(aligned != NULL);
    CHECK_EQ((uintptr_t)aligned % 1024, 0);
    shfree(aligned);
    shfree(block);
}

/* Registered ahead of the library's own exit handler, so it runs after it: by then PE 0 must have
 * come to its end too. */
static void check_at_exit(void)
{
    if (late != expected_late)
        _exit(TEST_STATUS_FAILED);
}

/* Others have left main by now, but their memory must still be there. */
static void implicit_finalize_waits_for_all(void)
{
    expected_late = _my_pe();
    if (_my_pe() == 0 && _num_pes() > 1) {
        usleep(DELAY_US);
        for (int pe = 1; pe < _num_pes(); pe++) {
            shmem_long_p(&late, pe, pe);
            CHECK_EQ(shmem_long_g(&late, pe), pe);
        }
    }
}

int main(int argc, char **argv)
{
    const char *mix = argc > 1 ? argv[1] : "";
    CHECK_EQ(atexit(check_at_exit), 0);
    if (strcmp(mix, "init-first") == 0)
        shmem_init();
    argument_is_ignored_and_later_calls_do_nothing();
    old_memory_names_allocate();
    if (strcmp(mix, "init-after") == 0) {
        shmem_init();
        shmem_finalize();
        CHECK(test_pe() >= 0);
    } else if (strcmp(mix, "") != 0) {
        shmem_finalize();
        return 0;
    }
    implicit_finalize_waits_for_all();
    return 0;
}
