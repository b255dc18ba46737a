/* SPDX-License-Identifier: BSD-3-Clause
 * See family.h.
 */
#include "base/mpi/family.h"

#include "base/os/library.h"
#include "base/settings/env.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_FILES 8

/* In bytes. Over TCP Open MPI announces what is longer than 64 KiB and sends it once the receiver has
 * answered: up to here pieces of a fragment are faster. MPICH announces these too. */
#define AT_ONCE ((size_t)192 << 10)

struct family {
    const char *setting, *name;
    const char *module;      /* Sheaf's library for it */
    const char *files[3];    /* the MPI's own, as its authors or their distributors call it */
    const char *package;     /* Debian's; or in words */
    const char *headers;     /* likewise */
    const char *signs[3];    /* variables that its launchers set */
    const char *level_variable, *level_value;
    bool may_hang;           /* as in struct sheaf_mpi_choice */
    size_t at_once;          /* likewise */
};
/* MPICH 4.0.2 over UCX: in MPI_Finalize a process waits for others to answer the end of its
 * connections, and those may be in a fence of the launcher's already, where nobody answers: seen on two
 * hosts, with a barrier before it too. Intel MPI and MVAPICH are of MPICH's family, and have its ABI. MPI 5
 * has an ABI of its own, which an MPI may offer beside the one that it had. */
