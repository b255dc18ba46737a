/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of the MPI transport: the port with its links, the frames that travel between
 * ports, and the operations under way.
 */
#ifndef SHEAF_ENGINE_MPI_MPI_H
#define SHEAF_ENGINE_MPI_MPI_H

#include "base/mpi/shim.h"
#include "engine/link_table.h"
#include "engine/transport.h"

/* A frame begins every message between ports; the header and the data follow. */
enum sheaf_mpi_kind {
    SHEAF_MPI_MESSAGE, /* header, data */
    SHEAF_MPI_ASK,     /* header; the data stays at the sender */
    SHEAF_MPI_FETCH,   /* by the receiver of an ASK, which has posted a receive for the data with a tag */
    SHEAF_MPI_DROP,    /* by the receiver of an ASK: the data is not wanted */
    SHEAF_MPI_LONG,    /* header; the data follows separately, with a tag */
    SHEAF_MPI_LOOK,    /* nothing: an access in the receiver's windows waits for one of its turns */
    SHEAF_MPI_GOODBYE, /* the sender's last message */
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
    uint8_t may_pass;     /* a LONG's data may be written before the data of earlier ones */
    uint8_t header_bytes;
    uint8_t zeros[4];
};

/* The address that a port publishes. The rank is that of MPI_COMM_WORLD. */
struct sheaf_mpi_address {
    uint64_t port, secret;
    uint32_t rank, tag;
};

/* In bytes: the longest message. */
#define SHEAF_MPI_MOST (sizeof(struct sheaf_mpi_frame) + SHEAF_TRANSPORT_HEADER + SHEAF_TRANSPORT_FRAGMENT)

/* In bytes: a message up to this size needs no bounce buffer. 1 KiB takes 20 ns to copy. */
#define SHEAF_MPI_SMALL 1024

/* Receives that a port has posted. Further messages wait within MPI while all are full. */
#define SHEAF_MPI_RECEIVES 32

struct sheaf_mpi_receive_buffer {
    sheaf_mpi_request request;
    bool is_posted;
    unsigned char bytes[SHEAF_MPI_MOST];
};

struct sheaf_mpi_bounce {
    struct sheaf_mpi_bounce *next;
    unsigned char bytes[SHEAF_MPI_MOST];
};

/* A message to send: in its port's queue, then with MPI. */
struct sheaf_mpi_send_buffer {
    sheaf_mpi_request request;
    sheaf_transport_link *link;
    const void *source; /* copied once there is a bounce buffer; NULL: all of the message is in start */
    size_t source_bytes, start_bytes;
    void *operation;    /* of source */
    struct sheaf_mpi_data *data; /* data that follows the message; or NULL */
    struct sheaf_mpi_bounce *bounce;
    struct sheaf_mpi_send_buffer *next;
    unsigned char start[SHEAF_MPI_SMALL];
};

/* Data that travels separately, without a copy. It exists at the sender from the message that offers it
 * on, and at the receiver from that message's arrival on. */
struct sheaf_mpi_data {
    sheaf_transport_link *link;
    uint64_t number;
    unsigned char *memory; /* NULL: the receiver has not fetched it */
    size_t bytes, at;      /* at: end of the piece under way */
    size_t piece;          /* bytes of the piece under way */
    void *operation;       /* or the user's message, for fetched() */
    int tag;
    bool is_sent;          /* this process is the sender */
    bool is_told;          /* its end was reported to the user */
    bool is_under_way;
    struct sheaf_mpi_incoming *incoming; /* the message of the data, at the receiver of a LONG; else NULL */
    sheaf_mpi_request request;
    struct sheaf_mpi_data *next; /* in the link's list */
    struct sheaf_mpi_data *next_moving; /* in the port's list */
};

/* A LONG whose data is not here yet, or a message that arrived behind one. */
struct sheaf_mpi_incoming {
    struct sheaf_mpi_incoming *next;
    bool has_begun, is_here; /* receiving a LONG's data has begun; has ended */
    void *dest;      /* destination of a LONG's data */
    bool is_unwanted; /* dest is memory of ours, to be freed */
    size_t length;
    unsigned char bytes[]; /* the message */
};

/* In bytes: most data of one message; longer data travels in several. */
#define SHEAF_MPI_LONGEST ((size_t)4 << 20)

