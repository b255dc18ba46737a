/* SPDX-License-Identifier: BSD-3-Clause
 * See pmix_server.h.
 */
#include "oshrun/mpi/pmix/pmix_server.h"

#include "base/clock.h"
#include "base/times.h"
#include "common/own_name.h"
#include "oshrun/command/say.h"
#include "oshrun/hosts/spawn.h"
#include "oshrun/mpi/pmix/pmix_process.h"
#include "oshrun/mpi/pmix/private_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct pmix_server {
    int channel; /* -1: the process has ended */
    int pid;
    int npes;
    enum pmi_state *states; /* per PE */
    char *folder;           /* the process removes it, unless it is killed */
    struct pmi_news news;
};

int sheaf_pmix_server_descriptor(const struct pmix_server *server)
{
    return server ? server->channel : -1;
}

int sheaf_pmix_server_pid(const struct pmix_server *server)
{
    return server ? server->pid : 0;
}

enum pmi_state sheaf_pmix_server_state(const struct pmix_server *server, int pe)
{
    return server ? server->states[pe] : PMI_UNUSED;
}

#ifdef SHEAF_HAS_PMIX_SERVER

/* Open MPI 4 uses PMIx only under launchers whose variables it knows, and an allocation of Slurm
 * without a step counts as no launcher. These settings make it use PMIx without that search, and tell
 * it that its processes have been bound. */
static const char *const for_open_mpi_4[] = {"OMPI_MCA_schizo=ompi", "OMPI_MCA_ess=pmi",
                                             "OMPI_MCA_orte_externally_bound=1"};

/* A call of Open MPI that waits keeps its processor unless the launcher says that PEs outnumber the
 * processors, as mpirun does. The awaited PE would get that processor only at the end of a time slice. */
#define YIELDS "OMPI_MCA_mpi_yield_when_idle"

static void let_open_mpi_yield(struct spawn *spawn)
{
    const struct options *options = spawn->options;
    bool is_set = getenv(YIELDS) != NULL; /* by the user */
    for (int i = 0; i < options->program_count; i++)
        is_set |= sheaf_program_setting(&options->programs[i], YIELDS) != NULL;
    if (options->npes > options->usable_cpus && !is_set)
        sheaf_spawn_set_for_all(spawn, YIELDS "=1");
}

static struct pmix_server *start_process(const struct options *options)
{
    int ends[2];
    struct pmix_server *server = calloc(1, sizeof *server);
    if (!server || !(server->states = calloc((size_t)options->npes, sizeof *server->states)))
        sheaf_die(1, "out of memory");
    server->npes = options->npes;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) || (server->pid = fork()) < 0)
        sheaf_die_at_start();
    if (server->pid == 0) {
        close(ends[0]);
        sheaf_pmix_process_run(options, ends[1]);
    }
    close(ends[1]);
    server->channel = ends[0];
    return server;
}

/* Receives a report. Returns its length; 0 where the process has ended. */
static size_t receive_report(struct pmix_server *server, struct pmix_report *report, int flags)
{
    ssize_t got;
    while ((got = recv(server->channel, report, sizeof *report, flags)) < 0 && errno == EINTR)
        ;
    return got < (ssize_t)REPORT_HEAD ? 0 : (size_t)got;
}

/* Returns NULL once the PEs can be served, otherwise the reason. Its text is in the report. */
static const char *wait_until_ready(struct pmix_server *server, struct spawn *spawn,
                                    struct pmix_report *report)
{
    size_t length = receive_report(server, report, 0);
    if (length <= REPORT_HEAD || report->words[length - REPORT_HEAD - 1] != '\0')
        return "libpmix has ended the process that it is loaded in";
    if (report->news == REPORT_FAILED)
        return report->words;
    const char *end = (const char *)report + length;
    server->folder = strdup(report->words);
    for (const char *at = report->words + strlen(report->words) + 1; at < end; at += strlen(at) + 1)
        sheaf_spawn_set_for_all(spawn, at);
    for (size_t i = 0; i < sizeof for_open_mpi_4 / sizeof *for_open_mpi_4; i++)
        sheaf_spawn_set_for_all(spawn, for_open_mpi_4[i]);
    let_open_mpi_yield(spawn);
    spawn->pmix = true;
    return NULL;
}

