/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One row per TYPENAME of point-to-point synchronization: each wait and test behind a wrapper
 * of one signature. Rows in wait_rows.c, checks in wait.c.
 */
#ifndef TEST_WAIT_H
#define TEST_WAIT_H

#include "types.h"

#include <shmem.h>

enum wait_kind { WAIT_ALL, WAIT_ANY, WAIT_SOME, TEST_ALL, TEST_ANY, TEST_SOME, WAIT_KINDS };

/* values: one for the scalar forms, count for the vector forms. wait_until_all returns 1. */
typedef size_t wait_call(void *ivars, size_t count, size_t *indices, const int *status, int cmp,
                         const void *values);

struct wait_row {
    const char *type;
    void (*wait_until)(void *ivar, int cmp, const void *value);
    int (*test)(void *ivar, int cmp, const void *value);
    void (*set)(void *ivar, const void *value, int pe);
    bool (*holds)(const void *a, int cmp, const void *b);
    wait_call *scalar[WAIT_KINDS];
    wait_call *vector[WAIT_KINDS];
};

extern const struct wait_row wait_rows[];
extern const size_t wait_row_count;

/* The deprecated waits: return once *ivar is not value. */
struct wait_old_row {
    const char *type;
    void (*wait)(void *ivar, const void *value);
    void (*set)(void *ivar, const void *value, int pe);
};

extern const struct wait_old_row wait_old_rows[];
extern const size_t wait_old_row_count;

#endif
