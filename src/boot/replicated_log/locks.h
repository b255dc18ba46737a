/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks, which follow from the replicated log (journal.h): PEs set and clear them, and die. All nodes
 * have the same queues, so a lock outlives any PE and any host, and passes from a dead holder to the next
 * in its queue. agent.c passes the entries on.
 */
#ifndef SHEAF_BOOT_REPLICATED_LOG_LOCKS_H
#define SHEAF_BOOT_REPLICATED_LOG_LOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHEAF_LOCK_SET, SHEAF_LOCK_TEST, SHEAF_LOCK_CLEAR };

/* The body of an entry. */
struct sheaf_lock_call {
    uint64_t lock;   /* its position, the same on all PEs */
    uint64_t box;    /* where the asker's node puts the answer */
    int32_t pe;
    uint32_t what;
    uint32_t number; /* of the asker's, in the answer */
    uint32_t unused;
};

struct sheaf_lock_answer {
    uint32_t is_refused; /* TEST: somebody has it */
    int32_t from;        /* the PE that died with the lock, or -1 */
    uint32_t unused;
    uint32_t number;     /* the last field to be written */
};

struct sheaf_locks;

typedef void sheaf_locks_answer(const struct sheaf_lock_call *call,
                                const struct sheaf_lock_answer *answer);
struct sheaf_locks *sheaf_locks_create(sheaf_locks_answer *answer);

/* The next entry of the log. False: no PE makes such a call, or there is no memory. */
bool sheaf_locks_call(struct sheaf_locks *locks, const struct sheaf_lock_call *call);
void sheaf_locks_die(struct sheaf_locks *locks, int pe);

#endif
