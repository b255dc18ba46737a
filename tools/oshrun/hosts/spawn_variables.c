/* SPDX-License-Identifier: BSD-3-Clause
 * See spawn_variables.h.
 */
#include "oshrun/hosts/spawn_variables.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A high number, since some programs expect the lowest descriptors to be free. */
#define MPI_DESCRIPTOR 600

static const char *const own[] = {SHEAF_JOB_VARIABLE, SHEAF_MPI_VARIABLE, "PMI_FD", "PMI_RANK", "PMI_SIZE"};
#define OWN (sizeof own / sizeof *own)

/* An outer launcher's PMIx would take all PEs for one process. Parameters of libpmix are the user's. */
bool sheaf_spawn_is_of_pmix(const char *setting)
{
    return strncmp(setting, "PMIX_", 5) == 0 && strncmp(setting, "PMIX_MCA_", 9) != 0;
}

bool sheaf_spawn_is_own(const char *setting)
{
    size_t length = strcspn(setting, "=");
    for (size_t i = 0; i < OWN; i++)
        if (strlen(own[i]) == length && strncmp(setting, own[i], length) == 0)
            return true;
    return sheaf_spawn_is_of_pmix(setting);
}

void sheaf_spawn_forget_outer(void)
{
    for (size_t i = 0; i < OWN; i++)
        unsetenv(own[i]);
}

/* Duplicates the MPI's connection to the descriptor at which the program finds it. */
static int pass_descriptor(int mpi)
{
    int fd = fcntl(mpi, F_DUPFD, MPI_DESCRIPTOR);
    if (fd < 0 && fcntl(mpi, F_SETFD, 0) == 0)
        fd = mpi;
    return fd;
}

__attribute__((format(printf, 2, 3))) static void add(struct spawn_variables *variables,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(variables->texts[variables->count++], sizeof variables->texts[0], format, arguments);
    va_end(arguments);
}

static void add_pmi1(struct spawn_variables *variables, int mpi, int pe, int npes)
{
    struct stat socket;
    int fd = mpi < 0 ? -1 : pass_descriptor(mpi);
    if (fd < 0 || fstat(fd, &socket) != 0)
        return;
    add(variables, "%s=%llu", SHEAF_MPI_VARIABLE, (unsigned long long)socket.st_ino);
    add(variables, "PMI_FD=%d", fd);
    add(variables, "PMI_RANK=%d", pe);
    add(variables, "PMI_SIZE=%d", npes);
}

char **sheaf_spawn_enter(const struct spawn *spawn, int pe, struct spawn_variables *variables, char **env)
{
    variables->count = 0;
    add(variables, "%s=%d:%d:%d:%016llx", SHEAF_JOB_VARIABLE, spawn->job->control->launcher_pid,
        spawn->job->fd, pe, (unsigned long long)spawn->job->control->job_id);
    if (spawn->pmix)
        add(variables, "PMIX_RANK=%d", pe);
    add_pmi1(variables, spawn->pes[pe].mpi, pe, spawn->options->npes);
    env += SPAWN_VARIABLES - variables->count;
    for (int i = 0; i < variables->count; i++)
        env[i] = variables->texts[i];
    return env;
}