static const struct family families[] = {
    {"openmpi", "Open MPI", "libsheaf-mpi-openmpi.so", {"libmpi.so.40"}, "libopenmpi3", "libopenmpi-dev",
     {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK"}, "OMPI_MPI_THREAD_LEVEL", "3", false, AT_ONCE},
    {"mpich", "MPICH", "libsheaf-mpi-mpich.so", {"libmpich.so.12", "libmpi.so.12"}, "libmpich12",
     "libmpich-dev", {"PMI_RANK", "PMI_FD"}, "MPIR_CVAR_DEFAULT_THREAD_LEVEL", "MPI_THREAD_MULTIPLE",
     true, 0},
    {"abi", "MPI by its standard ABI", "libsheaf-mpi-abi.so", {"libmpi_abi.so.1"},
     "none yet; MPICH 5 has it", "none yet; ABI_INCLUDE says where they are", {NULL},
     "MPIR_CVAR_DEFAULT_THREAD_LEVEL", "MPI_THREAD_MULTIPLE", true, 0},
};
enum { FAMILIES = sizeof families / sizeof *families };
#define OPEN_MPI     (&families[0])
#define STANDARD_ABI (&families[2])

struct sheaf_mpi_choice sheaf_mpi_choice;

static const char *file_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool has_standard_abi(const char *path)
{
    return strncmp(file_part(path), "libmpi_abi.so.1", 15) == 0;
}

bool sheaf_mpi_is_file(const char *path)
{
    const char *file = file_part(path);
    return strncmp(file, "libsheaf-mpi-", 13) == 0 || strncmp(file, "libmpi.so", 9) == 0 ||
           strncmp(file, "libmpich.so", 11) == 0 || has_standard_abi(path);
}

struct files {
    int count;
    char path[MOST_FILES][256];
};

/* An MPI's C library: others of it, libmpi_mpifh.so say, need that one. */
static int note_file(const char *path, void *argument)
{
    struct files *files = argument;
    if (!sheaf_mpi_is_file(path) || strncmp(file_part(path), "libsheaf", 8) == 0)
        return 0;
    snprintf(files->path[files->count++], sizeof files->path[0], "%s", path);
    return files->count == MOST_FILES;
}

/* Also makes its symbols those of all. */
static const struct family *family_of(const char *path)
{
    const char *why;
    void *library = sheaf_library_open_for_all(path, &why);
    if (!library || !sheaf_library_symbol(library, "MPI_Init_thread"))
        return NULL;
    if (has_standard_abi(path))
        return STANDARD_ABI;
    return sheaf_library_symbol(library, "ompi_mpi_comm_world") ? OPEN_MPI : OPEN_MPI + 1;
}

/* The family that the process has loaded: NULL where it has none, or, with why, several. */
static const struct family *find_loaded(char *why, size_t size)
{
    struct files files = {0};
    const struct family *found = NULL;
    sheaf_library_visit(note_file, &files);
    for (int i = 0; i < files.count; i++) {
        const struct family *family = family_of(files.path[i]);
        if (family && found && family != found) {
            snprintf(why, size, "this process has loaded two MPIs, %s and %s: link the program, and the "
                     "libraries that it uses, with one of them", sheaf_mpi_choice.file, files.path[i]);
            return NULL;
        }
        if (family && !found)
            snprintf(sheaf_mpi_choice.file, sizeof sheaf_mpi_choice.file, "%s", files.path[i]);
        found = family ? family : found;
    }
    return found;
}

/* Its MPI's file, where that can be loaded. */
static bool open_mpi_library(const struct family *family, const char **why)
{
    for (int i = 0; family->files[i]; i++)
        if (sheaf_library_open_for_all(family->files[i], why)) {
            snprintf(sheaf_mpi_choice.file, sizeof sheaf_mpi_choice.file, "%s", family->files[i]);
            return true;
        }
    return false;
}

/* Whether the loader finds the module by its name, as it does for a program that is linked with libsheaf.a.
 * Before the MPI is loaded the module cannot be: where the loader has found the file, its message begins
 * with the path. */
static bool is_known_to_loader(const struct family *family)
{
    const char *why;
    return sheaf_library_open(family->module, &why) ||
           strncmp(why, family->module, strlen(family->module)) != 0;
}

static const struct family *find_wanted(char *why, size_t size)
{
    const char *wanted = sheaf_settings_text("SHEAF_MPI");
    if (!wanted || strcmp(wanted, "auto") == 0)
        return NULL;
    for (int i = 0; i < FAMILIES; i++)
        if (strcmp(wanted, families[i].setting) == 0)
            return &families[i];
    snprintf(why, size, "SHEAF_MPI=%s: there are openmpi, mpich, abi and auto", wanted);
    return NULL;
}

static bool has_sign(const struct family *family)
{
    for (int i = 0; family->signs[i]; i++)
        if (getenv(family->signs[i]))
            return true;
    return false;
}

static bool is_here(const struct family *family)
{
    char path[4096];
    const char *ignored;
    return (sheaf_library_beside(family->module, SHEAF_TO_LIBRARY, path, sizeof path) ||
            is_known_to_loader(family)) &&
           open_mpi_library(family, &ignored);
}

/* By the launcher's signs, and where there are none by what is installed. Two are never loaded: each would
 * find the other's symbols. A launcher's own MPI may be here by the standard ABI alone. */
static const struct family *find_by_signs(char *why, size_t size)
{
    const struct family *own = NULL;
    for (int i = FAMILIES - 1; i >= 0; i--)
        if (has_sign(&families[i]) && (!own || is_here(&families[i])))
            own = &families[i];
    if (own) {
        sheaf_mpi_choice.reason = "the launcher is its own";
        return !is_here(own) && is_here(STANDARD_ABI) ? STANDARD_ABI : own;
    }
    sheaf_mpi_choice.reason = "the first that is installed; SHEAF_MPI chooses, and so does a launcher";
    for (int i = 0; i < FAMILIES; i++)
        if (is_here(&families[i]))
            return &families[i];
    snprintf(why, size, "no MPI is here that Sheaf was built for: install one, with its headers where "
             "Sheaf is built (Debian: libopenmpi-dev or libmpich-dev)");
    return NULL;
}

static const struct family *choose(char *why, size_t size)
{
    const struct family *loaded = find_loaded(why, size), *wanted = *why ? NULL : find_wanted(why, size);
    if (*why)
        return NULL;
    if (loaded && wanted && loaded != wanted) {
        snprintf(why, size, "SHEAF_MPI=%s, and this process has loaded %s (%s): unset SHEAF_MPI",
                 wanted->setting, loaded->name, sheaf_mpi_choice.file);
        return NULL;
    }
    if (loaded || wanted) {
        sheaf_mpi_choice.reason = loaded ? "the process has it loaded" : "SHEAF_MPI says so";
        return loaded ? loaded : wanted;
    }
    return find_by_signs(why, size);
}

static void *open_module(const struct family *family, const char **why)
{
    char path[4096];
    bool is_found = sheaf_library_beside(family->module, SHEAF_TO_LIBRARY, path, sizeof path);
    return sheaf_library_open(is_found ? path : family->module, why);
}

static const struct sheaf_mpi_shim *load(const struct family *family, char *why, size_t size)
{
    const char *reason = "it is not there", *other = families[family == OPEN_MPI].setting;
    if (!sheaf_mpi_choice.file[0] && !open_mpi_library(family, &reason)) {
        snprintf(why, size, "%s cannot be loaded: %s: install it (Debian: %s), or set SHEAF_MPI=%s",
                 family->name, reason, family->package, other);
        return NULL;
    }
    void *module = open_module(family, &reason);
    const struct sheaf_mpi_shim *shim = module ? sheaf_library_symbol(module, SHEAF_MPI_SHIM_SYMBOL) : NULL;
    if (shim && shim->version == SHEAF_MPI_SHIM_VERSION)
        return shim;
    if (module)
        reason = "it belongs to another version of Sheaf";
    snprintf(why, size, "Sheaf's library for %s cannot be used: %s: build Sheaf where the headers of %s "
             "are (Debian: %s), or set SHEAF_MPI=%s", family->name, reason, family->name, family->headers,
             other);
    return NULL;
}

const struct sheaf_mpi_shim *sheaf_mpi_load(char *why, size_t size)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct sheaf_mpi_choice *choice = &sheaf_mpi_choice;
    *why = '\0';
    pthread_mutex_lock(&lock);
    if (!choice->shim) {
        choice->file[0] = '\0';
        const struct family *family = choose(why, size);
        if (family && (choice->shim = load(family, why, size)) != NULL) {
            choice->name = family->name;
            choice->may_hang = family->may_hang;
            choice->at_once = family->at_once;
            choice->level_variable = family->level_variable;
            choice->level_value = family->level_value;
        }
    }
    pthread_mutex_unlock(&lock);
    return choice->shim;
}

void sheaf_mpi_raise_level(void)
{
    bool is_asked = sheaf_settings_networks() & 1U << SHEAF_ENGINE_MPI ||
                    sheaf_settings_choice("SHEAF_BOOT") == SHEAF_BOOT_MPI;
    for (int i = 0; is_asked && i < FAMILIES; i++)
        setenv(families[i].level_variable, families[i].level_value, 0);
}
