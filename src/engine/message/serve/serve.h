/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that arrive: the transport's callbacks, the check whether a message may be used, and its
 * handling. For serve.c, admit.c and the files with kinds of messages of their own. Tests call it without
 * a network.
 */
#ifndef SHEAF_ENGINE_MESSAGE_SERVE_SERVE_H
#define SHEAF_ENGINE_MESSAGE_SERVE_SERVE_H

#include "engine/message/stream/arrival.h"

/* The transport's arrived() and destination(). */
bool sheaf_msg_arrived(void *worker, const struct sheaf_transport_arrival *arrival);
void *sheaf_msg_destination(void *worker, const struct sheaf_transport_arrival *arrival);

/* admit.c: drop_stranger counts a connection or message from outside the job, "host:port". tell_dropped
 * prints the counts at stop. */
void sheaf_msg_drop_stranger(const char *from);
/* No connection can be accepted at present. */
void sheaf_msg_warn_paused(const char *why);
void sheaf_msg_tell_dropped(void);
/* Whether all of a message may be used; if not, it is counted, and reported once. */
bool sheaf_msg_admit(struct sheaf_msg_arrival *arrival, const struct sheaf_msg_envelope *envelope,
                     size_t header_length);
/* Messages dropped since start: from outside the job; from a member, but malformed. */
struct sheaf_msg_dropped {
    uint64_t strangers, malformed;
};
extern struct sheaf_msg_dropped sheaf_msg_dropped;
bool sheaf_msg_admit_send(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
bool sheaf_msg_admit_send_word(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
bool sheaf_msg_admit_rows(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
bool sheaf_msg_admit_get_rows(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

/* serve_rows.c */
void sheaf_msg_handle_add(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_handle_add_part(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_handle_rows(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_handle_get_rows(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_handle_rows_data(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_handle_done(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

/* grants.c, whose state is the service worker's; use_credit: data that nobody here asked for has come. */
void sheaf_msg_handle_credit(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_use_credit(const struct sheaf_msg_arrival *arrival);
void sheaf_msg_forget_credit(void);

/* tagged.c; fetched() is the transport's callback. */
void sheaf_msg_fetched(void *message, const char *why);
void sheaf_msg_forget_messages(void);
void sheaf_msg_abandon(uint64_t tag, uint64_t mask);
void sheaf_msg_send(int, uint64_t, uint32_t, const void *, size_t, size_t *);
void sheaf_msg_receive(int, uint64_t, uint32_t, void *, size_t, size_t *);
void sheaf_msg_handle_send(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_handle_send_word(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

#endif
