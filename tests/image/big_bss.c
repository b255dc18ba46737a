/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A static array of GIB GiB (100, where the system starts such a program): costs neither time nor
 * memory, and its far elements can be reached from other PEs.
 */
#include "check.h"

#include <string.h>
#include <sys/resource.h>

#define HUGE_BYTES ((uint64_t)GIB << 30)
#define BOUND_KIB  (100L * 1024) /* far more than any hello needs, far less than the array */

static char huge[HUGE_BYTES];
static long after_it = 99;

static long resident_kib(void)
{
    struct rusage usage;
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
    return usage.ru_maxrss;
}

int main(void)
{
    static const uint64_t places[] = {0, 4095, HUGE_BYTES / 8, HUGE_BYTES / 4 - 3,
                                      HUGE_BYTES / 2 + 54321, HUGE_BYTES - 1};
    enum { PLACES = sizeof places / sizeof *places };
    huge[12345] = 3;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    CHECK_EQ(huge[12345], 3);
    CHECK_EQ(after_it, 99);
    CHECK(resident_kib() < BOUND_KIB);
    for (int i = 0; i < PLACES; i++) {
        CHECK_EQ(shmem_addr_accessible(&huge[places[i]], (me + 1) % npes), 1);
        shmem_char_p(&huge[places[i]], (char)(10 * me + i + 1), (me + 1) % npes);
    }
    shmem_barrier_all();
    for (int i = 0; i < PLACES; i++) {
        CHECK_EQ(huge[places[i]], (char)(10 * ((me + npes - 1) % npes) + i + 1));
        CHECK_EQ(shmem_char_g(&huge[places[i]], me ? 0 : npes - 1),
                 (char)(10 * (((me ? 0 : npes - 1) + npes - 1) % npes) + i + 1));
    }
    char *block = shmem_malloc(1 << 20);
    CHECK(block != NULL);
    shmem_char_p(block, (char)me, (me + 1) % npes);
    shmem_barrier_all();
    CHECK_EQ(*block, (me + npes - 1) % npes);
    CHECK(resident_kib() < BOUND_KIB);
    return test_finish();
}
