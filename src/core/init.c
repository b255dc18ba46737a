/* SPDX-License-Identifier: BSD-3-Clause
 * See init.h.
 */
#include "core/init.h"

#include "base/elf/symbols.h"
#include "base/log.h"
#include "base/mpi/use.h"
#include "base/pace/pace.h"
#include "base/pace/processor.h"
#include "core/team/agree.h"
#include "core/team/history.h"
#include "base/os/os.h"
#include "base/times.h"
#include "core/amo_agree.h"
#include "boot/boot.h"
#include "boot/end/wake_pipe.h"
#include "boot/end/exit_claim.h"
#include "boot/end/watch_hosts.h"
#include "core/access/route.h"
#include "core/access/counters.h"
#include "core/access/chaos/chaos.h"
#include "core/access/copy/copier.h"
#include "core/access/copy/copy.h"
#include "core/memory/address_text.h"
#include "core/memory/external.h"
#include "core/engine_start.h"
#include "core/fault/fault.h"
#include "core/fault/site.h"
#include "core/pe/job.h"
#include "core/low_jitter.h"
#include "core/pe/mpi_world.h"
#include "core/access/inline.h"
#include "core/pe/poll.h"
#include "core/lock.h"
#include "core/space.h"
#include "core/allocation.h"
#include "core/access/order.h"
#include "core/pe/public.h"
#include "core/access/session.h"
#include "core/team/listed/active_set.h"
#include "core/team/listed/listing.h"
#include "core/team/sync.h"
#include "core/pe/wait.h"
#include "image/heap/heap.h"
#include "image/image.h"
#include "survive/interface/survival.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t init_lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_mapped;       /* windows and heap stay mapped after the first init */
static bool finalize_at_exit; /* start_pes() was called */
static bool is_ending;       /* shmem_global_exit() was called here */

static struct sheaf_pe *my_control_pe(void)
{
    return sheaf_image.job ? sheaf_control_pe(sheaf_image.job, sheaf_boot.job_slot) : NULL;
}

static void set_state(enum sheaf_pe_state state)
{
    if (sheaf_image.job)
        sheaf_store_release(&my_control_pe()->state, state);
}

/* Rounds up, so that one block of exactly the bytes that the user gave the heap fits. */
static size_t round_to_blocks(size_t bytes)
{
    size_t rest = bytes % SHEAF_HEAP_ALIGNMENT;
    return rest == 0 || bytes > SIZE_MAX - SHEAF_HEAP_ALIGNMENT ? bytes
                                                                : bytes - rest + SHEAF_HEAP_ALIGNMENT;
}

/* In bytes, like oshrun --valgrind: with --track-origins each GiB that is mapped costs 1 s. */
#define VALGRIND_HEAP ((size_t)64 << 20)

/* The size of the heap; without a limit from the user an equal share of the node's memory. */
static size_t heap_wish(void)
{
    if (sheaf_job.settings.has_heap_limit)
        return round_to_blocks(sheaf_job.settings.heap_limit);
    if (sheaf_os_is_in_valgrind())
        return VALGRIND_HEAP;
    return sheaf_os_memory_total() / (size_t)sheaf_boot.host_npes;
}

/* Whether the heap is shared: that of a job of one PE may be private. */
static bool shares_heap(void)
{
    return sheaf_job.npes > 1 || (sheaf_image.control && sheaf_image.control->keeps_memory);
}

/* PEs of a node up to which all windows are mapped at start: a millisecond for each PE at most. */
#define FEW_PES 16

/* A PE of this node that dies takes its file with it, where each PE has a file of its own. */
static bool maps_windows_at_start(void)
{
    const struct sheaf_settings *settings = &sheaf_job.settings;
    if (!sheaf_image.window || settings->low_jitter == SHEAF_LOW_JITTER_ON ||
        (sheaf_image.control->reports_failures && sheaf_image.has_own_file))
        return true;
    return settings->windows == SHEAF_WINDOWS_START ||
           (settings->windows == SHEAF_WINDOWS_AUTO && sheaf_boot.node_npes <= FEW_PES);
}

