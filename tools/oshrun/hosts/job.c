/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes the job's file: see image/control.h for its layout.
 */
#include "oshrun/hosts/job.h"

#include "base/container.h"
#include "oshrun/command/say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes the pipe that PEs watch, and whose writing end oshrun holds: see boot/end/parent_death.h. */
static int make_parent_pipe(struct sheaf_control *header)
{
    int ends[2];
    struct stat file;
    if (pipe2(ends, O_CLOEXEC) || fstat(ends[1], &file))
        sheaf_die_at_start();
    close(ends[0]);
    header->parent_pipe = ends[1];
    header->parent_pipe_inode = (uint32_t)file.st_ino;
    header->launcher_namespace = sheaf_container_namespace(0);
    return ends[1];
}

void sheaf_job_create(struct job *job, int npes, int usable_cpus, bool is_apart,
                      bool reports_failures, int spares)
{
    struct sheaf_control header;
    if (sheaf_control_plan(&header, npes, npes, 1, UINT64_MAX))
        sheaf_die(1, "no random numbers: %s", strerror(errno));
    header.usable_cpus = usable_cpus;
    header.host_npes = npes;
    header.is_apart = is_apart && npes > 1;
    header.reports_failures = reports_failures;
    header.spares = spares;
    job->parent_pipe = make_parent_pipe(&header);
    job->fd = sheaf_file_create();
    if (job->fd < 0)
        sheaf_die(1, "cannot create the job's memory: %s", strerror(errno));
    if (sheaf_file_set_length(job->fd, header.slots_offset, npes, &header.slot_stride))
        sheaf_die(1, "cannot size the memory of %d PEs: %s%s", npes, strerror(errno),
                  errno == EFBIG ? "; raise the file size limit (ulimit -f)" : "");
    job->length = header.arena_offset;
    job->control = mmap(NULL, job->length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, job->fd, 0);
    if (job->control == MAP_FAILED)
        sheaf_die(1, "cannot map the job's memory: %s", strerror(errno));
    sheaf_control_write(job->control, &header);
    job->control->magic = SHEAF_CONTROL_MAGIC;
}
