/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What calls do differently in a job that outlives the death of a PE (SHEAF_FAILURES=report): one table,
 * which survive/choose.c picks in each initialization. The rest of the library knows no more of such jobs.
 * Only slow paths look here; put, get and atomic operations between PEs of one host never do.
 */
#ifndef SHEAF_SURVIVE_INTERFACE_SURVIVAL_H
#define SHEAF_SURVIVE_INTERFACE_SURVIVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sheaf_engine;
struct sheaf_engine_job;
struct sheaf_far_call;
struct sheaf_lock_kind;
struct sheaf_team;

/* The network addresses of all PEs, where processes may be started in dead ones' places. Each returns 0, or
 * -1; find's address is malloc'ed. */
struct sheaf_address_book {
    int (*find)(int pe, void **address, size_t *bytes);
    int (*note)(int pe, const void *address, size_t bytes); /* at start, by slot 0's PE, for each PE */
    int (*say)(const void *address, size_t bytes);          /* its own, by a process started later */
};

/* What a call clears away when a death makes this thread leave it. */
typedef void sheaf_survival_cleanup(void);

struct sheaf_survival {
    /* Every PE lives as long as the job: members can be compared by exchanges, and the network may do what
     * was never tried with dead PEs. */
    bool members_stay;

    /* Whether this process was started in place of a dead one. The other PEs are initialized already: they
     * take no part in its shmem_init, and rejoin with it in shmemx_rejoin. */
    bool (*is_respawned)(void);

    /* Allocation and shmem_finalize, collective over all living PEs. enter: all of them are in the call
     * before one changes anything. finish: the same, and a barrier in any job. Both leave the call where a
     * PE refuses, since it is in another one. any_refuses: a barrier; whether refuses is true on any. */
    void (*enter)(void);
    void (*barrier)(void);
    bool (*any_refuses)(bool refuses);
    void (*finish)(void);

    /* A collective over the team begins: leaves the call where the team has lost a member. */
    void (*enter_team)(struct sheaf_team *team);
    bool (*is_dead)(struct sheaf_team *team, int rank);

    /* Of this thread's call; NULL: nothing. Whoever has set it sets NULL before the call ends. */
    void (*set_cleanup)(sheaf_survival_cleanup *cleanup);

    /* Before an operation on another host's PE begins and after it has ended: leaves the call where that PE
     * is dead. NULL: no PE dies. */
    void (*heed_far)(struct sheaf_far_call *far);

    /* Whether the process of this sheaf_job.lock_name has died. */
    bool (*is_gone)(uint32_t lock_name);

    /* NULL: the kind follows from the network alone. */
    const struct sheaf_lock_kind *locks;

    /* The engine: what its job needs before it starts (0; -1 with the reason printed); connections with all
     * PEs of other hosts after that; the last synchronization before it stops, false: none is possible
     * any more. */
    int (*prepare_engine)(const struct sheaf_engine *engine, struct sheaf_engine_job *job);
    void (*connect_engine)(void);
    bool (*sync_last)(void);

    /* NULL: the launcher knows all addresses. */
    const struct sheaf_address_book *(*addresses)(void);
};

/* Where no process dies: false of every name, and of this process. */
bool sheaf_survival_none_is_gone(uint32_t lock_name);
bool sheaf_survival_none_is_respawned(void);

/* Before the first initialization a table in which nobody dies and no call is made. */
extern const struct sheaf_survival *sheaf_survival __attribute__((visibility("hidden")));

#endif
