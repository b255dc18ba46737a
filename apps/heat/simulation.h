/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The whole program but for the library's start and end.
 */
#ifndef SIMULATION_H
#define SIMULATION_H

/* Collective. The arguments of main; returns its status. */
int simulation(int argc, char **argv);

#endif