/* A window: memory of this PE that others access, and the corresponding memory of all other PEs. */
struct sheaf_transport_memory {
    sheaf_mpi_window window;
    unsigned index; /* in the order in which all PEs have made the windows */
    struct sheaf_transport_memory *next;
};
/* Most windows: each is a bit in a link. The protocol has 65 parts of memory. */
#define SHEAF_MPI_WINDOWS 128

/* In bytes: alignment of windows. In a window that begins at an odd multiple of 8 bytes MPICH 4.0.2 over
 * UCX 1.13 reads and writes up to 15 bytes before the intended place. */
#define SHEAF_MPI_ALIGNED 64

/* A key of another PE's window. */
struct sheaf_transport_key {
    const struct sheaf_transport_memory *memory;
    uint64_t start, bytes; /* in the owner's addresses */
};

/* An access under way in a window. A MOVE ends by its request, the others once the link's windows are
 * flushed. */
enum sheaf_mpi_access_kind { SHEAF_MPI_MOVE, SHEAF_MPI_FLUSHED, SHEAF_MPI_FLUSH };
struct sheaf_mpi_access {
    sheaf_transport_link *link;
    enum sheaf_mpi_access_kind kind;
    bool is_told;    /* its end was reported to the user */
    uint64_t number; /* in the order of the link's accesses */
    void *operation;
    sheaf_mpi_request request;
    void *reply;     /* of an atomic operation; NULL: no result */
    unsigned bytes;  /* of reply */
    uint64_t operand, compare, before;
    struct sheaf_mpi_access *next;
};

struct sheaf_transport_link {
    struct sheaf_link_entry entry; /* the other port's number */
    sheaf_transport_port *port;
    uint64_t secret;     /* the other port's */
    int rank, tag;       /* the other port's */
    bool has_peer, has_met;
    void *peer;          /* the user's */
    const char *why;     /* reason of its end; NULL: it has not ended */
    char reason[160];    /* holds MPI's words, where why points here */
    sheaf_transport_link *next_broken;
    unsigned queued;     /* send buffers in the port's queue */
    struct sheaf_mpi_data *data;
    uint64_t numbers;    /* number of messages whose data stayed here, so far */
    unsigned longs;      /* number of messages whose data is being sent separately */
    size_t behind;       /* bytes of other messages sent behind these */
    struct sheaf_mpi_incoming *incoming, **incoming_last;
    bool is_due;         /* data of its incoming messages is complete */
    sheaf_transport_link *next_due;

    uint64_t accesses;   /* accesses so far */
    unsigned moves;      /* MOVE accesses under way */
    unsigned copies;     /* accesses so far that a flush alone completes, and no caller waits for */
    uint64_t fences;     /* the port's count of fences before its last access */
    uint64_t asked_ns;   /* when the other PE was last asked to look; 0: never */
    uint64_t moving_ns;  /* when the first of its moves began, since when there have always been some */
    uint64_t unflushed[SHEAF_MPI_WINDOWS / 64]; /* windows with accesses under way: a bit each */
    struct sheaf_mpi_access *waiting, **waiting_last; /* accesses that wait for a flush, and FLUSH */
    bool is_waiting;     /* in the port's list */
    sheaf_transport_link *next_waiting;
    sheaf_transport_link *next; /* in the port's list */
};

struct sheaf_transport_port {
    void *owner;
    uint64_t id, secret;
    int tag;
    int timer;           /* the descriptor */
    bool is_timer_set;
    uint64_t active_ns;  /* time of the last activity */

    sheaf_transport_link *links;
    struct sheaf_link_table table;
    sheaf_transport_link *due;      /* links with data that messages have waited for */
    sheaf_transport_link *broken;   /* links whose end is still to be reported */

    struct sheaf_mpi_receive_buffer *buffers; /* a ring: MPI fills them in the order of posting */
    unsigned next;                            /* the next one to be filled */
    struct sheaf_mpi_send_buffer *queue, **queue_last; /* those that wait for a bounce buffer, or behind one
                                                          that does */
    struct sheaf_mpi_send_buffer *posted, **posted_last; /* those that MPI has */
    struct sheaf_mpi_send_buffer *free;
    struct sheaf_mpi_bounce *bounces;
    unsigned bounces_made;
    struct sheaf_mpi_data *moving;

