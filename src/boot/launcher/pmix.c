/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PMIx: Open MPI's mpirun, PRRTE's prterun, Slurm's srun --mpi=pmix. Its library is loaded when it
 * is needed; a build without its headers has no such client, and says so.
 */
#include "boot/launcher/launcher.h"

#include "base/log.h"
#include "base/pmix_version.h"
#include "image/control.h"

#include <stdlib.h>
#include <string.h>

/* A PE of oshrun, and what it starts, have PMIx for their MPI alone. */
static bool pmix_is_there(void)
{
    const char *job = getenv("PMIX_NAMESPACE");
    return job && getenv("PMIX_RANK") && strncmp(job, SHEAF_PMIX_STEM, sizeof SHEAF_PMIX_STEM - 1) != 0;
}

#ifdef SHEAF_HAS_PMIX

#include "base/os/library.h"
#include "base/settings/env.h"
#include "base/times.h"
#include "boot/launcher/key_values.h"
#include "image/image.h"

#include <pmix.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define MOST_LOOKS     3   /* after a fence has failed */
#define STORE_VARIABLE "PMIX_MCA_gds"

#define FUNCTIONS(FUNCTION)                                                                        \
    FUNCTION(PMIx_Get_version)                                                                     \
    FUNCTION(PMIx_Init)                                                                            \
    FUNCTION(PMIx_Initialized)                                                                     \
    FUNCTION(PMIx_Finalize)                                                                        \
    FUNCTION(PMIx_Abort)                                                                           \
    FUNCTION(PMIx_Put)                                                                             \
    FUNCTION(PMIx_Commit)                                                                          \
    FUNCTION(PMIx_Fence)                                                                           \
    FUNCTION(PMIx_Fence_nb)                                                                        \
    FUNCTION(PMIx_Query_info_nb)                                                                   \
    FUNCTION(PMIx_Get)                                                                             \
    FUNCTION(PMIx_Register_event_handler)                                                          \
    FUNCTION(PMIx_Error_string)

static struct {
#define POINTER(name) __typeof__(&name) name;
    FUNCTIONS(POINTER)
} library;

/* Calls of PMIx_Init in a process, at most: Sheaf's, an MPI's. */
#define MOST_USERS 16

static pmix_proc_t me;
static bool is_closing;

static int load(void)
{
    static const char *const names[] = {
#define NAME(name) #name,
        FUNCTIONS(NAME)};
    void **pointers = (void **)&library;
    if (sheaf_image.is_static) {
        sheaf_error("SH402 this launcher speaks PMIx only, whose library a statically linked program "
                    "cannot load: link the program dynamically, or start it with a launcher that speaks "
                    "PMI-1 or PMI-2 (mpiexec.hydra, srun --mpi=pmi2)");
        return -1;
    }
    const char *why;
    void *handle = sheaf_library_open(SHEAF_LIBPMIX, &why);
    if (!handle) {
        sheaf_error("SH402 this launcher speaks PMIx, and its library cannot be loaded: %s; install "
                    "libpmix2", why);
        return -1;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pointers[i] = sheaf_library_symbol(handle, names[i]);
        if (!pointers[i]) {
            sheaf_error("SH402 " SHEAF_LIBPMIX " has no %s: version 3 or later of PMIx is needed",
                        names[i]);
            return -1;
        }
    }
    return 0;
}

static int check(const char *what, pmix_status_t status)
{
    if (status == PMIX_SUCCESS)
        return 0;
    sheaf_error("SH403 the launcher failed in %s: %s", what, library.PMIx_Error_string(status));
    return -1;
}

/* In PMIx's own thread, where none of its functions may be waited for. */
static void on_lost(size_t handler, pmix_status_t status, const pmix_proc_t *source,
                    pmix_info_t info[], size_t count, pmix_info_t results[], size_t result_count,
                    pmix_event_notification_cbfunc_fn_t done, void *context)
{
    (void)handler, (void)status, (void)source, (void)info, (void)count;
    if (!__atomic_load_n(&is_closing, __ATOMIC_ACQUIRE)) {
        sheaf_error("SH404 the launcher is gone: PMIx lost the connection to its daemon on this host");
        _exit(1);
    }
    done(PMIX_EVENT_ACTION_COMPLETE, results, result_count, NULL, NULL, context);
}

