/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One function per call of one host's short way, which is called a thousand times, for callgrind to count:
 * see test_short_way.py. One process, so that the counts are the same each time.
 */
#include "expect.h"

#define CALLS 1000

static long local, *there;
static double number = 1, scale = 2;
static long factor = 3;

#define COUNTED(name, statement)                                                                   \
    __attribute__((noinline)) static void count_##name(void)                                       \
    {                                                                                              \
        for (int i = 0; i < CALLS; i++)                                                            \
            statement;                                                                             \
    }

COUNTED(put, ARMCI_Put(&local, there, sizeof local, 0))
COUNTED(fence, (ARMCI_Put(&local, there, sizeof local, 0), ARMCI_Fence(0)))
COUNTED(get, ARMCI_Get(there, &local, sizeof local, 0))
COUNTED(accumulate_double, ARMCI_Acc(ARMCI_ACC_DBL, &scale, &number, there + 1, sizeof number, 0))
COUNTED(accumulate_long, ARMCI_Acc(ARMCI_ACC_LNG, &factor, &factor, there + 2, sizeof factor, 0))
COUNTED(rmw, ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &local, there + 3, 1, 0))

int main(void)
{
    void *base[1];
    ARMCI_Init();
    ARMCI_Malloc(base, 4096);
    there = base[0];
    there[0] = there[1] = there[2] = there[3] = 0;
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &local, there, 0, 0); /* all later ones find the memory marked */
    local = 7;
    count_put();
    CHECK_EQ(there[0], 7);
    count_fence();
    count_get();
    CHECK_EQ(local, 7);
    count_accumulate_double();
    CHECK(*(double *)(void *)(there + 1) == 2.0 * CALLS);
    count_accumulate_long();
    CHECK_EQ(there[2], 9L * CALLS);
    count_rmw();
    CHECK_EQ(there[3], CALLS);
    ARMCI_Free(base[0]);
    ARMCI_Finalize();
    return 0;
}
