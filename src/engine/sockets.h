/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TCP connections that a network's library has made in this process, and whether the other end's host has
 * gone.
 */
#ifndef SHEAF_ENGINE_SOCKETS_H
#define SHEAF_ENGINE_SOCKETS_H

#include <stdbool.h>

/* Visits all of this process's descriptors, of any kind. */
void sheaf_sockets_each(void (*visit)(int fd, const void *argument), const void *argument);

/* Whether the other end's kernel has sent nothing for 3 s although it was probed or sent data. The kernel
 * of a stopped process, in a debugger say, goes on acknowledging, or closes the window. */
bool sheaf_socket_is_unheard(int fd);

/* The same for 15 s: longer than a silent host may count as alive. */
bool sheaf_socket_is_lost(int fd);

#endif
