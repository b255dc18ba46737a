/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the file that a program's name means, and checks that it can be started. This is done before the
 * first PE exists, so that a misspelled name gives one message and not one per PE.
 */
#include "oshrun/command/options.h"

#include "base/sanitize.h"
#include "base/settings/env.h"
#include "oshrun/command/say.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns 0 when path is a file that may be executed, otherwise an errno. */
static int check_executable(const char *path)
{
    struct stat status;
    if (stat(path, &status))
        return errno;
    if (!S_ISREG(status.st_mode))
        return S_ISDIR(status.st_mode) ? EISDIR : EACCES;
    return access(path, X_OK) ? errno : 0;
}

/* Makes the path absolute, since the PEs may have another working directory. */
static char *make_absolute(const char *path)
{
    char *result;
    char here[PATH_MAX];
    if (path[0] == '/')
        return strdup(path);
    if (!getcwd(here, sizeof here) || asprintf(&result, "%s/%s", here, path) < 0)
        return NULL;
    return result;
}

char *sheaf_program_search(const char *name)
{
    const char *path = getenv("PATH");
    char candidate[PATH_MAX];
    if (!path)
        path = "/usr/local/bin:/usr/bin:/bin";
    for (const char *end; *path; path = *end ? end + 1 : end) {
        end = strchrnul(path, ':');
        int width = end == path ? 1 : (int)(end - path);
        int length = snprintf(candidate, sizeof candidate, "%.*s/%s", width,
                              end == path ? "." : path, name);
        if (length < (int)sizeof candidate && !check_executable(candidate))
            return make_absolute(candidate);
    }
    return NULL;
}

/* Checks the program that a "#!" line names: where it is missing, the kernel's error would name the
 * script. A carriage return before the end of the line is part of the name. */
static void check_interpreter(const char *path)
{
    char line[PATH_MAX + 2];
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    if (strncmp(line, "#!", 2))
        return;
    char *name = line + 2 + strspn(line + 2, " \t");
    char *end = name + strcspn(name, " \t\n");
    *end = '\0';
    if (!*name || access(name, F_OK) == 0)
        return;
    int error = errno;
    bool has_return = end[-1] == '\r';
    end[has_return ? -1 : 0] = '\0';
    sheaf_die(STATUS_NOT_FOUND, "%s: its interpreter %s: %s%s", path, name, strerror(error),
              has_return ? "; its lines end with a carriage return, as in Windows: "
                           "sed -i 's/\\r$//' removes them"
                         : "");
}

const char *sheaf_program_setting(const struct program *program, const char *name)
{
    size_t length = strlen(name);
    for (int i = program->env_count - 1; i >= 0; i--)
        if (!strncmp(program->env[i], name, length) && program->env[i][length] == '=')
            return program->env[i] + length + 1;
    return sheaf_settings_text(name);
}

/* Whether the program has SHEAF_ONNODE=off. The library reports an invalid value. */
static bool is_apart(const struct program *program)
{
    const char *value = sheaf_program_setting(program, "SHEAF_ONNODE");
    return value && sheaf_names_find(sheaf_onnode_names, value) == SHEAF_ONNODE_OFF;
}

bool sheaf_options_are_apart(const struct options *options)
{
    const struct program *first = &options->programs[0];
    for (const struct program *other = first + 1; other < first + options->program_count; other++)
        if (is_apart(other) != is_apart(first))
            sheaf_die(STATUS_USAGE, "SHEAF_ONNODE=off is for all PEs of a job: %s has it, %s has not",
                      is_apart(first) ? first->name : other->name,
                      is_apart(first) ? other->name : first->name);
    return is_apart(first);
}

static bool reports_failures(const struct program *program)
{
    const char *value = sheaf_program_setting(program, "SHEAF_FAILURES");
    return value && sheaf_names_find(sheaf_failures_names, value) == SHEAF_FAILURES_REPORT;
}

bool sheaf_options_report_failures(const struct options *options)
{
    const struct program *first = &options->programs[0];
    bool reports = reports_failures(first);
    for (const struct program *other = first + 1; other < first + options->program_count; other++)
        if (reports_failures(other) != reports)
            sheaf_die(STATUS_USAGE, "SHEAF_FAILURES=report is for all PEs of a job: %s has it, %s has not",
                      reports ? first->name : other->name, reports ? other->name : first->name);
    if (reports && is_apart(first))
        sheaf_die(STATUS_USAGE, "SHEAF_FAILURES=report needs PEs that share memory: leave out "
                                "SHEAF_ONNODE=off");
    if (options->spares && !reports)
        sheaf_die(STATUS_USAGE, "--spare %d: takes dead PEs' places only where the job goes on: set "
                                "SHEAF_FAILURES=report", options->spares);
    return reports;
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcmp(name + length - tail, end) == 0;
}

/* The advice for a file that cannot be executed, by the end of its name. */
static const char *advice_for(const char *name)
{
    if (ends_with(name, ".py"))
        return "name its interpreter before it: oshrun ... python3 FILE";
    if (ends_with(name, ".c") || ends_with(name, ".cc") || ends_with(name, ".cpp") ||
        ends_with(name, ".f90"))
        return "compile it first (oshcc, oshc++, oshfort), and run what that writes";
    return "compile source first (oshcc), make a script executable (chmod +x)";
}

static void find_program(struct program *program)
{
    const char *name = program->argv[0];
    const char *slash = strrchr(name, '/');
    char *shown = strdup(slash ? slash + 1 : name);
    if (!shown)
        sheaf_die(1, "out of memory");
    sheaf_sanitize(shown, 0);
    program->name = shown;
    if (!*name)
        sheaf_die(STATUS_NOT_FOUND, "the program's name is empty");
    if (!slash) {
        program->path = sheaf_program_search(name);
        if (!program->path && !check_executable(name))
            sheaf_die(STATUS_NOT_FOUND, "%s: not found in PATH; did you mean ./%s?", name, name);
        if (!program->path && check_executable(name) == EACCES)
            sheaf_die(STATUS_NOT_FOUND, "%s: not found in PATH, and the file here is not executable; %s",
                      name, advice_for(name));
        if (!program->path)
            sheaf_die(STATUS_NOT_FOUND, "%s: not found in PATH", name);
    } else {
        int error = check_executable(name);
        if (error == ENOENT || error == ENOTDIR)
            sheaf_die(STATUS_NOT_FOUND, "%s: %s", name, strerror(error));
        if (error == EISDIR)
            sheaf_die(STATUS_NOT_EXECUTABLE, "%s: is a directory", name);
        if (error)
            sheaf_die(STATUS_NOT_EXECUTABLE, "%s: not executable: %s; %s", name, strerror(error),
                      advice_for(name));
        program->path = make_absolute(name);
    }
    if (!program->path)
        sheaf_die(1, "%s: cannot tell its absolute path", name);
    check_interpreter(program->path);
}

void sheaf_program_find(struct options *options)
{
    for (int i = 0; i < options->program_count; i++)
        find_program(&options->programs[i]);
}
