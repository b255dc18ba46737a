/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job has no name. It is found through the descriptors of its processes, which the kernel shows only to
 * their user and root.
 */
#include "report/internal.h"

#include "base/sanitize.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether count elements from offset on lie in the area. */
static bool is_inside(const struct sheaf_control *header, uint64_t offset, int count, uint64_t size)
{
    uint64_t end = header->arena_offset;
    return count >= 1 && offset <= end && (uint64_t)count <= (end - offset) / size;
}

static bool is_valid(const struct sheaf_control *header, uint64_t file_length)
{
    return header->magic == SHEAF_CONTROL_MAGIC && header->version == SHEAF_CONTROL_VERSION &&
           header->arena_offset <= file_length && header->node >= 0 &&
           header->node < header->nodes &&
           is_inside(header, header->pes_offset, header->npes, sizeof(struct sheaf_pe)) &&
           is_inside(header, header->nodes_offset, header->nodes, sizeof(struct sheaf_node)) &&
           is_inside(header, header->names_offset, 1, SHEAF_CALL_NAMES_ROOM) &&
           (header->nodes == 1 || is_inside(header, header->locations_offset, header->world_npes,
                                            sizeof(struct sheaf_pe_location)));
}

/* Maps fd if it is a job's file; otherwise returns -1. */
static int map_job_file(struct sheaf_report_job *job, int fd)
{
    struct stat status;
    struct sheaf_control header;
    if (fstat(fd, &status) || pread(fd, &header, sizeof header, 0) != sizeof header ||
        !is_valid(&header, (uint64_t)status.st_size))
        return -1;
    void *area =
        mmap(NULL, header.arena_offset, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (area == MAP_FAILED)
        return -1;
    *job = (struct sheaf_report_job){area, header.arena_offset, fd};
    return 0;
}

static bool is_of_sheaf(const char *path)
{
    char target[64];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0)
        return false;
    target[length] = '\0';
    return !strncmp(target, "/memfd:sheaf", 12);
}

static int open_of_process(struct sheaf_report_job *job, int pid)
{
    char folder[32], path[300];
    snprintf(folder, sizeof folder, "/proc/%d/fd", pid);
    DIR *descriptors = opendir(folder);
    int result = -1;
    if (!descriptors)
        return -1;
    for (struct dirent *entry; result && (entry = readdir(descriptors));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (!is_of_sheaf(path))
            continue;
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd >= 0 && (result = map_job_file(job, fd)))
            close(fd);
    }
    closedir(descriptors);
    return result;
}

/* With SHEAF_ONNODE=off a PE has a file of its own, but its board is in oshrun's file. */
int sheaf_report_open_job(struct sheaf_report_job *job, int pid)
{
    struct sheaf_report_job launcher_job;
    if (open_of_process(job, pid))
        return -1;
    int launcher = job->control->launcher_pid;
    if (launcher != pid && open_of_process(&launcher_job, launcher) == 0) {
        sheaf_report_close_job(job);
        *job = launcher_job;
    }
    return 0;
}

void sheaf_report_close_job(struct sheaf_report_job *job)
{
    munmap(job->control, job->length);
    close(job->fd);
}

/* Only this user's processes are looked at. */
static bool is_mine(int pid)
{
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d", pid);
    return stat(path, &status) == 0 && status.st_uid == geteuid() && pid != getpid();
}

/* The next process of this user's, but for this one; 0: there is none. */
static int next_pid(DIR *folder)
{
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        int pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
        if (pid && is_mine(pid))
            return pid;
    }
    return 0;
}

static bool is_same_file(const struct stat *one, const struct stat *other)
{
    return one->st_ino == other->st_ino && one->st_dev == other->st_dev;
}

static bool is_listed(const struct sheaf_report_job *job, const struct sheaf_report_job *jobs, int count)
{
    struct stat file, other;
    for (int i = 0; i < count; i++)
        if (fstat(job->fd, &file) == 0 && fstat(jobs[i].fd, &other) == 0 && is_same_file(&file, &other))
            return true;
    return false;
}