static int map_image(void)
{
    bool required = sheaf_job.settings.has_heap_limit;
    if (is_mapped) {
        sheaf_image_set_heap_open(true);
        return 0;
    }
    int failed = sheaf_survival->is_respawned() ? sheaf_image_map_again(heap_wish())
                 : shares_heap()         ? sheaf_image_map(heap_wish(), required)
                                         : sheaf_image_map_alone(heap_wish(), required);
    if (!failed && maps_windows_at_start())
        failed = sheaf_image_map_windows();
    is_mapped = !failed;
    return failed;
}

/* Asks oshrun to end all other PEs. */
static void request_end(void)
{
    if (sheaf_image.job && !sheaf_boot_can_abort())
        sheaf_store_release(&sheaf_image.job->exit_requested, 1);
}

/* Leaves with a status other than 0. Under oshrun on one node the launcher itself sees the status, and
 * the other PEs, which share memory, can go on until then. */
static void leave_without_finalize(int status)
{
    set_state(SHEAF_PE_LEFT);
    if (!sheaf_boot_can_abort() && sheaf_boot.nodes == 1)
        return;
    fflush(NULL);
    if (sheaf_exit_claim_end(status))
        sheaf_error("SH128 the program called exit(%d) without shmem_finalize: the job ends", status);
    request_end();
    sheaf_boot_end(status);
    _exit(status);
}

/* Finalizes at the end of a program that called start_pes, or that forgets shmem_finalize. On one host
 * or several, the job ends with 0 when all its PEs do. */
static void finalize_at_end(void)
{
    static const char after_start_pes[] SHEAF_CALL_NAME = "exit after start_pes",
                      forgotten[] SHEAF_CALL_NAME = "exit without shmem_finalize";
    sheaf_call = (struct sheaf_call){.name = finalize_at_exit ? after_start_pes : forgotten};
    if (!finalize_at_exit) {
        sheaf_debug("the program exits without shmem_finalize: the library finalizes now");
        set_state(SHEAF_PE_LEFT);
        if (sheaf_job.control) /* its node's lowest PE checks whether that ends the job */
            sheaf_wake_pipe_wake(sheaf_control_pe(sheaf_job.control, 0));
    }
    while (sheaf_job_is_initialized())
        sheaf_job_finalize();
}

static void at_exit(int status, void *unused)
{
    static bool has_run;
    (void)unused;
    if (has_run || sheaf_image.is_forked)
        return;
    has_run = true;
    if (is_ending) {
        fflush(NULL);
        sheaf_boot_end(status);
    } else if (sheaf_job_is_initialized() && (finalize_at_exit || (status & 0xff) == 0)) {
        finalize_at_end();
    } else if (sheaf_job_is_initialized()) {
        leave_without_finalize(status);
    }
    if (!is_ending)
        sheaf_mpi_end(sheaf_boot.host_npes < sheaf_boot.npes);
    sheaf_boot_disconnect();
}

static void on_fork(void)
{
    sheaf_record_detach();
    sheaf_copier_forked();
    sheaf_chaos_forked();
    sheaf_inline_forked();
    sheaf_route_close();
    sheaf_boot_forked();
    __atomic_store_n(&sheaf_job.init_count, 0, __ATOMIC_RELEASE);
}

static void set_identity(void)
{
    sheaf_job.pe = sheaf_boot.pe;
    sheaf_job.npes = sheaf_boot.npes;
    sheaf_job.control = sheaf_boot.has_control ? sheaf_image.control : NULL;
    sheaf_log_set_pe(sheaf_job.pe);
    sheaf_image.on_fork = on_fork;
}

static void print_introduction(void)
{
    static bool has_introduced;
    if (sheaf_job.pe != 0)
        return;
    if (sheaf_job.settings.version)
        printf("%s, OpenSHMEM %d.%d\n", SHMEM_VENDOR_STRING, SHMEM_MAJOR_VERSION,
               SHMEM_MINOR_VERSION);
    if (sheaf_job.settings.info)
        sheaf_settings_print(stdout);
    fflush(stdout);
    if (!has_introduced && !sheaf_survival->is_respawned())
        sheaf_settings_warn_of_unknown();
    has_introduced = true;
}

