/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prepares the PEs' commands and environments, and, in the child, executes the program with them.
 */
#include "oshrun/hosts/spawn.h"

#include "base/settings/env.h"
#include "oshrun/command/say.h"
#include "oshrun/hosts/spawn_variables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

static void *allocate(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block)
        sheaf_die(1, "out of memory");
    return block;
}

static bool same_name(const char *setting, const char *other)
{
    size_t length = strcspn(other, "=");
    return !strncmp(setting, other, length) && setting[length] == '=';
}

/* Adds a setting, replacing an earlier one of that name. */
static void set_variable(char **env, size_t *count, const char *setting)
{
    for (size_t i = SPAWN_VARIABLES; i < *count; i++)
        if (same_name(env[i], setting)) {
            env[i] = (char *)setting;
            return;
        }
    env[(*count)++] = (char *)setting;
}

static void set_heap(char **env, size_t *count, const char *size)
{
    char *setting;
    if (asprintf(&setting, "SHMEM_SYMMETRIC_SIZE=%s", size) < 0)
        sheaf_die(1, "out of memory");
    set_variable(env, count, setting);
}

/* Valgrind's leak check reads the complete heap: one PE took 168 s with a heap of 24 GiB, a machine's
 * memory, and 4 s with 64 MiB (2 busy CPUs). */
#define VALGRIND_HEAP "64M"

/* Whether a program's settings give the heap's size, which is the same on all PEs. */
static bool is_heap_asked_for(const struct options *options)
{
    if (options->heap || sheaf_settings_text("SHMEM_SYMMETRIC_SIZE"))
        return true;
    for (int i = 0; i < options->program_count; i++)
        for (int k = 0; k < options->programs[i].env_count; k++)
            if (same_name(options->programs[i].env[k], "SHMEM_SYMMETRIC_SIZE=") ||
                same_name(options->programs[i].env[k], "SMA_SYMMETRIC_SIZE="))
                return true;
    return false;
}

/* Makes a program's environment. The first entries are reserved for the variables that differ per PE;
 * values of an outer job for them are removed. */
static char **make_environment(const struct options *options, const struct program *program)
{
    size_t inherited = 0, count = SPAWN_VARIABLES;
    while (environ[inherited])
        inherited++;
    char **env = allocate(inherited + (size_t)program->env_count + count + 2, sizeof *env);
    for (size_t i = 0; i < inherited; i++)
        if (!sheaf_spawn_is_own(environ[i]))
            env[count++] = environ[i];
    if (options->heap)
        set_heap(env, &count, options->heap);
    else if (options->valgrind.wanted && !is_heap_asked_for(options))
        set_heap(env, &count, VALGRIND_HEAP);
    for (int i = 0; i < program->env_count; i++)
        if (!sheaf_spawn_is_own(program->env[i]))
            set_variable(env, &count, program->env[i]);
    return env;
}

void sheaf_spawn_set_for_all(struct spawn *spawn, const char *setting)
{
    char *copy = strdup(setting);
    for (int i = 0; i < spawn->options->program_count; i++) {
        size_t count = SPAWN_VARIABLES;
        while (spawn->env[i][count])
            count++;
        char **env = reallocarray(spawn->env[i], count + 2, sizeof *env);
        if (!copy || !env)
            sheaf_die(1, "out of memory");
        set_variable(env, &count, copy);
        env[count] = NULL;
        spawn->env[i] = env;
    }
}

/* The program's command, with the words of front before it. */
static char **make_command(const struct program *program, const char *const *front)
{
    size_t words = 0, before = 0, at = 0;
    while (program->argv[words])
        words++;
    while (front[before])
        before++;
    char **argv = allocate(before + words + 1, sizeof *argv);
    for (size_t i = 0; i < before; i++)
        argv[at++] = (char *)front[i];
    argv[at++] = program->path;
    for (size_t i = 1; i < words; i++)
        argv[at++] = program->argv[i];
    return argv;
}

static const char *require_tool(const char *tool, const char *why)
{
    const char *path = sheaf_program_search(tool);
    if (!path)
        sheaf_die(STATUS_NOT_FOUND, "%s: %s is not installed", why, tool);
    return path;
}

/* Puts gdb in front: one gdb uses the terminal, several need a window each. */
static void put_gdb(struct spawn *spawn)
{
    const struct pe_choice *choice = &spawn->options->gdb;
    const char *gdb = require_tool("gdb", "--gdb");
    const char *xterm = NULL;
    if (choice->count > 1) {
        if (getenv("DISPLAY"))
            xterm = sheaf_program_search("xterm");
        if (!xterm)
            sheaf_die(STATUS_USAGE,
                      "--gdb on %d PEs needs a window for each: xterm and DISPLAY; or choose one "
                      "PE, such as --gdb=0",
                      choice->count);
    }
    if (!xterm && !spawn->options->has_input)
        sheaf_die(STATUS_USAGE, "--gdb: gdb reads its commands from standard input, which is closed; "
                                "start oshrun in a terminal, or with a file or pipe of commands");
    for (int pe = 0; pe < spawn->options->npes; pe++) {
        struct spawn_pe *it = &spawn->pes[pe];
        char *title = NULL;
        if (!choice->has[pe])
            continue;
        if (xterm && asprintf(&title, "PE %d", pe) < 0)
            sheaf_die(1, "out of memory");
        const char *window[] = {"xterm", "-T", title, "-e", gdb, "-q", "--args", NULL};
        const char *plain[] = {"gdb", "-q", "--args", NULL};
        it->argv = make_command(it->program, xterm ? window : plain);
        it->path = xterm ? xterm : gdb;
        it->foreground = !xterm;
    }
}

