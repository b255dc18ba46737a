/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives over teams. Each names its call for the status board, finds the team, and hands
 * bytes to coll/.
 */
#include "api/define.h"

#include "coll/coll.h"
#include "core/memory/check.h"
#include "core/team/agree.h"
#include "core/team/sync.h"

/* Broadcast's root must be a member. */
static void check_root(const struct sheaf_team *team, int root, const char *call)
{
    if (sheaf_unlikely(root < 0 || root >= team->size))
        sheaf_fatal("SH101 %s: PE_root is %d; the team has PEs 0 to %d", call, root, team->size - 1);
}

SHEAF_CHAPTER("Collectives over teams")

/* Waits for all PEs, and completes all operations of the default context.
 * Specification 1.6: shmem_barrier_all */
SHEAF_ROUTINE(void, shmem_barrier_all, (void), {
    SHEAF_CALL(call);
    struct sheaf_team *world = sheaf_team_require(SHMEM_TEAM_WORLD, call);
    sheaf_quiet_before_sync();
    sheaf_sync_called(world);
})

/* Waits for all PEs; completes their stores alone.
 * Specification 1.6: shmem_sync_all */
SHEAF_ROUTINE(void, shmem_sync_all, (void), {
    SHEAF_CALL(call);
    sheaf_sync_called(sheaf_team_require(SHMEM_TEAM_WORLD, call));
})

/* Waits for all PEs of team; completes their stores alone. Returns 0.
 * Specification 1.6: shmem_sync */
SHEAF_ROUTINE(int, shmem_team_sync, (shmem_team_t team), {
    SHEAF_CALL(call);
    sheaf_sync_called(sheaf_team_require(team, call));
    return 0;
})

/* Block k of source, nelems elements, becomes block my-number of dest on PE k of team. dest and
 * source are symmetric, each as long as the team's size times nelems. Returns 0; dest is
 * complete then and source may be reused.
 * Specification 1.6: shmem_alltoall */
#define ALLTOALL(NAME, TYPE)                                                                       \
    SHEAF_ROUTINE(int, shmem_##NAME##_alltoall,                                                    \
                  (shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems), {            \
        SHEAF_CALL(call);                                                                          \
        return sheaf_alltoall(sheaf_team_require(team, call), dest, source,                        \
                              sheaf_check_bytes(nelems, sizeof(TYPE), call));                      \
    })
SHEAF_FAMILY(ALLTOALL, RMA)

/* The same; nelems counts bytes.
 * Specification 1.6: shmem_alltoall */
SHEAF_ROUTINE(int, shmem_alltoallmem,
              (shmem_team_t team, void *dest, const void *source, size_t nelems), {
    SHEAF_CALL(call);
    return sheaf_alltoall(sheaf_team_require(team, call), dest, source, sheaf_check_bytes(nelems, 1, call));
})

/* As shmem_alltoall, with elements dst apart in dest and sst apart in source: block k begins at
 * element k * nelems * stride. Strides count elements and are at least 1.
 * Specification 1.6: shmem_alltoalls */
#define ALLTOALLS(NAME, TYPE)                                                                      \
    SHEAF_ROUTINE(int, shmem_##NAME##_alltoalls,                                                   \
                  (shmem_team_t team, TYPE *dest, const TYPE *source, ptrdiff_t dst,               \
                   ptrdiff_t sst, size_t nelems), {                                                \
        SHEAF_CALL(call);                                                                          \
        return sheaf_alltoalls(sheaf_team_require(team, call), dest, source, dst, sst, nelems,     \
                               sizeof(TYPE));                                                      \
    })
SHEAF_FAMILY(ALLTOALLS, RMA)

/* The same; elements are bytes.
 * Specification 1.6: shmem_alltoalls */
SHEAF_ROUTINE(int, shmem_alltoallsmem,
              (shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
               size_t nelems), {
    SHEAF_CALL(call);
    return sheaf_alltoalls(sheaf_team_require(team, call), dest, source, dst, sst, nelems, 1);
})

/* Copies nelems elements of source on PE PE_root of team to dest on all its PEs, the root too.
 * dest and source are symmetric. Returns 0; dest is complete then and source may be reused.
 * Specification 1.6: shmem_broadcast */
#define BROADCAST(NAME, TYPE)                                                                      \
    SHEAF_ROUTINE(int, shmem_##NAME##_broadcast,                                                   \
                  (shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems,               \
                   int PE_root), {                                                                 \
        SHEAF_CALL(call);                                                                          \
        struct sheaf_team *members = sheaf_team_require(team, call);                               \
        check_root(members, PE_root, call);                                                        \
        return sheaf_broadcast(members, dest, source,                                              \
            sheaf_check_bytes(nelems, sizeof(TYPE), call), PE_root, true);                         \
    })
SHEAF_FAMILY(BROADCAST, RMA)

/* The same; nelems counts bytes.
 * Specification 1.6: shmem_broadcast */
SHEAF_ROUTINE(int, shmem_broadcastmem,
              (shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root), {
    SHEAF_CALL(call);
    struct sheaf_team *members = sheaf_team_require(team, call);
    check_root(members, PE_root, call);
    return sheaf_broadcast(members, dest, source, sheaf_check_bytes(nelems, 1, call), PE_root, true);
})

/* Joins the nelems elements of source of all PEs of team, in their order, in dest on each.
 * nelems may differ between PEs and be 0. dest and source are symmetric. Returns 0; dest is
 * complete then and source may be reused.
 * Specification 1.6: shmem_collect */
#define COLLECT(NAME, TYPE)                                                                        \
    SHEAF_ROUTINE(int, shmem_##NAME##_collect,                                                     \
                  (shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems), {            \
        SHEAF_CALL(call);                                                                          \
        return sheaf_collect(sheaf_team_require(team, call), dest, source,                         \
                             sheaf_check_bytes(nelems, sizeof(TYPE), call));                       \
    })
SHEAF_FAMILY(COLLECT, RMA)

/* The same; nelems counts bytes.
 * Specification 1.6: shmem_collect */
SHEAF_ROUTINE(int, shmem_collectmem,
              (shmem_team_t team, void *dest, const void *source, size_t nelems), {
    SHEAF_CALL(call);
    return sheaf_collect(sheaf_team_require(team, call), dest, source, sheaf_check_bytes(nelems, 1, call));
})

/* As shmem_collect, with the same nelems on all PEs.
 * Specification 1.6: shmem_collect */
#define FCOLLECT(NAME, TYPE)                                                                       \
    SHEAF_ROUTINE(int, shmem_##NAME##_fcollect,                                                    \
                  (shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems), {            \
        SHEAF_CALL(call);                                                                          \
        return sheaf_fcollect(sheaf_team_require(team, call), dest, source,                        \
                              sheaf_check_bytes(nelems, sizeof(TYPE), call));                      \
    })
SHEAF_FAMILY(FCOLLECT, RMA)

/* The same; nelems counts bytes.
 * Specification 1.6: shmem_collect */
SHEAF_ROUTINE(int, shmem_fcollectmem,
              (shmem_team_t team, void *dest, const void *source, size_t nelems), {
    SHEAF_CALL(call);
    return sheaf_fcollect(sheaf_team_require(team, call), dest, source, sheaf_check_bytes(nelems, 1, call));
})
