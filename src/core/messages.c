/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine's counts of messages by kind. The profile (addons/profile) finds this function by its name.
 */
#include "core/pe/network.h"

/* count_messages (engine.h) of the engine in use; 0: the job has no engine. */
unsigned sheaf_messages_attach(struct sheaf_engine_messages *rows);

__attribute__((visibility("default"))) unsigned
sheaf_messages_attach(struct sheaf_engine_messages *rows)
{
    return sheaf_network ? sheaf_network->count_messages(rows) : 0;
}
