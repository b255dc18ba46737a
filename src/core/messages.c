/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine's messages by kind, for the profile (addons/profile), which finds this by its name.
 */
#include "core/pe/network.h"

/* As count_messages of engine.h, of the engine in use; 0: the job has none. */
unsigned sheaf_messages_attach(struct sheaf_engine_messages *rows);

__attribute__((visibility("default"))) unsigned
sheaf_messages_attach(struct sheaf_engine_messages *rows)
{
    return sheaf_network ? sheaf_network->count_messages(rows) : 0;
}
