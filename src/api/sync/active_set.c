/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives over active sets, deprecated since 1.5. The set becomes a team that is made at its
 * first use and kept; pSync and pWrk are never touched. A call from outside the set does nothing.
 */
#include "api/define.h"

#include "coll/coll.h"
#include "coll/operators.h"
#include "core/memory/check.h"
#include "core/team/listed/active_set.h"
#include "core/team/sync.h"

/* Declares members: the team of the active set in a body's arguments. A PE outside the set returns. */
#define MEMBERS                                                                                    \
    SHEAF_CALL(call);                                                                              \
    (void)pSync;                                                                                   \
    struct sheaf_team *members = sheaf_team_active_set(PE_start, logPE_stride, PE_size, call);     \
    if (members == NULL)                                                                           \
        return

/* Elements of a reduction: the deprecated form counts them in an int. */
static inline size_t count_of(int nreduce, const char *call)
{
    if (sheaf_unlikely(nreduce < 0))
        sheaf_check_count("nreduce", nreduce, call);
    return nreduce > 0 ? (size_t)nreduce : 0;
}

SHEAF_CHAPTER("Collectives over active sets, deprecated since 1.5")

/* Waits for the PE_size PEs PE_start, PE_start + 2^logPE_stride, ... of the world, and completes
 * their operations. pSync: SHMEM_BARRIER_SYNC_SIZE longs, symmetric, set to SHMEM_SYNC_VALUE.
 * Specification 1.6: shmem_barrier */
SHEAF_ROUTINE(void, shmem_barrier, (int PE_start, int logPE_stride, int PE_size, long *pSync), {
    MEMBERS;
    sheaf_quiet_before_sync();
    sheaf_sync_called(members);
})

/* The same, but completes stores alone.
 * Specification 1.6: shmem_sync */
SHEAF_ROUTINE(void, shmem_sync, (int PE_start, int logPE_stride, int PE_size, long *pSync), {
    MEMBERS;
    sheaf_sync_called(members);
})

/* shmem_alltoall over an active set with elements of 32 or 64 bits. pSync:
 * SHMEM_ALLTOALL_SYNC_SIZE longs.
 * Specification 1.6: shmem_alltoall */
#define OLD_ALLTOALL(SIZE, BYTES)                                                                  \
    SHEAF_ROUTINE(void, shmem_alltoall##SIZE,                                                      \
                  (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,  \
                   int PE_size, long *pSync), {                                                    \
        MEMBERS;                                                                                   \
        sheaf_alltoall(members, dest, source,                                                      \
            sheaf_check_bytes(nelems, BYTES, call));                                               \
    })
SHEAF_OLD_SIZES(OLD_ALLTOALL)

/* shmem_alltoalls over an active set with elements of 32 or 64 bits. pSync:
 * SHMEM_ALLTOALLS_SYNC_SIZE longs.
 * Specification 1.6: shmem_alltoalls */
#define OLD_ALLTOALLS(SIZE, BYTES)                                                                 \
    SHEAF_ROUTINE(void, shmem_alltoalls##SIZE,                                                     \
                  (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,    \
                   int PE_start, int logPE_stride, int PE_size, long *pSync), {                    \
        MEMBERS;                                                                                   \
        sheaf_alltoalls(members, dest, source, dst, sst, nelems, BYTES);                           \
    })
SHEAF_OLD_SIZES(OLD_ALLTOALLS)

/* Copies nelems elements of 32 or 64 bits of source on the active set's PE number PE_root to
 * dest on the others; the root's dest stays as it was. pSync: SHMEM_BCAST_SYNC_SIZE longs.
 * Specification 1.6: shmem_broadcast */
