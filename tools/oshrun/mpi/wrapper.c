/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See wrapper.h. A dynamically linked file names the calls that it makes: without one of these calls
 * it cannot start a program. An interpreter may have the calls in a library of its own (libpython). MPICH's
 * libraries have them too, and a program that needs one of those is no interpreter.
 */
#include "oshrun/mpi/wrapper.h"

#include "oshrun/command/elf_file.h"
#include "oshrun/mpi/library_search.h"

#include <string.h>

static const char *const calls[] = {"execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle",
                                    "posix_spawn", "posix_spawnp", "dlopen", NULL};

static bool begins(const char *name, const char *stem)
{
    return strncmp(name, stem, strlen(stem)) == 0;
}

/* Whether a program's own libraries tell which MPI it needs: Sheaf's, or MPICH's by its names. */
static bool tells_mpi(const struct elf_needs *needs)
{
    static const char *const stems[] = {"libsheaf.so", "libmpich.so", "libmpi.so", "libmpi_abi.so"};
    for (int i = 0; i < needs->count; i++)
        for (size_t k = 0; k < sizeof stems / sizeof *stems; k++)
            if (begins(needs->names[i], stems[k]))
                return true;
    return false;
}

/* Whether a library is libc or the loader, which have all of these calls. */
static bool is_libc(const char *name)
{
    return begins(name, "libc.so") || begins(name, "ld-linux");
}

static bool library_starts(const struct program *program, const struct elf_needs *needs)
{
    struct library_search search = {.program = program};
    char path[LIBRARY_PATH];
    bool starts = false;
    sheaf_library_search_add(&search, program->path, needs->run_path);
    for (int i = 0; i < needs->count && !starts; i++)
        starts = !is_libc(needs->names[i]) && sheaf_library_find(&search, needs->names[i], path) &&
                 sheaf_elf_names(path, calls);
    sheaf_library_search_end(&search);
    return starts;
}

static bool is_wrapper(const struct program *program)
{
    static struct elf_needs needs;
    if (!sheaf_elf_read(program->path, &needs))
        return true;
    return !tells_mpi(&needs) &&
           (sheaf_elf_names(program->path, calls) || library_starts(program, &needs));
}

bool sheaf_has_wrapper(const struct options *options)
{
    for (int i = 0; i < options->program_count; i++)
        if (is_wrapper(&options->programs[i]))
            return true;
    return false;
}
