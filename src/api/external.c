/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The external heap: initialization in two steps, between which another runtime hands in memory. And
 * the predefined teams as data, for those that look symbols up instead of including a header.
 */
#include "api/define.h"
#include "api/setup.h"

#include "core/init.h"
#include "core/memory/external.h"
#include "core/pe/public_extensions.h"

#include <stdlib.h>

SHEAF_CHAPTER("External heap")

/* The first half of shmem_init: from here on shmem_my_pe and shmem_n_pes tell this PE's place, and
 * nothing else may be called before shmemx_heap_postinit but shmemx_heap_create. On failure the program
 * ends with a line that says why. */
SHEAF_EXTENSION(void, heap_preinit, (void), {
    (void)call;
    if (sheaf_job_preinit(SHMEM_THREAD_SINGLE) != 0)
        exit(EXIT_FAILURE);
})

/* The same for a program whose threads call the library as requested says: one of SHMEM_THREAD_SINGLE,
 * _FUNNELED, _SERIALIZED, _MULTIPLE. *provided is the level that shmemx_heap_postinit brings into force;
 * may be NULL. Returns 0, or nonzero on failure. */
SHEAF_EXTENSION(int, heap_preinit_thread, (int requested, int *provided), {
    if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE) {
        sheaf_warn("SH112 %s: requested is %d, which is none of the thread levels", call, requested);
        return -1;
    }
    int level = sheaf_job_preinit(requested);
    if (level >= 0 && provided)
        *provided = level;
    return level < 0 ? -1 : 0;
})

/* Called between the two halves: size bytes at base are this PE's external heap, memory of device
 * device_index of the runtime device_type (SHMEMX_EXTERNAL_HEAP_ZE, SHMEMX_EXTERNAL_HEAP_CUDA). Not
 * collective; one per PE. It stays the caller's, who frees it after shmem_finalize. It is not symmetric:
 * shmem_ptr and shmem_addr_accessible find nothing there. As a call's own buffer it serves where this
 * processor can read and write it: see docs/do/external-heap.md. */
SHEAF_EXTENSION(void, heap_create, (void *base, size_t size, int device_type, int device_index), {
    sheaf_job_require_preinit(call);
    sheaf_external_create(base, size, device_type, device_index, call);
})

/* The second half of shmem_init: makes the symmetric heap and everything else. Collective. On failure the
 * program ends with a line that says why. shmem_finalize matches the two halves together. */
SHEAF_EXTENSION(void, heap_postinit, (void), {
    sheaf_job_require_preinit(call);
    if (sheaf_job_postinit(sheaf_setup_prepare) != 0)
        exit(EXIT_FAILURE);
})

#ifndef SHEAF_PRINT
/* The names are macros here. Constants: the copy that the linker makes in a program that is not position
 * independent never differs. */
SHEAF_PUBLIC extern const shmem_team_t sheaf_team_world_data __asm__("SHMEM_TEAM_WORLD");
SHEAF_PUBLIC extern const shmem_team_t sheaf_team_shared_data __asm__("SHMEM_TEAM_SHARED");
SHEAF_PUBLIC extern const shmem_team_t sheaf_team_node_data __asm__("SHMEMX_TEAM_NODE");
const shmem_team_t sheaf_team_world_data = SHMEM_TEAM_WORLD;
const shmem_team_t sheaf_team_shared_data = SHMEM_TEAM_SHARED;
const shmem_team_t sheaf_team_node_data = SHMEMX_TEAM_NODE;
#endif
