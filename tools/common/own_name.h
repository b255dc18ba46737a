/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long the system looks for this machine's own name. Open MPI asks for it at each start and waits for
 * the answer: 10 s where the name stands in no /etc/hosts and the name server does not answer.
 */
#ifndef SHEAF_TOOLS_OWN_NAME_H
#define SHEAF_TOOLS_OWN_NAME_H

#include <stdbool.h>

/* The remedy, behind the name twice. */
#define SHEAF_OWN_NAME_SLOW \
    "this machine's name, %s, is looked for longer than a second, and programs of Open MPI and its " \
    "mpirun wait for that at each start: add a line \"127.0.1.1 %s\" to /etc/hosts"

/* The name where the system answers later than sheaf_times.own_name_slow, found or not; else NULL. Valid
 * until the next call. */
const char *sheaf_own_name_slow(void);

/* The line of oshrun, where it starts Open MPI's mpirun or serves PMIx to its programs. Unless quiet. */
void sheaf_own_name_warn(bool quiet);

#endif
