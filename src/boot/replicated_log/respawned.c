/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a process that has taken a dead one's place has instead of a launcher, which has started neither it
 * nor anything that it could ask: the node's agent. Who the others are stands in the control area.
 */
#include "boot/replicated_log/agent_client.h"

#include "base/log.h"
#include "base/times.h"
#include "boot/world/world.h"

#include <poll.h>

static int open_place(int *pe, int *npes)
{
    (void)pe, (void)npes; /* known since the library was loaded */
    return 0;
}

static int refuse(void)
{
    sheaf_error("SH606 a process that has taken a dead PE's place has no launcher to ask");
    return -1;
}

static int put(const char *key, const void *value, size_t bytes)
{
    (void)key, (void)value, (void)bytes;
    return refuse();
}

static int get(int pe, const char *key, void **value, size_t *bytes)
{
    (void)pe, (void)key, (void)value, (void)bytes;
    return -1;
}

static int lowest_near(void)
{
    return -1;
}

static void watch(struct pollfd *end)
{
    end->fd = -1;
}

static void nothing(void)
{
}

static void end_job(int status)
{
    sheaf_agent_end_job(sheaf_boot.pe, status);
    poll(NULL, 0, sheaf_times_ms(sheaf_times.agent_ends_pe));
}

const struct sheaf_launcher sheaf_launcher_respawned = {
    .name = "an agent",
    .setting = "",
    .open = open_place,
    .put = put,
    .fence = refuse,
    .get = get,
    .lowest_near = lowest_near,
    .watch = watch,
    .closed = nothing,
    .abort = end_job,
    .close = nothing,
};