/* A job's file is open in all its processes. The job is counted once: at its launcher, or, where it has
 * none because its PEs are in several containers, at the first process. */
static bool open_once(struct sheaf_report_job *job, int pid, const struct sheaf_report_job *jobs,
                      int count)
{
    if (open_of_process(job, pid))
        return false;
    int launcher = job->control->launcher_pid;
    if (launcher == pid || (launcher == 0 && !is_listed(job, jobs, count)))
        return true;
    sheaf_report_close_job(job);
    return false;
}

int sheaf_report_find_jobs(struct sheaf_report_job **jobs)
{
    DIR *folder = opendir("/proc");
    int count = 0;
    *jobs = NULL;
    for (int pid; (pid = next_pid(folder)) != 0;) {
        struct sheaf_report_job job, *more;
        if (!open_once(&job, pid, *jobs, count))
            continue;
        more = realloc(*jobs, (size_t)(count + 1) * sizeof **jobs);
        if (!more) {
            sheaf_report_close_job(&job);
            break;
        }
        *jobs = more;
        more[count++] = job;
    }
    if (folder)
        closedir(folder);
    return count;
}

void sheaf_report_name_job(const struct sheaf_control *control, char *text, size_t size)
{
    if (control->nodes == 1 && control->launcher_pid == 0)
        snprintf(text, size, "job of %d PEs in several containers", control->npes);
    else if (control->nodes == 1)
        snprintf(text, size, "job of oshrun %d: %d PEs", control->launcher_pid, control->npes);
    else
        snprintf(text, size, "job of %d PEs on %d hosts: the %d of host %.59s",
                 control->world_npes, control->nodes, control->npes,
                 sheaf_control_host((struct sheaf_control *)control, control->node));
    sheaf_sanitize(text, 0);
}

/* The number that a process has in its own container, the last of those that the kernel lists, outermost
 * first; 0: it is not known. */
static int own_number(int pid)
{
    char path[32], line[512];
    int number = 0;
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *status = fopen(path, "re");
    while (status && number == 0 && fgets(line, sizeof line, status))
        if (!strncmp(line, "NSpid:", 6))
            number = atoi(strrchr(line, '\t') + 1);
    if (status)
        fclose(status);
    return number;
}

static bool has_open(int pid, const struct stat *file)
{
    char folder[32], path[300];
    struct stat found;
    bool is_found = false;
    snprintf(folder, sizeof folder, "/proc/%d/fd", pid);
    DIR *descriptors = opendir(folder);
    for (struct dirent *entry; descriptors && !is_found && (entry = readdir(descriptors));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        is_found = is_of_sheaf(path) && stat(path, &found) == 0 && is_same_file(&found, file);
    }
    if (descriptors)
        closedir(descriptors);
    return is_found;
}

/* The slot of the PE whose process that says it is: with its number in its container. -1: of none. */
static int slot_of(const struct sheaf_control *control, int npes, int pid)
{
    uint32_t namespace = sheaf_container_namespace(pid);
    int number = namespace != 0 ? own_number(pid) : 0;
    for (int slot = 0; slot < npes && number > 0; slot++) {
        const struct sheaf_pe *entry = sheaf_control_pe((struct sheaf_control *)control, slot);
        if (entry->own_pid == number && entry->own_namespace == namespace)
            return slot;
    }
    return -1;
}

/* What the job's file says of numbers is believed of a process that has the file open. */
int sheaf_report_take_job(struct sheaf_report *report, const struct sheaf_report_job *job)
{
    struct stat file;
    if (sheaf_report_take(report, job->control) != 0)
        return -1;
    if (job->control->launcher_pid != 0 || fstat(job->fd, &file) != 0)
        return 0;
    DIR *folder = opendir("/proc");
    for (int pid; (pid = next_pid(folder)) != 0;) {
        int slot = slot_of(job->control, report->npes, pid);
        if (slot >= 0 && has_open(pid, &file))
            sheaf_report_look(&report->pes[slot], pid);
    }
    if (folder)
        closedir(folder);
    return 0;
}
