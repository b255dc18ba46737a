/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A condition that a process of one PE, or of none (pe -1), ends without: for REQUIRE of harness.h and nothing.h.
 */
#ifndef SHEAF_TEST_ENGINE_REQUIRE_H
#define SHEAF_TEST_ENGINE_REQUIRE_H

#include <stdio.h>
#include <stdlib.h>

#define REQUIRE_OF(pe, condition, ...)                                                             \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                        \
            if ((pe) >= 0)                                                                         \
                fprintf(stderr, "PE %d: ", (pe));                                                  \
            fprintf(stderr, "%s: ", #condition);                                                   \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fprintf(stderr, "\n");                                                                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#endif
