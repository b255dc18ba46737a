/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rendezvous as a process knows it before it connects: its rank, the number of processes, the address,
 * and the secret. From Sheaf's own variables, or from those of other launchers.
 * Knows no sockets.
 */
#ifndef SHEAF_BOOT_LAUNCHER_RENDEZVOUS_PLAN_H
#define SHEAF_BOOT_LAUNCHER_RENDEZVOUS_PLAN_H

#include "boot/launcher/rendezvous/invitation.h"

#include <stdbool.h>
#include <stdint.h>

#define SHEAF_SECRET_LEAST 16 /* letters: a shorter one can be found by trying */
#define SHEAF_SECRET_MOST  256

enum sheaf_rendezvous_way {
    SHEAF_RENDEZVOUS_BY_PORT, /* host and port */
    SHEAF_RENDEZVOUS_BY_FILE, /* a file that the root makes, with an invitation in it */
    SHEAF_RENDEZVOUS_BY_ID    /* an identifier, which is an invitation, from shmemx_get_uniqueid */
};

struct sheaf_rendezvous_plan {
    int rank, size;
    bool is_root; /* the process to which all others connect: rank 0, or the maker of the identifier */
    enum sheaf_rendezvous_way way;
    const char *set_by; /* who has set the variables, for messages: "torchrun" */
    char where[300];    /* for messages: "node1:7117", the file */
    char root[340];     /* likewise: "rank 0 at node1:7117" */
    /* Names of rank, size and the address at their origin, for messages: "SHEAF_RANK", "rank" */
    const char *rank_name, *size_name, *where_name;
    char invitation[SHEAF_INVITATION]; /* BY_ID */
    char host[256];
    int port;
    char secret[SHEAF_SECRET_MOST + 1]; /* "": none */
    uint64_t timeout_ns;
};

/* Whether the environment shows a rendezvous of more than one process. Allocates nothing, opens
 * nothing. */
bool sheaf_rendezvous_is_there(void);

/* 0, or -1 with the reason printed. */
int sheaf_rendezvous_plan_read(struct sheaf_rendezvous_plan *plan);

/* The variables that say how long to wait, as plan_read. */
uint64_t sheaf_rendezvous_timeout(void);

#endif
