/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs of processes that nobody has started as PEs: one makes an identifier, and what the program has
 * anyway (MPI, a socket, a file) carries it to the others.
 */
#include "api/define.h"
#include "api/setup.h"

#include "base/log.h"
#include "boot/boot.h"
#include "core/init.h"
#include "core/pe/public_extensions.h"

#ifndef SHEAF_PRINT
static void be_linked(void)
{
    sheaf_boot_id_is_linked = true;
}

/* Before boot/start.c's, which asks. */
__attribute__((used, section(".init_array.00000"))) static void (*const at_load)(void) = be_linked;

_Static_assert(sizeof(shmemx_uniqueid_t) == SHEAF_BOOT_ID, "the text fits");
#endif

SHEAF_CHAPTER("Jobs by an identifier")

/* Makes the identifier of a job in *id, before shmemx_init_uid. The caller must be one of its processes,
 * which find it by the identifier: from here on it listens. The text is printable and without spaces. It
 * holds the job's secret: whoever can read it can join the job. Returns 0, or nonzero after a line that
 * says why. */
SHEAF_EXTENSION(int, get_uniqueid, (shmemx_uniqueid_t *id), {
    if (id == NULL) {
        sheaf_error("SH412 %s: id is NULL", call);
        return -1;
    }
    return sheaf_boot_make_id(id->text, call);
})

/* Brings the library up in place of shmem_init, for size processes that have the same *id: the caller
 * becomes PE number rank. Collective. Other launchers' variables are not looked at. An identifier serves
 * for one job, and a process for one: after shmem_finalize shmem_init begins that job again. Returns 0, or
 * nonzero after a line that says why: an argument is wrong, a process has died before all were
 * connected, or others have not come within SHEAF_RENDEZVOUS_TIMEOUT. */
SHEAF_EXTENSION(int, init_uid, (int rank, int size, const shmemx_uniqueid_t *id), {
    const char *text = id ? id->text : NULL;
    return sheaf_job_init_by_id(rank, size, text, SHMEM_THREAD_SINGLE, sheaf_setup_prepare, call);
})

/* The same for a program whose threads call the library as requested says: one of SHMEM_THREAD_SINGLE,
 * _FUNNELED, _SERIALIZED, _MULTIPLE. *provided is the level that is in force; may be NULL.
 * Returns as shmemx_init_uid does. */
SHEAF_EXTENSION(int, init_uid_thread,
                (int rank, int size, const shmemx_uniqueid_t *id, int requested, int *provided), {
    const char *text = id ? id->text : NULL;
    if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE) {
        sheaf_error("SH112 %s: requested is %d, which is none of the thread levels", call, requested);
        return -1;
    }
    int failed = sheaf_job_init_by_id(rank, size, text, requested, sheaf_setup_prepare, call);
    if (!failed && provided)
        *provided = requested;
    return failed;
})
