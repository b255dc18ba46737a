/* SPDX-License-Identifier: BSD-3-Clause
 * See mpi_world.h.
 */
#include "core/pe/mpi_world.h"

#include "base/log.h"
#include "base/mpi/use.h"
#include "base/os/hook.h"
#include "base/os/library.h"
#include "base/settings/names.h"
#include "core/pe/call.h"
#include "core/pe/job.h"
#include "image/imports.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* MPI_MAX_LIBRARY_VERSION_STRING of MPICH, the largest. */
#define VERSION_SIZE 8192
#define TEXT 400

/* MPI_COMM_WORLD, which differs between the families of MPIs. */
#define MPICH_WORLD 0x44000000
#define ABI_WORLD   ((void *)0x101) /* in the standard ABI of MPI 5 */

struct family {
    const char *name;
    const char *sign;   /* in the text of MPI_Get_library_version */
    const char *remedy; /* in the error line */
};
static const struct family families[] = {
    {"Open MPI", "Open MPI", "oshrun --mpi=pmix, Open MPI's mpirun or srun --mpi=pmix"},
    {"MPICH", "MPICH", "oshrun or mpiexec.hydra"},
    {"Intel MPI", "Intel(R) MPI", "oshrun or its mpiexec.hydra"},
    {"MVAPICH", "MVAPICH", "oshrun or mpiexec.hydra"},
};
#define OPEN_MPI (&families[0])

static enum { NOT_LOOKED_FOR, ABSENT, THERE, COMPARED } state;

/* NULL: its symbols are global. */
static void *library;

static void *find_symbol(const char *name)
{
    return sheaf_library_symbol(library, name);
}

static int note_mpi(const char *path, void *found)
{
    bool is_mpi = sheaf_mpi_is_file(path);
    if (is_mpi)
        snprintf(found, PATH_MAX, "%s", path);
    return is_mpi;
}

/* An interpreter may load its MPI without making the symbols global. The library is then found among
 * the files that the process has mapped. */
static void find_library_file(void)
{
    char path[PATH_MAX] = "";
    const char *why;
    sheaf_library_visit(note_mpi, path);
    library = *path ? sheaf_library_open(path, &why) : NULL;
}

static void find_library(void)
{
    if (__atomic_load_n(&state, __ATOMIC_RELAXED) == COMPARED)
        return;
    if (!find_symbol("MPI_Initialized"))
        find_library_file();
    __atomic_store_n(&state, find_symbol("MPI_Initialized") ? THERE : ABSENT, __ATOMIC_RELAXED);
}

/* Whether MPI is between MPI_Init and MPI_Finalize, so may be called. */
static bool is_initialized(void)
{
    int (*initialized)(int *) = find_symbol("MPI_Initialized"),
        (*finalized)(int *) = find_symbol("MPI_Finalized");
    int begun = 0, ended = 0;
    return initialized && finalized && initialized(&begun) == 0 && begun && finalized(&ended) == 0 &&
           !ended;
}

static const struct family *family_here(void)
{
    char version[VERSION_SIZE] = "";
    int length = 0;
    int (*ask)(char *, int *) = find_symbol("MPI_Get_library_version");
    if (!ask || ask(version, &length) != 0)
        return NULL;
    version[sizeof version - 1] = '\0';
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strstr(version, families[i].sign))
            return &families[i];
    return NULL;
}

/* The result of MPI_Comm_rank or MPI_Comm_size for the world; -1 where it gives none. */
static int world_number(const char *function, const struct family *family)
{
    int number = -1, failed;
    void *address = find_symbol(function), *world = NULL;
    if (address && sheaf_library_is_from(address, "libmpi_abi"))
        world = ABI_WORLD;
    else if (family == OPEN_MPI)
        world = find_symbol("ompi_mpi_comm_world");
    if (!address || (family == OPEN_MPI && !world))
        return -1;
    if (world)
        failed = ((int (*)(void *, int *))address)(world, &number);
    else
        failed = ((int (*)(int, int *))address)(MPICH_WORLD, &number);
    return failed ? -1 : number;
}

static const char *remedy_of(const struct family *family)
{
    bool speaks_pmix = family != OPEN_MPI && sheaf_library_symbol(NULL, "PMIx_Init");
    return speaks_pmix ? "oshrun: this MPI was built for PMIx, which mpiexec.hydra does not speak"
                       : family->remedy;
}

/* Prints to text how MPI's world differs from this job. Returns false where it does not differ, or
 * where it cannot be found out. */
