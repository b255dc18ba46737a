/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An InfiniBand or RoCE adapter's own atomic operations: 64-bit add and compare-and-swap in another
 * process's memory, by reliable connections of verbs. UCX offers a transport's atomic operations only if
 * it has all of them, which few adapters do. So these go past UCX, through libibverbs, which is loaded
 * when a job needs it. This file knows nothing of PEs, workers and UCX; lanes.c does. Only one thread at
 * a time may call it, register included.
 */
#ifndef SHEAF_ENGINE_VERBS_ADAPTER_H
#define SHEAF_ENGINE_VERBS_ADAPTER_H

#include "base/settings/amo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One end of a connection, as sent to the other end. */
struct sheaf_adapter_end {
    uint8_t gid[16];
    uint32_t queue_pair; /* 24 bits */
    uint32_t sequence;   /* number of the first packet, random: 24 bits */
    uint16_t lid;
    uint8_t mtu;   /* enum ibv_mtu */
    uint8_t depth; /* atomic operations that it carries out at once for the other end */
};

/* Opens a port, "mlx5_0:1". Returns its operations, or 0 and the reason in words. */
sheaf_amo_set sheaf_adapter_open(const char *port, char *why, size_t size);
void sheaf_adapter_close(void);
const char *sheaf_adapter_name(void);

/* Registers memory that others' atomic operations may change. Returns 0 and the key, or an errno. */
int sheaf_adapter_register(void *start, size_t bytes, uint32_t *key);
void sheaf_adapter_unregister(uint32_t key);

/* A connection carries operations from the end that connected to the end that accepted. NULL or false: the
 * adapter refuses; errno has the reason. */
typedef struct ibv_qp sheaf_adapter_queue;
sheaf_adapter_queue *sheaf_adapter_connect(struct sheaf_adapter_end *own);
bool sheaf_adapter_complete(sheaf_adapter_queue *queue, const struct sheaf_adapter_end *own,
                            const struct sheaf_adapter_end *other);
sheaf_adapter_queue *sheaf_adapter_accept(const struct sheaf_adapter_end *other,
                                          struct sheaf_adapter_end *own);
/* Whether end is valid: all its fields are in range. */
bool sheaf_adapter_is_end(const struct sheaf_adapter_end *end);
void sheaf_adapter_disconnect(sheaf_adapter_queue *queue);

/* Most operations under way on one connection, and on all of them. */
#define SHEAF_ADAPTER_DEPTH 64
#define SHEAF_ADAPTER_SLOTS 1024

struct sheaf_adapter_call {
    bool compares;   /* compares with operand; else adds it */
    uint32_t key;
    uint64_t remote; /* a multiple of 8 */
    uint64_t operand; /* value to compare with, or to add */
    uint64_t value;   /* value to store if the word equals operand */
    unsigned slot;    /* below SHEAF_ADAPTER_SLOTS, and free */
};
bool sheaf_adapter_post(sheaf_adapter_queue *queue, const struct sheaf_adapter_call *call);

/* An operation that has ended: its slot, and the word's previous value; or the failure in words. */
struct sheaf_adapter_result {
    unsigned slot;
    uint64_t held;
    const char *failure;
};
/* Returns the number of results, at most SHEAF_ADAPTER_RESULTS. */
#define SHEAF_ADAPTER_RESULTS 16
int sheaf_adapter_poll(struct sheaf_adapter_result *results);

#endif
