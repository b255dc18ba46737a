/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TCP connections that a network's library has made in this process: those of hosts that went away.
 */
#ifndef SHEAF_ENGINE_SOCKETS_H
#define SHEAF_ENGINE_SOCKETS_H

#include <stdbool.h>

/* All of this process's descriptors, whosever and whatever they are. */
void sheaf_sockets_each(void (*visit)(int fd, const void *argument), const void *argument);

/* Whether the other end's kernel has said nothing for 3 s although it was asked or sent something. That of
 * a process that is stopped, in a debugger say, goes on acknowledging, or closes the window. */
bool sheaf_socket_is_unheard(int fd);

/* The same for 15 s: longer than a host may be silent and still be counted among the living. */
bool sheaf_socket_is_lost(int fd);

#endif
