/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The adapter's own atomic operations, on other PEs' memory and on this PE's: for native_amo.c,
 * registration.c and engine.c; and its messages that arrive, for serve.c.
 */
#ifndef SHEAF_ENGINE_MESSAGE_DIRECT_LANES_H
#define SHEAF_ENGINE_MESSAGE_DIRECT_LANES_H

#include "engine/message/direct/registration.h"

/* Called once the adapter is open and the job is known. Returns 0 or -1. */
int sheaf_msg_lanes_start(void);
void sheaf_msg_lanes_stop(void);

/* Returns 0 or an errno. */
int sheaf_msg_lanes_register(const struct sheaf_msg_part *part);
void sheaf_msg_lanes_unregister(int part);

/* Adds operand to 8 bytes, or compares them with it and stores value. result, if not NULL, gets their
 * previous value. With the worker's lock; remaining and the return value as in native.c. */
struct sheaf_msg_lane_step {
    bool compares;
    void *object;
    uint64_t operand, value;
    void *result;
};
bool sheaf_msg_lane_start(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                          const struct sheaf_msg_lane_step *step, size_t *remaining);

void sheaf_msg_handle_lane(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_handle_lane_key(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

#endif
