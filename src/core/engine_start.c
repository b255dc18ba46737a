/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See engine_start.h.
 */
#include "core/engine_start.h"

#include "base/clock.h"
#include "base/os/library.h"
#include "base/log.h"
#include "base/mpi/family.h"
#include "base/times.h"
#include "boot/boot.h"
#include "boot/end/exit_claim.h"
#include "boot/end/end.h"
#include "core/access/accumulate.h"
#include "core/amo_agree.h"
#include "core/access/far.h"
#include "core/memory/space.h"
#include "core/memory/symmetric.h"
#include "core/pe/job.h"
#include "core/pe/wait.h"
#include "core/team/history.h"
#include "image/image.h"
#include "survive/interface/survival.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each initialization publishes a new address. */
static unsigned generation;

/* All engines first publish under the first key, each in its own format. The one over MPI publishes its
 * address later under the second key, since all PEs of the job must initialize MPI at the same time. */
static const char *const first_key = "engine", *const later_key = "engine-mpi";
static const char *address_kind;

static void make_key(const char *kind, char *key, size_t size)
{
    snprintf(key, size, "%s-%u", kind, generation);
}

static void address_key(char *key, size_t size)
{
    make_key(address_kind, key, size);
}

/* Addresses that are read at start, where MPI is in the process: MPI and the progress thread must not
 * use the launcher's connection at the same time, and MPI_Finalize ends it. They include those of near
 * PEs: a collective that ignores nodes sends messages to near PEs too. */
static struct {
    void *bytes;
    size_t length;
} *known_addresses;

static int copy_known_address(int pe, void **address, size_t *length)
{
    *length = known_addresses[pe].length;
    *address = known_addresses[pe].bytes ? malloc(*length) : NULL;
    if (!*address)
        return -1;
    memcpy(*address, known_addresses[pe].bytes, *length);
    return 0;
}

/* NULL: the launcher provides all addresses. */
static const struct sheaf_address_book *address_book(void)
{
    return sheaf_survival->addresses ? sheaf_survival->addresses() : NULL;
}

static int peer_address(int pe, void **address, size_t *length)
{
    char key[32];
    if (address_book())
        return address_book()->find(pe, address, length);
    if (known_addresses)
        return copy_known_address(pe, address, length);
    address_key(key, sizeof key);
    return sheaf_boot_get(pe, key, address, length);
}

static void forget_addresses(void)
{
    for (int pe = 0; known_addresses && pe < sheaf_job.npes; pe++)
        free(known_addresses[pe].bytes);
    free(known_addresses);
    known_addresses = NULL;
}

static int read_addresses(void)
{
    char key[32];
    forget_addresses();
    if (!sheaf_library_symbol(NULL, "MPI_Init") || address_book())
        return 0;
    address_key(key, sizeof key);
    known_addresses = calloc((size_t)sheaf_job.npes, sizeof *known_addresses);
    if (!known_addresses)
        return -1;
    for (int pe = 0; pe < sheaf_job.npes; pe++)
        if (sheaf_boot_get(pe, key, &known_addresses[pe].bytes, &known_addresses[pe].length) != 0)
            known_addresses[pe].bytes = NULL;
    return 0;
}

static __attribute__((noreturn)) void host_failed(int pe, const char *why)
{
    if (sheaf_exit_claim_failure())
        sheaf_error("SH501 PE %d on host %s cannot be reached: %s; the job ends", pe,
                    sheaf_boot_host_of(pe), why);
    sheaf_abort_job();
}

/* A connection also ends because the job does. The ring, which knows which hosts have ended, may be
 * about to report more. */
static __attribute__((noreturn)) void pe_failed(int pe, const char *why)
{
    sheaf_end_await();
    host_failed(pe, why);
}

/* Prints that PEs of one host need no network unless SHEAF_ONNODE=off. */
static const struct sheaf_engine *report_no_engine(const char *why, const char *remedy)
{
    sheaf_error("SH502 SHEAF_ONNODE=off: every PE is to be reached by a network, and %s: %s, or leave "
                "SHEAF_ONNODE out", why, remedy);
    return NULL;
}

/* Where no engine's library is installed, UCX's engine prints what to install. */
static const struct sheaf_engine *choose_automatically(bool is_apart)
{
    const struct sheaf_engine *best = sheaf_engine_best();
    if (best || !is_apart)
        return best ? best : &sheaf_engine_ucx;
    if (sheaf_image.is_static)
        return report_no_engine("this program, linked statically, can load none", "link it dynamically");
    return report_no_engine("no library of one that fits is here (oshinfo says why)",
                            "install UCX (Debian: libucx0) or libfabric (libfabric1)");
}

