/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the MPI transport share: the port with its links, what travels between ports, and
 * what is under way.
 */
#ifndef SHEAF_ENGINE_MPI_MPI_H
#define SHEAF_ENGINE_MPI_MPI_H

#include "base/mpi/shim.h"
#include "engine/transport.h"

/* What begins every message between ports; then come the header and the data. */
enum sheaf_mpi_kind {
    SHEAF_MPI_MESSAGE, /* header, data */
    SHEAF_MPI_ASK,     /* header; the data stays at the sender */
    SHEAF_MPI_FETCH,   /* by the receiver of an ASK, which waits for the data with a tag */
    SHEAF_MPI_DROP,    /* likewise: the data is not wanted */
    SHEAF_MPI_GOODBYE, /* the sender's last one */
    SHEAF_MPI_KINDS
};
struct sheaf_mpi_frame {
    uint64_t secret; /* the receiver's: a message for a port that is gone lacks it */
    uint64_t sender, sender_secret;
    uint64_t number; /* of the message whose data stays at its sender; else 0 */
    uint64_t bytes;  /* of the message's data */
    uint32_t sender_tag;
    uint32_t data_tag;    /* of a FETCH */
    uint8_t kind;         /* enum sheaf_mpi_kind */
    uint8_t is_answered;
    uint8_t header_bytes;
    uint8_t zeros[5];
};

/* What a port publishes. The rank is that of MPI_COMM_WORLD. */
struct sheaf_mpi_address {
    uint64_t port, secret;
    uint32_t rank, tag;
};

/* In bytes: a whole message, at most. */
#define SHEAF_MPI_MOST (sizeof(struct sheaf_mpi_frame) + SHEAF_TRANSPORT_HEADER + SHEAF_TRANSPORT_FRAGMENT)

/* In bytes: a message that waits for no buffer. 1 KiB takes 20 ns to copy. */
#define SHEAF_MPI_SMALL 1024

/* Receives that a port has posted. Whatever comes while all are full waits within MPI. */
#define SHEAF_MPI_RECEIVES 32

struct sheaf_mpi_buffer {
    sheaf_mpi_request request;
    bool is_posted;
    unsigned char bytes[SHEAF_MPI_MOST];
};

struct sheaf_mpi_bounce {
    struct sheaf_mpi_bounce *next;
    unsigned char bytes[SHEAF_MPI_MOST];
};

/* A message that leaves: in its port's queue, then with MPI. */
struct sheaf_mpi_parcel {
    sheaf_mpi_request request;
    sheaf_transport_link *link;
    const void *source; /* what is copied once there is a bounce; NULL: all of it is in start */
    size_t source_bytes, start_bytes;
    void *operation;    /* of the source */
    struct sheaf_mpi_bounce *bounce;
    struct sheaf_mpi_parcel *next;
    unsigned char start[SHEAF_MPI_SMALL];
};

/* Data that travels by itself, without a copy: at its sender, from the message that offers it on; at its
 * receiver, from that message's arrival on. */
struct sheaf_mpi_data {
    sheaf_transport_link *link;
    uint64_t number;
    unsigned char *memory; /* NULL at a receiver that has not fetched it */
    size_t bytes, at;      /* at: of the piece under way */
    void *operation;       /* or letter */
    int tag;
    bool is_sent;          /* this is its sender */
    bool is_told;          /* its user knows of the end */
    bool is_under_way;
    sheaf_mpi_request request;
    struct sheaf_mpi_data *next; /* in the link's list */
    struct sheaf_mpi_data *next_moving; /* in the port's */
};

struct sheaf_transport_link {
    sheaf_transport_port *port;
    uint64_t id, secret; /* the other port's */
    int rank, tag;       /* likewise */
    bool has_peer, has_met;
    void *peer;          /* the user's */
    const char *why;     /* it has ended; NULL: it has not */
    char reason[160];    /* MPI's, where why is that */
    sheaf_transport_link *next_broken;
    unsigned queued;     /* parcels in the port's queue */
    struct sheaf_mpi_data *data;
    uint64_t numbers;    /* of messages whose data stayed here, so far */
    sheaf_transport_link *next; /* in the port's list */
    sheaf_transport_link *next_alike; /* in its place of the port's table */
};

struct sheaf_transport_port {
    void *owner;
    uint64_t id, secret;
    int tag;
    int timer;           /* the descriptor */
    bool is_timer_set;
    long rest_ns;        /* how long a sleeper sleeps next */

