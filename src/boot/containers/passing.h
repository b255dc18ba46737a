/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What containers of one host send each other on a local socket once both sides are proven:
 * descriptors. All functions wait until a time of the monotonic clock at most, and return false then,
 * or when the other side is gone.
 */
#ifndef SHEAF_BOOT_CONTAINERS_PASSING_H
#define SHEAF_BOOT_CONTAINERS_PASSING_H

#include "base/container.h"

#include <stdbool.h>
#include <stdint.h>

/* What a PE has passed. */
struct sheaf_passing {
    int pe;
    int files[SHEAF_CONTAINER_FILES];
};

bool sheaf_passing_wait(int fd, short events, uint64_t until_ns);

/* A member to the leader: its own descriptors, and what the leader gets of them. */
bool sheaf_passing_send_own(int fd, const struct sheaf_passing *own, uint64_t until_ns);
bool sheaf_passing_receive_own(int fd, struct sheaf_passing *passing);

/* The leader to a member: all of them, count of which none may have the member's own number. */
bool sheaf_passing_send_all(int fd, const struct sheaf_passing *all, int count, uint64_t until_ns);
/* Returns how many, at most most, which are the caller's to close; -1: they have not all come. */
int sheaf_passing_receive_all(int fd, struct sheaf_passing *all, int most, uint64_t until_ns);

/* A member to the leader: it has them. */
bool sheaf_passing_send_received(int fd);
bool sheaf_passing_await_received(int fd, uint64_t until_ns);

void sheaf_passing_close(struct sheaf_passing *all, int count);

#endif
