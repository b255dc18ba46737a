/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The proxy: a small process between oshrun and the PEs. It is the PEs' parent and the subreaper of all
 * they start, so that no process of the job escapes. When oshrun is killed, it lives just long enough to
 * end the job. It has a process group of its own: a signal to oshrun's group does not reach it.
 *
 * With --spare it starts spare processes, which wait for the number of a PE that they replace.
 *
 *   oshrun --(signal, respawn, finish, kill)--> proxy --fork--> PE 0, PE 1, ...
 *   oshrun <--(started, exited, failed)-- proxy
 */
#ifndef SHEAF_OSHRUN_PROXY_H
#define SHEAF_OSHRUN_PROXY_H

#include "oshrun/command/options.h"
#include "oshrun/hosts/job.h"

#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>

/* The command, descriptors and settings of one PE; prepared by oshrun, used in the PE between fork and
 * exec. */
struct spawn_pe {
    const struct program *program;
    char **argv;       /* with a debugger in front, where one is wanted */
    const char *path;  /* of argv[0] */
    int input;         /* descriptor that becomes 0; -1: /dev/null */
    int output;        /* descriptor that becomes 1 ... */
    int error;         /* ... and 2; -1: this PE has the terminal as oshrun has it */
    bool foreground;   /* this PE's group gets the terminal */
    int mpi;           /* the PE's end of its MPI's connection to oshrun; -1: none */
};

struct spawn {
    const struct options *options;
    const struct job *job;
    struct spawn_pe *pes;
    char ***env;            /* per program; the first SPAWN_VARIABLES entries are reserved */
    const cpu_set_t *cpus;  /* per PE; NULL: not bound */
    sigset_t signals;       /* as oshrun found them */
    struct sigaction ignored[3]; /* SIGPIPE, SIGTTIN, SIGTTOU, as oshrun found them */
    bool pmix;              /* env has the variables of PMIx, except the rank */
    struct rlimit files;    /* limit on descriptors, as oshrun found it */
};

/* Replaces the child by the PE's program. When it cannot, reports to the channel and ends. */
_Noreturn void sheaf_spawn_exec(const struct spawn *spawn, int pe, int proxy, int channel);

enum proxy_order { PROXY_SIGNAL, PROXY_RESPAWN, PROXY_FINISH, PROXY_KILL };

struct proxy_command {
    int order; /* enum proxy_order */
    int value; /* SIGNAL: its number, for the groups of all living PEs; FINISH: milliseconds;
                  RESPAWN: a PE whose process has ended, to be replaced by a spare */
};

enum proxy_news { PROXY_STARTED, PROXY_EXITED, PROXY_FAILED, PROXY_RESERVE_ENDED };

struct proxy_report {
    int news;    /* enum proxy_news */
    int pe;
    int value;   /* STARTED: pid; EXITED: status as from waitpid(); FAILED: errno; RESERVE_ENDED: how many
                    spares are left */
    int process; /* FAILED: enum proxy_step; RESERVE_ENDED: pid, 0: not started */
};

/* The step of a PE's start that failed. */
enum proxy_step { STEP_EXEC, STEP_FORK, STEP_STREAMS };

/* Forks the proxy, which starts all PEs. Returns oshrun's end of the channel; it ends when the
 * proxy is gone. */
int sheaf_proxy_start(const struct spawn *spawn, int *pid);

/* Sends an order. FINISH: processes that the PEs left behind get value milliseconds to end by
 * themselves ("prog > >(tee log)" does), then they are ended, and the proxy ends. KILL: the same at
 * once. */
void sheaf_proxy_command(int channel, enum proxy_order order, int value);

#endif