/* Called before the PEs connect, since connecting uses times of the second table. */
static void use_pace(void)
{
    sheaf_pace_table = sheaf_job.settings.pace;
    sheaf_times = sheaf_job.settings.times;
}

/* Reads the settings and connects. A setting that is wrong for all PEs is printed once, which is
 * possible only after they have connected. */
static int read_settings_and_connect(void)
{
    sheaf_log_hold();
    int failed = sheaf_settings_read(&sheaf_job.settings);
    bool connects = !failed || sheaf_boot_has_launcher();
    if (!failed) {
        use_pace();
        sheaf_log_set_debug(sheaf_job.settings.debug);
    }
    if (connects && sheaf_boot_connect() != 0)
        failed = -1;
    sheaf_log_release();
    return failed;
}

/* Afterwards this PE knows its number and the job's size. */
static int connect_pes(void)
{
    static bool is_first = true;
    if (read_settings_and_connect() != 0)
        return -1;
    set_identity();
    if (is_first)
        on_exit(at_exit, NULL);
    is_first = false;
    return 0;
}

/* Called between two control barriers, like sheaf_team_init, so that every PE of the node uses the same
 * blocks. */
static int make_teams(void)
{
    if (sheaf_job.control && sheaf_boot.slot == 0 && !sheaf_survival->is_respawned())
        sheaf_listing_forget();
    return sheaf_team_init();
}

/* None by itself beside what decides about copies, or keeps other threads away from the PEs. */
static size_t copier_threads(void)
{
    const struct sheaf_settings *settings = &sheaf_job.settings;
    bool is_free = !settings->has_chaos && settings->low_jitter == SHEAF_LOW_JITTER_OFF;
    return settings->copier == SHEAF_COPIER_AUTO && !is_free ? 0 : settings->copier;
}

/* From now on fences and quiets have copies of threads to wait for, and inline forms are calls. */
static void wait_for_copies(void)
{
    sheaf_order_choose();
    sheaf_inline_close();
}

static int start_library(int thread_level, sheaf_job_prepare *prepare)
{
    sheaf_log_set_place(sheaf_fault_site_of_call);
    sheaf_address_set_place(sheaf_fault_site_place);
    if (sheaf_job_checks_args())
        sheaf_symbols_sort();
    sheaf_history_set_place(sheaf_fault_site_of_record);
    if (sheaf_image.job) /* oshrun's control area, also with SHEAF_ONNODE=off */
        sheaf_record_attach(sheaf_image.job, sheaf_boot.job_slot);
    else
        sheaf_record_attach(sheaf_job.control, sheaf_boot.slot);
    sheaf_record_set_usage(my_control_pe() ? &my_control_pe()->usage : NULL);
    sheaf_record_set_threads(thread_level == SHMEM_THREAD_MULTIPLE);
    if (prepare(&sheaf_job.settings) != 0)
        return -1;
    sheaf_wait_init(sheaf_boot.host_npes, sheaf_job_cpus(),
                    my_control_pe() ? &my_control_pe()->board : NULL);
    sheaf_wait_set_check(sheaf_history_check);
    sheaf_poll_init(sheaf_pace_here.is_outnumbered);
    if (map_image() != 0 || sheaf_boot_agree(sheaf_job.settings.atomics) != 0 ||
        sheaf_engine_start(&sheaf_job.settings, thread_level) != 0 || sheaf_memory_init() != 0 ||
        make_teams() != 0 || sheaf_lock_init() != 0)
        return -1;
    sheaf_fault_watch();
    print_introduction();
    sheaf_counters_init();
    set_state(SHEAF_PE_INITIALIZED);
    if (sheaf_job.control && !sheaf_survival->is_respawned() && !sheaf_control_barrier(sheaf_job.control))
        return -1;
    sheaf_survival->connect_engine();
    sheaf_agree_init(sheaf_team_world());
    bool has_callers = thread_level == SHMEM_THREAD_MULTIPLE || sheaf_job.settings.has_chaos;
    if (sheaf_copier_start(copier_threads(), has_callers, wait_for_copies) != 0)
        return -1;
    if (sheaf_job.settings.has_chaos && sheaf_chaos_start(sheaf_job.settings.chaos_seed) != 0)
        return -1;
    sheaf_copy_choose();
    sheaf_order_choose();
    sheaf_route_open(sheaf_counters_are_on);
    sheaf_low_jitter_start();
    return sheaf_amo_agree_init();
}

