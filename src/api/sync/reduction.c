/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions and scans over teams. The operators, by type, are coll's.
 */
#include "api/define.h"

#include "coll/coll.h"
#include "coll/operators.h"
#include "core/team/agree.h"

#define REDUCE(OPERATION, NAME, TYPE)                                                              \
    SHEAF_ROUTINE(int, shmem_##NAME##_##OPERATION##_reduce,                                        \
                  (shmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce), {           \
        SHEAF_CALL(call);                                                                          \
        return sheaf_reduce(sheaf_team_require(team, call), dest, source, nreduce,                 \
                            &SHEAF_OPERATOR(OPERATION, NAME));                                     \
    })

#define SCAN(NAME, TYPE, FORM, EXCLUSIVE)                                                          \
    SHEAF_ROUTINE_1_6(int, NAME##_sum_##FORM,                                                      \
                      (shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems), {        \
        SHEAF_CALL(call);                                                                          \
        return sheaf_scan(sheaf_team_require(team, call), dest, source, nelems,                    \
                          &SHEAF_OPERATOR(sum, NAME), EXCLUSIVE);                                  \
    })

SHEAF_CHAPTER("Reductions and scans over teams")

/* Reductions: element i of dest, nreduce of them, becomes on every PE of team the bitwise and of
 * element i of source on all of them. dest and source are symmetric and may be the same.
 * Returns 0; dest is complete then and source may be reused.
 * Specification 1.6: shmem_reductions */
#define AND_REDUCE(NAME, TYPE) REDUCE(and, NAME, TYPE)
SHEAF_FAMILY(AND_REDUCE, BITWISE)

/* The bitwise or. Specification 1.6: shmem_reductions */
#define OR_REDUCE(NAME, TYPE) REDUCE(or, NAME, TYPE)
SHEAF_FAMILY(OR_REDUCE, BITWISE)

/* The bitwise exclusive or. Specification 1.6: shmem_reductions */
#define XOR_REDUCE(NAME, TYPE) REDUCE(xor, NAME, TYPE)
SHEAF_FAMILY(XOR_REDUCE, BITWISE)

/* The greatest. Specification 1.6: shmem_reductions */
#define MAX_REDUCE(NAME, TYPE) REDUCE(max, NAME, TYPE)
SHEAF_FAMILY(MAX_REDUCE, RMA)

/* The least. Specification 1.6: shmem_reductions */
#define MIN_REDUCE(NAME, TYPE) REDUCE(min, NAME, TYPE)
SHEAF_FAMILY(MIN_REDUCE, RMA)

/* The sum. Specification 1.6: shmem_reductions */
#define SUM_REDUCE(NAME, TYPE) REDUCE(sum, NAME, TYPE)
SHEAF_FAMILY(SUM_REDUCE, SUM)

/* The product. Specification 1.6: shmem_reductions */
#define PROD_REDUCE(NAME, TYPE) REDUCE(prod, NAME, TYPE)
SHEAF_FAMILY(PROD_REDUCE, SUM)

/* Scans: element i of dest becomes the sum of element i of source on PEs 0 to the caller's own
 * number in team. dest and source are symmetric and may be the same. Returns 0; dest is complete
 * then and source may be reused.
 * Specification 1.6: shmem_scan */
#define SUM_INSCAN(NAME, TYPE) SCAN(NAME, TYPE, inscan, false)
SHEAF_FAMILY(SUM_INSCAN, SUM)

/* The same without the caller's own; 0 on PE 0.
 * Specification 1.6: shmem_scan */
#define SUM_EXSCAN(NAME, TYPE) SCAN(NAME, TYPE, exscan, true)
SHEAF_FAMILY(SUM_EXSCAN, SUM)
