/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Set-up, exit and queries: the public routines about a program's place in its job.
 */
#include "api/define.h"
#include "api/setup.h"

#include "core/init.h"
#include "core/memory/symmetric.h"

#include <stdarg.h>
#include <stdlib.h>

SHEAF_CHAPTER("Set-up, exit and queries")

/* Brings the library up. Collective. Calls are counted: the first initializes, each needs its
 * shmem_finalize. On failure the program ends with a line that says why.
 * Specification 1.6: shmem_init */
SHEAF_ROUTINE(void, shmem_init, (void), {
    (void)call;
    if (sheaf_job_init(SHMEM_THREAD_SINGLE, sheaf_setup_prepare) != 0)
        exit(EXIT_FAILURE);
})

/* Takes the library down with the last call that matches an initialization: completes all
 * communication with a barrier, then frees user teams, contexts and the symmetric heap. Earlier
 * calls are a barrier. Collective. The library may be initialized again afterwards. A call after
 * the last one does nothing.
 * Specification 1.6: shmem_finalize */
SHEAF_ROUTINE(void, shmem_finalize, (void), {
    SHEAF_CALL(call);
    sheaf_job_finalize();
})

/* Sets *initialized to 1 between the first initialization and the last finalization, otherwise to 0.
 * May be called at any time, from any thread.
 * Specification 1.6: shmem_query_initialized */
SHEAF_ROUTINE_1_6(void, query_initialized, (int *initialized), {
    *initialized = sheaf_job_is_initialized();
})

/* Ends the whole job; one PE suffices. status becomes the job's exit status; standard streams
 * are flushed. Does not return.
 * Specification 1.6: shmem_global_exit */
SHEAF_NORETURN_ROUTINE(void, shmem_global_exit, (int status), {
    sheaf_job_require(call);
    sheaf_job_exit(status);
})

/* Number of the calling PE in the world, from 0.
 * Specification 1.6: shmem_my_pe */
SHEAF_ROUTINE(int, shmem_my_pe, (void), {
    if (sheaf_unlikely(!sheaf_job_is_initialized()))
        sheaf_job_require_place(call);
    return sheaf_job.pe;
})

/* Number of PEs in the world.
 * Specification 1.6: shmem_n_pes */
SHEAF_ROUTINE(int, shmem_n_pes, (void), {
    if (sheaf_unlikely(!sheaf_job_is_initialized()))
        sheaf_job_require_place(call);
    return sheaf_job.npes;
})

/* 1 when pe is a PE that communication can reach, 0 when it is not.
 * Specification 1.6: shmem_pe_accessible */
SHEAF_ROUTINE(int, shmem_pe_accessible, (int pe), {
    sheaf_job_require(call);
    return pe >= 0 && pe < sheaf_job.npes;
})

/* 1 when addr, a local address, is symmetric and pe's copy can be reached, 0 when it is not.
 * Specification 1.6: shmem_addr_accessible */
SHEAF_ROUTINE(int, shmem_addr_accessible, (const void *addr, int pe), {
    sheaf_job_require(call);
    return pe >= 0 && pe < sheaf_job.npes && sheaf_symmetric_on(addr, pe);
})

/* Address at which loads and stores reach PE pe's copy of the symmetric object dest; NULL when
 * there is none. The result is not a symmetric address.
 * Specification 1.6: shmem_ptr */
SHEAF_ROUTINE(void *, shmem_ptr, (const void *dest, int pe), {
    if (!sheaf_route_is_near(pe))
        sheaf_job_require(call);
    return sheaf_route_pointer(dest, pe);
})

/* The same with a PE number of team; NULL for SHMEM_TEAM_INVALID.
 * Specification 1.6: shmem_team_ptr */
SHEAF_ROUTINE_1_6(void *, team_ptr, (shmem_team_t team, const void *dest, int pe), {
    const struct sheaf_team *members = sheaf_team_find(team, call);
    if (members == NULL || pe < 0 || pe >= members->size)
        return NULL;
    return sheaf_route_pointer(dest, sheaf_team_world_pe(members, pe));
})

/* The address that PE pe has for its own copy of the symmetric object dest: of the heap, of static data,
 * of a memory space or a team's memory. It is to be used on that PE alone. NULL where dest is not
 * symmetric or pe has no copy. For libraries that hand out such addresses, as ARMCI does, or compare
 * them. */
SHEAF_EXTENSION(void *, owner_address, (const void *dest, int pe), {
    sheaf_job_require(call);
    if (pe < 0 || pe >= sheaf_job.npes)
        return NULL;
    return (void *)(uintptr_t)sheaf_symmetric_to_owner(dest, pe);
})

/* The inverse: the caller's own address of the symmetric object that PE pe has at address, which every
 * call that takes a symmetric address accepts. NULL where address is not symmetric. By this call a
 * respawned process learns of the heap's blocks, from pointers in other PEs' memory. */
SHEAF_EXTENSION(void *, local_address, (const void *address, int pe), {
    sheaf_job_require(call);
    return pe < 0 || pe >= sheaf_job.npes ? NULL : sheaf_symmetric_from_owner(address, pe);
})

/* Version of the specification: SHMEM_MAJOR_VERSION and SHMEM_MINOR_VERSION.
 * Specification 1.6: shmem_info_get_version */
SHEAF_ROUTINE(void, shmem_info_get_version, (int *major, int *minor), {
    *major = SHMEM_MAJOR_VERSION;
    *minor = SHMEM_MINOR_VERSION;
})

/* Copies SHMEM_VENDOR_STRING to name, which holds SHMEM_MAX_NAME_LEN bytes.
 * Specification 1.6: shmem_info_get_name */
SHEAF_ROUTINE(void, shmem_info_get_name, (char *name), {
    _Static_assert(sizeof(SHMEM_VENDOR_STRING) <= SHMEM_MAX_NAME_LEN, "the name fits");
    memcpy(name, SHMEM_VENDOR_STRING, sizeof(SHMEM_VENDOR_STRING));
})

/* For profiling tools, which replace it; here it does nothing.
 * Specification 1.6: shmem_pcontrol */
SHEAF_ROUTINE(void, shmem_pcontrol, (int level, ...), {
    (void)level;
})
