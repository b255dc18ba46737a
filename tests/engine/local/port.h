/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The port: a stream's end in one process. For the table in local.c.
 */
#ifndef SHEAF_ENGINE_LOCAL_PORT_H
#define SHEAF_ENGINE_LOCAL_PORT_H

#include "local/internal.h"

sheaf_transport_port *sheaf_local_open(void *owner, const char **why);
void sheaf_local_close(sheaf_transport_port *port);
int sheaf_local_address(sheaf_transport_port *port, void **address, size_t *length, const char **why);
bool sheaf_local_turn(sheaf_transport_port *port);
int sheaf_local_descriptor(sheaf_transport_port *port);
bool sheaf_local_arm(sheaf_transport_port *port);
void sheaf_local_clear_door(void);

#endif
