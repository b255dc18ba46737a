/* SPDX-License-Identifier: BSD-3-Clause
 *
 * New processes in dead PEs' places, out of the one list (journal.h): who may be started, where they are
 * reached, and where all meet. Every keeper does to its wards' control areas what the list says. keeper.c
 * feeds it.
 */
#ifndef SHEAF_BOOT_ORDER_REBIRTH_H
#define SHEAF_BOOT_ORDER_REBIRTH_H

#include "image/control.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bodies of entries. A PE asks for a process; where its node puts the answer. */
struct sheaf_respawn {
    int32_t pe;
    int32_t asker;
    uint64_t box;
    uint32_t number; /* of the asker's, in the answer */
    uint32_t unused;
};
enum {
    SHEAF_RESPAWN_REFUSED,
    SHEAF_RESPAWN_GRANTED,
    SHEAF_RESPAWN_IS_LOST, /* its host is, and no other has processes in reserve */
    SHEAF_RESPAWN_DIFFERS  /* its host is, and another's stand-ins start other programs */
};
struct sheaf_respawn_answer {
    uint32_t is_granted; /* one of these */
    uint32_t number; /* the last field to be written */
};

/* Where the new process is reached: so many bytes follow. */
struct sheaf_said_address {
    int32_t pe;
    uint32_t life; /* see struct sheaf_seat */
};

/* A part of what the allocator of the heap knows; its bytes follow. A meeting of PEs that have met so many
 * deaths begins with the part at 0. */
struct sheaf_heap_part {
    uint32_t deaths;
    uint32_t unused;
    uint64_t offset;
};

/* All parts are there: those meet. */
struct sheaf_meeting {
    uint32_t deaths;
    uint32_t unused;
    uint64_t heap_bytes;
};

/* A new process is there, whose PE had died by then. */
struct sheaf_arrival {
    int32_t pe;
    uint32_t deaths;
};

/* A PE ends the job. */
struct sheaf_job_end {
    int32_t pe;
    int32_t status;
};

/* With the wards there. False: no memory. */
bool sheaf_rebirth_create(struct sheaf_control *own);

/* Once all keepers are connected, alike on all: how many processes a node can start. */
void sheaf_rebirth_count_spares(int node, uint32_t count);

/* The next entry of the list; false: no keeper or PE of the job would say that. */
bool sheaf_rebirth_note_address(const struct sheaf_said_address *said, size_t bytes);
bool sheaf_rebirth_keep(const struct sheaf_heap_part *part, size_t bytes);
bool sheaf_rebirth_meet(const struct sheaf_meeting *meeting);
bool sheaf_rebirth_settle(const struct sheaf_arrival *arrival);

/* The same of a call for a process: what is answered. The PE counts as started where it is granted. Where
 * its node's home is lost the node gets another one: the next node that can start processes, which has the
 * copies of its PEs' snapshots (SHEAF_BUDDY). It keeps that until that is lost. */
uint32_t sheaf_rebirth_grant(const struct sheaf_respawn *call);

/* The node on whose host the PE is. */
int sheaf_rebirth_home_of(int pe);

/* The node is lost, or has left: nobody is started there any more. */
void sheaf_rebirth_forget(int node);

/* This node could not write a part down, and so cannot go on. */
bool sheaf_rebirth_has_failed(void);

/* How many this node still can. */
int sheaf_rebirth_spares(void);

/* Whether a PE of another host lives, who might call for one of this host. */
bool sheaf_rebirth_has_callers(void);

#endif
