/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts the measuring part on some PEs, with the oshrun beside this program, and reads what it prints.
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

#define JOB_LIMIT 120 /* seconds beyond its budget: far more than any job should take */

/* Nothing that the user has set may take part. */
static void prepare_environment(void)
{
    static const char *const others[] = {"SHEAF_TUNE", "SHMEM_INFO",  "SHMEM_VERSION",
                                         "SHMEM_DEBUG", "SMA_INFO",   "SMA_VERSION",
                                         "SMA_DEBUG",  "SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        unsetenv(others[i]);
    for (int family = 0; family < MEASURED_FAMILIES; family++)
        unsetenv(tune_settings[family]);
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

static int start(int count, double budget, int *output, pid_t *pid)
{
    char self[4096], oshrun[4096], pes[16], seconds[32], limit[32];
    int ends[2];
    if (find_programs(self, oshrun, sizeof self) != 0 || pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    snprintf(pes, sizeof pes, "%d", count);
    snprintf(seconds, sizeof seconds, "%.6f", budget);
    snprintf(limit, sizeof limit, "%.0f", JOB_LIMIT + 2 * budget);
    char *arguments[] = {oshrun, "-n", pes, "--timeout", limit, self, "--measure", seconds, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    prepare_environment();
    int error = posix_spawn(pid, oshrun, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *output = ends[0];
    errno = error;
    return error ? -1 : 0;
}

static int finish(int count, pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    fprintf(stderr, "oshtune: the job that measures on %d PEs failed [SH954]\n", count);
    return -1;
}

/* A line of the job, as far as it names something that is measured. */
static bool read_subject(const char *line, struct subject *subject, size_t *bytes, double *ns)
{
    char family[32], algorithm[32];
    if (sscanf(line, "%31s %31s %zu %lf", family, algorithm, bytes, ns) != 4)
        return false;
    int number = sheaf_names_find(sheaf_family_names, family);
    if (number < 0 || number >= MEASURED_FAMILIES)
        return false;
    subject->family = (enum sheaf_family)number;
    subject->algorithm = sheaf_names_find(sheaf_algorithm_names[number], algorithm);
    return subject->algorithm > 0;
}

int tune_run_job(int count, double budget, tune_result *result, void *to)
{
    pid_t pid;
    int output;
    char line[128];
    if (start(count, budget, &output, &pid) != 0) {
        fprintf(stderr, "oshtune: cannot start oshrun: %s [SH954]\n", strerror(errno));
        return -1;
    }
    FILE *lines = fdopen(output, "r");
    while (lines && fgets(line, sizeof line, lines)) {
        struct subject subject = {.pes = count};
        size_t bytes;
        double ns;
        if (read_subject(line, &subject, &bytes, &ns))
            result(to, &subject, bytes, ns);
    }
    if (lines)
        fclose(lines);
    return finish(count, pid);
}
