/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes the job's file, and finds that of another: see image/control.h for its layout.
 */
#include "job.h"

#include "options.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void *map(int fd, size_t length, int protection)
{
    void *address = mmap(NULL, length, protection, MAP_SHARED | MAP_NORESERVE, fd, 0);
    return address == MAP_FAILED ? NULL : address;
}

/* PEs watch a pipe whose writing end is held here: see boot/end/leash.h. */
static int make_leash(struct sheaf_control *header)
{
    int ends[2];
    struct stat file, namespace;
    if (pipe2(ends, O_CLOEXEC) || fstat(ends[1], &file))
        sheaf_die(1, "cannot start: %s", strerror(errno));
    close(ends[0]);
    header->leash = ends[1];
    header->leash_inode = (uint32_t)file.st_ino;
    if (stat("/proc/self/ns/pid", &namespace) == 0)
        header->launcher_namespace = (uint32_t)namespace.st_ino;
    return ends[1];
}

void sheaf_job_create(struct job *job, int npes, int usable_cpus, bool is_apart)
{
    struct sheaf_control header;
    if (sheaf_control_plan(&header, npes, npes, 1, UINT64_MAX))
        sheaf_die(1, "no random numbers: %s", strerror(errno));
    header.usable_cpus = usable_cpus;
    header.host_npes = npes;
    header.is_apart = is_apart && npes > 1;
    job->leash = make_leash(&header);
    job->fd = sheaf_file_create();
    if (job->fd < 0)
        sheaf_die(1, "cannot create the job's memory: %s", strerror(errno));
    if (sheaf_file_set_length(job->fd, header.slots_offset, npes, &header.slot_stride))
        sheaf_die(1, "cannot size the memory of %d PEs: %s%s", npes, strerror(errno),
                  errno == EFBIG ? "; raise the file size limit (ulimit -f)" : "");
    job->length = header.arena_offset;
    job->control = map(job->fd, job->length, PROT_READ | PROT_WRITE);
    if (!job->control)
        sheaf_die(1, "cannot map the job's memory: %s", strerror(errno));
    sheaf_control_write(job->control, &header);
    job->control->magic = SHEAF_CONTROL_MAGIC;
}

/* Whether fd is a job's file; then it is mapped. */
static int adopt(struct job *job, int fd)
{
    struct stat status;
    struct sheaf_control header;
    if (fstat(fd, &status) || pread(fd, &header, sizeof header, 0) != sizeof header)
        return -1;
    if (header.magic != SHEAF_CONTROL_MAGIC || header.version != SHEAF_CONTROL_VERSION)
        return -1;
    uint64_t entries = header.pes_offset + (uint64_t)header.npes * sizeof(struct sheaf_pe);
    if (header.npes < 1 || entries > header.arena_offset ||
        header.arena_offset > (uint64_t)status.st_size)
        return -1;
    job->length = header.arena_offset;
    job->control = map(fd, job->length, PROT_READ);
    job->fd = fd;
    return job->control ? 0 : -1;
}

int sheaf_job_open(struct job *job, int pid)
{
    char folder[32], path[300], target[64];
    snprintf(folder, sizeof folder, "/proc/%d/fd", pid);
    DIR *descriptors = opendir(folder);
    int result = -1;
    if (!descriptors)
        return -1;
    for (struct dirent *entry; result && (entry = readdir(descriptors));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length < 0)
            continue;
        target[length] = '\0';
        if (strncmp(target, "/memfd:sheaf", 12))
            continue;
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd >= 0 && (result = adopt(job, fd)))
            close(fd);
    }
    closedir(descriptors);
    return result;
}

void sheaf_job_close(struct job *job)
{
    munmap(job->control, job->length);
    close(job->fd);
}
