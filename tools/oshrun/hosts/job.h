/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The job's anonymous file, from the launcher's side: created, sized and filled with a header before the
 * first PE starts, and read afterwards. It has no name: only descriptors refer to it.
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
    int parent_pipe;               /* writing end of a pipe, which only oshrun has */
};

/* Makes the job of npes PEs, which share memory unless SHEAF_ONNODE is off (is_apart). Ends oshrun with
 * the reason when it cannot. */
void sheaf_job_create(struct job *job, int npes, int usable_cpus, bool is_apart,
                      bool reports_failures, int spares);

#endif
