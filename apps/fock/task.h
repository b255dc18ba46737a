/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All of the program but what is the library's own (distributed.h): options, rounds, and whether
 * the answer is right.
 */
#ifndef TASK_H
#define TASK_H

/* Collective, with the arguments of main, the library initialized. Returns main's. */
int task_run(int argc, char **argv);

#endif
