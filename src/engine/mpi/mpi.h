/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the MPI transport share: the port with its links, what travels between ports, and
 * what is under way.
 */
#ifndef SHEAF_ENGINE_MPI_MPI_H
#define SHEAF_ENGINE_MPI_MPI_H

#include "base/mpi/shim.h"
#include "engine/link_table.h"
#include "engine/transport.h"

/* What begins every message between ports; then come the header and the data. */
enum sheaf_mpi_kind {
    SHEAF_MPI_MESSAGE, /* header, data */
    SHEAF_MPI_ASK,     /* header; the data stays at the sender */
    SHEAF_MPI_FETCH,   /* by the receiver of an ASK, which waits for the data with a tag */
    SHEAF_MPI_DROP,    /* likewise: the data is not wanted */
    SHEAF_MPI_LONG,    /* header; the data comes behind, with a tag */
    SHEAF_MPI_LOOK,    /* nothing: an access in this one's windows waits for a turn */
    SHEAF_MPI_GOODBYE, /* the sender's last one */
    SHEAF_MPI_KINDS
};
struct sheaf_mpi_frame {
    uint64_t secret; /* the receiver's: a message for a port that is gone lacks it */
    uint64_t sender, sender_secret;
    uint64_t number; /* of the message whose data stays at its sender; else 0 */
    uint64_t bytes;  /* of the message's data */
    uint32_t sender_tag;
    uint32_t data_tag;    /* of a FETCH, and of a LONG */
    uint8_t kind;         /* enum sheaf_mpi_kind */
    uint8_t is_answered;
    uint8_t may_pass;     /* a LONG's data may be written before that of those in front of it */
    uint8_t header_bytes;
    uint8_t zeros[4];
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
    struct sheaf_mpi_data *data; /* that leaves behind it; or NULL */
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
    size_t bytes, at;      /* at: where the piece under way ends */
    size_t piece;          /* its bytes */
    void *operation;       /* or letter */
    int tag;
    bool is_sent;          /* this is its sender */
    bool is_told;          /* its user knows of the end */
    bool is_under_way;
    struct sheaf_mpi_coming *coming; /* whose data it is, at the receiver of a LONG; else NULL */
    sheaf_mpi_request request;
    struct sheaf_mpi_data *next; /* in the link's list */
    struct sheaf_mpi_data *next_moving; /* in the port's */
};

/* A LONG whose data is not here yet, or what came behind it. */
struct sheaf_mpi_coming {
    struct sheaf_mpi_coming *next;
    bool has_begun, is_here; /* of a LONG's data */
    void *dest;      /* of that data */
    bool is_unwanted; /* dest is nobody's: it is freed */
    size_t length;
    unsigned char bytes[]; /* of the message */
};

/* In bytes: of one message's data, at most; what is longer goes in several. */
#define SHEAF_MPI_LONGEST ((size_t)4 << 20)

/* Memory of this PE that others access, and that of all others that is the same one's: a window. */
struct sheaf_transport_memory {
    sheaf_mpi_window window;
    unsigned index; /* in the order in which all PEs have made them */
    struct sheaf_transport_memory *next;
};
/* At most: bits of a link. The protocol has 65 parts of memory. */
#define SHEAF_MPI_WINDOWS 128

/* In bytes: where windows begin. In one that begins at an odd multiple of 8 MPICH 4.0.2 over UCX 1.13 reads
 * and writes up to 15 bytes before the place that is meant. */
#define SHEAF_MPI_ALIGNED 64

/* Another one's. */
struct sheaf_transport_key {
    const struct sheaf_transport_memory *memory;
    uint64_t start, bytes; /* as its owner names its addresses */
};

/* What is under way in a window. MPI tells the end of a MOVE by its request; of the others once the link's
 * windows are flushed. */
enum sheaf_mpi_access_kind { SHEAF_MPI_MOVE, SHEAF_MPI_FLUSHED, SHEAF_MPI_FLUSH };
struct sheaf_mpi_access {
    sheaf_transport_link *link;
    enum sheaf_mpi_access_kind kind;
    bool is_told;    /* its user knows of the end */
    uint64_t number; /* in the order of the link */
    void *operation;
    sheaf_mpi_request request;
    void *reply;     /* of an atomic operation; NULL: there is none */
    unsigned bytes;  /* of reply */
    uint64_t operand, compare, before;
    struct sheaf_mpi_access *next;
};