#define OLD_BROADCAST(SIZE, BYTES)                                                                 \
    SHEAF_ROUTINE(void, shmem_broadcast##SIZE,                                                     \
                  (void *dest, const void *source, size_t nelems, int PE_root, int PE_start,       \
                   int logPE_stride, int PE_size, long *pSync), {                                  \
        MEMBERS;                                                                                   \
        if (sheaf_unlikely(PE_root < 0 || PE_root >= PE_size))                                     \
            sheaf_fatal("SH101 %s: PE_root is %d; the active set has PEs 0 to %d", call, PE_root,        \
                        PE_size - 1);                                                              \
        sheaf_broadcast(members, dest, source,                                                     \
            sheaf_check_bytes(nelems, BYTES, call), PE_root, false);                               \
    })
SHEAF_OLD_SIZES(OLD_BROADCAST)

/* shmem_collect over an active set with elements of 32 or 64 bits. pSync:
 * SHMEM_COLLECT_SYNC_SIZE longs.
 * Specification 1.6: shmem_collect */
#define OLD_COLLECT(SIZE, BYTES)                                                                   \
    SHEAF_ROUTINE(void, shmem_collect##SIZE,                                                       \
                  (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,  \
                   int PE_size, long *pSync), {                                                    \
        MEMBERS;                                                                                   \
        sheaf_collect(members, dest, source,                                                       \
            sheaf_check_bytes(nelems, BYTES, call));                                               \
    })
SHEAF_OLD_SIZES(OLD_COLLECT)

/* The same with one nelems on all PEs.
 * Specification 1.6: shmem_collect */
#define OLD_FCOLLECT(SIZE, BYTES)                                                                  \
    SHEAF_ROUTINE(void, shmem_fcollect##SIZE,                                                      \
                  (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,  \
                   int PE_size, long *pSync), {                                                    \
        MEMBERS;                                                                                   \
        sheaf_fcollect(members, dest, source,                                                      \
            sheaf_check_bytes(nelems, BYTES, call));                                               \
    })
SHEAF_OLD_SIZES(OLD_FCOLLECT)

#define TO_ALL(OPERATION, NAME, TYPE)                                                              \
    SHEAF_ROUTINE(void, shmem_##NAME##_##OPERATION##_to_all,                                       \
                  (TYPE *dest, const TYPE *source, int nreduce, int PE_start, int logPE_stride,    \
                   int PE_size, TYPE *pWrk, long *pSync), {                                        \
        MEMBERS;                                                                                   \
        (void)pWrk;                                                                                \
        sheaf_reduce(members, dest, source, count_of(nreduce, call),                               \
                     &SHEAF_OPERATOR(OPERATION, NAME));                                            \
    })
#define AND_TO_ALL(NAME, TYPE)  TO_ALL(and, NAME, TYPE)
#define OR_TO_ALL(NAME, TYPE)   TO_ALL(or, NAME, TYPE)
#define XOR_TO_ALL(NAME, TYPE)  TO_ALL(xor, NAME, TYPE)
#define MAX_TO_ALL(NAME, TYPE)  TO_ALL(max, NAME, TYPE)
#define MIN_TO_ALL(NAME, TYPE)  TO_ALL(min, NAME, TYPE)
#define SUM_TO_ALL(NAME, TYPE)  TO_ALL(sum, NAME, TYPE)
#define PROD_TO_ALL(NAME, TYPE) TO_ALL(prod, NAME, TYPE)

/* Reductions over an active set: element i of dest on every PE becomes the combination of
 * element i of source on all. dest may be source. pWrk: the larger of nreduce / 2 + 1 and
 * SHMEM_REDUCE_MIN_WRKDATA_SIZE elements; pSync: SHMEM_REDUCE_SYNC_SIZE longs; all symmetric.
 * Specification 1.6: shmem_reductions */
SHEAF_TYPES_OLD_BITWISE(AND_TO_ALL)
SHEAF_TYPES_OLD_BITWISE(OR_TO_ALL)
SHEAF_TYPES_OLD_BITWISE(XOR_TO_ALL)
SHEAF_TYPES_OLD_ORDERED(MAX_TO_ALL)
SHEAF_TYPES_OLD_ORDERED(MIN_TO_ALL)
SHEAF_TYPES_OLD_SUM(SUM_TO_ALL)
SHEAF_TYPES_OLD_SUM(PROD_TO_ALL)