static void watch(void)
{
    pmix_status_t code = PMIX_ERR_LOST_CONNECTION;
    library.PMIx_Register_event_handler(&code, 1, NULL, 0, on_lost, NULL, NULL);
}

/* NULL where there is none. One thread at a time: of two, PMIx 5.0.1 tells one that it has succeeded and
 * gives it no value. */
static pmix_value_t *get_value(const pmix_proc_t *owner, const char *key)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pmix_value_t *found = NULL;
    pthread_mutex_lock(&lock);
    pmix_status_t status = library.PMIx_Get(owner, key, NULL, 0, &found);
    pthread_mutex_unlock(&lock);
    return status == PMIX_SUCCESS ? found : NULL;
}

/* Of the job, not of one PE. NULL when the launcher does not tell. */
static pmix_value_t *job_value(const char *key)
{
    pmix_proc_t job = me;
    job.rank = PMIX_RANK_WILDCARD;
    return get_value(&job, key);
}

/* The store that values come from: what the user has set, or one that does not mix them up. What this
 * process starts does not inherit the choice. */
static pmix_status_t init(void)
{
    bool chooses = sheaf_pmix_mixes_keys(library.PMIx_Get_version()) && !getenv(STORE_VARIABLE);
    if (chooses)
        setenv(STORE_VARIABLE, "hash", 1);
    pmix_status_t status = library.PMIx_Init(&me, NULL, 0);
    if (chooses)
        unsetenv(STORE_VARIABLE);
    return status;
}

static int pmix_open(int *pe, int *npes)
{
    if (load() != 0 || check("PMIx_Init", init()) != 0)
        return -1;
    watch();
    pmix_value_t *size = job_value(PMIX_JOB_SIZE);
    if (!size) {
        sheaf_error("SH401 the launcher does not tell how many PEs there are (%s)", PMIX_JOB_SIZE);
        return -1;
    }
    *pe = (int)me.rank;
    *npes = (int)size->data.uint32;
    free(size);
    return 0;
}

/* A value has its key with it, by which one of another key is known. */
static int pmix_put(const char *key, const void *value, size_t bytes)
{
    char name[64];
    struct sheaf_key_values entry = {0};
    if (!sheaf_key_values_put(&entry, key, value, bytes)) {
        sheaf_error("SH301 out of memory");
        return -1;
    }
    pmix_value_t it = {.type = PMIX_BYTE_OBJECT,
                       .data.bo = {.bytes = (char *)entry.entries, .size = entry.bytes}};
    snprintf(name, sizeof name, "sheaf.%s", key);
    int failed = check("PMIx_Put", library.PMIx_Put(PMIX_GLOBAL, name, &it));
    sheaf_key_values_free(&entry);
    return failed;
}

/* A launcher that lets a job go on without a process waits for it in a fence all the same, for ever: while
 * one takes long the launcher is asked how the processes are. PMIx answers in a thread of its own. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t news;
    bool is_over;
    pmix_status_t status;
    bool is_lowest; /* of the processes that live this is the lowest */
    int dead, pid;  /* a PE, or -1 */
    char host[64];
} fence = {.lock = PTHREAD_MUTEX_INITIALIZER, .news = PTHREAD_COND_INITIALIZER};

static void on_fence(pmix_status_t status, void *unused)
{
    (void)unused;
    pthread_mutex_lock(&fence.lock);
    fence.status = status;
    fence.is_over = true;
    pthread_cond_signal(&fence.news);
    pthread_mutex_unlock(&fence.lock);
}

static void note_process(const pmix_proc_info_t *process)
{
    if (process->state < PMIX_PROC_STATE_TERMINATED) {
        fence.is_lowest &= process->proc.rank >= me.rank;
        return;
    }
    fence.dead = (int)process->proc.rank;
    fence.pid = (int)process->pid;
    snprintf(fence.host, sizeof fence.host, "%s", process->hostname ? process->hostname : "?");
}

/* Of processes, or, by Open MPI 4, of values with one each. */
static void note_processes(const pmix_data_array_t *all)
{
    const pmix_info_t *values = all->array;
    for (size_t i = 0; i < all->size; i++) {
        if (all->type == PMIX_PROC_INFO)
            note_process((const pmix_proc_info_t *)all->array + i);
        else if (all->type == PMIX_INFO && values[i].value.type == PMIX_PROC_INFO &&
                 values[i].value.data.pinfo)
            note_process(values[i].value.data.pinfo);
    }
}

