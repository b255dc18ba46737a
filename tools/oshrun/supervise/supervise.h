/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Watches over a running job: its output, its ends, its signals, its time.
 */
#ifndef SHEAF_OSHRUN_SUPERVISE_H
#define SHEAF_OSHRUN_SUPERVISE_H

#include "oshrun/hosts/keeper.h"
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
    int channel;      /* to the keeper; -1 once it is gone */
    int keeper;       /* its pid */
    int signals;      /* signalfd */
    struct pe_process *pes;
    const struct spawn *spawn;

    /* how far the end has come */
    enum phase {
        RUNNING,
        GRACE,     /* something ended the job: the others may end by themselves */
        ASKED,     /* SIGTERM, or the signal that oshrun got, was sent */
        KILLED,    /* the keeper kills what is left */
        COLLECTING /* all PEs are gone, the keeper collects the rest */
    } phase;
    uint64_t deadline;     /* of GRACE and ASKED */
    int alive;             /* PEs that run */
    int status;            /* oshrun's exit status so far */
    int culprit;           /* the PE that ended the job; -1: none did */
    bool has_failed;       /* by itself, and not because oshrun was to end it */
    bool told;             /* why it ended was said, or needs no words */
    uint64_t started_ns;
    uint64_t last_exit_ns; /* of a PE */
    uint32_t respawns;     /* that PEs have asked for, and got */
    uint32_t boot_epoch;   /* see missed.c */
    uint32_t boot_arrived;
    uint64_t boot_since_ns;
    uint64_t mismatch_look_ns; /* see mismatch.c: the next look */
    uint64_t stall_look_ns; /* see stall.c: the next look */
    bool stall_told;
    bool circle_told;
    uint64_t circle_look_ns;
    uint64_t stall_seen;     /* digest of the waits when every PE last was seen to wait; 0: not all do */
    uint64_t stall_since_ns; /* when that was first seen */
};

/* Returns when nothing of the job is left and its output is out: oshrun's exit status. */
int sheaf_supervise(struct supervisor *supervisor);

/* Begins the end of the job: others get grace_ns to end by themselves. Only the first counts. */
void sheaf_supervise_end(struct supervisor *supervisor, int status, int culprit, uint64_t grace_ns);

/* A PE was killed. Whether the others are told, and go on (SHEAF_FAILURES=report). */
bool sheaf_deaths_report(struct supervisor *supervisor, int pe, int status);

/* A process in reserve has ended; so many are left. */
void sheaf_deaths_in_reserve(struct supervisor *supervisor, int pid, int left);

/* Starts the processes that PEs have asked for, shmemx_respawn(). */
void sheaf_deaths_respawn(struct supervisor *supervisor);

/* In how many ms to look again: PEs have no way to call. */
int sheaf_deaths_tick(const struct supervisor *supervisor, int tick);

/* Whether that PE's process has ended, and the job went on. */
bool sheaf_deaths_has(const struct supervisor *supervisor, int pe);

/* A PE that has left early is missed by all others: says so and ends the job. */
void sheaf_missed_check(struct supervisor *supervisor);

/* PEs that are apart have made calls that do not fit together: says which two, and ends the job. */
void sheaf_mismatch_check(struct supervisor *supervisor);

/* Every PE waits, and has for a long time: says who waits for what, and the job goes on. */
void sheaf_stall_check(struct supervisor *supervisor);

/* Keeps what the PEs have recorded, where SHEAF_RECORD says. */
void sheaf_record_keep(struct supervisor *supervisor);

/* What MPI has asked for; and, once a PE has exited, whether its MPI had ended. */
void sheaf_mpi_check(struct supervisor *supervisor);
void sheaf_mpi_exited(struct supervisor *supervisor, int pe);

/* Signals that oshrun has got. */
void sheaf_signal_setup(struct supervisor *supervisor, struct spawn *spawn);
void sheaf_signal_handle(struct supervisor *supervisor);

/* While the last output is written: whether a signal to end has come. */
bool sheaf_signal_ends(struct supervisor *supervisor);

/* "PE 3 (a.out, pid 123)" */
void sheaf_message_pe(FILE *out, const struct supervisor *supervisor, int pe);

/* Which PE ended the job, and how. */
void sheaf_message_culprit(struct supervisor *supervisor);

/* The board, on standard error. */
void sheaf_message_board(struct supervisor *supervisor);

#endif
