/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The world of ARMCI.
 */
#include "world.h"

#include <armci.h>

const char app_unit[] = "processes";

int app_rank(void)
{
    return armci_msg_me();
}

int app_workers(void)
{
    return armci_msg_nproc();
}

void app_barrier(void)
{
    ARMCI_Barrier();
}

int app_agree(int status)
{
    armci_msg_igop(&status, 1, "max");
    return status;
}

long app_sum_long(long value)
{
    armci_msg_lgop(&value, 1, "+");
    return value;
}

uint64_t app_sum_uint64(uint64_t value)
{
    return (uint64_t)app_sum_long((long)value);
}

double app_sum_double(double value)
{
    armci_msg_dgop(&value, 1, "+");
    return value;
}

double app_max_double(double value)
{
    armci_msg_dgop(&value, 1, "max");
    return value;
}