static void on_table(pmix_status_t status, pmix_info_t *info, size_t count, void *unused,
                     pmix_release_cbfunc_t release, void *of)
{
    (void)unused;
    pthread_mutex_lock(&fence.lock);
    fence.is_lowest = true;
    for (size_t i = 0; status == PMIX_SUCCESS && i < count; i++)
        if (info[i].value.type == PMIX_DATA_ARRAY && info[i].value.data.darray)
            note_processes(info[i].value.data.darray);
    pthread_cond_signal(&fence.news);
    pthread_mutex_unlock(&fence.lock);
    if (release)
        release(of);
}

static void ask_for_table(void)
{
    static char *keys[] = {PMIX_QUERY_PROC_TABLE, NULL};
    static pmix_info_t job = {.key = PMIX_NSPACE, .value = {.type = PMIX_STRING}};
    static pmix_query_t query = {.keys = keys, .qualifiers = &job, .nqual = 1};
    job.value.data.string = me.nspace;
    library.PMIx_Query_info_nb(&query, 1, on_table, NULL);
}

/* Until there is news, or for so long. The lock is held. */
static bool await_news(uint64_t ns)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += sheaf_times_s(ns);
    return pthread_cond_timedwait(&fence.news, &fence.lock, &until) == 0;
}

static bool needs_look(void)
{
    return fence.dead < 0 && !(fence.is_over && fence.status == PMIX_SUCCESS);
}

static pmix_status_t fence_of_living(const pmix_info_t *collect)
{
    fence.is_over = false;
    fence.dead = -1;
    pmix_status_t begun = library.PMIx_Fence_nb(NULL, 0, collect, 1, on_fence, NULL);
    if (begun != PMIX_SUCCESS)
        return begun;
    pthread_mutex_lock(&fence.lock);
    uint64_t pause = sheaf_times.fence_pause_first;
    for (int looks = 0; looks < MOST_LOOKS && needs_look();)
        if (!await_news(fence.is_over ? sheaf_times.fence_pause_first : pause)) {
            looks += fence.is_over; /* it has failed: because of whom? */
            pause = pause < sheaf_times.fence_pause_most ? 2 * pause : pause;
            pthread_mutex_unlock(&fence.lock);
            ask_for_table();
            pthread_mutex_lock(&fence.lock);
        }
    pmix_status_t status = fence.is_over ? fence.status : PMIX_ERR_PROC_ABORTED;
    pthread_mutex_unlock(&fence.lock);
    return status;
}

/* One of all says so, and ends the job. */
_Noreturn static void end_without_dead(void)
{
    sheaf_log_release();
    if (fence.is_lowest) {
        sheaf_error("SH609 PE %d on host %s (process %d) has died before all PEs were connected: "
                    "the job ends", fence.dead, fence.host, fence.pid);
        library.PMIx_Abort(EXIT_FAILURE, "a PE has died", NULL, 0);
    }
    poll(NULL, 0, sheaf_times_ms(sheaf_times.abort_by_other));
    _exit(EXIT_FAILURE);
}

/* One exchange, which brings everybody's values to every node. */
static int pmix_fence(void)
{
    bool yes = true, are_borne = sheaf_settings_choice("SHEAF_FAILURES") == SHEAF_FAILURES_REPORT;
    pmix_info_t collect = {.value = {.type = PMIX_BOOL, .data.flag = yes}};
    snprintf(collect.key, sizeof collect.key, "%s", PMIX_COLLECT_DATA);
    if (check("PMIx_Commit", library.PMIx_Commit()) != 0)
        return -1;
    if (!are_borne)
        return check("PMIx_Fence", library.PMIx_Fence(NULL, 0, &collect, 1));
    pmix_status_t status = fence_of_living(&collect);
    if (status != PMIX_SUCCESS && fence.dead >= 0)
        end_without_dead();
    return check("PMIx_Fence", status);
}

