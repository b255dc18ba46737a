/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An InfiniBand or RoCE adapter's own atomic operations: 64-bit add and compare-and-swap in another
 * process's memory, by reliable connections of verbs. UCX offers a transport's atomic operations only where
 * it has all of them, which few adapters do; so these go past UCX, through libibverbs, loaded when a job
 * needs it. Knows nothing of PEs, workers and UCX; lanes.c does. Callers see to it that one thread at a
 * time is in here; in register, too.
 */
#ifndef SHEAF_ENGINE_VERBS_ADAPTER_H
#define SHEAF_ENGINE_VERBS_ADAPTER_H

#include "base/settings/amo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One end of a connection, as the other end gets it. */
struct sheaf_adapter_end {
    uint8_t gid[16];
    uint32_t queue_pair; /* 24 bits */
    uint32_t sequence;   /* the first packet's number, random: 24 bits */
    uint16_t lid;
    uint8_t mtu;   /* enum ibv_mtu */
    uint8_t depth; /* atomic operations that it carries out at once for the other end */
};

/* Opens a port, "mlx5_0:1". Returns the operations that it has, or 0 and why, in words. */
sheaf_amo_set sheaf_adapter_open(const char *port, char *why, size_t size);
void sheaf_adapter_close(void);
const char *sheaf_adapter_name(void);

/* Memory that others' atomic operations may change. Returns 0 and the key, or an errno. */
int sheaf_adapter_register(void *start, size_t bytes, uint32_t *key);

/* A connection carries operations from the end that opened it to the end that accepted it. NULL, or false:
 * the adapter refuses; errno says why. */
typedef struct ibv_qp sheaf_adapter_queue;
sheaf_adapter_queue *sheaf_adapter_connect(struct sheaf_adapter_end *own);
bool sheaf_adapter_complete(sheaf_adapter_queue *queue, const struct sheaf_adapter_end *own,
                            const struct sheaf_adapter_end *other);
sheaf_adapter_queue *sheaf_adapter_accept(const struct sheaf_adapter_end *other,
                                          struct sheaf_adapter_end *own);
/* Whether it can be the other end: all its fields are in range. */
bool sheaf_adapter_is_end(const struct sheaf_adapter_end *end);
void sheaf_adapter_disconnect(sheaf_adapter_queue *queue);

/* Under way at once on one connection, and on all of them. */
#define SHEAF_ADAPTER_DEPTH 64
#define SHEAF_ADAPTER_SLOTS 1024

struct sheaf_adapter_call {
    bool compares;   /* else adds operand */
    uint32_t key;
    uint64_t remote; /* a multiple of 8 */
    uint64_t operand; /* what is compared, or added */
    uint64_t value;   /* what is stored where it equals */
    unsigned slot;    /* below SHEAF_ADAPTER_SLOTS, and free */
};
bool sheaf_adapter_post(sheaf_adapter_queue *queue, const struct sheaf_adapter_call *call);

/* One that has ended: its slot, and what the word held before; or why not, in words. */
struct sheaf_adapter_result {
    unsigned slot;
    uint64_t held;
    const char *failure;
};
/* Returns how many, at most SHEAF_ADAPTER_RESULTS. */
#define SHEAF_ADAPTER_RESULTS 16
int sheaf_adapter_poll(struct sheaf_adapter_result *results);

#endif
