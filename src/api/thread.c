/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Thread support: initialization with a level, and which level it is.
 */
#include "api/define.h"
#include "api/setup.h"

#include "core/init.h"

SHEAF_CHAPTER("Threads")

/* As shmem_init, for a program whose threads call the library as requested says: one of
 * SHMEM_THREAD_SINGLE, _FUNNELED, _SERIALIZED, _MULTIPLE. *provided is the level in force.
 * Returns 0, or nonzero on failure.
 * Specification 1.6: shmem_init_thread */
SHEAF_ROUTINE(int, shmem_init_thread, (int requested, int *provided), {
    if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE) {
        sheaf_warn("SH112 %s: requested is %d, which is none of the thread levels", call, requested);
        return -1;
    }
    int result = sheaf_job_init(requested, sheaf_setup_prepare);
    if (result == 0)
        *provided = sheaf_job.thread_level;
    return result;
})

/* Sets *provided to the thread level in force.
 * Specification 1.6: shmem_query_thread */
SHEAF_ROUTINE(void, shmem_query_thread, (int *provided), {
    sheaf_job_require(call);
    *provided = sheaf_job.thread_level;
})