    struct sheaf_mpi_access *moves, **moves_last, *free_accesses;
    sheaf_transport_link *waiting;    /* links with waiting accesses */
    unsigned char *copies;            /* copies of short puts, until a flush; NULL before the first */
    size_t copied;                    /* bytes used in copies */
    uint64_t fences;                  /* so far */
};

/* state.c; written by start.c, between start and stop. */
extern struct sheaf_mpi_state {
    const struct sheaf_transport_user *user;
    const struct sheaf_mpi_shim *shim;
    sheaf_mpi_comm messages, data;
    int rank, size, most_tag;
    bool is_one_host; /* all processes are on one host, by the trial's result */
    bool are_served;  /* windows are used, and an access in them waits for the target to call MPI */
    bool are_served_at_once; /* each PE has a processor, all of one host */
    bool flushes_soon; /* on one host no flush waits long for the target */
    char reason[256]; /* reason why windows are not used */
    struct sheaf_transport_memory *windows; /* the latest first; read with acquire order */
} sheaf_mpi_state;

/* Ends the link. The first reason stays; operations under way end with it in the next turn. */
static inline void sheaf_mpi_break(sheaf_transport_link *link, const char *why)
{
    if (link->why)
        return;
    link->why = why;
    link->next_broken = link->port->broken;
    link->port->broken = link;
}
/* state.c: the same, with MPI's words. */
void sheaf_mpi_break_by_error(sheaf_transport_link *link, int error);

/* link.c */
sheaf_transport_link *sheaf_mpi_connect(sheaf_transport_port *port, const void *address, size_t length,
                                        void *peer, const char **why);
/* The link to the sender of a frame that came from that rank; NULL: no memory. */
sheaf_transport_link *sheaf_mpi_link_of(sheaf_transport_port *port, const struct sheaf_mpi_frame *frame,
                                        int rank);
void sheaf_mpi_free_links(sheaf_transport_port *port);

/* send_buffer.c */
struct sheaf_mpi_send_buffer *sheaf_mpi_take_send_buffer(sheaf_transport_link *link); /* NULL: no memory */
void sheaf_mpi_free_send_buffer(sheaf_transport_port *port, struct sheaf_mpi_send_buffer *buffer);
/* Writes the frame, completed with the ports' numbers, and its header, if not NULL. */
void sheaf_mpi_begin_message(struct sheaf_mpi_send_buffer *buffer, struct sheaf_mpi_frame frame,
                             const void *header);
/* Sends or queues the message. Returns whether its source, if it has one, may be reused now. */
bool sheaf_mpi_send_or_enqueue(struct sheaf_mpi_send_buffer *buffer);
void sheaf_mpi_send_control(sheaf_transport_link *link, enum sheaf_mpi_kind kind, uint64_t number,
                            uint32_t data_tag);
/* take_sent: frees messages that MPI has sent. send_queued: sends those that waited for a bounce buffer.
 * Return whether there were any. */
bool sheaf_mpi_take_sent(sheaf_transport_port *port);
bool sheaf_mpi_send_queued(sheaf_transport_port *port);
void sheaf_mpi_end_sends(sheaf_transport_link *link);
void sheaf_mpi_free_send_buffers(sheaf_transport_port *port);

/* data.c: data that travels separately */
uint64_t sheaf_mpi_retain_data(sheaf_transport_link *link, const struct sheaf_transport_message *message);
void sheaf_mpi_take_fetch(sheaf_transport_link *link, uint64_t number, uint32_t tag);
void sheaf_mpi_take_drop(sheaf_transport_link *link, uint64_t number);
/* Makes the data of a message that has arrived; NULL: no memory. forget_unfetched: frees it if it was not
 * fetched. */
struct sheaf_mpi_data *sheaf_mpi_expect_data(sheaf_transport_link *link, uint64_t number, size_t bytes);
bool sheaf_mpi_forget_unfetched(sheaf_transport_link *link, uint64_t number);
/* Returns the tag by which the data is to be sent; -1: it has ended, and the user has been told. */
int sheaf_mpi_begin_fetch(struct sheaf_mpi_data *data, void *dest, size_t bytes, void *message);
bool sheaf_mpi_move_data(sheaf_transport_port *port);
void sheaf_mpi_end_data(sheaf_transport_link *link);
/* Data of a LONG. add_data: at its sender, when the message is made; NULL: no memory. send_data: once the
 * message is sent. receive_data: at its receiver, with that tag, to the known destination; returns whether
 * there is memory. */
