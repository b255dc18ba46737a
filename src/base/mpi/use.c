/* SPDX-License-Identifier: BSD-3-Clause
 * See use.h.
 */
#include "base/mpi/use.h"

#include "base/log.h"
#include "base/os/hook.h"
#include "base/os/host.h"

#include <pthread.h>
#include <stdio.h>

static struct {
    pthread_mutex_t lock;
    const struct sheaf_mpi_shim *shim;
    int users;
    bool is_ours;         /* Sheaf has initialized it */
    bool has_begun;       /* the program has called MPI_Init since then */
    bool has_finalized;   /* the program has called MPI_Finalize, which is still to be done */
    bool is_beginning;    /* in MPI_Init, with the lock */
    pthread_t beginner;
} use = {.lock = PTHREAD_MUTEX_INITIALIZER};

const char *sheaf_mpi_level_name(enum sheaf_mpi_level level)
{
    static const char *const names[SHEAF_MPI_LEVELS] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
                                                        "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"};
    return names[level];
}

/* Returns whether the program's first call of its kind is answered here. */
static bool begin_for_program(void)
{
    pthread_mutex_lock(&use.lock);
    bool is_answered = use.is_ours && !use.has_begun && !use.shim->is_finalized();
    use.has_begun |= is_answered;
    pthread_mutex_unlock(&use.lock);
    return is_answered;
}

/* In place of the program's calls. A second MPI_Init is an error, which MPI itself tells. */
static int hooked_init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return begin_for_program() ? 0 : use.shim->initialize();
}

static int hooked_init_thread(int *argc, char ***argv, int required, int *provided)
{
    (void)argc, (void)argv, (void)required;
    int status = begin_for_program() ? 0 : use.shim->initialize();
    *provided = use.shim->native_level();
    return status;
}

static int hooked_finalize(void)
{
    pthread_mutex_lock(&use.lock);
    bool is_later = !use.has_finalized;
    use.has_finalized |= is_later;
    pthread_mutex_unlock(&use.lock);
    return is_later ? 0 : use.shim->finalize();
}

static int hooked_finalized(int *flag)
{
    pthread_mutex_lock(&use.lock);
    *flag = use.has_finalized || use.shim->is_finalized();
    pthread_mutex_unlock(&use.lock);
    return 0;
}

/* Each use anew: libraries may have been loaded since. */
static void install_hooks(void)
{
    static const struct {
        const char *name;
        void *function;
    } calls[] = {
        {"MPI_Init", (void *)hooked_init},
        {"PMPI_Init", (void *)hooked_init},
        {"MPI_Init_thread", (void *)hooked_init_thread},
        {"PMPI_Init_thread", (void *)hooked_init_thread},
        {"MPI_Finalize", (void *)hooked_finalize},
        {"PMPI_Finalize", (void *)hooked_finalize},
        {"MPI_Finalized", (void *)hooked_finalized},
        {"PMPI_Finalized", (void *)hooked_finalized},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        sheaf_hook_everywhere(sheaf_mpi_is_file, calls[i].name, calls[i].function);
}

/* Returns 0, or -1 and why not. */
static int bring_up(const struct sheaf_mpi_shim *shim, char *why, size_t size)
{
    char reason[200];
    if (shim->is_finalized() || use.has_finalized) {
        snprintf(why, size, "MPI has been finalized, and cannot be initialized again: the last "
                 "shmem_init comes before MPI_Finalize");
        return -1;
    }
    if (shim->is_initialized())
        return 0;
    use.beginner = pthread_self();
    __atomic_store_n(&use.is_beginning, true, __ATOMIC_RELEASE);
    int error = shim->initialize();
    __atomic_store_n(&use.is_beginning, false, __ATOMIC_RELEASE);
    use.is_ours = error == 0;
    if (error == 0)
        return 0;
    shim->words(error, reason, sizeof reason);
    snprintf(why, size, "%s cannot be initialized: %s", sheaf_mpi_choice.name, reason);
    return -1;
}

static int check_level(const struct sheaf_mpi_shim *shim, enum sheaf_mpi_level needed, char *why,
                       size_t size)
{
    enum sheaf_mpi_level given = shim->level();
    if (given >= needed)
        return 0;
    snprintf(why, size, "%s is initialized with %s, and %s is needed: call MPI_Init_thread with it, set "
             "%s=%s%s",
             sheaf_mpi_choice.name, sheaf_mpi_level_name(given), sheaf_mpi_level_name(needed),
             sheaf_mpi_choice.level_variable, sheaf_mpi_choice.level_value,
             given == SHEAF_MPI_SERIALIZED ? ", or SHEAF_PROGRESS=off, which needs no thread" : "");
    return -1;
}

const struct sheaf_mpi_shim *sheaf_mpi_use(enum sheaf_mpi_level needed, char *why, size_t size)
{
    const struct sheaf_mpi_shim *shim = sheaf_mpi_load(why, size);
    if (!shim)
        return NULL;
    pthread_mutex_lock(&use.lock);
    use.shim = shim;
    bool is_up = bring_up(shim, why, size) == 0 && check_level(shim, needed, why, size) == 0;
    use.users += is_up;
    pthread_mutex_unlock(&use.lock);
    if (is_up)
        install_hooks();
    return is_up ? shim : NULL;
}

void sheaf_mpi_release(void)
{
    pthread_mutex_lock(&use.lock);
    use.users--;
    pthread_mutex_unlock(&use.lock);
}

/* An MPI that cannot be initialized ends the process: MPICH by exit, whose handlers we are among. */
static bool has_ended_us(void)
{
    if (!__atomic_load_n(&use.is_beginning, __ATOMIC_ACQUIRE) ||
        !pthread_equal(use.beginner, pthread_self()))
        return false;
    sheaf_error("SH406 host %s: %s has ended this process in MPI_Init, and says above why: start the "
                "program with that MPI's launcher, or choose the launcher's MPI with SHEAF_MPI",
                sheaf_os_host_name().text, sheaf_mpi_choice.name);
    return true;
}

/* MPI_Finalize without the lock: it calls back what the program has attached to its communicators. */
void sheaf_mpi_end(bool may_leave)
{
    if (has_ended_us())
        return;
    pthread_mutex_lock(&use.lock);
    bool is_due = use.users == 0 && (use.is_ours || use.has_finalized) && !use.shim->is_finalized();
    pthread_mutex_unlock(&use.lock);
    if (is_due && !(may_leave && sheaf_mpi_choice.may_hang))
        use.shim->finalize();
}
