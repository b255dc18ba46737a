/* SPDX-License-Identifier: BSD-3-Clause
 * See connection.h.
 */
#include "boot/launcher/connection.h"

#include "base/log.h"
#include "boot/world/world.h"

#include <unistd.h>

static const struct sheaf_launcher *launcher;
static bool is_open;

void sheaf_connection_set_launcher(const struct sheaf_launcher *found)
{
    launcher = found;
}

const struct sheaf_launcher *sheaf_connection_launcher(void)
{
    return launcher;
}

int sheaf_connection_open(void)
{
    if (launcher->open(&sheaf_boot.pe, &sheaf_boot.npes) != 0)
        return -1;
    is_open = true;
    sheaf_boot.launcher = launcher->name;
    return 0;
}

bool sheaf_connection_is_open(void)
{
    return is_open;
}

void sheaf_connection_forget(void)
{
    is_open = false;
}

void sheaf_connection_abort(int status)
{
    launcher->abort(status);
}

void sheaf_connection_close(void)
{
    launcher->close();
}

void sheaf_connection_end(void)
{
    if (launcher->end)
        launcher->end();
    else
        launcher->close();
}

void sheaf_connection_lost(const char *how)
{
    static bool is_said;
    if (!__atomic_exchange_n(&is_said, true, __ATOMIC_ACQ_REL))
        sheaf_error("SH404 the launcher's daemon on host %s is gone: %s; the job ends",
                    sheaf_boot_host_of(sheaf_boot.pe), how);
    _exit(1);
}
