/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The adapter's own atomic operations on other PEs' memory, and on this PE's: for native_amo.c, registration.c and
 * start.c; what arrives, for serve.c.
 */
#ifndef SHEAF_ENGINE_UCX_LANES_H
#define SHEAF_ENGINE_UCX_LANES_H

#include "engine/ucx/serve.h"

/* Opens the adapter among transports, "rc_verbs/mlx5_0:1, tcp/eth0". Returns its operations, or 0 and why;
 * probe closes it again. */
sheaf_amo_set sheaf_ucx_lanes_open(const char *transports, char *why, size_t size);
sheaf_amo_set sheaf_ucx_lanes_probe(const char *transports, char *why, size_t size);

/* Once it is open, and the job is known. Returns 0 or -1. */
int sheaf_ucx_lanes_start(void);
void sheaf_ucx_lanes_stop(void);

/* Returns 0 or an errno. */
int sheaf_ucx_lanes_register(const struct sheaf_ucx_part *part);

/* Adds operand to 8 bytes, or compares with it and stores value. result, where not NULL, gets what they
 * held. With the worker's lock; left, and what is returned, as in native.c. */
struct sheaf_ucx_lane_step {
    bool compares;
    void *object;
    uint64_t operand, value;
    void *result;
};
bool sheaf_ucx_lane_start(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                          const struct sheaf_ucx_lane_step *step, size_t *left);

void sheaf_ucx_take_lane(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);
void sheaf_ucx_take_lane_key(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);

#endif