static const struct sheaf_engine *refuse_none(const struct sheaf_settings *settings)
{
    if (settings->onnode == SHEAF_ONNODE_OFF)
        return report_no_engine("SHEAF_ENGINE=off is none", "use SHEAF_ENGINE=ucx, ofi or mpi");
    sheaf_error("SH502 SHEAF_ENGINE=off, and this job's PEs are on %d hosts (%s, %s): without a network "
                "they cannot connect; use SHEAF_ENGINE=ucx, ofi or mpi, or start all PEs on one host",
                sheaf_boot.nodes,
                sheaf_boot_host_of(sheaf_boot_leader_of(0)),
                sheaf_boot_host_of(sheaf_boot_leader_of(1)));
    return NULL;
}

static const struct sheaf_engine *choose_engine(const struct sheaf_settings *settings)
{
    const struct sheaf_engine *named = sheaf_engine_named(settings->networks);
    if (!named)
        return choose_automatically(settings->onnode == SHEAF_ONNODE_OFF);
    return named == &sheaf_engine_none ? refuse_none(settings) : named;
}

/* Called by the PE of slot 0: stores all addresses for the PEs of its node, and for respawned
 * processes. */
static int store_addresses(const char *key)
{
    bool has_room = true;
    for (int pe = 0; pe < sheaf_job.npes && has_room; pe++) {
        void *address;
        size_t length;
        if (sheaf_boot_get(pe, key, &address, &length) != 0)
            return -1;
        has_room = address_book()->note(pe, address, length) == 0;
        free(address);
    }
    return has_room ? 0 : -1;
}

static int publish_address(const struct sheaf_engine *engine)
{
    char key[32];
    const void *address;
    size_t length;
    address_key(key, sizeof key);
    engine->address(&address, &length);
    if (sheaf_survival->is_respawned())
        return address_book()->say(address, length);
    if (sheaf_boot_put(key, address, length) != 0 || sheaf_boot_fence() != 0)
        return -1;
    return address_book() && sheaf_boot.slot == 0 ? store_addresses(key) : 0;
}

/* The note by which a PE with the engine over MPI tells the others the version of its MPI, empty where
 * it has loaded none. */
#define MPI_PREFIX "mpi "
struct mpi_note {
    char text[128];
};

static struct mpi_note make_mpi_note(void)
{
    char why[600], version[sizeof((struct mpi_note *)0)->text - sizeof MPI_PREFIX] = "";
    struct mpi_note word;
    const struct sheaf_mpi_shim *shim = sheaf_mpi_load(why, sizeof why);
    if (shim)
        shim->describe(version, sizeof version);
    snprintf(word.text, sizeof word.text, MPI_PREFIX "%s", version);
    return word;
}

/* Whether the two PEs have the same MPI; otherwise prints the difference. A PE that has loaded no MPI
 * prints that itself. */
static bool fits_mpi(int next, const struct mpi_note *mine, const struct mpi_note *said, size_t bytes)
{
    const size_t begin = sizeof MPI_PREFIX - 1;
    const char *host = sheaf_boot_host_of(next), *my_host = sheaf_boot_host_of(sheaf_job.pe);
    if (bytes != sizeof *said || memchr(said->text, '\0', sizeof said->text) == NULL ||
        strncmp(said->text, MPI_PREFIX, begin) != 0) {
        sheaf_error("SH504 engine mpi: PE %d on host %s uses another engine than PE %d on host %s: give "
                    "all hosts the same SHEAF_ENGINE", next, host, sheaf_job.pe, my_host);
        return false;
    }
    const char *theirs = said->text + begin, *ours = mine->text + begin;
    if (!*theirs || !*ours || strcmp(theirs, ours) == 0)
        return true;
    sheaf_error("SH504 engine mpi: PE %d on host %s uses %s, and PE %d on host %s %s: give all hosts the "
                "same MPI, by SHEAF_MPI where they have several, and start the job by its launcher", next,
                host, theirs, sheaf_job.pe, my_host, ours);
    return false;
}

/* Each PE compares with the next one. So where two PEs of a job differ, some PE sees it and ends the
 * job before one of them waits in MPI for another that never joins it. */
