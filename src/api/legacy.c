/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of early specifications: the set-up and memory routines of before 1.2, and the cache
 * routines that 1.5 removed, which do nothing where caches are coherent.
 */
#include "api/define.h"
#include "api/setup.h"

#include "core/allocation.h"
#include "core/init.h"

SHEAF_CHAPTER("Deprecated and removed names")

/* shmem_init by its old name, deprecated since 1.2. The argument is ignored, later calls do
 * nothing, and the library finalizes itself, collectively, when the program exits.
 * Specification 1.6: start_pes */
SHEAF_ROUTINE(void, start_pes, (int npes), {
    (void)npes;
    SHEAF_CALL(call);
    sheaf_job_start_pes(sheaf_setup_prepare);
})

/* shmem_my_pe by its old name, deprecated since 1.2.
 * Specification 1.6: shmem_my_pe */
SHEAF_ROUTINE(int, _my_pe, (void), {
    sheaf_job_require(call);
    return sheaf_job.pe;
})

/* shmem_n_pes by its old name, deprecated since 1.2.
 * Specification 1.6: shmem_n_pes */
SHEAF_ROUTINE(int, _num_pes, (void), {
    sheaf_job_require(call);
    return sheaf_job.npes;
})

/* shmem_malloc by its old name, deprecated since 1.2.
 * Specification 1.6: shmem_malloc */
SHEAF_ROUTINE(void *, shmalloc, (size_t size), {
    SHEAF_CALL(call);
    return sheaf_memory_allocate(size, _Alignof(max_align_t), call);
})

/* shmem_free by its old name, deprecated since 1.2.
 * Specification 1.6: shmem_free */
SHEAF_ROUTINE(void, shfree, (void *ptr), {
    SHEAF_CALL(call);
    sheaf_memory_free(ptr, call);
})

/* shmem_realloc by its old name, deprecated since 1.2.
 * Specification 1.6: shmem_realloc */
SHEAF_ROUTINE(void *, shrealloc, (void *ptr, size_t size), {
    SHEAF_CALL(call);
    return sheaf_memory_resize(ptr, size, call);
})

/* shmem_align by its old name, deprecated since 1.2.
 * Specification 1.6: shmem_align */
SHEAF_ROUTINE(void *, shmemalign, (size_t alignment, size_t size), {
    SHEAF_CALL(call);
    return sheaf_memory_allocate(size, alignment, call);
})

/* Cache control: does nothing. Deprecated in 1.3, removed in 1.5.
 * Specification 1.4: shmem_cache */
SHEAF_ROUTINE(void, shmem_set_cache_inv, (void), {
})
SHEAF_ROUTINE(void, shmem_clear_cache_inv, (void), {
})
SHEAF_ROUTINE(void, shmem_set_cache_line_inv, (void *dest), {
    (void)dest;
})
SHEAF_ROUTINE(void, shmem_clear_cache_line_inv, (void *dest), {
    (void)dest;
})
SHEAF_ROUTINE(void, shmem_udcflush, (void), {
})
SHEAF_ROUTINE(void, shmem_udcflush_line, (void *dest), {
    (void)dest;
})
