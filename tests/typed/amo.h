/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One row per TYPENAME of the AMO tables, plain, with a context, and by the deprecated names:
 * each atomic behind a wrapper of one signature, and what it should do to a value. Rows in
 * amo_rows.c, checks in amo.c.
 */
#ifndef TEST_AMO_H
#define TEST_AMO_H

#include "types.h"

#include <shmem.h>

enum amo {
    AMO_FETCH,
    AMO_SET,
    AMO_SWAP,
    AMO_COMPARE_SWAP,
    AMO_FETCH_INC,
    AMO_INC,
    AMO_FETCH_ADD,
    AMO_ADD,
    AMO_FETCH_AND,
    AMO_AND,
    AMO_FETCH_OR,
    AMO_OR,
    AMO_FETCH_XOR,
    AMO_XOR,
    AMO_KINDS
};

/* condition and operand point to one value each; result is written by the fetching ones. */
typedef void amo_call(shmem_ctx_t ctx, void *result, void *object, const void *condition,
                      const void *operand, int pe);

struct amo_row {
    const char *type;
    const char *set;
    bool takes_context;
    amo_call *calls[AMO_KINDS];       /* NULL where the set lacks one */
    amo_call *nonblocking[AMO_KINDS];
    void (*model)(enum amo kind, void *object, const void *condition, const void *operand);
    long long (*number)(const void *value);
};

extern const struct amo_row amo_rows[];
extern const size_t amo_row_count;

extern const char *const amo_names[AMO_KINDS];
bool amo_fetches(enum amo kind);

#endif