static const char *serve_pes(struct pmix_server **server, const struct options *options,
                             struct spawn *spawn)
{
    static struct pmix_report report;
    *server = start_process(options);
    const char *why = wait_until_ready(*server, spawn, &report);
    if (why)
        sheaf_pmix_server_finish(*server);
    return why;
}

#else

static size_t receive_report(struct pmix_server *server, struct pmix_report *report, int flags)
{
    (void)server, (void)report, (void)flags;
    return 0;
}

static const char *serve_pes(struct pmix_server **server, const struct options *options,
                             struct spawn *spawn)
{
    (void)server, (void)options, (void)spawn;
    return "it was built without libpmix's headers of version 4.2 or later (Debian: libpmix-dev)";
}

#endif

struct pmix_server *sheaf_pmix_server_create(const struct options *options, struct spawn *spawn)
{
    struct pmix_server *server = NULL;
    if (options->mpi != MPI_PMIX && options->mpi != MPI_BOTH)
        return NULL;
    sheaf_own_name_warn(options->quiet || (options->mpi == MPI_BOTH && !options->pmix_program));
    const char *why = serve_pes(&server, options, spawn);
    if (!why)
        return server;
    if (options->mpi == MPI_BOTH)
        return NULL;
    if (!options->pmix_program)
        sheaf_die(1, "SH402 --mpi=pmix: oshrun cannot serve PMIx here: %s", why);
    if (options->npes > 1) /* an MPI without a launcher takes itself for a job of one PE */
        sheaf_die(STATUS_NOT_EXECUTABLE, "SH402 %s is linked with an MPI that needs PMIx, as Open MPI "
        "does, and oshrun cannot serve it here: %s; or start it with Open MPI's mpirun -n %d",
                  options->pmix_program->argv[0], why, options->npes);
    return NULL;
}

static void read_report(struct pmix_server *server, const struct pmix_report *report)
{
    if (report->pe < 0 || report->pe >= server->npes)
        return;
    if (report->news == REPORT_CONNECTED)
        server->states[report->pe] = PMI_UP;
    else if (report->news == REPORT_FINALIZED)
        server->states[report->pe] = PMI_FINALIZED;
    else if (report->news == REPORT_ABORTING)
        sheaf_pmi_news_set(&server->news,
                           (struct pmi_news){PMI_ABORTED, report->pe, .status = report->status});
    else if (report->news == REPORT_SPAWNING)
        sheaf_pmi_news_set(&server->news, (struct pmi_news){PMI_SPAWN_REFUSED, .pe = report->pe});
}

void sheaf_pmix_server_serve(struct pmix_server *server)
{
    static struct pmix_report report;
    while (server && server->channel >= 0) {
        errno = 0;
        if (receive_report(server, &report, MSG_DONTWAIT) > 0) {
            read_report(server, &report);
            continue;
        }
        if (errno == EAGAIN)
            return;
        close(server->channel);
        server->channel = -1;
        sheaf_pmi_news_set(&server->news, (struct pmi_news){
            PMI_MISBEHAVED, -1, EXIT_FAILURE, "the process that serves PMIx to the PEs' MPI has ended"});
    }
}

struct pmi_news sheaf_pmix_server_news(struct pmix_server *server)
{
    return server ? sheaf_pmi_news_take(&server->news) : (struct pmi_news){.kind = PMI_NO_NEWS};
}

void sheaf_pmix_server_finish(struct pmix_server *server)
{
    const struct timespec look = sheaf_times_spec(sheaf_times.pmix_look);
    int status = -1;
    if (!server)
        return;
    if (server->channel >= 0)
        close(server->channel);
    server->channel = -1;
    for (uint64_t until = sheaf_clock_ns() + sheaf_times.pmix_ends;;) {
        int ended = waitpid(server->pid, &status, WNOHANG);
        if (ended == server->pid || (ended < 0 && errno != EINTR))
            break;
        if (sheaf_clock_ns() > until)
            kill(server->pid, SIGKILL);
        nanosleep(&look, NULL);
    }
    if (status != 0 && server->folder)
        sheaf_private_folder_remove(server->folder);
    server->pid = 0;
}