static pthread_key_t first_thread;

static bool is_only_thread(void)
{
    struct stat threads;
    return stat("/proc/self/task", &threads) != 0 || threads.st_nlink <= 2 + 1;
}

/* The system treats a process whose first thread has ended, by pthread_exit in main, as a zombie,
 * although its other threads go on: no process can open or copy its memory any more, and UCX aborts. So
 * the first thread stays until shmem_finalize, and during an initialization by another thread. */
static void keep_first_thread(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&init_lock);
    pthread_mutex_unlock(&init_lock);
    int count;
    while ((count = __atomic_load_n(&sheaf_job.init_count, __ATOMIC_ACQUIRE)) > 0 && !is_only_thread())
        sheaf_os_futex_wait((uint32_t *)&sheaf_job.init_count, (uint32_t)count,
                            sheaf_times.first_thread_look);
}

__attribute__((constructor)) static void hold_first_thread(void)
{
    if (syscall(SYS_gettid) == getpid() && pthread_key_create(&first_thread, keep_first_thread) == 0)
        pthread_setspecific(first_thread, &sheaf_job);
}

__attribute__((destructor)) static void let_first_thread_go(void)
{
    pthread_key_delete(first_thread);
}

/* Called with init_lock held. */
static int initialize_once(int thread_level, bool has_met, sheaf_job_prepare *prepare)
{
    static bool is_first = true;
    if (sheaf_job.init_count == 0) {
        sheaf_job.thread = pthread_self();
        if ((!has_met && connect_pes() != 0) || sheaf_mpi_world_init() != 0 ||
            start_library(thread_level, prepare) != 0)
            return -1;
        sheaf_job.thread_level = thread_level;
        if (is_first) /* before the handlers of an MPI that has been begun here: MPICH 4.2's end its PMIx */
            on_exit(at_exit, NULL);
        is_first = false;
    }
    __atomic_fetch_add(&sheaf_job.init_count, 1, __ATOMIC_RELEASE);
    return 0;
}

int sheaf_job_init(int thread_level, sheaf_job_prepare *prepare)
{
    SHEAF_KEEP_ERRNO;
    if (sheaf_job.prepared_level >= 0)
        sheaf_fatal("SH127 initialization has begun with shmemx_heap_preinit: end it with "
                    "shmemx_heap_postinit");
    pthread_mutex_lock(&init_lock);
    int failed = initialize_once(thread_level, false, prepare);
    pthread_mutex_unlock(&init_lock);
    if (failed && !sheaf_boot_fail_start())
        sheaf_boot_abort(EXIT_FAILURE);
    return failed;
}

int sheaf_job_init_by_id(int rank, int size, const char *id, int thread_level, sheaf_job_prepare *prepare,
                         const char *call)
{
    SHEAF_KEEP_ERRNO;
    int failed = -1;
    if (sheaf_job_is_initialized())
        sheaf_error("SH412 %s: the library is initialized already: call it in place of shmem_init", call);
    else if (size < 1)
        sheaf_error("SH412 %s: size is %d; expected the number of processes of the job", call, size);
    else if (rank < 0 || rank >= size)
        sheaf_error("SH412 %s: rank is %d; expected 0 to %d, one below size", call, rank, size - 1);
    else if (!id)
        sheaf_error("SH412 %s: id is NULL", call);
    else if (sheaf_boot_choose_id(rank, size, id, call) == 0 &&
             (failed = sheaf_job_init(thread_level, prepare)) != 0)
        sheaf_boot_drop_id();
    return failed;
}

