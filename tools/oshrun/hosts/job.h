/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The job's anonymous file, from the launcher's side: made, sized and headed before the first PE
 * starts, read afterwards. Nothing but descriptors leads to it.
 */
#ifndef SHEAF_OSHRUN_JOB_H
#define SHEAF_OSHRUN_JOB_H

#include "image/control.h"

#include <stdbool.h>
#include <stddef.h>

struct job {
    struct sheaf_control *control; /* header and PE entries, mapped */
    size_t length;                 /* of that mapping */
    int fd;                        /* close-on-exec here; the same number in the PEs */
    int parent_pipe;               /* writing end of a pipe that nobody else has */
};

/* Makes the job of npes PEs, which share memory unless they are apart. Ends oshrun with the reason when it
 * cannot. */
void sheaf_job_create(struct job *job, int npes, int usable_cpus, bool is_apart,
                      bool reports_failures, int spares);

#endif
