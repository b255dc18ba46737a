/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long a wait that takes turns of a network keeps the processor to itself. Hosts may share
 * processors without knowing it (containers, virtual machines), and whoever is waited for may need
 * this one: only a yield can tell, by how long it takes to come back.
 */
#ifndef SHEAF_BASE_PATIENCE_H
#define SHEAF_BASE_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Turns in which nothing happens before a wait begins to yield. Threads of this process learn
 * together; a value that is lost in a race costs nothing. */
extern uint32_t sheaf_patience;

/* crowded: there are more PEs than processors, as far as this host knows. */
void sheaf_patience_init(bool crowded);

/* Yields and learns. */
void sheaf_patience_yield(void);

#endif
