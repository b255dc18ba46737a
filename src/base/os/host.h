/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The name of this host, for lines that say where something was refused before the job has names of its own
 * for its hosts.
 */
#ifndef SHEAF_BASE_OS_HOST_H
#define SHEAF_BASE_OS_HOST_H

#include <unistd.h>

struct sheaf_host_name {
    char text[64];
};

/* "?": the system does not say. */
static inline struct sheaf_host_name sheaf_os_host_name(void)
{
    struct sheaf_host_name name = {"?"};
    gethostname(name.text, sizeof name.text - 1);
    return name;
}

#endif
