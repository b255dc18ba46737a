/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Local sockets by which containers of one host join: a name in a folder that both see, or an abstract
 * name where they have one network namespace. Names are random. Messages are whole (SOCK_SEQPACKET).
 */
#ifndef SHEAF_BOOT_CONTAINERS_PLACE_H
#define SHEAF_BOOT_CONTAINERS_PLACE_H

#include "hosts/handshake.h"

#include <stdbool.h>

/* A name for both kinds of socket. False: there is no randomness. */
bool sheaf_place_make_name(char name[SHEAF_TOKEN_TEXT]);

/* Sockets that do not block and are closed by exec. folder: a descriptor; -1: the name is abstract. No
 * other user may connect by a folder. A descriptor, or -1 with errno. */
int sheaf_place_listen(int folder, const char *name, int backlog);
int sheaf_place_connect(int folder, const char *name);

/* Removes the name from the folder; and this user's names there on which nobody has listened for so
 * long, by the realtime clock: who made them was killed. */
void sheaf_place_remove(int folder, const char *name);
void sheaf_place_sweep(int folder, uint64_t older_ns);

#endif
