/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job has no name: it is found through the descriptors of its oshrun, which the kernel lets
 * its user alone (and root) see.
 */
#include "why.h"

#include "board.h"
#include "options.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void show(const struct job *job)
{
    struct sheaf_control *control = job->control;
    if (control->nodes == 1)
        printf("oshrun: job of oshrun %d: %d PEs\n", control->launcher_pid, control->npes);
    else
        printf("oshrun: job of %d PEs on %d hosts: the %d of host %.60s\n", control->world_npes,
               control->nodes, control->npes, sheaf_control_node(control, control->node)->host);
    fflush(stdout);
    sheaf_board_print(stdout, job, NULL);
}

/* Another user's process is not ours to read. */
static bool is_mine(int pid)
{
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d", pid);
    return stat(path, &status) == 0 && status.st_uid == geteuid() && pid != getpid();
}

static int show_all(void)
{
    DIR *folder = opendir("/proc");
    int found = 0;
    struct job job;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        int pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
        if (!pid || !is_mine(pid) || sheaf_job_open(&job, pid))
            continue;
        if (job.control->launcher_pid == pid) {
            show(&job);
            found++;
        }
        sheaf_job_close(&job);
    }
    if (folder)
        closedir(folder);
    if (!found)
        sheaf_die(1, "--why: no job of yours is running here");
    return 0;
}

int sheaf_why(int pid)
{
    struct job job;
    if (access("/proc/self", F_OK))
        sheaf_die(1, "--why looks for jobs in /proc, which is not mounted here");
    if (!pid)
        return show_all();
    if (sheaf_job_open(&job, pid))
        sheaf_die(1, "--why %d: no oshrun of yours with that process id", pid);
    show(&job);
    sheaf_job_close(&job);
    return 0;
}
