/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the solutions share: a check that ends the job with a line.
 */
#ifndef EXERCISES_CHECK_H
#define EXERCISES_CHECK_H

#include <shmem.h>
#include <stdio.h>

#define CHECK(condition)                                                                                \
    do {                                                                                                \
        if (!(condition)) {                                                                             \
            printf("PE %d: line %d does not hold: %s\n", shmem_my_pe(), __LINE__, #condition);          \
            shmem_global_exit(1);                                                                       \
        }                                                                                               \
    } while (0)

#endif
