/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ends the job where the PEs' MPI requires it: on MPI_Abort, and when a PE has exited that others wait for
 * in MPI's start or end. Both are known at once, without a timeout.
 */
#include "oshrun/supervise/supervise.h"

#include "base/times.h"
#include "oshrun/command/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#define SPAWN_REFUSED "called MPI_Comm_spawn, for which oshrun starts no processes: the call fails; "

static FILE *begin_line(char **content, size_t *length)
{
    FILE *out = open_memstream(content, length);
    if (!out)
        sheaf_die(1, "out of memory");
    fputs("oshrun: ", out);
    return out;
}

static void send_line(struct supervisor *supervisor, FILE *out, char **content)
{
    fputs(" [SH910]\n", out);
    fclose(out);
    if (!supervisor->options->quiet)
        sheaf_output_message(supervisor->output, *content);
    free(*content);
}

/* Prints "PE 2 (a.out, pid 123) called MPI_Abort with 7" and so on; with pe -1, no PE is named. */
static void print_about_pe(struct supervisor *supervisor, int pe, const char *what)
{
    char *content;
    size_t length;
    FILE *out = begin_line(&content, &length);
    if (pe >= 0) {
        sheaf_message_pe(out, supervisor, pe);
        fputc(' ', out);
    }
    fputs(what, out);
    send_line(supervisor, out, &content);
}

static void end_by_mpi(struct supervisor *supervisor, int pe, const char *what, int status, uint64_t grace)
{
    if (supervisor->phase != RUNNING)
        return;
    print_about_pe(supervisor, pe, what);
    supervisor->is_explained = true;
    sheaf_supervise_end(supervisor, status, pe, grace);
}

/* Ends the job with MPI_Abort's code; a code that is no valid exit status still becomes a failure. */
static void abort_job(struct supervisor *supervisor, int pe, int code)
{
    char what[48];
    snprintf(what, sizeof what, "called MPI_Abort with %d", code);
    end_by_mpi(supervisor, pe, what, code && !(code & 0xff) ? EXIT_FAILURE : code & 0xff,
               sheaf_times.failed_others);
}

static void handle_news(struct supervisor *supervisor, struct pmi_news news, const char *refused)
{
    switch (news.kind) {
    case PMI_NO_NEWS:
        break;
    case PMI_SPAWN_REFUSED:
        print_about_pe(supervisor, news.pe, refused);
        break;
    case PMI_ABORTED:
        abort_job(supervisor, news.pe, news.status);
        break;
    case PMI_MISBEHAVED:
        end_by_mpi(supervisor, news.pe, news.why, news.status, 0);
    }
}

static void read_server_news(struct supervisor *supervisor)
{
    handle_news(supervisor, sheaf_pmi_server_news(supervisor->mpi), SPAWN_REFUSED "mpiexec.hydra does");
    handle_news(supervisor, sheaf_pmix_server_news(supervisor->pmix),
                SPAWN_REFUSED "Open MPI's mpirun does");
}

/* The state of a PE's MPI. Where both kinds are served, it uses one of them. */
static enum pmi_state state_of(const struct supervisor *supervisor, int pe)
{
    enum pmi_state by_pmix = sheaf_pmix_server_state(supervisor->pmix, pe);
    return by_pmix != PMI_UNUSED ? by_pmix : sheaf_pmi_server_state(supervisor->mpi, pe);
}

/* A PE of PMI-1 that has exited and was not in the barrier; -1: none. */
static int missed_in_barrier(const struct supervisor *supervisor)
{
    if (sheaf_pmi_server_waiting(supervisor->mpi) == 0)
        return -1;
    for (int pe = 0; pe < supervisor->options->npes; pe++)
        if (supervisor->pes[pe].exited && state_of(supervisor, pe) != PMI_IN_BARRIER)
            return pe;
    return -1;
}

/* A PE that others wait for in MPI_Init; -1: none. PMIx does not report which PEs wait. But Open MPI's
 * MPI_Init returns only when all PEs have called it: so a PE that has connected waits for one that has
 * exited and never connected. */
static int missed_in_init(const struct supervisor *supervisor)
{
    int never = -1;
    bool is_up = false;
    for (int pe = 0; pe < supervisor->options->npes && supervisor->pmix; pe++) {
        enum pmi_state state = sheaf_pmix_server_state(supervisor->pmix, pe);
        is_up |= state == PMI_UP && !supervisor->pes[pe].exited;
        if (state == PMI_UNUSED && supervisor->pes[pe].exited && never < 0)
            never = pe;
    }
    return is_up ? never : -1;
}

void sheaf_mpi_check(struct supervisor *supervisor)
{
    read_server_news(supervisor);
    if (supervisor->phase != RUNNING || supervisor->alive == supervisor->options->npes)
        return;
    int gone = missed_in_init(supervisor);
    if (gone < 0)
        gone = missed_in_barrier(supervisor);
    if (gone >= 0)
        end_by_mpi(supervisor, gone, "has exited, while others wait for it in MPI_Init or MPI_Finalize", 1,
                   0);
}

void sheaf_mpi_exited(struct supervisor *supervisor, int pe)
{
    sheaf_pmi_server_end(supervisor->mpi, pe);
    sheaf_pmix_server_serve(supervisor->pmix);
    read_server_news(supervisor);
    enum pmi_state state = state_of(supervisor, pe);
    if (WEXITSTATUS(supervisor->pes[pe].status) == 0 && (state == PMI_UP || state == PMI_IN_BARRIER))
        end_by_mpi(supervisor, pe, "exited with status 0 between MPI_Init and MPI_Finalize", 1, 0);
}
