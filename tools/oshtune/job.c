/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts the measuring part on some PEs, with the oshrun beside this program and one algorithm
 * forced, and reads what it prints.
 */
#include "tune.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOB_LIMIT "120" /* seconds: far more than any job should take */

static const char *const variables[MEASURED_FAMILIES] = {
    [SHEAF_BARRIER] = "SHMEM_BARRIER_ALGORITHM",
    [SHEAF_BROADCAST] = "SHMEM_BCAST_ALGORITHM",
    [SHEAF_FCOLLECT] = "SHMEM_FCOLLECT_ALGORITHM",
    [SHEAF_REDUCE] = "SHMEM_REDUCE_ALGORITHM",
    [SHEAF_COPIES] = "SHEAF_COPY",
};

/* Nothing that the user has set may take part, but what is forced here. */
static void prepare_environment(const struct subject *subject)
{
    static const char *const others[] = {"SHEAF_TUNE", "SHMEM_INFO",  "SHMEM_VERSION",
                                         "SHMEM_DEBUG", "SMA_INFO",   "SMA_VERSION",
                                         "SMA_DEBUG",  "SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        unsetenv(others[i]);
    for (int family = 0; family < MEASURED_FAMILIES; family++)
        unsetenv(variables[family]);
    setenv(variables[subject->family], sheaf_algorithm_names[subject->family][subject->algorithm], 1);
}

static int find_programs(char *self, char *oshrun, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", self, size - 1);
    if (length >= (ssize_t)size - 1)
        return -1;
    if (length > 0)
        self[length] = '\0';
    else if (!realpath((const char *)getauxval(AT_EXECFN), self)) /* /proc is not mounted */
        return -1;
    int folder = (int)(strrchr(self, '/') - self);
    return snprintf(oshrun, size, "%.*s/oshrun", folder, self) < (int)size ? 0 : -1;
}

static int start(const struct subject *subject, double budget, int *output, pid_t *pid)
{
    char self[4096], oshrun[4096], pes[16], seconds[32], family[16], algorithm[16];
    int ends[2];
    if (find_programs(self, oshrun, sizeof self) != 0 || pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    snprintf(pes, sizeof pes, "%d", subject->pes);
    snprintf(seconds, sizeof seconds, "%.6f", budget);
    snprintf(family, sizeof family, "%d", (int)subject->family);
    snprintf(algorithm, sizeof algorithm, "%d", subject->algorithm);
    char *arguments[] = {oshrun, "-n",      pes,     "--timeout", JOB_LIMIT, self,
                         "--measure", seconds, family, algorithm,   NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    prepare_environment(subject);
    int error = posix_spawn(pid, oshrun, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *output = ends[0];
    errno = error;
    return error ? -1 : 0;
}

static int finish(const struct subject *subject, pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    fprintf(stderr, "oshtune: the job that measures %s %s on %d PEs failed [SH954]\n",
            sheaf_family_names[subject->family],
            sheaf_algorithm_names[subject->family][subject->algorithm], subject->pes);
    return -1;
}

int tune_run_job(const struct subject *subject, double budget, tune_result *result, void *to)
{
    pid_t pid;
    int output;
    size_t bytes;
    double ns;
    if (start(subject, budget, &output, &pid) != 0) {
        fprintf(stderr, "oshtune: cannot start oshrun: %s [SH954]\n", strerror(errno));
        return -1;
    }
    FILE *lines = fdopen(output, "r");
    while (lines && fscanf(lines, "%zu %lf", &bytes, &ns) == 2)
        result(to, bytes, ns);
    if (lines)
        fclose(lines);
    return finish(subject, pid);
}
