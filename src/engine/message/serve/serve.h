/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What arrives: a message as the transport hands it over, whether it may be used, and who carries it out.
 * For serve.c, admit.c and the files with a kind of message of their own; tests call it without a network.
 */
#ifndef SHEAF_ENGINE_MESSAGE_SERVE_SERVE_H
#define SHEAF_ENGINE_MESSAGE_SERVE_SERVE_H

#include "engine/message/stream/arrival.h"

/* The transport's arrived() and place(). */
bool sheaf_msg_arrived(void *worker, const struct sheaf_transport_arrival *arrival);
void *sheaf_msg_place(void *worker, const struct sheaf_transport_arrival *arrival);

/* admit.c: a connection or message of a stranger, "host:port"; what was dropped, at stop. */
void sheaf_msg_drop_foreign(const char *from);
/* No connection can be accepted at present. */
void sheaf_msg_warn_paused(const char *why);
void sheaf_msg_tell_dropped(void);
/* Whether all of a message may be used; else it is counted, and told once. */
bool sheaf_msg_admit(struct sheaf_msg_arrival *arrival, const struct sheaf_msg_envelope *envelope,
                     size_t header_length);
/* Dropped since start: from outside the job; from a member, but not what a member sends. */
struct sheaf_msg_dropped {
    uint64_t foreign, malformed;
};
extern struct sheaf_msg_dropped sheaf_msg_dropped;
bool sheaf_msg_admit_send(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
bool sheaf_msg_admit_send_word(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
bool sheaf_msg_admit_rows(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
bool sheaf_msg_admit_get_rows(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

/* serve_rows.c */
void sheaf_msg_take_add(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_take_rows(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_take_get_rows(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_take_rows_data(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_take_done(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

/* tagged.c; fetched() is the transport's. */
void sheaf_msg_fetched(void *letter, const char *why);
void sheaf_msg_forget_messages(void);
void sheaf_msg_abandon(uint64_t tag, uint64_t mask);
void sheaf_msg_send(int, uint64_t, uint32_t, const void *, size_t, size_t *);
void sheaf_msg_receive(int, uint64_t, uint32_t, void *, size_t, size_t *);
void sheaf_msg_take_send(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_take_send_word(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

#endif