struct sheaf_transport_link {
    struct sheaf_link_entry entry; /* the other port's number */
    sheaf_transport_port *port;
    uint64_t secret;     /* the other port's */
    int rank, tag;       /* likewise */
    bool has_peer, has_met;
    void *peer;          /* the user's */
    const char *why;     /* it has ended; NULL: it has not */
    char reason[160];    /* MPI's, where why is that */
    sheaf_transport_link *next_broken;
    unsigned queued;     /* parcels in the port's queue */
    struct sheaf_mpi_data *data;
    uint64_t numbers;    /* of messages whose data stayed here, so far */
    unsigned longs;      /* whose data is leaving */
    size_t behind;       /* bytes of other messages behind these */
    struct sheaf_mpi_coming *coming, **coming_last;
    bool is_due;         /* data of its coming ones is here */
    sheaf_transport_link *next_due;

    uint64_t accesses;   /* so far */
    unsigned moves;      /* of these under way */
    uint64_t fences;     /* of the port, before the last of them */
    uint64_t unflushed[SHEAF_MPI_WINDOWS / 64]; /* windows that something is under way in: a bit each */
    struct sheaf_mpi_access *waiting, **waiting_last; /* for a flush, or FLUSH */
    bool is_waiting;     /* among the port's */
    sheaf_transport_link *next_waiting;
    sheaf_transport_link *next; /* in the port's list */
};

struct sheaf_transport_port {
    void *owner;
    uint64_t id, secret;
    int tag;
    int timer;           /* the descriptor */
    bool is_timer_set;
    uint64_t active_ns;  /* when something last happened */

    sheaf_transport_link *links;
    struct sheaf_link_table table;
    sheaf_transport_link *due;      /* with data that has come for messages that wait for it */
    sheaf_transport_link *broken;   /* whose end is still to be told */

    struct sheaf_mpi_buffer *buffers; /* a ring: MPI fills them in the order in which they are posted */
    unsigned next;                    /* the one that is filled next */
    struct sheaf_mpi_parcel *queue, **queue_last; /* wait for a bounce, or behind one that does */
    struct sheaf_mpi_parcel *posted, **posted_last; /* that MPI has */
    struct sheaf_mpi_parcel *free;
    struct sheaf_mpi_bounce *bounces;
    unsigned bounces_made;
    struct sheaf_mpi_data *moving;

    struct sheaf_mpi_access *moves, **moves_last, *free_accesses;
    sheaf_transport_link *waiting;    /* links */
    unsigned char *copies;            /* what short puts bring, until a flush; NULL before the first */
    size_t copied;                    /* bytes of these */
    uint64_t fences;                  /* so far */
};

