/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The descriptor PMI_FD, on which PMI-1 and PMI-2 are spoken: who this is, messages in and out, and
 * values of any bytes and length as text of limited length. One conversation at a time: callers
 * take sheaf_wire_lock() around a question and its answer.
 */
#ifndef SHEAF_BOOT_LAUNCHER_WIRE_H
#define SHEAF_BOOT_LAUNCHER_WIRE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether PMI_FD, PMI_RANK and PMI_SIZE are there. */
bool sheaf_wire_is_there(void);

/* Reads them. 0, or the reason is printed. */
int sheaf_wire_open(int *pe, int *npes);

/* MPI shares the connection (MPICH does), and its end ends the conversation, not the job: watch and
 * closed of struct sheaf_launcher. */
void sheaf_wire_watch(struct pollfd *end);
void sheaf_wire_closed(void);

void sheaf_wire_lock(void);
void sheaf_wire_unlock(void);

/* Sends all of it. 0; -1 when the conversation is over; this process ends when the launcher is gone. */
int sheaf_wire_send(const char *bytes, size_t length);

/* Receives exactly length bytes, or up to and with a newline, which becomes a NUL. */
int sheaf_wire_receive(char *bytes, size_t length);
int sheaf_wire_receive_line(char *line, size_t size);

/* The value of name in a message of fields "name=value" that end with one of ends; "" as value
 * where the field is missing, and false. */
bool sheaf_wire_field(const char *message, const char *name, const char *ends, char *value,
                      size_t size);

/* A protocol's own put and get of one short text. get returns -1 when there is no such key. */
struct sheaf_wire_store {
    int (*put)(const char *key, const char *text);
    int (*get)(int pe, const char *key, char *text, size_t size);
    size_t key_size;  /* with NUL */
    size_t text_size; /* with NUL */
};

/* put and get of struct sheaf_launcher, in pieces of text. */
int sheaf_wire_put(const struct sheaf_wire_store *store, int pe, const char *key,
                   const void *value, size_t bytes);
int sheaf_wire_get(const struct sheaf_wire_store *store, int pe, const char *key, void **value,
                   size_t *bytes);

/* The lowest PE on pe's node by a list such as "(vector,(0,2,4))": from node 0, on 2 nodes, 4 PEs
 * each; repeated until all PEs have a node. -1 when the text is none. */
int sheaf_wire_lowest_near(const char *mapping, int pe, int npes);

/* All PEs on that node, at most most of them, ascending. Returns their number; 0 when the text is none. */
int sheaf_wire_near(const char *mapping, int pe, int npes, int *pes, int most);

#endif
