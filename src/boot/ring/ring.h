/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A ring of plain TCP connections, from each node's leader to the next node's, that carry nothing
 * but news of an end. The kernel asks the other side every second whether it is there, so a host
 * that is gone shows within some 4 s although nobody sends; a stopped process still answers,
 * because its kernel does. Who may connect, and until when, is hosts/admission.h's matter. watch_hosts.c
 * calls this; it knows nodes by number alone.
 */
#ifndef SHEAF_BOOT_RING_RING_H
#define SHEAF_BOOT_RING_RING_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#define SHEAF_RING_ADDRESS 1024 /* bytes of text that say how to reach a leader */
#define SHEAF_RING_POLLS   40   /* descriptors to poll at most */

/* The news that a leader sends to its neighbours. */
enum sheaf_ring_word {
    SHEAF_RING_HOLD = 1, /* from now on my end is a failure */
    SHEAF_RING_RELEASE,  /* from now on I may end in order */
    SHEAF_RING_ENDING    /* the job ends, and why has been said: see sheaf_ring_say_ending() */
};

enum sheaf_ring_news {
    SHEAF_RING_NOTHING,
    SHEAF_RING_ENDED,   /* the neighbour's process has ended */
    SHEAF_RING_SILENT,  /* its host does not answer */
    SHEAF_RING_TOLD,    /* it said ENDING */
    SHEAF_RING_FRAME    /* a frame is to be taken, before the next one comes */
};

/* Waits for the leader of node guest to connect, until it has or close; address is for it, and
 * secret. 0, or -1 with errno. */
int sheaf_ring_open(int my_node, int guest, char address[SHEAF_RING_ADDRESS]);
void sheaf_ring_close(void);
bool sheaf_ring_is_open(void);

/* Begins to connect to another node's leader, at all its addresses at once: the first that answers
 * is used. Returns at once; is_joined tells. Called again it tries again what has failed by now;
 * give_up ends the attempt. */
void sheaf_ring_reach(int node, const char *address);
bool sheaf_ring_is_joined(void);
void sheaf_ring_give_up(void);

/* watch fills in the descriptors to poll for, and returns how many they are. read handles the events
 * that poll has found, up to the first news, and tells the node that it is about. */
size_t sheaf_ring_watch(struct pollfd fds[SHEAF_RING_POLLS]);
enum sheaf_ring_news sheaf_ring_read(const struct pollfd *fds, size_t count, int *node);

/* Tells both neighbours, those that connect later too. From any thread. */
void sheaf_ring_say(enum sheaf_ring_word word);

/* Says ENDING: this PE ends the job, and how. What a neighbour said last, after TOLD. */
void sheaf_ring_say_ending(int pe, int how);
void sheaf_ring_told(int *pe, int *how);

struct sheaf_ring_frame {
    char *bytes; /* the taker's to free, and not to be believed */
    size_t length;
    bool is_of_next; /* the neighbour that sent it: the next node's, else the one before */
};

/* Parcels of so many bytes at most are let in; none before this is called. */
void sheaf_ring_accept_frames(size_t largest);

/* Sends one to a neighbour; false where there is none, or it takes none. */
bool sheaf_ring_send(bool to_next, const void *bytes, size_t length);

/* The one that has come; false: none. */
bool sheaf_ring_take(struct sheaf_ring_frame *frame);

/* Whether each neighbour has left, or has said that this PE ends the job. */
bool sheaf_ring_is_over(int pe);

#endif
