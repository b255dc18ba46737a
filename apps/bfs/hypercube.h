/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Breadth-first search of a hypercube.
 */
#ifndef HYPERCUBE_H
#define HYPERCUBE_H

/* Collective. 0, or 1 on all PEs, the reason printed. */
int hypercube_search(int dimension);

#endif