struct sheaf_mpi_data *sheaf_mpi_add_data(sheaf_transport_link *link,
                                          const struct sheaf_transport_message *message);
void sheaf_mpi_send_data(struct sheaf_mpi_data *data);
bool sheaf_mpi_receive_data(sheaf_transport_link *link, struct sheaf_mpi_incoming *incoming, size_t bytes,
                            uint32_t tag);

/* message.c */
/* A frame, and pointers to the rest of the message. */
struct sheaf_mpi_view {
    struct sheaf_mpi_frame frame;
    const unsigned char *header, *data;
};
/* Whether all of the message is valid. */
bool sheaf_mpi_read_view(const sheaf_transport_port *port, const unsigned char *bytes, size_t length,
                         struct sheaf_mpi_view *view);
struct sheaf_transport_arrival sheaf_mpi_arrival_of(sheaf_transport_link *link,
                                                    const struct sheaf_mpi_view *view);
/* Handles a message in its turn. */
void sheaf_mpi_handle_message(sheaf_transport_link *link, const struct sheaf_mpi_view *view);
void sheaf_mpi_fetch(sheaf_transport_port *port, void *waiting, void *dest, size_t bytes, void *message);

/* incoming.c: messages that wait for a LONG's data */
bool sheaf_mpi_has_incoming(const sheaf_transport_link *link);
/* Queues a copy of a LONG, or of a message behind one. */
void sheaf_mpi_queue_incoming(sheaf_transport_link *link, enum sheaf_mpi_kind kind,
                              const unsigned char *bytes,
                              size_t length);
/* Reports the messages that are due, and starts receives that may start then. Returns whether there were
 * any. */
bool sheaf_mpi_report_incoming(sheaf_transport_port *port);
void sheaf_mpi_free_incoming(sheaf_transport_link *link);

/* send.c */
void sheaf_mpi_send(sheaf_transport_link *link, const struct sheaf_transport_message *message);

/* window.c */
sheaf_transport_memory *sheaf_mpi_offer(void *start, size_t bytes, void **key, size_t *key_bytes,
                                        const char **why);
void sheaf_mpi_withdraw(sheaf_transport_memory *memory);
sheaf_transport_key *sheaf_mpi_accept(sheaf_transport_link *link, const void *key, size_t key_bytes,
                                      const char **why);
void sheaf_mpi_forget(sheaf_transport_key *key);
/* Where accesses wait for the target's processor: asks the target to look, since it may sleep and MPI does
 * not wake it. A target that was asked a moment ago is still looking, and is not asked again. */
void sheaf_mpi_ask_to_look(sheaf_transport_link *link);
/* The same before the first move of a link, and in turns while it has some. */
void sheaf_mpi_begin_asking(sheaf_transport_link *link);
void sheaf_mpi_ask_again(sheaf_transport_link *link);
/* is_flushed: whether the link has no accesses under way in windows. flush_windows: waits until they are
 * complete. */
bool sheaf_mpi_is_flushed(const sheaf_transport_link *link);
void sheaf_mpi_flush_windows(sheaf_transport_link *link);

/* access.c */
extern const struct sheaf_transport_direct sheaf_mpi_direct;
bool sheaf_mpi_take_accesses(sheaf_transport_port *port);
void sheaf_mpi_end_accesses(sheaf_transport_link *link);
void sheaf_mpi_free_accesses(sheaf_transport_port *port);

/* trial.c: the kind of windows that this MPI makes between the job's hosts; collective. why: the reason in
 * words, except for OWN. */
enum sheaf_mpi_windows {
    SHEAF_MPI_NO_WINDOWS,
    SHEAF_MPI_SERVED_WINDOWS, /* an access waits until the target calls MPI */
    SHEAF_MPI_OWN_WINDOWS
};
enum sheaf_mpi_windows sheaf_mpi_try_windows(char *why, size_t size);

/* end.c: reports links that have ended to the user. */
void sheaf_mpi_end_broken(sheaf_transport_port *port);

/* receive.c */
int sheaf_mpi_start_receiving(sheaf_transport_port *port, const char **why);
bool sheaf_mpi_take_arrivals(sheaf_transport_port *port);
/* Whether MPI has returned all buffers. */
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
