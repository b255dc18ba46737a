/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The network interfaces of this host that a job uses, and plain TCP sockets on them: connections between
 * hosts listen on these addresses and on no others. UCX_NET_DEVICES chooses here as it does for the
 * network engine; without it, or where it names none of them, they are all that are up but loopback.
 */
#ifndef SHEAF_HOSTS_INTERFACE_H
#define SHEAF_HOSTS_INTERFACE_H

#include <stdbool.h>
#include <netinet/in.h>
#include <stdint.h>

#define SHEAF_INTERFACES 8 /* addresses at most: the first ones, in the order of the interfaces */

/* Addresses as text, IPv4 and IPv6, none that holds on one link alone. Returns how many. */
int sheaf_interface_list(char addresses[SHEAF_INTERFACES][INET6_ADDRSTRLEN]);

/* Sockets that do not block and are closed by exec. listen takes *port, or chooses one where
 * that is 0 and tells it; connect is under way on return. A descriptor, or -1 with errno. */
int sheaf_interface_listen(const char *address, int backlog, int *port);
int sheaf_interface_connect(const char *address, int port);

/* Closes a socket with which something has failed. -1, with errno as it was. */
int sheaf_interface_close_failed(int fd);

#define SHEAF_BACKLOG 128 /* of a listener, and one more for each process that is to come:
                             a caller that finds it full of strangers comes again after 1 s */

/* A connection to a listener: it does not block, and is closed by exec. -1: nobody waits (errno EAGAIN), or
 * somebody does and no descriptor is free (any other): then poll() would return at once for ever. */
int sheaf_interface_accept(int listener);

/* The kernel asks the other side after a second without a sign, every second, and ends the connection
 * after the third without an answer, or when bytes that were sent are not acknowledged for unanswered_ns.
 * What is sent is sent at once. */
void sheaf_interface_keep_asking(int fd, uint64_t unanswered_ns);

/* Whether anything that was sent is not acknowledged, and no acknowledgement has come for so long. */
bool sheaf_interface_is_unacknowledged(int fd, uint64_t ns);

#endif
