/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who may connect: a TCP connection between PEs begins with the job's key, before anything that the
 * network's library reads. For the transports whose libraries let them in between.
 */
#ifndef SHEAF_ENGINE_GATE_H
#define SHEAF_ENGINE_GATE_H

#include "engine/transport.h"

#include <sys/socket.h>

/* The kernel is to keep connections until their first bytes are there. */
void sheaf_gate_listener(int fd);

/* Whether a connection that was just accepted begins with the job's key, which is then read; waits
 * milliseconds at most. */
bool sheaf_gate_shows_key(int fd, const struct sheaf_engine_job *job);

/* Whether accept() has failed with this errno because there is no free descriptor, or no memory, just now.
 * Warns of the first time, and waits a little, since the listener stays readable. Connections wait in the
 * kernel meanwhile. */
bool sheaf_gate_pauses(int error, const struct sheaf_transport_user *user);

/* Closes it, and tells, unless it has ended without a word. */
void sheaf_gate_refuse(int fd, const struct sockaddr *address, const struct sheaf_transport_user *user);

#endif
