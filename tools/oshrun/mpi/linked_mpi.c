/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See linked_mpi.h. Open MPI's library is libmpi.so.20 or a higher number; MPICH's and Intel's are
 * libmpi.so.12 and libmpich.so.12, which need libpmix.so where they were built for PMIx instead of PMI-1
 * (Ubuntu 24.04's MPICH). For a program that needs only Sheaf and libc, only its
 * own file is read.
 */
#include "oshrun/mpi/linked_mpi.h"

#include "oshrun/command/elf_file.h"
#include "oshrun/mpi/library_search.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_OPEN_MPI 20
/* The most libraries of one program that are searched: a program of PETSc and VTK has some 150. */
#define MOST_LIBRARIES 512

/* The libraries found, in the order in which they are read. */
struct found {
    int count;
    char *names[MOST_LIBRARIES];
};

static bool begins(const char *name, const char *stem)
{
    return strncmp(name, stem, strlen(stem)) == 0;
}

static bool needs_pmix(const char *name)
{
    static const char stem[] = "libmpi.so.";
    return begins(name, "libpmix.so.") ||
           (begins(name, stem) && atoi(name + sizeof stem - 1) >= FIRST_OPEN_MPI);
}

/* Whether a library is one of the compiler's or the system's, which need no MPI. */
static bool is_plain(const char *name)
{
    static const char *const stems[] = {"libc.so", "libm.so", "ld-linux", "libpthread.so", "libdl.so",
                                        "librt.so", "libgcc_s.so", "libstdc++.so", "libsheaf.so"};
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        if (begins(name, stems[i]))
            return true;
    return false;
}

static void add_library(struct found *found, const char *name)
{
    for (int i = 0; i < found->count; i++)
        if (strcmp(found->names[i], name) == 0)
            return;
    if (found->count < MOST_LIBRARIES && (found->names[found->count] = strdup(name)))
        found->count++;
}

/* Whether one of these libraries needs PMIx; the others are added to the list. */
static bool add_needs(struct found *found, const struct elf_needs *needs)
{
    for (int i = 0; i < needs->count; i++) {
        if (needs_pmix(needs->names[i]))
            return true;
        if (!is_plain(needs->names[i]))
            add_library(found, needs->names[i]);
    }
    return false;
}

/* Whether a program needs PMIx. A library's libraries are also searched in the program's folders: a
 * superfluous folder does no harm. */
static bool program_needs_pmix(const struct program *program)
{
    static struct elf_needs needs;
    struct found found = {0};
    struct library_search search = {.program = program};
    bool needed = sheaf_elf_read(program->path, &needs) && add_needs(&found, &needs);
    sheaf_library_search_add(&search, program->path, needs.run_path);
    for (int i = 0; i < found.count && !needed; i++) {
        char path[LIBRARY_PATH];
        if (!sheaf_library_find(&search, found.names[i], path))
            continue;
        needed = sheaf_elf_read(path, &needs) && add_needs(&found, &needs);
        sheaf_library_search_add(&search, path, needs.run_path);
    }
    for (int i = 0; i < found.count; i++)
        free(found.names[i]);
    sheaf_library_search_end(&search);
    return needed;
}

const struct program *sheaf_linked_with_pmix(const struct options *options)
{
    for (int i = 0; i < options->program_count; i++)
        if (program_needs_pmix(&options->programs[i]))
            return &options->programs[i];
    return NULL;
}