static bool print_difference(char *text, size_t length)
{
    const struct family *family = family_here();
    if (!family) {
        sheaf_debug("the MPI in this process is not known: it may have other processes than this job");
        return false;
    }
    int size = world_number("MPI_Comm_size", family), rank = world_number("MPI_Comm_rank", family);
    int pe = sheaf_job.pe, npes = sheaf_job.npes;
    if (size < 0 || rank < 0 || (size == npes && rank == pe))
        return false;
    if (size != npes)
        snprintf(text, length, "MPI_COMM_WORLD of %s has %d process%s, and OpenSHMEM has %d PE%s: the "
                 "launcher started them for one of the two alone; start the program with %s", family->name,
                 size, size == 1 ? "" : "es", npes, npes == 1 ? "" : "s", remedy_of(family));
    else
        snprintf(text, length, "PE %d is rank %d in MPI_COMM_WORLD of %s, and must have the same number: "
                 "start the program with %s", pe, rank, family->name, remedy_of(family));
    return true;
}

/* Compares once, as soon as MPI is initialized. Returns whether its world is another one. */
static bool is_other_world(char *text, size_t length)
{
    if (__atomic_load_n(&state, __ATOMIC_RELAXED) != THERE || !is_initialized() ||
        __atomic_exchange_n(&state, COMPARED, __ATOMIC_RELAXED) == COMPARED)
        return false;
    return print_difference(text, length);
}

/* Replaces the program's MPI_Finalize. */
static int compare_and_finalize(void)
{
    int (*finalize)(void) = find_symbol("MPI_Finalize");
    sheaf_call = (struct sheaf_call){.name = "MPI_Finalize", .site = __builtin_return_address(0)};
    if (sheaf_job_is_initialized())
        sheaf_mpi_world_compare();
    return finalize ? finalize() : -1;
}

/* Hooks MPI_Finalize: otherwise an MPI that is initialized and finalized between two comparing calls
 * would not be compared. */
static void hook_finalize(void)
{
    if (__atomic_load_n(&state, __ATOMIC_RELAXED) != THERE)
        return;
    sheaf_hook_everywhere(sheaf_mpi_is_file, "MPI_Finalize", (void *)compare_and_finalize);
    sheaf_hook_everywhere(sheaf_mpi_is_file, "PMPI_Finalize", (void *)compare_and_finalize);
}

/* The part of "MPI_Send", "PMPI_Send" or "mpi_send_" behind the prefix. NULL: the name is none of
 * MPI's. */
static const char *name_in_mpi(const char *name)
{
    name += strncasecmp(name, "PMPI_", 5) == 0;
    return strncasecmp(name, "MPI_", 4) == 0 ? name + 4 : NULL;
}

static bool asks_mpi(const char *rest)
{
    return strncasecmp(rest, "Initialized", 11) == 0 || strncasecmp(rest, "Finalized", 9) == 0;
}

static bool uses_mpi(const char *name)
{
    const char *rest = name_in_mpi(name);
    return rest && !asks_mpi(rest);
}

static bool begins_mpi(const char *name)
{
    const char *rest = name_in_mpi(name);
    return rest && !asks_mpi(rest) &&
           (strncasecmp(rest, "Init", 4) == 0 || strncasecmp(rest, "Session_init", 12) == 0);
}

/* Whether shmem_init initializes MPI: by default for a program that uses MPI and refers to none of the
 * calls that initialize it. */
static bool is_wanted_up(int setting)
{
    if (setting == SHEAF_MPI_INIT_AUTO)
        return sheaf_image_program_imports(uses_mpi) && !sheaf_image_program_imports(begins_mpi);
    return setting == SHEAF_MPI_INIT_ON;
}

/* MPI that is initialized here is finalized when the process ends. -1: it was asked for, and cannot be
 * had. */
static int initialize_for_program(void)
{
    static bool is_tried;
    const int setting = sheaf_job.settings.mpi_init;
    bool is_there = __atomic_load_n(&state, __ATOMIC_RELAXED) != ABSENT;
    char why[TEXT] = "this process has loaded none: link the program with one, or unset SHEAF_MPI_INIT";
    if (is_tried || (is_there && is_initialized()) || (!is_there && setting != SHEAF_MPI_INIT_ON) ||
        !is_wanted_up(setting))
        return 0;
    is_tried = true;
    if (is_there && sheaf_mpi_use(SHEAF_MPI_SINGLE, why, sizeof why)) {
        sheaf_mpi_release();
        return 0;
    }
    if (setting == SHEAF_MPI_INIT_ON) {
        sheaf_error("SH508 SHEAF_MPI_INIT=on, and shmem_init cannot initialize MPI: %s", why);
        return -1;
    }
    sheaf_warn("SH508 the program uses MPI without calling MPI_Init, and Sheaf cannot call it: %s", why);
    return 0;
}

int sheaf_mpi_world_init(void)
{
    char text[TEXT];
    find_library();
    if (initialize_for_program() != 0)
        return -1;
    if (!is_other_world(text, sizeof text)) {
        hook_finalize();
        return 0;
    }
    sheaf_error("SH508 %s", text);
    return -1;
}

void sheaf_mpi_world_compare(void)
{
    char text[TEXT];
    if (is_other_world(text, sizeof text))
        sheaf_fatal("SH508 %s", text);
}

void sheaf_mpi_world_fini(void)
{
    find_library();
    sheaf_mpi_world_compare();
}
