/* SPDX-License-Identifier: BSD-3-Clause
 * See job.h.
 */
#include "core/pe/job.h"

#include "base/atomic.h"
#include "base/log.h"
#include "base/os/os.h"
#include "image/image.h"

struct sheaf_job sheaf_job = {.npes = 1, .thread_level = -1, .prepared_level = -1};

int sheaf_job_cpus(void)
{
    return sheaf_job.control ? sheaf_job.control->usable_cpus : sheaf_os_usable_cpus();
}

void sheaf_job_require(const char *call)
{
    if (sheaf_likely(sheaf_job_is_initialized()))
        return;
    if (sheaf_image.is_forked)
        sheaf_fatal("SH113 %s was called in a child that a PE forked: a child is no PE", call);
    if (sheaf_job.prepared_level >= 0)
        sheaf_fatal("SH127 %s was called before shmemx_heap_postinit", call);
    sheaf_fatal(sheaf_job.thread_level < 0 ? "SH110 %s was called before shmem_init"
                                           : "SH110 %s was called after shmem_finalize", call);
}

void sheaf_job_require_preinit(const char *call)
{
    if (__atomic_load_n(&sheaf_job.prepared_level, __ATOMIC_ACQUIRE) < 0)
        sheaf_fatal("SH127 %s: call it after shmemx_heap_preinit and before the end of "
                    "shmemx_heap_postinit", call);
}

void sheaf_job_require_place(const char *call)
{
    if (__atomic_load_n(&sheaf_job.prepared_level, __ATOMIC_ACQUIRE) < 0)
        sheaf_job_require(call);
}