static void put_valgrind(struct spawn *spawn)
{
    const char *valgrind = require_tool("valgrind", "--valgrind");
    const char *front[] = {"valgrind", "--", NULL};
    for (int pe = 0; pe < spawn->options->npes; pe++)
        if (spawn->options->valgrind.has[pe]) {
            spawn->pes[pe].argv = make_command(spawn->pes[pe].program, front);
            spawn->pes[pe].path = valgrind;
        }
}

/* Switches address randomization off for the programs that this process starts. */
static void switch_randomization_off(void)
{
    int now = personality(0xffffffff);
    if (now < 0 || personality((unsigned long)now | ADDR_NO_RANDOMIZE) < 0)
        sheaf_die(1, "--no-aslr: address randomization cannot be switched off here: %s",
                  strerror(errno));
}

void sheaf_spawn_prepare(struct spawn *spawn)
{
    const struct options *options = spawn->options;
    if (options->no_aslr)
        switch_randomization_off();
    spawn->env = allocate((size_t)options->program_count, sizeof *spawn->env);
    spawn->pes = allocate((size_t)options->npes, sizeof *spawn->pes);
    for (int i = 0; i < options->program_count; i++) {
        const struct program *program = &options->programs[i];
        spawn->env[i] = make_environment(options, program);
        for (int pe = program->first_pe; pe < program->first_pe + program->npes; pe++)
            spawn->pes[pe] = (struct spawn_pe){.program = program,
                                                 .argv = program->argv,
                                                 .path = program->path,
                                                 .input = -1,
                                                 .output = -1,
                                                 .error = -1,
                                                 .mpi = -1};
    }
    if (options->gdb.wanted)
        put_gdb(spawn);
    if (options->valgrind.wanted)
        put_valgrind(spawn);
}

_Noreturn static void fail(int channel, int pe, enum proxy_step step)
{
    struct proxy_report report = {PROXY_FAILED, pe, errno, step};
    send(channel, &report, sizeof report, MSG_NOSIGNAL);
    _exit(STATUS_NOT_FOUND);
}

/* Connects descriptors 0, 1 and 2. A PE with the terminal keeps oshrun's. */
static int connect_streams(const struct spawn_pe *it)
{
    int input = it->input;
    if (input < 0)
        input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (input < 0 || (input != 0 && dup2(input, 0) < 0))
        return -1;
    if (it->output >= 0 && dup2(it->output, 1) < 0)
        return -1;
    return it->error >= 0 && dup2(it->error, 2) < 0 ? -1 : 0;
}

/* Restores signals, limits and the terminal as oshrun found them. */
static void restore_state(const struct spawn *spawn, const struct spawn_pe *it)
{
    const int numbers[] = {SIGPIPE, SIGTTIN, SIGTTOU};
    if (it->foreground && isatty(0))
        tcsetpgrp(0, getpid());
    for (int i = 0; i < 3; i++)
        sigaction(numbers[i], &spawn->ignored[i], NULL);
    setrlimit(RLIMIT_NOFILE, &spawn->files);
    sigprocmask(SIG_SETMASK, &spawn->signals, NULL);
}

static void execute_script(const struct spawn_pe *it, char **env)
{
    size_t words = 0;
    while (it->argv[words])
        words++;
    char **argv = calloc(words + 2, sizeof *argv);
    if (!argv)
        return;
    argv[0] = "sh";
    argv[1] = (char *)it->path;
    for (size_t i = 1; i < words; i++)
        argv[i + 1] = it->argv[i];
    execve("/bin/sh", argv, env);
}

/* A program for another machine or system must not be taken for a script: whether the file is an ELF file,
 * or its first line has a NUL, as shells decide. */
static bool is_binary(const char *path)
{
    char start[128];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, start, sizeof start);
    const char *end = length > 0 ? memchr(start, '\n', (size_t)length) : NULL;
    if (length >= 4 && !memcmp(start, "\177ELF", 4))
        return true;
    return length > 0 && memchr(start, '\0', end ? (size_t)(end - start) : (size_t)length);
}

/* Executes the PE's program. As execvp() does, it gives a file to the shell that is no program and has
 * no "#!". */
static void exec_pe(const struct spawn_pe *it, char **env)
{
    execve(it->path, it->argv, env);
    int error = errno;
    if (error == ENOEXEC && !is_binary(it->path))
        execute_script(it, env);
    errno = error;
}

_Noreturn void sheaf_spawn_exec(const struct spawn *spawn, int pe, int proxy, int channel)
{
    const struct spawn_pe *it = &spawn->pes[pe];
    char **env = spawn->env[it->program - spawn->options->programs];
    struct spawn_variables variables;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != proxy)
        _exit(1);
    if (connect_streams(it))
        fail(channel, pe, STEP_STREAMS);
    if (it->program->wdir && chdir(it->program->wdir))
        fail(channel, pe, STEP_EXEC);
    if (spawn->cpus)
        sched_setaffinity(0, sizeof spawn->cpus[pe], &spawn->cpus[pe]);
    fcntl(spawn->job->fd, F_SETFD, 0);
    restore_state(spawn, it);
    env = sheaf_spawn_enter(spawn, pe, &variables, env);
    exec_pe(it, env);
    fail(channel, pe, STEP_EXEC);
}