static int agree_on_mpi(void)
{
    const struct mpi_note mine = make_mpi_note();
    char key[32];
    void *said = NULL;
    size_t bytes = 0;
    int next = (sheaf_job.pe + 1) % sheaf_job.npes;
    make_key(first_key, key, sizeof key);
    if (sheaf_boot_put(key, &mine, sizeof mine) != 0 || sheaf_boot_fence() != 0)
        return -1;
    bool is_said = sheaf_boot_get(next, key, &said, &bytes) == 0;
    bool fits = is_said && fits_mpi(next, &mine, said, bytes);
    if (!is_said)
        sheaf_error("SH504 engine mpi: PE %d on host %s does not say which engine it uses: it has ended",
                    next, sheaf_boot_host_of(next));
    free(said);
    return fits ? 0 : -1;
}

static int start_engine(const struct sheaf_engine *engine, const struct sheaf_engine_job *job)
{
    bool is_mpi = engine == &sheaf_engine_mpi ||
                  (engine == &sheaf_engine_several && job->networks & 1U << SHEAF_ENGINE_MPI);
    address_kind = is_mpi ? later_key : first_key;
    return is_mpi && agree_on_mpi() != 0 ? -1 : engine->start(job);
}

/* Where deaths are reported PEs connect by reading each other's first word of the heap (survive/network.c),
 * before there is a block. */
static void check_arrival(uintptr_t address, uint64_t bytes)
{
    bool is_first = address == (uintptr_t)sheaf_image.segments[SHEAF_SEGMENT_HEAP].start;
    if (is_first && bytes == sizeof(uint64_t) && sheaf_image.control->reports_failures)
        return;
    sheaf_symmetric_require_object((const void *)address, bytes, "arrived from another host");
}

static bool is_constant(uintptr_t address, uint64_t bytes)
{
    return sheaf_image_holds_constant((const void *)address, bytes);
}

int sheaf_engine_start(const struct sheaf_settings *settings, int thread_level)
{
    sheaf_network = NULL;
    if (sheaf_boot.nodes == 1)
        return 0;
    generation++;
    struct sheaf_engine_job job = {
        .pe = sheaf_job.pe,
        .npes = sheaf_job.npes,
        .key = {sheaf_image.control->job_key[0], sheaf_image.control->job_key[1]},
        .multiple = thread_level == SHMEM_THREAD_MULTIPLE || settings->has_chaos, /* chaos.h has a thread */
        .progress = settings->progress,
        .rma = settings->rma,
        .atomics = sheaf_amo_agree_wish(),
        .native_atomics = settings->atomics_native,
        .networks = settings->networks,
        .aggregate = settings->aggregate,
        .peer_address = peer_address,
        .accumulate = sheaf_accumulate_own,
        .check_arrival = sheaf_job_checks_args() || sheaf_job_checks_memory() ? check_arrival : NULL,
        .is_constant = is_constant,
        .is_in_space = sheaf_space_holds,
        .space_address = sheaf_space_address,
        .space_index = sheaf_space_index,
        .differs = sheaf_history_differs_far,
        .failed = pe_failed,
        .host_failed = host_failed,
    };
    memcpy(job.segments, sheaf_image.segments, sizeof job.segments);
    job.team = sheaf_image.team;
    const struct sheaf_engine *engine = choose_engine(settings);
    if (!engine || sheaf_survival->prepare_engine(engine, &job) != 0 || start_engine(engine, &job) != 0 ||
        publish_address(engine) != 0 || read_addresses() != 0)
        return -1;
    sheaf_network = engine;
    sheaf_wait_choose_spins();
    return 0;
}

/* MPI has ended the connection to the launcher, so no barrier can tell when all PEs have their last
 * messages. After the last barrier these are acknowledgements only: serves them for a fixed time. */
static void serve_last_acks(const struct sheaf_engine *engine)
{
    uint64_t until = sheaf_clock_ns() + sheaf_times.last_acks;
    while (sheaf_clock_ns() < until)
        if (!engine->progress(true))
            sched_yield();
}

/* A PE does not stop its engine while another still waits for an answer from it. */
static void stop_engine(const struct sheaf_engine *engine)
{
    sheaf_far_outlives_deaths = true;
    sheaf_far_quiet_pe(SHMEM_CTX_DEFAULT, SHEAF_EVERY_PE);
    sheaf_far_outlives_deaths = false;
    if (!sheaf_survival->sync_last())
        serve_last_acks(engine);
    sheaf_network = NULL;
    engine->stop();
    sheaf_wait_choose_spins();
}

void sheaf_engine_stop(void)
{
    if (sheaf_network)
        stop_engine(sheaf_network);
    sheaf_network = &sheaf_engine_none;
}
