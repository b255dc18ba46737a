/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of the program that each version writes to its own library: the density and the Fock
 * matrix, in blocks that are dealt to all processes in turn, block b to process b % processes, and
 * a counter that they share.
 */
#ifndef DISTRIBUTED_H
#define DISTRIBUTED_H

/* Collective. 0, or 1 on all processes and the reason is printed. */
int distributed_create(long blocks, long elements);
void distributed_destroy(void);

/* Elements of the caller's own blocks, one behind the other; not while others use them. */
double *distributed_density(void);
double *distributed_fock(void);

/* Collective: the Fock matrix and the counter are 0, and all processes see what any has written
 * into its own blocks. */
void distributed_begin(void);

/* Collective: all have added what they add, and it is there. */
void distributed_settle(void);

/* A block of the density, whosever it is. */
void distributed_get(long block, double *into);

/* Adds to a block of the Fock matrix, whosever it is, whoever else does. */
void distributed_add(long block, const double *amounts);

/* The counter's value before it is one more. */
long distributed_draw(void);

#endif
