/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The world of OpenMP: one process.
 */
#include "world.h"

#include <omp.h>

const char app_unit[] = "threads";

int app_rank(void)
{
    return 0;
}

int app_workers(void)
{
    return omp_get_max_threads();
}

void app_barrier(void)
{
}

int app_agree(int mine)
{
    return mine;
}

long app_sum_long(long mine)
{
    return mine;
}

uint64_t app_sum_uint64(uint64_t mine)
{
    return mine;
}

double app_sum_double(double mine)
{
    return mine;
}

double app_max_double(double mine)
{
    return mine;
}
