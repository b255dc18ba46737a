/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The local transport: links are socket pairs between processes that one program has forked, a PE each. It
 * serves tests alone. By a seed it does what a network does on a bad day, so that the protocol meets within
 * milliseconds what it would meet in years.
 */
#ifndef SHEAF_ENGINE_LOCAL_H
#define SHEAF_ENGINE_LOCAL_H

#include "engine/transport.h"

#define SHEAF_LOCAL_MOST_PES 16

/* Of 256: how often something happens where it may. The n-th: counted from 1 in each process, from its
 * start on; 0: none. */
struct sheaf_local_settings {
    uint64_t seed; /* of everything that happens by chance, together with the PE and the port */

    uint8_t rests;     /* a link carries nothing for some turns, so that others overtake it */
    uint8_t idles;     /* a port's turns bring nothing for a while */
    uint8_t pieces;    /* a read or a write ends in the middle */
    uint8_t late_ends; /* a message's sent() comes some turns after its last byte has left */
    uint8_t at_once;   /* a put, get or flush ends within the call */
    uint8_t keeps;     /* data that may be asked for stays at its sender */
    uint8_t forges;    /* a message of somebody who lacks the job's key travels before one of the job's */

    bool has_direct;   /* the abilities */
    size_t longest_direct;
    bool sends_whole;
    size_t longest, last_part;
    sheaf_amo_set atomics;

    unsigned refused_open;  /* the n-th port */
    unsigned refused_offer; /* the n-th registration */
    unsigned lost_message;  /* the link that carries the n-th message breaks */
};

/* Of this process; to be set before start. */
extern struct sheaf_local_settings sheaf_local_settings;

/* Before the processes are forked, and afterwards in the one that forked them: what they share. Neither
 * has a name nor a file. Direct operations reach memory that all processes have mapped, shared, at the
 * same addresses. Returns 0, or -1 and errno. */
int sheaf_local_make_tree(int pes);
void sheaf_local_leave_tree(void);

extern const struct sheaf_transport sheaf_transport_local;

#endif
