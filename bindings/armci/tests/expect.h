/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks of libarmci's test programs: one that fails names its place and ends the job.
 */
#ifndef SHEAF_ARMCI_TEST_EXPECT_H
#define SHEAF_ARMCI_TEST_EXPECT_H

#include <armcix.h>

#include <stdio.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            ARMCI_Error("failed", 1);                                                              \
        }                                                                                          \
    } while (0)

#define CHECK_EQ(actual, expected) CHECK((actual) == (expected))

#endif
