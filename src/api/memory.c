/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Symmetric memory: the public allocation routines.
 */
#include "api/define.h"

#include "core/allocation.h"
#include "core/team/agree.h"
#include "core/team_allocation.h"

#define ALL_HINTS (SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE)

SHEAF_CHAPTER("Memory management")

/* A block of size bytes of the symmetric heap, aligned for any type. Collective over the world:
 * all PEs pass the same size. Ends with a barrier. NULL without a barrier when size is 0; NULL
 * on all PEs when the memory does not suffice.
 * Specification 1.6: shmem_malloc */
SHEAF_ROUTINE(void *, shmem_malloc, (size_t size), {
    SHEAF_CALL(call);
    return sheaf_memory_allocate(size, _Alignof(max_align_t), call);
})

/* Gives a block back. Collective; begins with a barrier. NULL does nothing at all.
 * Specification 1.6: shmem_free */
SHEAF_ROUTINE(void, shmem_free, (void *ptr), {
    SHEAF_CALL(call);
    sheaf_memory_free(ptr, call);
})

/* A block of size bytes with the contents of ptr as far as they fit. NULL as ptr is
 * shmem_malloc, 0 as size is shmem_free. On failure all PEs get NULL and keep the old block.
 * Collective. Specification 1.6: shmem_realloc */
SHEAF_ROUTINE(void *, shmem_realloc, (void *ptr, size_t size), {
    SHEAF_CALL(call);
    return sheaf_memory_resize(ptr, size, call);
})

/* As shmem_malloc with an alignment in bytes: any power of two up to the heap's size. NULL on all PEs
 * where it is none.
 * Specification 1.6: shmem_align */
SHEAF_ROUTINE(void *, shmem_align, (size_t alignment, size_t size), {
    SHEAF_CALL(call);
    return sheaf_memory_allocate(size, alignment, call);
})

/* As shmem_malloc; hints says how the block will be used: 0, or SHMEM_MALLOC_ATOMICS_REMOTE and
 * SHMEM_MALLOC_SIGNAL_REMOTE joined by |.
 * Specification 1.6: shmem_malloc_with_hints */
SHEAF_ROUTINE(void *, shmem_malloc_with_hints, (size_t size, long hints), {
    SHEAF_CALL(call);
    if (hints & ~ALL_HINTS)
        sheaf_debug("%s: hints has unknown bits: 0x%lx", call, (unsigned long)hints);
    if (hints & SHMEM_MALLOC_ATOMICS_REMOTE)
        return sheaf_memory_allocate_for_atomics(size, call);
    return sheaf_memory_allocate(size, _Alignof(max_align_t), call);
})

/* A zeroed block of count elements of size bytes. NULL without a barrier when either is 0.
 * Collective; ends with a barrier, after which all PEs read zeros.
 * Specification 1.6: shmem_calloc */
SHEAF_ROUTINE(void *, shmem_calloc, (size_t count, size_t size), {
    SHEAF_CALL(call);
    return sheaf_memory_allocate_zeroed(count, size, call);
})

/* A block of size bytes on every member of team, beside the heap. Any call that takes a symmetric
 * address accepts a member's own address of the block, with the number of a member as the PE. There may
 * be any number of blocks, of any teams. The block is not initialized. All members pass the same size.
 * Collective over team; ends with a barrier. NULL without a barrier when size is 0; NULL on all members
 * when the memory does not suffice. See docs/do/team-memory.md. */
SHEAF_EXTENSION(void *, team_malloc, (shmem_team_t team, size_t size), {
    SHEAF_CALL(call);
    return sheaf_team_memory_allocate(sheaf_team_require(team, call), size, false, call);
})

/* The same for count elements of size bytes, which all members read as zero. */
SHEAF_EXTENSION(void *, team_calloc, (shmem_team_t team, size_t count, size_t size), {
    size_t bytes;
    SHEAF_CALL(call);
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    return sheaf_team_memory_allocate(sheaf_team_require(team, call), bytes, true, call);
})

/* Frees a block that team, or another team of the same PEs in the same order, has allocated, and gives
 * its memory back to the system. Collective over team; begins with a barrier. NULL does nothing. */
SHEAF_EXTENSION(void, team_free, (shmem_team_t team, void *ptr), {
    SHEAF_CALL(call);
    sheaf_team_memory_free(sheaf_team_require(team, call), ptr, call);
})
