/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which launcher started this process, by the variables that launchers leave.
 */
#include "boot/launcher/launcher.h"

#include "base/log.h"
#include "base/mpi/family.h"
#include "base/settings/env.h"
#include "boot/launcher/relay.h"
#include "image/control.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The process that is a PE: set for what it starts. */
#define PROCESS_VARIABLE "SHEAF_PE_PROCESS"

/* Best first. Both kinds of PMI use one descriptor; Slurm's PMI-2 plug-in speaks PMI-1 too. */
static const struct sheaf_launcher *const launchers[] = {
    &sheaf_launcher_pmix,
    &sheaf_launcher_pmi2,
    &sheaf_launcher_pmi1,
    &sheaf_launcher_mpi,
    &sheaf_launcher_rendezvous,
};

/* oshrun's socket for the MPI of a PE, in the PE or in what it has started; -1: none, or it is closed. */
static int socket_for_mpi(void)
{
    const char *inode = getenv(SHEAF_MPI_VARIABLE), *fd = getenv("PMI_FD");
    struct stat file;
    if (!inode || !fd || fstat(atoi(fd), &file) != 0)
        return -1;
    return S_ISSOCK(file.st_mode) && strtoull(inode, NULL, 10) == file.st_ino ? atoi(fd) : -1;
}

/* PMI_FD is another socket where another launcher, below a PE, has started this process. */
static bool is_for_mpi(void)
{
    struct stat file;
    const char *fd = getenv("PMI_FD");
    return getenv(SHEAF_MPI_VARIABLE) && fd && (fstat(atoi(fd), &file) != 0 || socket_for_mpi() >= 0);
}

/* Whether another process is the PE that a launcher has started. */
static bool is_claimed(void)
{
    const char *process = getenv(PROCESS_VARIABLE);
    return (process && atoi(process) != getpid()) || is_for_mpi();
}

void sheaf_launcher_keep_from_children(void)
{
    int fd = socket_for_mpi();
    if (fd >= 0)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void sheaf_launcher_claim(void)
{
    char process[16];
    snprintf(process, sizeof process, "%d", (int)getpid());
    setenv(PROCESS_VARIABLE, process, 1);
}

const struct sheaf_launcher *sheaf_launcher_find(void)
{
    const char *wanted = sheaf_settings_text("SHEAF_BOOT");
    bool is_only_copy = sheaf_launcher_copies() == 1; /* of this launcher: several may have been started */
    if (is_claimed())
        return NULL;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if ((!wanted || !strcmp(wanted, "auto") || !strcmp(wanted, launchers[i]->setting)) &&
            (!is_only_copy || launchers[i]->starts_each_alone) && launchers[i]->is_there())
            return launchers[i];
    return NULL;
}

/* Slurm's plug-in speaks one version of PMI on a connection, and MPICH the first. */
const struct sheaf_launcher *sheaf_launcher_beside_mpi(const struct sheaf_launcher *found)
{
    bool is_free = found == &sheaf_launcher_pmi2 && !sheaf_settings_text("SHEAF_BOOT");
    char why[600];
    if (is_free && sheaf_settings_networks() & 1U << SHEAF_ENGINE_MPI)
        sheaf_mpi_load(why, sizeof why); /* now, since it is to be used: who lacks it says so later */
    return is_free && sheaf_relay_is_needed() ? &sheaf_launcher_pmi1 : found;
}

/* Variables in which launchers say how many copies they started. */
static const struct {
    const char *variable;
    const char *launcher;
    const char *remedy; /* beside oshrun */
} foreign[] = {
    {"SLURM_STEP_NUM_TASKS", "Slurm's srun", "srun --mpi=pmix or --mpi=pmi2"},
    {"OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun", "an mpirun that speaks PMIx"},
    {"PMI_SIZE", "an MPICH-style launcher", "mpiexec.hydra without -pmi-port"},
    {"MV2_COMM_WORLD_SIZE", "MVAPICH's mpirun", "mpiexec.hydra"},
    {"PALS_SIZE", "PALS", NULL},
    {"FLUX_JOB_SIZE", "Flux", "flux run -o pmi=simple"},
    {"JSM_NAMESPACE_SIZE", "jsrun", NULL},
    {"ALPS_APP_PE_COUNT", "aprun", NULL},
};

int sheaf_launcher_copies(void)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        const char *copies = getenv(foreign[i].variable);
        if (copies)
            return atoi(copies);
    }
    return 0;
}

bool sheaf_launcher_is_foreign(void)
{
    if (is_claimed() || sheaf_settings_choice("SHEAF_BOOT") == SHEAF_BOOT_SINGLE)
        return false;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        const char *copies = getenv(foreign[i].variable), *remedy = foreign[i].remedy;
        if (!copies || atoi(copies) <= 1)
            continue;
        sheaf_error("SH401 %s started %s copies of this program (%s=%s), but gives them no PE numbers that "
                    "Sheaf can read (PMIx, PMI-1 or PMI-2); each copy would be a job of its own. Start "
                    "it with: %s%soshrun -n %s PROGRAM",
                    foreign[i].launcher, copies, foreign[i].variable, copies, remedy ? remedy : "",
                    remedy ? ", or on one machine " : "", copies);
        return true;
    }
    return false;
}
