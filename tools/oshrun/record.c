/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHEAF_RECORD=DIR: when a job fails, or its time is over, what its PEs have written about
 * themselves is kept there, before they are ended. The name is the job's, 64 random bits, and the
 * file must be a new one: nobody can have put a link in its place.
 */
#include "supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int create(const char *folder, const char *name)
{
    mkdir(folder, 0700);
    int place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int fd = place < 0
                 ? -1
                 : openat(place, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (place >= 0)
        close(place);
    return fd;
}

static int keep(struct supervisor *supervisor, const char *folder, const char *name)
{
    struct sheaf_report report;
    int fd = create(folder, name);
    if (fd < 0)
        return -1;
    sheaf_board_take(&report, supervisor->job, supervisor->pes);
    int failed = sheaf_report_write(&report, fd);
    sheaf_report_free(&report);
    return close(fd) || failed ? -1 : 0;
}

void sheaf_record_keep(struct supervisor *supervisor)
{
    char name[48], text[600];
    const char *folder = getenv("SHEAF_RECORD");
    if (!folder || !*folder)
        return;
    snprintf(name, sizeof name, "job-%016llx.sheaf",
             (unsigned long long)supervisor->job->control->job_id);
    if (keep(supervisor, folder, name) != 0)
        snprintf(text, sizeof text, "oshrun: SHEAF_RECORD: cannot write %.300s/%s: %s\n", folder,
                 name, strerror(errno));
    else
        snprintf(text, sizeof text,
                 "oshrun: what the PEs did is in %.300s/%s; oshwhy explains it\n", folder, name);
    if (!supervisor->options->quiet)
        sheaf_output_message(supervisor->output, text);
}
