/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Supervises a running job: its output, its processes' ends, its signals, its time limit.
 */
#ifndef SHEAF_OSHRUN_SUPERVISE_H
#define SHEAF_OSHRUN_SUPERVISE_H

#include "oshrun/hosts/proxy.h"
#include "oshrun/mpi/pmi_server.h"
#include "oshrun/mpi/pmix/pmix_server.h"
#include "oshrun/supervise/board.h"
#include "oshrun/supervise/input.h"
#include "oshrun/supervise/output.h"

struct supervisor {
    const struct options *options;
    const struct job *job;
    struct output *output;
    struct input *input;
    struct pmi_server *mpi;
    struct pmix_server *pmix; /* NULL: none */
    int channel;      /* to the proxy; -1 once it is gone */
    int proxy;        /* the proxy's pid */
    int signals;      /* signalfd */
    struct pe_process *pes;
    const struct spawn *spawn;

    /* how far the end has come */
    enum phase {
        RUNNING,
        GRACE,     /* the job's end has begun: the other PEs may end by themselves */
        ASKED,     /* SIGTERM, or the signal that oshrun received, was sent */
        KILLED,    /* the proxy kills what is left */
        COLLECTING /* all PEs have ended, the proxy reaps the rest */
    } phase;
    uint64_t deadline;     /* of GRACE and ASKED */
    int alive;             /* PEs that run */
    int status;            /* oshrun's exit status so far */
    int culprit;           /* the PE that ended the job; -1: none did */
    bool has_failed;       /* the job failed by itself, and not because oshrun was told to end it */
    bool is_explained;             /* the reason of the end was printed, or needs no message */
    uint64_t started_ns;
    uint64_t last_exit_ns; /* of a PE */
    uint32_t respawns;     /* respawns that PEs have asked for, and that were started */
    uint32_t boot_epoch;   /* see missed.c */
    uint32_t boot_arrived;
    uint64_t boot_since_ns;
    uint64_t mismatch_look_ns; /* time of the next look, see mismatch.c */
    uint64_t stall_look_ns; /* time of the next look, see stall.c */
    bool stall_told;
    bool cycle_told;
    uint64_t cycle_look_ns;
    uint64_t stall_seen;     /* digest of the waits when every PE was last seen waiting; 0: not all wait */
    uint64_t stall_since_ns; /* when that was first seen */
};

/* Returns when no process of the job is left and its output is written: oshrun's exit status. */
int sheaf_supervise(struct supervisor *supervisor);

/* Begins the end of the job: the other PEs get grace_ns to end by themselves. Only the first call
 * counts. */
void sheaf_supervise_end(struct supervisor *supervisor, int status, int culprit, uint64_t grace_ns);

/* Called when a PE was killed. Returns whether the others are told, and go on (SHEAF_FAILURES=report). */
bool sheaf_deaths_report(struct supervisor *supervisor, int pe, int status);

/* Called when a spare has ended; left: how many spares remain. */
void sheaf_deaths_in_reserve(struct supervisor *supervisor, int pid, int left);

/* Starts the processes that PEs have asked for, shmemx_respawn(). */
void sheaf_deaths_respawn(struct supervisor *supervisor);

/* The time in ms until the next look, since PEs cannot notify oshrun. */
int sheaf_deaths_tick(const struct supervisor *supervisor, int tick);

/* Whether that PE's process has ended, and the job went on. */
bool sheaf_deaths_has(const struct supervisor *supervisor, int pe);

/* Where a PE that has left early is missed by all others, prints so and ends the job. */
void sheaf_missed_check(struct supervisor *supervisor);

/* Where PEs without shared memory have made mismatched calls, prints which two, and ends the job. */
void sheaf_mismatch_check(struct supervisor *supervisor);

/* Where every PE has waited for a long time, prints which PEs wait for what; the job goes on. */
void sheaf_stall_check(struct supervisor *supervisor);

/* Saves the PEs' records in the folder of SHEAF_RECORD. */
void sheaf_record_keep(struct supervisor *supervisor);

/* Carries out requests of the PEs' MPI; and, once a PE has exited, checks whether its MPI had ended. */
void sheaf_mpi_check(struct supervisor *supervisor);
void sheaf_mpi_exited(struct supervisor *supervisor, int pe);

/* Set up and handle signals sent to oshrun. */
void sheaf_signal_setup(struct supervisor *supervisor, struct spawn *spawn);
void sheaf_signal_handle(struct supervisor *supervisor);

/* While the last output is written: whether a signal to end has come. */
bool sheaf_signal_ends(struct supervisor *supervisor);

/* Prints "PE 3 (a.out, pid 123)". */
void sheaf_message_pe(FILE *out, const struct supervisor *supervisor, int pe);

/* Prints which PE ended the job, and how. */
void sheaf_message_culprit(struct supervisor *supervisor);

/* Prints the board on standard error. */
void sheaf_message_board(struct supervisor *supervisor);

#endif
