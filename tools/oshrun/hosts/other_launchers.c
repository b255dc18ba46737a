/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs on several hosts are started by an installed launcher: Slurm's srun inside an allocation, PRRTE's
 * prterun, Open MPI's mpirun or MPICH's mpiexec.hydra. This file has the names of oshrun's options in each
 * of them. oshrun prints which launcher it uses, and executes it in its own place.
 */
#include "oshrun/hosts/other_launchers.h"

#include "base/times.h"
#include "common/own_name.h"
#include "oshrun/command/options.h"
#include "oshrun/command/say.h"
#include "oshrun/hosts/spawn_variables.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern char **environ;

/* The command under construction. */
struct command {
    char **words;
    size_t count;
};

static void add_word(struct command *command, const char *word)
{
    command->words = reallocarray(command->words, command->count + 2, sizeof *command->words);
    char *copy = strdup(word);
    if (!command->words || !copy)
        sheaf_die(1, "out of memory");
    command->words[command->count++] = copy;
    command->words[command->count] = NULL;
}

static void add_option(struct command *command, const char *option, const char *value)
{
    add_word(command, option);
    add_word(command, value);
}

__attribute__((format(printf, 2, 3))) static void add_text(struct command *command,
                                                           const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text)
        sheaf_die(STATUS_USAGE, "too long for a launcher: %.60s...", text);
    add_word(command, text);
}

/* Adds the hosts as "a:2,b:2", or as "a,b" without slots. */
static void add_hosts(struct command *command, const char *option, const struct hosts *hosts,
                      bool slots)
{
    size_t size = 1, used = 0;
    for (int i = 0; i < hosts->count; i++)
        size += strlen(hosts->list[i].name) + 16;
    char *text = calloc(1, size);
    if (!text)
        sheaf_die(1, "out of memory");
    for (int i = 0; i < hosts->count; i++) {
        const struct host *host = &hosts->list[i];
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "", host->name);
        if (slots)
            used += (size_t)snprintf(text + used, size - used, ":%d", host->slots);
    }
    add_option(command, option, text);
    free(text);
}

/* Adds the respawn agent in front of the program: this oshrun, at its path here, which all hosts have as
 * they have the program. The agent stays in the place of the program for the launcher. */
static void add_respawn_agent(struct command *command, int spares)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0)
        sheaf_die(1, "--spare %d: cannot tell where oshrun is: %s", spares, strerror(errno));
    path[length] = '\0';
    add_word(command, path);
    add_text(command, "--respawn-agent=%d", spares);
}

static void add_program(struct command *command, const struct program *program, int spares)
{
    if (spares)
        add_respawn_agent(command, spares);
    if (program->keeps_addresses) {
        add_word(command, "setarch");
        add_word(command, "-R");
    }
    add_word(command, program->path);
    for (char **argument = program->argv + 1; *argument; argument++)
        add_word(command, *argument);
}