/* state.c; written by start.c, between start and stop. */
extern struct sheaf_mpi_state {
    const struct sheaf_transport_user *user;
    const struct sheaf_mpi_shim *shim;
    sheaf_mpi_comm messages, data;
    int rank, size, most_tag;
    bool is_one_host; /* of all processes, which the trial finds out */
    bool are_served;  /* windows that are used: an access in them waits for the target to call MPI */
    char reason[256]; /* why windows are not used */
    struct sheaf_transport_memory *windows; /* the latest first; read with acquire order */
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
/* state.c: likewise, in MPI's words. */
void sheaf_mpi_break_by_error(sheaf_transport_link *link, int error);

/* link.c */
sheaf_transport_link *sheaf_mpi_connect(sheaf_transport_port *port, const void *address, size_t length,
                                        void *peer, const char **why);
/* The link to the sender of a frame that came from that rank; NULL: no memory. */
sheaf_transport_link *sheaf_mpi_link_of(sheaf_transport_port *port, const struct sheaf_mpi_frame *frame,
                                        int rank);
void sheaf_mpi_free_links(sheaf_transport_port *port);

/* parcel.c */
struct sheaf_mpi_parcel *sheaf_mpi_take_parcel(sheaf_transport_link *link); /* NULL: no memory */
void sheaf_mpi_free_parcel(sheaf_transport_port *port, struct sheaf_mpi_parcel *parcel);
/* With the frame, to which the ports are added, and its header, where that is not NULL. */
void sheaf_mpi_begin(struct sheaf_mpi_parcel *parcel, struct sheaf_mpi_frame frame, const void *header);
/* Whether the parcel's source, if it has one, may be reused now. */
bool sheaf_mpi_leave(struct sheaf_mpi_parcel *parcel);
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
/* The data's tag, by which it is to be sent; -1: it has ended, and the user has been told. */
int sheaf_mpi_begin_fetch(struct sheaf_mpi_data *data, void *dest, size_t bytes, void *letter);
bool sheaf_mpi_move_data(sheaf_transport_port *port);
void sheaf_mpi_end_data(sheaf_transport_link *link);
/* A LONG's: at its sender, from its parcel's making on, leaving behind that; NULL: no memory. At its
 * receiver, with that tag, into the place that is known; whether there is memory. */
struct sheaf_mpi_data *sheaf_mpi_add_data(sheaf_transport_link *link,
                                          const struct sheaf_transport_message *message);
void sheaf_mpi_send_data(struct sheaf_mpi_data *data);
bool sheaf_mpi_receive_data(sheaf_transport_link *link, struct sheaf_mpi_coming *coming, size_t bytes,
                            uint32_t tag);

/* message.c */
/* A frame, and where in the message the rest lies. */
struct sheaf_mpi_view {
    struct sheaf_mpi_frame frame;
    const unsigned char *header, *data;
};
/* Whether all of it is sound. */
bool sheaf_mpi_read_view(const sheaf_transport_port *port, const unsigned char *bytes, size_t length,
                         struct sheaf_mpi_view *view);
struct sheaf_transport_arrival sheaf_mpi_arrival_of(sheaf_transport_link *link,
                                                    const struct sheaf_mpi_view *view);
/* A message in its turn. */
void sheaf_mpi_take(sheaf_transport_link *link, const struct sheaf_mpi_view *view);
void sheaf_mpi_fetch(sheaf_transport_port *port, void *waiting, void *dest, size_t bytes, void *letter);

/* coming.c: what waits at its receiver for a LONG's data */
bool sheaf_mpi_has_coming(const sheaf_transport_link *link);
/* A LONG, or a message behind one: a copy is kept. */
void sheaf_mpi_keep_coming(sheaf_transport_link *link, enum sheaf_mpi_kind kind, const unsigned char *bytes,
                           size_t length);
/* Tells what is due, and begins what may begin then. Whether there was any. */
bool sheaf_mpi_tell_coming(sheaf_transport_port *port);
void sheaf_mpi_free_coming(sheaf_transport_link *link);

/* send.c */
void sheaf_mpi_send(sheaf_transport_link *link, const struct sheaf_transport_message *message);

/* window.c */
sheaf_transport_memory *sheaf_mpi_offer(void *start, size_t bytes, void **key, size_t *key_bytes,
                                        const char **why);
void sheaf_mpi_withdraw(sheaf_transport_memory *memory);
sheaf_transport_key *sheaf_mpi_accept(sheaf_transport_link *link, const void *key, size_t key_bytes,
                                      const char **why);
void sheaf_mpi_forget(sheaf_transport_key *key);
/* Where accesses wait for the target's processor, has it look for them: it may sleep, and MPI wakes
 * nobody. */
void sheaf_mpi_ask_to_look(sheaf_transport_link *link);
/* Whether the link has nothing under way in windows; waits until what it has is complete. */
bool sheaf_mpi_is_flushed(const sheaf_transport_link *link);
void sheaf_mpi_flush_windows(sheaf_transport_link *link);

/* access.c */
extern const struct sheaf_transport_direct sheaf_mpi_direct;
bool sheaf_mpi_take_accesses(sheaf_transport_port *port);
void sheaf_mpi_end_accesses(sheaf_transport_link *link);
void sheaf_mpi_free_accesses(sheaf_transport_port *port);

/* trial.c: what this MPI's windows are like between the job's hosts; collective. why: in words, of all but
 * the best. */
enum sheaf_mpi_windows {
    SHEAF_MPI_NO_WINDOWS,
    SHEAF_MPI_SERVED_WINDOWS, /* the target's processor has to call MPI */
    SHEAF_MPI_OWN_WINDOWS
};
enum sheaf_mpi_windows sheaf_mpi_try_windows(char *why, size_t size);

/* end.c: tells the user of links that have ended. */
void sheaf_mpi_end_broken(sheaf_transport_port *port);

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
bool sheaf_mpi_needs_turns(sheaf_transport_port *port);

#endif
