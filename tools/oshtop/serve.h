/* SPDX-License-Identifier: BSD-3-Clause
 * An endpoint by which other programs ask for the health of jobs.
 */
#ifndef SHEAF_OSHTOP_SERVE_H
#define SHEAF_OSHTOP_SERVE_H

/* Answers requests until a signal ends the program. place: path of a Unix socket, ":PORT" for TCP on the
 * loopback interface, or "" for a socket in the user's own folder. pid: of one job's process; 0: all jobs
 * of this user. */
_Noreturn void top_serve(const char *place, int pid);

#endif
