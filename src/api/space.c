/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory spaces: symmetric memory of a team, of a kind of its own.
 */
#include "api/define.h"

#include "core/pe/public_extensions.h"
#include "core/space.h"
#include "core/team/team.h"

SHEAF_CHAPTER("Memory spaces: extensions")

/* Makes size bytes of symmetric memory on every member of team. kind says what of: "default", the memory
 * that the heap has; "huge", huge pages; "numa:N", pages of NUMA node N; "interleave", of all nodes by
 * turns; "file:PATH", a file PATH.R of the member with rank R, whose content outlives the job;
 * "atomics:network", memory on which the network carries out atomic operations. Addresses in it work in
 * every put, get, atomic operation, collective and in shmem_ptr, between members. All members pass the
 * same kind and size; one creation of a PE at a time. Returns 0 and the handle in *space; or nonzero and
 * SHMEMX_SPACE_INVALID on all members where one of them cannot have it, and that one prints why. Collective
 * over team, which may be destroyed before the space. See docs/do/spaces.md. */
SHEAF_EXTENSION(int, space_create,
                (shmem_team_t team, const char *kind, size_t size, shmemx_space_t *space), {
    SHEAF_CALL(call);
    struct sheaf_team *members = sheaf_team_find(team, call);
    *space = SHMEMX_SPACE_INVALID;
    return sheaf_space_create(members, kind, size, space, call);
})

/* Frees the space; its content is lost, except that of files. Completes the default context's
 * operations; those of other contexts must be complete. Collective over the members, begins with a barrier.
 * SHMEMX_SPACE_INVALID does nothing. shmem_finalize destroys what is left. */
SHEAF_EXTENSION(void, space_destroy, (shmemx_space_t space), {
    SHEAF_CALL(call);
    if (space != SHMEMX_SPACE_INVALID)
        sheaf_space_destroy(sheaf_space_require(space, call), call);
})

/* A block of size bytes of the space, at the same offset on every member; not initialized: in a file it
 * is what an earlier job left there. NULL on all members when there is no room, and without a barrier
 * when size is 0. Collective over the members; ends with a barrier. */
SHEAF_EXTENSION(void *, space_malloc, (shmemx_space_t space, size_t size), {
    SHEAF_CALL(call);
    return sheaf_space_allocate(sheaf_space_require(space, call), size, _Alignof(max_align_t), false, call);
})

/* The same for count elements of size bytes, which all members read as zero. */
SHEAF_EXTENSION(void *, space_calloc, (shmemx_space_t space, size_t count, size_t size), {
    size_t bytes;
    SHEAF_CALL(call);
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    return sheaf_space_allocate(sheaf_space_require(space, call), bytes, _Alignof(max_align_t), true, call);
})

/* As shmemx_space_malloc with an alignment in bytes: any power of two up to the space's size, and 2 MiB at
 * least. */
SHEAF_EXTENSION(void *, space_align, (shmemx_space_t space, size_t alignment, size_t size), {
    SHEAF_CALL(call);
    return sheaf_space_allocate(sheaf_space_require(space, call), size, alignment, false, call);
})

/* Gives a block back. Collective over the members; begins with a barrier. NULL does nothing. shmem_free
 * does the same. */
SHEAF_EXTENSION(void, space_free, (shmemx_space_t space, void *ptr), {
    SHEAF_CALL(call);
    sheaf_space_free(sheaf_space_require(space, call), ptr, call);
})