/* Whether a variable must reach the PEs on every host, even if the launcher does not pass it on. */
static bool is_ours(const char *setting)
{
    static const char *const prefixes[] = {"SHMEM_", "SMA_", "SHEAF_", "UCX_", "FI_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(setting, prefixes[i], strlen(prefixes[i])))
            return true;
    return false;
}

static void add_own_variables(struct command *command, const char *option)
{
    for (char **setting = environ; *setting; setting++)
        if (is_ours(*setting)) {
            add_word(command, option);
            add_text(command, "%.*s", (int)strcspn(*setting, "="), *setting);
        }
}

_Noreturn static void refuse(const char *launcher, const char *option)
{
    sheaf_die(STATUS_USAGE, "%s cannot be had with %s; leave it out or take another --launcher",
              option, launcher);
}

/* The timeout for the launcher, in seconds. The PEs end the job themselves, with a report. The launcher
 * does so later, in case they have not reached shmem_init. */
static unsigned long long whole_seconds(const struct options *options)
{
    return (options->timeout_ns + 999999998 + sheaf_times.launcher_start) / SHEAF_SECOND;
}

static void pass_timeout(const struct options *options)
{
    char seconds[32];
    snprintf(seconds, sizeof seconds, "%.9g", (double)(options->timeout_ns - 1) / 1e9);
    if (options->timeout_ns)
        setenv("SHEAF_TIMEOUT", seconds, 1);
}

/* Lets root start programs, as oshrun on one host does. */
static void allow_root(const char *prefix)
{
    char variable[64];
    if (geteuid() != 0)
        return;
    snprintf(variable, sizeof variable, "%s_ALLOW_RUN_AS_ROOT", prefix);
    setenv(variable, "1", 0);
    snprintf(variable, sizeof variable, "%s_ALLOW_RUN_AS_ROOT_CONFIRM", prefix);
    setenv(variable, "1", 0);
}

/* Ends oshrun where a job is to go on after a death and the launcher is not able to: other launchers
 * end a job when one of its processes is killed, or were not tested. */
static void require_survival(const struct options *options, const char *path, bool is_able)
{
    if (sheaf_options_report_failures(options) && !is_able)
        sheaf_die(STATUS_USAGE, "SHEAF_FAILURES=report: on several hosts a job goes on under Open MPI's "
                  "mpirun, PRRTE's prterun from version 3 on and Slurm's srun with PMI-2, not under %s: "
                  "use another --launcher, or leave it out", path);
}

static bool version_names(const char *path, const char *product)
{
    char line[512], request[4200];
    bool found = !product;
    snprintf(request, sizeof request, "'%s' --version 2>&1 </dev/null", path);
    FILE *answer = found ? NULL : popen(request, "re");
    while (answer && fgets(line, sizeof line, answer))
        found |= strstr(line, product) != NULL;
    if (answer)
        pclose(answer);
    return found;
}

/* Open MPI's mpirun from version 5 on is PRRTE. */
static void add_survival_options(struct command *command, const char *path, bool is_prte)
{
    if (is_prte) {
        add_option(command, "--runtime-options", "recoverable");
        return;
    }
    add_word(command, "--enable-recovery");
    if (version_names(path, "(Open MPI) 4."))
        fprintf(stderr, "oshrun: once a PE has died, Open MPI 4's mpirun does not end with its job: "
                "interrupt it then, or use Open MPI 5 or srun\n");
}

static void build_openmpi(struct command *command, const struct options *options, const char *path)
{
    const bool is_prte = strstr(path, "prte") != NULL;
    require_survival(options, path, !is_prte || version_names(path, "(PRRTE) 3.") ||
                                        version_names(path, "(PRRTE) 4."));
    allow_root(is_prte ? "PRTE" : "OMPI");
    add_word(command, path);
    if (sheaf_options_report_failures(options))
        add_survival_options(command, path, is_prte);
    add_hosts(command, "--host", &options->hosts, true);
    if (options->binding != BIND_AUTO)
        add_option(command, "--bind-to", options->binding == BIND_CORE ? "core" : "none");
    if (options->tag_output)
        add_word(command, "--tag-output");
    if (options->output)
        add_option(command, "--output-filename", options->output);
    if (options->timeout_ns) {
        add_word(command, "--timeout");
        add_text(command, "%llu", whole_seconds(options));
    }
    add_own_variables(command, "-x");
    for (int i = 0; i < options->program_count; i++) {
        const struct program *program = &options->programs[i];
        if (i > 0)
            add_word(command, ":");
        add_word(command, "-np");
        add_text(command, "%d", program->npes);
        if (program->wdir)
            add_option(command, "--wdir", program->wdir);
        for (int k = 0; k < program->env_count; k++)
            add_option(command, "-x", program->env[k]);
        add_program(command, program, options->spares);
    }
}

static void build_hydra(struct command *command, const struct options *options, const char *path)
{
    require_survival(options, "mpiexec.hydra", false);
    add_word(command, path);
    add_hosts(command, "-hosts", &options->hosts, true);
    if (options->binding == BIND_CORE)
        add_option(command, "-bind-to", "core");
    if (options->tag_output)
        add_word(command, "-l");
    if (options->output) {
        add_word(command, "-outfile-pattern");
        add_text(command, "%s/%%r", options->output);
    }
    if (options->timeout_ns) {
        char seconds[32];
        snprintf(seconds, sizeof seconds, "%llu", whole_seconds(options));
        setenv("MPIEXEC_TIMEOUT", seconds, 1);
    }
    for (int i = 0; i < options->program_count; i++) {
        const struct program *program = &options->programs[i];
        if (i > 0)
            add_word(command, ":");
        add_word(command, "-n");
        add_text(command, "%d", program->npes);
        if (program->wdir)
            add_option(command, "-wdir", program->wdir);
        for (int k = 0; k < program->env_count; k++) {
            const char *equals = strchr(program->env[k], '=');
            add_word(command, "-env");
            add_text(command, "%.*s", (int)(equals - program->env[k]), program->env[k]);
            add_word(command, equals + 1);
        }
        add_program(command, program, options->spares);
    }
}

/* The PMI plugin for srun, from Slurm's own list: PMIx is preferred to PMI-2. Where a job is to go on
 * after a death it is not, since the PMIx plugin cancels the step when a process has died. */
static const char *slurm_plugin(const char *path, const struct options *options)
{
    const bool goes_on = sheaf_options_report_failures(options);
    char line[512], request[512];
    const char *found = NULL;
    snprintf(request, sizeof request, "'%s' --mpi=list 2>&1", path);
    FILE *list = popen(request, "re");
    while (list && fgets(line, sizeof line, list)) {
        if (strstr(line, "pmix") && !goes_on)
            found = "--mpi=pmix";
        else if (strstr(line, "pmi2") && !found)
            found = "--mpi=pmi2";
    }
    if (list)
        pclose(list);
    require_survival(options, "srun with PMIx", !goes_on || found);
    if (!found)
        sheaf_die(1, "SH401 %s has neither the pmix nor the pmi2 plugin (srun --mpi=list): install Slurm's "
                  "plugins (Debian: slurm-wlm-basic-plugins)", path);
    return found;
}

/* Writes a host list with one line per PE, in whose order Slurm places them. The list is a file without
 * a name, so that none is left behind: srun inherits the descriptor. */
static void write_host_file(const struct hosts *hosts)
{
    char path[32];
    int fd = memfd_create("oshrun-hosts", 0);
    FILE *file = fd < 0 ? NULL : fdopen(dup(fd), "w");
    if (!file)
        sheaf_die(1, "cannot make a list of hosts for srun: %s", strerror(errno));
    for (int i = 0; i < hosts->count; i++)
        for (int slot = 0; slot < hosts->list[i].slots; slot++)
            fprintf(file, "%s\n", hosts->list[i].name);
    fclose(file);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    setenv("SLURM_HOSTFILE", path, 1);
}

static void build_srun(struct command *command, const struct options *options, const char *path)
{
    const struct program *program = &options->programs[0];
    if (options->program_count > 1)
        refuse("srun", "several programs");
    write_host_file(&options->hosts);
    add_word(command, path);
    add_word(command, slurm_plugin(path, options));
    add_word(command,
             sheaf_options_report_failures(options) ? "--kill-on-bad-exit=0" : "--kill-on-bad-exit=1");
    if (sheaf_options_report_failures(options))
        add_word(command, "--no-kill"); /* nor when a host is lost */
    add_word(command, "--distribution=arbitrary");
    add_word(command, "-n");
    add_text(command, "%d", options->npes);
    if (options->binding != BIND_AUTO)
        add_word(command, options->binding == BIND_CORE ? "--cpu-bind=cores" : "--cpu-bind=none");
    if (options->tag_output)
        add_word(command, "--label");
    if (options->output)
        add_text(command, "--output=%s/%%t", options->output);
    if (program->wdir)
        add_text(command, "--chdir=%s", program->wdir);
    for (int k = 0; k < program->env_count; k++)
        putenv((char *)(uintptr_t)program->env[k]);
    add_program(command, program, options->spares);
}

/* The launchers, in the order in which they are looked for. Inside a Slurm allocation only srun knows
 * the hosts. */
static const struct launcher {
    const char *name;
    const char *product;    /* the name in the output of "NAME --version"; NULL: not checked */
    void (*build)(struct command *command, const struct options *options, const char *path);
    const char *only_with;  /* a variable that must be set for it to be chosen without --launcher */
} launchers[] = {
    {"srun", NULL, build_srun, "SLURM_JOB_ID"},
    {"prterun", NULL, build_openmpi, NULL},
    {"mpirun", "Open MPI", build_openmpi, NULL},
    {"mpirun.openmpi", NULL, build_openmpi, NULL},
    {"mpiexec.hydra", NULL, build_hydra, NULL},
    {"mpirun", "HYDRA", build_hydra, NULL},
};
#define LAUNCHERS (sizeof launchers / sizeof *launchers)

/* Chooses the launcher that --launcher names, or the first one installed. */
static const struct launcher *choose_launcher(const char *wanted, char **path)
{
    const char *base = wanted && strrchr(wanted, '/') ? strrchr(wanted, '/') + 1 : wanted;
    bool known = false;
    for (size_t i = 0; i < LAUNCHERS; i++) {
        const struct launcher *launcher = &launchers[i];
        if (wanted ? strcmp(base, launcher->name) : launcher->only_with && !getenv(launcher->only_with))
            continue;
        known = true;
        *path = base != wanted ? strdup(wanted) : sheaf_program_search(launcher->name);
        if (*path && access(*path, X_OK) == 0 && version_names(*path, launcher->product))
            return launcher;
    }
    if (!wanted)
        sheaf_die(STATUS_NOT_FOUND, "several hosts need a launcher, and none of srun (in a Slurm "
                  "allocation), prterun, mpirun and mpiexec.hydra is in PATH: install one (Debian "
                  "and Ubuntu: mpich; or openmpi-bin, where oshinfo says that PMIx is there)");
    if (!known)
        sheaf_die(STATUS_USAGE, "--launcher %s: expected srun, prterun, mpirun or mpiexec.hydra, or "
                  "a path to one of them", wanted);
    sheaf_die(STATUS_NOT_FOUND, "--launcher %s: not found, or no launcher of that kind", wanted);
}

/* Refuses options that only oshrun itself carries out, and other launchers do not. */
static void check_options(const struct options *options)
{
    if (options->gdb.wanted)
        sheaf_die(STATUS_USAGE, "--gdb works on one host alone; leave out --hosts");
    if (options->valgrind.wanted)
        sheaf_die(STATUS_USAGE, "--valgrind works on one host alone; leave out --hosts");
    if (options->no_aslr)
        sheaf_die(STATUS_USAGE, "--no-aslr works on one host alone; leave out --hosts");
    if (options->stdin_pe != 0)
        sheaf_die(STATUS_USAGE, "--stdin works on one host alone: launchers give standard input to "
                  "PE 0; leave it or --hosts out");
}

static void print_command(FILE *out, const struct command *command)
{
    for (size_t i = 0; i < command->count; i++)
        fprintf(out, "%s%s", i ? " " : "", command->words[i]);
    fputc('\n', out);
}

/* The launcher takes oshrun's place, so the remedy for a host that ssh does not reach is said before. */
static void say_started(const struct options *options, const char *path)
{
    const struct hosts *hosts = &options->hosts;
    bool by_ssh = !getenv("SLURM_JOB_ID");
    sheaf_say("%d PE%s on %d host%s, started by %s%s%s%s", options->npes, options->npes > 1 ? "s" : "",
              hosts->count, hosts->count > 1 ? "s" : "", path,
              by_ssh ? "; if it cannot reach a host: \"ssh " : "",
              by_ssh ? hosts->list[hosts->count - 1].name : "",
              by_ssh ? " true\" must need no password" : "");
}

_Noreturn void sheaf_other_launcher_become(const struct options *options)
{
    struct command command = {NULL, 0};
    char *path = NULL;
    check_options(options);
    if (options->heap)
        setenv("SHMEM_SYMMETRIC_SIZE", options->heap, 1);
    pass_timeout(options);
    sheaf_spawn_forget_outer();
    const struct launcher *launcher = choose_launcher(options->launcher, &path);
    launcher->build(&command, options, path);
    if (options->dry_run) {
        print_command(stdout, &command);
        exit(0);
    }
    if (!options->quiet)
        say_started(options, path);
    if (launcher->build == build_openmpi)
        sheaf_own_name_warn(options->quiet);
    execv(path, command.words);
    sheaf_die(STATUS_NOT_EXECUTABLE, "%s: %s", path, strerror(errno));
}