    sheaf_transport_link *links, **table;
    size_t links_count, table_size; /* a power of two */
    sheaf_transport_link *broken;   /* whose end is still to be told */

    struct sheaf_mpi_buffer *buffers; /* a ring: MPI fills them in the order in which they are posted */
    unsigned next;                    /* the one that is filled next */
    struct sheaf_mpi_parcel *queue, **queue_last; /* wait for a bounce, or behind one that does */
    struct sheaf_mpi_parcel *posted, **posted_last; /* that MPI has */
    struct sheaf_mpi_parcel *free;
    struct sheaf_mpi_bounce *bounces;
    unsigned bounces_made;
    struct sheaf_mpi_data *moving;
    uint32_t data_tags;               /* given so far */
};

/* Written by start.c, between start and stop. */
extern struct sheaf_mpi_state {
    const struct sheaf_transport_user *user;
    const struct sheaf_mpi_shim *shim;
    sheaf_mpi_comm messages, data;
    int rank, size, most_tag;
} sheaf_mpi_state;

/* The first reason stays; what is under way ends with it in the next turn. */
static inline void sheaf_mpi_break(sheaf_transport_link *link, const char *why)
{
    if (link->why)
        return;
    link->why = why;
    link->next_broken = link->port->broken;
    link->port->broken = link;
}
void sheaf_mpi_break_by_error(sheaf_transport_link *link, int error);

/* link.c */
sheaf_transport_link *sheaf_mpi_connect(sheaf_transport_port *port, const void *address, size_t length,
                                        void *peer, const char **why);
/* The link to the sender of a frame that came from that rank; NULL: no memory. */
sheaf_transport_link *sheaf_mpi_link_of(sheaf_transport_port *port, const struct sheaf_mpi_frame *frame,
                                        int rank);
void sheaf_mpi_free_links(sheaf_transport_port *port);
/* Tells the user of those that have ended. */
void sheaf_mpi_end_broken(sheaf_transport_port *port);

/* send.c */
void sheaf_mpi_send(sheaf_transport_link *link, const struct sheaf_transport_message *message);
void sheaf_mpi_send_control(sheaf_transport_link *link, enum sheaf_mpi_kind kind, uint64_t number,
                            uint32_t data_tag);
/* What MPI is done with; what waited for a bounce. Whether there was any. */
bool sheaf_mpi_take_sent(sheaf_transport_port *port);
bool sheaf_mpi_send_queued(sheaf_transport_port *port);
void sheaf_mpi_end_sends(sheaf_transport_link *link);
void sheaf_mpi_free_parcels(sheaf_transport_port *port);

/* data.c: data that travels by itself */
uint64_t sheaf_mpi_keep(sheaf_transport_link *link, const struct sheaf_transport_message *message);
void sheaf_mpi_take_fetch(sheaf_transport_link *link, uint64_t number, uint32_t tag);
void sheaf_mpi_take_drop(sheaf_transport_link *link, uint64_t number);
/* Of a message that has arrived: NULL: no memory. And its end where nobody has fetched it. */
struct sheaf_mpi_data *sheaf_mpi_await(sheaf_transport_link *link, uint64_t number, size_t bytes);
bool sheaf_mpi_forget_unfetched(sheaf_transport_link *link, uint64_t number);
void sheaf_mpi_fetch(sheaf_transport_port *port, void *waiting, void *dest, size_t bytes, void *letter);
bool sheaf_mpi_move_data(sheaf_transport_port *port);
void sheaf_mpi_end_data(sheaf_transport_link *link);

/* receive.c */
int sheaf_mpi_start_receiving(sheaf_transport_port *port, const char **why);
bool sheaf_mpi_take_arrivals(sheaf_transport_port *port);
/* Whether MPI has given all buffers back. */
bool sheaf_mpi_stop_receiving(sheaf_transport_port *port);

/* port.c */
sheaf_transport_port *sheaf_mpi_open(void *owner, const char **why);
void sheaf_mpi_close(sheaf_transport_port *port);
int sheaf_mpi_address(sheaf_transport_port *port, void **address, size_t *length, const char **why);
bool sheaf_mpi_turn(sheaf_transport_port *port);
int sheaf_mpi_descriptor(sheaf_transport_port *port);
bool sheaf_mpi_arm(sheaf_transport_port *port);

#endif
