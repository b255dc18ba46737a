/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The lowest PE of containers that may join: it listens, takes in what the others' PEs pass, and
 * passes all of it to each. A container joins whole or not at all.
 */
#ifndef SHEAF_BOOT_CONTAINERS_LEADER_H
#define SHEAF_BOOT_CONTAINERS_LEADER_H

#include "boot/containers/passing.h"
#include "boot/launcher/launcher.h"
#include "boot/world/pe_record.h"
#include "hosts/handshake.h"

/* Keys of the exchange through the launcher. */
#define SHEAF_CONTAINERS_PLACE   "place"   /* the leader: a name for sockets; "" where it cannot listen */
#define SHEAF_CONTAINERS_REACHES "reaches" /* a member: 1 where it has connected to the leader, else 0 */
#define SHEAF_CONTAINERS_JOINED  "met"     /* the leader: int32_t: how many nodes have joined, and which */

/* What both sides know. */
struct sheaf_container_group {
    const struct sheaf_job_map *map;
    const int *into;
    const struct sheaf_launcher *launcher;
    struct sheaf_token secret;
    int me, own_node; /* this PE and its container */
    int leader;       /* this PE's node joins that one's */
    struct sheaf_passing own;
    struct sheaf_passing *all; /* of the PEs that may become this node's, others than this one */
    int count;
};

/* Listens, and tells where. Where it cannot, nobody joins. 0, or -1: the launcher has failed. */
int sheaf_leader_open(const struct sheaf_container_group *group);

/* In place of serve, where the launcher has failed. */
void sheaf_leader_close(void);

/* Once all members have connected that can: takes in, passes on, and tells who has joined. As above. */
int sheaf_leader_serve(struct sheaf_container_group *group);

#endif
