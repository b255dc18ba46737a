/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The adapter's own atomic operations on other PEs' memory, and on this PE's: for native_amo.c,
 * registration.c and engine.c; what arrives, for serve.c.
 */
#ifndef SHEAF_ENGINE_MESSAGE_DIRECT_LANES_H
#define SHEAF_ENGINE_MESSAGE_DIRECT_LANES_H

#include "engine/message/direct/registration.h"

/* Once it is open, and the job is known. Returns 0 or -1. */
int sheaf_msg_lanes_start(void);
void sheaf_msg_lanes_stop(void);

/* Returns 0 or an errno. */
int sheaf_msg_lanes_register(const struct sheaf_msg_part *part);

/* Adds operand to 8 bytes, or compares with it and stores value. result, where not NULL, gets what they
 * held. With the worker's lock; left, and what is returned, as in native.c. */
struct sheaf_msg_lane_step {
    bool compares;
    void *object;
    uint64_t operand, value;
    void *result;
};
bool sheaf_msg_lane_start(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                          const struct sheaf_msg_lane_step *step, size_t *left);

void sheaf_msg_take_lane(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_take_lane_key(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

#endif
