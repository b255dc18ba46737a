/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The descriptors of PEs that have not been started: standard input and output, and an MPI's connection.
 * A process inherits its parent's descriptors, and its kernel closes them one by one: with 512 PEs some
 * 3,000 for each. So they wait in a socket, in groups, and a PE inherits those of its own group alone.
 * proxy.c calls this.
 */
#ifndef SHEAF_OSHRUN_PE_DESCRIPTORS_H
#define SHEAF_OSHRUN_PE_DESCRIPTORS_H

#include "oshrun/hosts/proxy.h"

#include <stdbool.h>

struct pe_descriptors {
    int sockets[2]; /* -1: none */
    int put;        /* PEs whose descriptors are in there, or have been */
};

/* Puts those of all PEs into the socket, or of the first as far as it takes them, and closes them here. */
void sheaf_pe_descriptors_put(struct pe_descriptors *away, const struct spawn *spawn);

/* Takes out those of the PE and its group, where it is the group's first. PEs come in order. */
bool sheaf_pe_descriptors_take(struct pe_descriptors *away, const struct spawn *spawn, int pe);

/* Closes a PE's here, once it has them. */
void sheaf_pe_descriptors_close(const struct spawn *spawn, int pe);

#endif