int sheaf_job_preinit(int thread_level)
{
    SHEAF_KEEP_ERRNO;
    int failed = 0;
    if (sheaf_job.prepared_level >= 0)
        sheaf_fatal("SH127 shmemx_heap_preinit was called twice: shmemx_heap_postinit comes between");
    pthread_mutex_lock(&init_lock);
    if (sheaf_job.init_count == 0)
        failed = connect_pes();
    else
        thread_level = sheaf_job.thread_level;
    if (!failed)
        __atomic_store_n(&sheaf_job.prepared_level, thread_level, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&init_lock);
    if (failed)
        sheaf_boot_abort(EXIT_FAILURE);
    return failed ? -1 : thread_level;
}

int sheaf_job_postinit(sheaf_job_prepare *prepare)
{
    SHEAF_KEEP_ERRNO;
    pthread_mutex_lock(&init_lock);
    int failed = initialize_once(sheaf_job.prepared_level, true, prepare);
    __atomic_store_n(&sheaf_job.prepared_level, -1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&init_lock);
    if (failed)
        sheaf_boot_abort(EXIT_FAILURE);
    return failed;
}

static void stop_library(void)
{
    sheaf_route_close();
    sheaf_copier_stop();
    sheaf_chaos_stop();
    sheaf_copy_choose();
    sheaf_space_destroy_all();
    sheaf_active_sets_fini();
    sheaf_team_fini();
    sheaf_engine_stop();
    sheaf_order_choose();
    sheaf_session_forget();
    sheaf_memory_fini();
    sheaf_external_forget();
    sheaf_watch_hosts_release();
    set_state(SHEAF_PE_FINALIZED);
}

/* Whether the library is down again. Programs often finalize once more at their end, for example in the
 * clean-up of a library that they use. */
static bool is_down_again(void)
{
    bool was_up = sheaf_job.thread_level >= 0 && !sheaf_image.is_forked;
    return was_up && !sheaf_job_is_initialized();
}

void sheaf_job_finalize(void)
{
    SHEAF_KEEP_ERRNO;
    if (is_down_again()) {
        sheaf_debug("shmem_finalize: called once more than shmem_init; ignored");
        return;
    }
    sheaf_job_require("shmem_finalize");
    sheaf_mpi_world_fini();
    if (sheaf_chaos_is_on) /* operations of contexts that the program did not destroy */
        sheaf_chaos_quiet_all();
    sheaf_quiet_of_living();
    sheaf_agree_on_call(sheaf_team_world(), "shmem_finalize");
    struct sheaf_record *record = sheaf_history_begin_as(sheaf_team_world(), 0, SHEAF_WAITS_FOR_ALL, 0);
    sheaf_survival->finish();
    sheaf_record_end(record);
    pthread_mutex_lock(&init_lock);
    if (sheaf_job.init_count == 1)
        stop_library();
    __atomic_fetch_sub(&sheaf_job.init_count, 1, __ATOMIC_RELEASE);
    sheaf_os_futex_wake((uint32_t *)&sheaf_job.init_count);
    pthread_mutex_unlock(&init_lock);
}

void sheaf_job_start_pes(sheaf_job_prepare *prepare)
{
    if (sheaf_job_is_initialized())
        return;
    if (sheaf_job_init(SHMEM_THREAD_SINGLE, prepare) != 0)
        _exit(1);
    finalize_at_exit = true;
}

/* The system passes only 8 bits of a status on: a failure must not become 0. */
void sheaf_job_exit(int status)
{
    if (status != 0 && (status & 0xff) == 0)
        status = EXIT_FAILURE;
    is_ending = true;
    bool is_first = sheaf_exit_claim_end(status);
    if (is_first)
        request_end();
    exit(status);
}
