/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Controls who may connect: a TCP connection between PEs begins with the job's key, before anything that
 * the network's library reads. For transports whose libraries allow a hook there.
 */
#ifndef SHEAF_ENGINE_GATE_H
#define SHEAF_ENGINE_GATE_H

#include "engine/transport.h"

#include <sys/socket.h>

/* Makes the kernel hold connections back until their first bytes have arrived. */
void sheaf_gate_listener(int fd);

/* Whether a connection that was just accepted begins with the job's key, which is then read. Waits some
 * milliseconds at most. */
bool sheaf_gate_shows_key(int fd, const struct sheaf_engine_job *job);

/* Whether accept() has failed with this errno because there is no free descriptor or memory at present.
 * Warns the first time, and waits a little, since the listener stays readable. The kernel holds the
 * connections meanwhile. */
bool sheaf_gate_pauses(int error, const struct sheaf_transport_user *user);

/* Closes the connection, and reports it, unless the other end has closed it without sending anything. */
void sheaf_gate_refuse(int fd, const struct sockaddr *address, const struct sheaf_transport_user *user);

#endif
