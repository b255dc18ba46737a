/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job has no name: it is found through the descriptors of its oshrun, which the kernel lets
 * its user alone (and root) see.
 */
#include "why.h"

#include "board.h"
#include "options.h"
#include "stacks.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void print_head(const struct sheaf_control *control)
{
    if (control->nodes == 1)
        printf("oshrun: job of oshrun %d: %d PEs\n", control->launcher_pid, control->npes);
    else
        printf("oshrun: job of %d PEs on %d hosts: the %d of host %.60s\n", control->world_npes,
               control->nodes, control->npes,
               sheaf_control_node((struct sheaf_control *)control, control->node)->host);
}

static void show(const struct job *job, const struct options *options)
{
    struct sheaf_report report;
    sheaf_board_take(&report, job, NULL);
    if (options->json) {
        sheaf_report_print_json(&report, stdout);
    } else {
        print_head(job->control);
        sheaf_report_print(&report, stdout);
    }
    if (options->stacks)
        sheaf_stacks_print(&report, stdout);
    sheaf_report_free(&report);
}

/* Another user's process is not ours to read. */
static bool is_mine(int pid)
{
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d", pid);
    return stat(path, &status) == 0 && status.st_uid == geteuid() && pid != getpid();
}

static int show_all(const struct options *options)
{
    DIR *folder = opendir("/proc");
    int found = 0;
    struct job job;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        int pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
        if (!pid || !is_mine(pid) || sheaf_job_open(&job, pid))
            continue;
        if (job.control->launcher_pid == pid) {
            show(&job, options);
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

/* A PE that is apart has a file of its own, and what it waits for stands in oshrun's. */
static void go_to_launcher(struct job *job, int pid)
{
    struct job whole;
    int launcher = job->control->launcher_pid;
    if (launcher == pid || sheaf_job_open(&whole, launcher) != 0)
        return;
    sheaf_job_close(job);
    *job = whole;
}

int sheaf_why(const struct options *options)
{
    int pid = options->why_pid;
    struct job job;
    if (access("/proc/self", F_OK))
        sheaf_die(1, "--why looks for jobs in /proc, which is not mounted here");
    if (!pid)
        return show_all(options);
    if (sheaf_job_open(&job, pid))
        sheaf_die(1, "--why %d: no oshrun of yours with that process id", pid);
    go_to_launcher(&job, pid);
    show(&job, options);
    sheaf_job_close(&job);
    return 0;
}
