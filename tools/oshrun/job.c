/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes the job's file: see image/control.h for its layout.
 */
#include "job.h"

#include "base/os.h"
#include "options.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB          ((uint64_t)1 << 20)
#define SLOT_ALIGN   (2 * MIB)
#define STRIDE_SHIFT 42 /* 4 TiB of file per PE; it is sparse */
#define SMALLEST_SHIFT 25

/* High enough to stay out of the way of shells, which use 3 to 9 and 255. */
#define WANTED_FD 600

/* Team blocks and the like live in the arena. It is sparse too, but everybody maps it. */
static uint64_t arena_size(int npes)
{
    uint64_t size = 256 * MIB + (uint64_t)npes * 16 * MIB;
    struct rlimit limit;
    if (size > 8192 * MIB)
        size = 8192 * MIB;
    if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY && size > limit.rlim_cur / 16)
        size = limit.rlim_cur / 16;
    return sheaf_round_up(size, SLOT_ALIGN);
}

/* Gives the file its length: the largest stride that the file size limit allows. The kernel
 * answers a length beyond the limit with a signal, unless that is ignored. */
static void set_length(int fd, struct sheaf_control *header)
{
    struct rlimit limit, raised;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    getrlimit(RLIMIT_FSIZE, &limit);
    raised = limit;
    raised.rlim_cur = raised.rlim_max;
    setrlimit(RLIMIT_FSIZE, &raised);
    sigaction(SIGXFSZ, &ignore, &before);
    int shift = STRIDE_SHIFT, failed;
    do
        failed = ftruncate(fd, (off_t)(header->slots_offset + ((uint64_t)header->npes << shift)));
    while (failed && --shift >= SMALLEST_SHIFT);
    int error = errno;
    sigaction(SIGXFSZ, &before, NULL);
    setrlimit(RLIMIT_FSIZE, &limit);
    if (failed)
        sheaf_die(1, "cannot size the memory of %d PEs: %s%s", header->npes, strerror(error),
                  error == EFBIG ? "; raise the file size limit (ulimit -f)" : "");
    header->slot_stride = (uint64_t)1 << shift;
}

static int create_file(void)
{
    int fd = memfd_create("sheaf", MFD_CLOEXEC);
    if (fd < 0)
        sheaf_die(1, "cannot create the job's memory: %s", strerror(errno));
    if (fchmod(fd, 0600))
        sheaf_die(1, "cannot protect the job's memory: %s", strerror(errno));
    int high = fcntl(fd, F_DUPFD_CLOEXEC, WANTED_FD);
    if (high >= 0) {
        close(fd);
        fd = high;
    }
    return fd;
}

static void *map(int fd, size_t length, int protection)
{
    void *address = mmap(NULL, length, protection, MAP_SHARED | MAP_NORESERVE, fd, 0);
    return address == MAP_FAILED ? NULL : address;
}

void sheaf_job_create(struct job *job, int npes, int usable_cpus)
{
    struct sheaf_control header = {.magic = SHEAF_CONTROL_MAGIC,
                                   .version = SHEAF_CONTROL_VERSION,
                                   .npes = npes,
                                   .launcher_pid = getpid(),
                                   .usable_cpus = usable_cpus};
    size_t page = sheaf_os_page_size();
    if (getrandom(&header.job_id, sizeof header.job_id, 0) != sizeof header.job_id)
        sheaf_die(1, "no random numbers: %s", strerror(errno));
    header.pes_offset = sheaf_round_up(sizeof header, page);
    header.arena_offset =
        sheaf_round_up(header.pes_offset + (size_t)npes * sizeof(struct sheaf_pe), page);
    header.arena_size = arena_size(npes);
    header.slots_offset = sheaf_round_up(header.arena_offset + header.arena_size, SLOT_ALIGN);
    job->fd = create_file();
    set_length(job->fd, &header);
    job->length = header.arena_offset;
    job->control = map(job->fd, job->length, PROT_READ | PROT_WRITE);
    if (!job->control)
        sheaf_die(1, "cannot map the job's memory: %s", strerror(errno));
    *job->control = header;
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
