/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What happens when the library is loaded: it finds the job, attaches to it and turns the
 * program's variables into shared memory, before the program's own constructors run. Failures
 * are kept until shmem_init, which may never be called.
 */
#include "boot/boot.h"

#include "base/env.h"
#include "base/log.h"
#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct sheaf_boot sheaf_boot = {.npes = 1, .nodes = 1, .node_npes = 1, .launcher = "none"};

static char failure[256];

/* The descriptor oshrun passed, or, where a wrapper closed it, oshrun's own. */
static int attach(int launcher, int fd, int pe, uint64_t job_id)
{
    char path[64];
    if (sheaf_image_attach(fd, pe, job_id) == 0) {
        close(fd);
        return 0;
    }
    snprintf(path, sizeof path, "/proc/%d/fd/%d", launcher, fd);
    int again = open(path, O_RDWR | O_CLOEXEC);
    if (again < 0)
        return -1;
    int failed = sheaf_image_attach(again, pe, job_id);
    close(again);
    return failed;
}

/* A slot belongs to one process; a second may follow when the first is gone (a script that runs
 * two programs one after the other). Stale pages of the first are dropped. */
static int take_slot(struct sheaf_pe *mine)
{
    int32_t before = sheaf_load_relaxed(&mine->pid);
    if (before != 0 && kill(before, 0) == 0) {
        snprintf(failure, sizeof failure,
                 "process %d already runs as PE %d of this job: one OpenSHMEM program at a time per "
                 "PE that oshrun started", before, sheaf_boot.pe);
        return -1;
    }
    if (!__atomic_compare_exchange_n(&mine->pid, &before, (int32_t)getpid(), false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
        snprintf(failure, sizeof failure, "two processes claim to be PE %d of this job",
                 sheaf_boot.pe);
        return -1;
    }
    if (before != 0)
        sheaf_image_empty_slot();
    sheaf_store_release(&mine->state, SHEAF_PE_ATTACHED);
    return 0;
}

/* oshrun reads the output through pipes, which stdio would buffer until exit. */
static void buffer_lines(void)
{
    struct stat file;
    if (fstat(STDOUT_FILENO, &file) == 0 && S_ISFIFO(file.st_mode))
        setvbuf(stdout, NULL, _IOLBF, 0);
}

static void join_job(const char *job)
{
    int launcher, fd, pe, end = 0;
    unsigned long job_id;
    if (sscanf(job, "%d:%d:%d:%lx%n", &launcher, &fd, &pe, &job_id, &end) != 4 || job[end]) {
        snprintf(failure, sizeof failure, "%s=\"%s\" is not what oshrun sets: unset it",
                 SHEAF_JOB_VARIABLE, job);
        return;
    }
    if (attach(launcher, fd, pe, job_id) != 0) {
        snprintf(failure, sizeof failure,
                 "%s=\"%s\" names a job that cannot be joined: its oshrun (pid %d) is gone, or a "
                 "wrapper closed descriptor %d and /proc/%d/fd is not readable",
                 SHEAF_JOB_VARIABLE, job, launcher, fd, launcher);
        return;
    }
    sheaf_boot.pe = pe;
    sheaf_boot.slot = pe;
    sheaf_boot.npes = sheaf_boot.node_npes = sheaf_image.control->npes;
    sheaf_log_set_pe(pe);
    if (take_slot(sheaf_control_pe(sheaf_image.control, pe)) != 0)
        return;
    sheaf_boot.has_control = true;
    sheaf_boot.launcher = "oshrun";
    buffer_lines();
    if (sheaf_boot.npes > 1 && sheaf_image_share_data() != 0)
        snprintf(failure, sizeof failure, "the program's static data could not be shared");
}

static void start(void)
{
    sheaf_image_read_program();
    const char *job = getenv(SHEAF_JOB_VARIABLE);
    if (!job)
        return;
    join_job(job);
    unsetenv(SHEAF_JOB_VARIABLE);
}

/* Lowest priority number: before every constructor of the program, in a static one too. */
__attribute__((used, section(".init_array.00001"))) static void (*const at_load)(void) = start;

/* Variables in which launchers say how many copies they started. */
static const struct {
    const char *variable;
    const char *launcher;
} foreign[] = {
    {"SLURM_STEP_NUM_TASKS", "Slurm's srun"},
    {"OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun"},
    {"PMI_SIZE", "an MPICH-style launcher"},
    {"MV2_COMM_WORLD_SIZE", "MVAPICH's mpirun"},
    {"PALS_SIZE", "PALS"},
    {"FLUX_JOB_SIZE", "Flux"},
    {"JSM_NAMESPACE_SIZE", "jsrun"},
    {"ALPS_APP_PE_COUNT", "aprun"},
};

int sheaf_boot_connect(void)
{
    if (failure[0]) {
        sheaf_error("%s", failure);
        return -1;
    }
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign && !sheaf_boot.has_control; i++) {
        const char *copies = getenv(foreign[i].variable);
        if (copies && atoi(copies) > 1) {
            sheaf_error("%s started %s copies of this program (%s=%s), and this version of Sheaf "
                        "cannot get its PE numbers there; each copy would be a job of its own. "
                        "Start it with: oshrun -n %s PROGRAM",
                        foreign[i].launcher, copies, foreign[i].variable, copies, copies);
            return -1;
        }
    }
    return 0;
}

int sheaf_boot_pe_at(int slot)
{
    return slot;
}

int sheaf_boot_node_of(int pe)
{
    (void)pe;
    return 0;
}

int sheaf_boot_slot_of(int pe)
{
    return pe;
}

int sheaf_boot_leader_of(int node)
{
    (void)node;
    return 0;
}

const char *sheaf_boot_host_of(int pe)
{
    (void)pe;
    return "this machine";
}

int sheaf_boot_put(const char *key, const void *value, size_t bytes)
{
    (void)value;
    sheaf_error("%s of %zu bytes cannot be told to other PEs: %s offers no way", key, bytes,
                sheaf_boot.launcher);
    return -1;
}

int sheaf_boot_fence(void)
{
    if (sheaf_boot.has_control)
        sheaf_control_barrier(sheaf_image.control);
    return 0;
}

int sheaf_boot_get(int pe, const char *key, void **value, size_t *bytes)
{
    (void)value;
    (void)bytes;
    sheaf_error("%s of PE %d cannot be had: %s offers no way", key, pe, sheaf_boot.launcher);
    return -1;
}

void sheaf_boot_abort(int status)
{
    (void)status;
}

void sheaf_boot_disconnect(void)
{
}
