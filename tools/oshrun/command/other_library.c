/* SPDX-License-Identifier: BSD-3-Clause
 * See other_library.h.
 */
#include "oshrun/command/other_library.h"

#include "oshrun/command/elf_file.h"
#include "oshrun/command/say.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct other_library {
    const char *name;
    const char *title;
    const char *stem; /* the start of its file's name, up to the number */
    const char *file;
    const char *absent[12]; /* routines that Sheaf does not have; NULL at the end */
};

static const struct other_library libraries[] = {
    {"ompi",
     "Open MPI 4.1 and 5.0",
     "liboshmem.so.",
     "liboshmem.so.40",
     {"shmemx_alltoall_global_nb"}},
    {"sos",
     "Sandia OpenSHMEM 1.4.5 to 1.5.3",
     "libsma.so.",
     "libsma.so.0",
     {"shmemx_ct_create", "shmemx_ct_free", "shmemx_ct_get", "shmemx_ct_set", "shmemx_ct_wait",
      "shmemx_putmem_ct", "shmemx_getmem_ct", "shmemx_nodename", "shmemx_heap_preinit",
      "shmemx_heap_postinit", "shmemx_register_gettid"}},
};
#define LIBRARIES (sizeof libraries / sizeof *libraries)

const struct other_library *sheaf_other_library_named(const char *option, const char *name)
{
    for (size_t i = 0; i < LIBRARIES; i++)
        if (strcmp(name, libraries[i].name) == 0)
            return &libraries[i];
    sheaf_die(STATUS_USAGE, "%s %s: expected ompi (%s) or sos (%s)", option, name,
              libraries[0].title, libraries[1].title);
}

/* Finds the library's file in the library folder of this oshrun's own tree, built or installed. */
static const char *find_file(const struct other_library *library)
{
    static char path[PATH_MAX + 128];
    char folder[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    char *slash = length > 0 ? memrchr(folder, '/', (size_t)length) : NULL;
    if (!slash)
        sheaf_die(1, "--as %s: /proc/self/exe does not say where oshrun is", library->name);
    *slash = '\0';
    snprintf(path, sizeof path, "%s/" OSHRUN_TO_LIBRARY "/sheaf/%s/%s", folder, library->name,
             library->file);
    if (access(path, R_OK) != 0)
        snprintf(path, sizeof path, "%s/../lib/sheaf/%s/%s", folder, library->name, library->file);
    if (access(path, R_OK) != 0)
        sheaf_die(1,
                  "--as %s: this Sheaf has no %s, which was left out when it was built "
                  "(SHEAF_BINARIES=OFF)",
                  library->name, path);
    return path;
}

/* Checks that a program was linked with that library. A script passes, and so does a program whose
 * libraries need the library. */
static void check_program(const struct other_library *library, const char *path)
{
    static struct elf_needs needs;
    if (!sheaf_elf_read(path, &needs))
        return;
    if (needs.count == 0)
        sheaf_die(
            STATUS_USAGE,
            "--as %s: %s is statically linked: its routines cannot be replaced; link it again, "
            "with %s or with oshcc",
            library->name, path, library->file);
    for (int i = 0; i < needs.count; i++) {
        const char *needed = needs.names[i];
        if (strncmp(needed, "libsheaf.so.", 12) == 0)
            sheaf_die(STATUS_USAGE, "--as %s: %s is linked with Sheaf (%s): run it without --as",
                      library->name, path, needed);
        if (strncmp(needed, library->stem, strlen(library->stem)) == 0 &&
            strcmp(needed, library->file) != 0)
            sheaf_die(STATUS_USAGE, "--as %s: %s needs %s, and Sheaf takes the place of %s (%s)",
                      library->name, path, needed, library->file, library->title);
        for (size_t k = 0; k < LIBRARIES; k++)
            if (&libraries[k] != library &&
                strncmp(needed, libraries[k].stem, strlen(libraries[k].stem)) == 0)
                sheaf_die(STATUS_USAGE, "--as %s: %s needs %s: did you mean --as %s?",
                          library->name, path, needed, libraries[k].name);
    }
    for (const char *const *name = library->absent; *name; name++) {
        const char *const names[] = {*name, NULL};
        if (sheaf_elf_names(path, names))
            sheaf_die(STATUS_USAGE, "--as %s: %s calls %s, which Sheaf does not have",
                      library->name, path, *name);
    }
}

static void preload_library(struct program *program, const char *file)
{
    const char *before = sheaf_program_setting(program, "LD_PRELOAD");
    char *setting;
    const char **env = realloc(program->env, ((size_t)program->env_count + 1) * sizeof *env);
    if (!env || asprintf(&setting, "LD_PRELOAD=%s%s%s", file, before && *before ? ":" : "",
                         before ? before : "") < 0)
        sheaf_die(1, "out of memory");
    program->env = env;
    program->env[program->env_count++] = setting;
}

/* A program that needs another library of OpenSHMEM, and none of Sheaf's, meets a launcher of Sheaf's. */
static void warn_of_other_library(const struct program *program)
{
    static struct elf_needs needs;
    const struct other_library *found = NULL;
    const char *preload = sheaf_program_setting(program, "LD_PRELOAD");
    if ((preload && strstr(preload, "/sheaf/")) || !sheaf_elf_read(program->path, &needs))
        return;
    for (int i = 0; i < needs.count; i++) {
        if (strncmp(needs.names[i], "libsheaf.so.", 12) == 0)
            return;
        for (size_t k = 0; k < LIBRARIES; k++)
            if (strncmp(needs.names[i], libraries[k].stem, strlen(libraries[k].stem)) == 0)
                found = &libraries[k];
    }
    if (found)
        sheaf_say("SH912 warning: %s is linked with another OpenSHMEM (%s), not with Sheaf: oshrun --as %s "
                  "runs it with Sheaf; or link it again, with Sheaf's oshcc",
                  program->name, found->file, found->name);
}

void sheaf_other_library_use(struct options *options)
{
    const struct other_library *library = options->as;
    if (!library) {
        for (int i = 0; i < options->program_count; i++)
            warn_of_other_library(&options->programs[i]);
        return;
    }
    const char *file = find_file(library);
    for (int i = 0; i < options->program_count; i++) {
        check_program(library, options->programs[i].path);
        preload_library(&options->programs[i], file);
    }
}