static int pmix_get(int pe, const char *key, void **value, size_t *bytes)
{
    char name[64];
    pmix_proc_t owner = me;
    owner.rank = (pmix_rank_t)pe;
    snprintf(name, sizeof name, "sheaf.%s", key);
    pmix_value_t *found = get_value(&owner, name);
    if (!found)
        return -1;
    struct sheaf_key_values entry = {0};
    if (found->type == PMIX_BYTE_OBJECT)
        entry = (struct sheaf_key_values){(unsigned char *)found->data.bo.bytes, found->data.bo.size};
    int failed = sheaf_key_values_get(&entry, key, value, bytes);
    if (failed && sheaf_pmix_mixes_keys(library.PMIx_Get_version()))
        sheaf_error("SH403 asked for \"%s\" of PE %d the launcher gave the value of another key, as "
                    "PMIx 5.0.0 to 5.0.2 may where an MPI has begun before: set " STORE_VARIABLE
                    "=hash for the job (mpirun -x " STORE_VARIABLE "=hash)", name, pe);
    sheaf_key_values_free(&entry);
    free(found);
    return failed;
}

/* Of those that are there already the lowest stay, in order. */
static int insert_pe(int pe, int *pes, int count, int most)
{
    int at = count < most ? count : most;
    for (; at > 0 && pes[at - 1] > pe; at--)
        if (at < most)
            pes[at] = pes[at - 1];
    if (at < most)
        pes[at] = pe;
    return count < most ? count + 1 : most;
}

/* By "hash" Open MPI 4.1 with PMIx 5.0.1 tells each PE those of the last host: such an answer is none. */
static int pmix_near(int *pes, int most)
{
    int count = 0, length;
    bool has_me = false;
    pmix_value_t *peers = job_value(PMIX_LOCAL_PEERS);
    if (!peers)
        return 0;
    const char *at = peers->type == PMIX_STRING ? peers->data.string : "";
    for (int pe; sscanf(at, "%d%n", &pe, &length) == 1; at += at[length] == ',' ? length + 1 : length) {
        count = insert_pe(pe, pes, count, most);
        has_me |= pe == (int)me.rank;
    }
    if (peers->type == PMIX_STRING)
        free(peers->data.string);
    free(peers);
    return has_me ? count : 0;
}

static int pmix_lowest_near(void)
{
    int lowest;
    return pmix_near(&lowest, 1) == 1 ? lowest : -1;
}

static void pmix_watch(struct pollfd *end)
{
    *end = (struct pollfd){.fd = -1};
}

static void pmix_closed(void)
{
}

static void pmix_abort(int status)
{
    char why[32];
    snprintf(why, sizeof why, "status %d", status);
    __atomic_store_n(&is_closing, true, __ATOMIC_RELEASE);
    library.PMIx_Abort(status, why, NULL, 0);
}

static void pmix_close(void)
{
    __atomic_store_n(&is_closing, true, __ATOMIC_RELEASE);
    library.PMIx_Finalize(NULL, 0);
}

/* PMIx counts its users: to a launcher that has not heard of the end a process with a status of its own has
 * ended "improperly", and it takes 1 for that. */
static void pmix_end(void)
{
    pmix_close();
    for (int users = 0; users < MOST_USERS && library.PMIx_Initialized(); users++)
        library.PMIx_Finalize(NULL, 0);
}

#else

static int pmix_open(int *pe, int *npes)
{
    (void)pe, (void)npes;
    sheaf_error("SH402 this launcher speaks PMIx, for which this libsheaf was not built: build it where "
                "libpmix-dev is installed, or start the program with a launcher that speaks PMI-1 or "
                "PMI-2 (mpiexec.hydra, srun --mpi=pmi2)");
    return -1;
}

/* Never called: nothing was opened. */
#define pmix_put         NULL
#define pmix_fence       NULL
#define pmix_get         NULL
#define pmix_lowest_near NULL
#define pmix_near        NULL
#define pmix_watch       NULL
#define pmix_closed      NULL
#define pmix_abort       NULL
#define pmix_close       NULL
#define pmix_end         NULL

#endif

const struct sheaf_launcher sheaf_launcher_pmix = {
    .name = "PMIx",
    .setting = "pmix",
    .is_there = pmix_is_there,
    .open = pmix_open,
    .put = pmix_put,
    .fence = pmix_fence,
    .get = pmix_get,
    .lowest_near = pmix_lowest_near,
    .near = pmix_near,
    .watch = pmix_watch,
    .closed = pmix_closed,
    .abort = pmix_abort,
    .close = pmix_close,
    .end = pmix_end,
};
