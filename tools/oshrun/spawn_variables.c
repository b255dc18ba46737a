/* SPDX-License-Identifier: BSD-3-Clause
 * See spawn_variables.h.
 */
#include "spawn_variables.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Out of the way of programs that expect the lowest descriptors to be free. */
#define MPI_DESCRIPTOR 600

static const char *const own[SPAWN_VARIABLES] = {SHEAF_JOB_VARIABLE, SHEAF_MPI_VARIABLE, "PMI_FD",
                                                 "PMI_RANK", "PMI_SIZE"};

bool sheaf_spawn_is_own(const char *setting)
{
    size_t length = strcspn(setting, "=");
    for (size_t i = 0; i < SPAWN_VARIABLES; i++)
        if (strlen(own[i]) == length && strncmp(setting, own[i], length) == 0)
            return true;
    return false;
}

void sheaf_spawn_forget_outer(void)
{
    for (size_t i = 0; i < SPAWN_VARIABLES; i++)
        unsetenv(own[i]);
}

/* The descriptor under which the program finds its MPI's connection. */
static int hand_on(int mpi)
{
    int fd = fcntl(mpi, F_DUPFD, MPI_DESCRIPTOR);
    if (fd < 0 && fcntl(mpi, F_SETFD, 0) == 0)
        fd = mpi;
    return fd;
}

#define ENTER(number, ...)                                                                         \
    (snprintf(variables->texts[number], sizeof variables->texts[number], __VA_ARGS__),             \
     env[number] = variables->texts[number])

char **sheaf_spawn_enter(const struct spawn *spawn, int pe, struct spawn_variables *variables, char **env)
{
    struct stat socket;
    int mpi = spawn->pes[pe].mpi, fd = mpi < 0 ? -1 : hand_on(mpi);
    if (fd < 0 || fstat(fd, &socket) != 0)
        env += SPAWN_VARIABLES - 1;
    ENTER(0, "%s=%d:%d:%d:%016llx", SHEAF_JOB_VARIABLE, spawn->job->control->launcher_pid, spawn->job->fd,
          pe, (unsigned long long)spawn->job->control->job_id);
    if (fd < 0)
        return env;
    ENTER(1, "%s=%llu", SHEAF_MPI_VARIABLE, (unsigned long long)socket.st_ino);
    ENTER(2, "PMI_FD=%d", fd);
    ENTER(3, "PMI_RANK=%d", pe);
    ENTER(4, "PMI_SIZE=%d", spawn->options->npes);
    return env;
}
