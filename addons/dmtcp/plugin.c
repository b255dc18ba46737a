/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What DMTCP calls. Threads of the program are suspended meanwhile, in all processes.
 */
#include "internal.h"

static bool is_restarted;

static void drop(void)
{
    sheaf_dmtcp_memory_drop();
    sheaf_dmtcp_descriptors_drop();
}

static void save(void)
{
    sheaf_dmtcp_memory_find();
    int job_file = sheaf_dmtcp_descriptors_save();
    if (job_file >= 0 && sheaf_dmtcp_is_maker)
        sheaf_dmtcp_memory_save(job_file);
}

static void restore(void)
{
    sheaf_dmtcp_descriptors_make(sheaf_dmtcp_memory_make);
    dmtcp_global_barrier("sheaf-made");
    sheaf_dmtcp_descriptors_take();
    sheaf_dmtcp_memory_map();
    dmtcp_global_barrier("sheaf-taken");
    sheaf_dmtcp_descriptors_end();
    drop();
    is_restarted = true;
}

static void handle(DmtcpEvent_t event, DmtcpEventData_t *data)
{
    (void)data;
    if (event == DMTCP_EVENT_PRECHECKPOINT)
        save();
    else if (event == DMTCP_EVENT_RESUME)
        drop();
    else if (event == DMTCP_EVENT_RESTART)
        restore();
    else if (event == DMTCP_EVENT_ATFORK_CHILD)
        sheaf_dmtcp_is_maker = false;
    else if (event == DMTCP_EVENT_RUNNING && is_restarted) {
        is_restarted = false;
        sheaf_dmtcp_descriptors_go_on();
    }
}

/* DMTCP's own plug-ins register first: at a restart the last one comes first, and the others find the pipes
 * in place, of which oshrun's epoll set has some. */
void dmtcp_initialize_plugin(void)
{
    static const DmtcpPluginDescriptor_t plugin = {
        .pluginApiVersion = DMTCP_PLUGIN_API_VERSION,
        .dmtcpVersion = DMTCP_PACKAGE_VERSION,
        .pluginName = "sheaf",
        .authorName = "Sheaf",
        .authorEmail = "",
        .description = "jobs of several PEs on a host",
        .event_hook = handle};
    void (*next)(void) = NEXT_FNC(dmtcp_initialize_plugin);
    if (next)
        next();
    dmtcp_register_plugin(plugin);
    sheaf_dmtcp_descriptors_begin();
}
