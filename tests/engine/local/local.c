/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The transport's table; start and stop; what it says of itself.
 */
#include "local/port.h"

#include "base/log.h"

#include <stdlib.h>

static int start(const struct sheaf_transport_user *user, struct sheaf_transport_abilities *abilities)
{
    if (!sheaf_local_tree) {
        sheaf_error("engine local: it is for processes that a test has forked after "
                    "sheaf_local_make_tree(): choose another SHEAF_ENGINE");
        return -1;
    }
    sheaf_local = (struct sheaf_local_state){.user = *user, .pe = user->job->pe};
    sheaf_local_enter_tree(user->job->pe);
    *abilities = (struct sheaf_transport_abilities){.has_direct = sheaf_local_settings.has_direct,
                                                    .longest_direct = sheaf_local_settings.longest_direct,
                                                    .atomics = sheaf_local_settings.atomics,
                                                    .sends_whole = sheaf_local_settings.sends_whole,
                                                    .longest = sheaf_local_settings.longest,
                                                    .last_part = sheaf_local_settings.last_part};
    return 0;
}

/* The last calls, at ports that were closed by then. */
static void stop(void)
{
    sheaf_local_clear_door();
}

static bool is_installed(void)
{
    return true;
}

static bool describe(FILE *out)
{
    fprintf(out, "socket pairs between processes of one test\n");
    return sheaf_local_tree != NULL;
}

static sheaf_amo_set native_atomics(char *why, size_t size)
{
    if (!sheaf_local_settings.atomics)
        snprintf(why, size, "the test has not set any");
    return sheaf_local_settings.atomics;
}

const struct sheaf_transport sheaf_transport_local = {
    .name = "local",
    .title = "local",
    .start = start,
    .stop = stop,
    .is_installed = is_installed,
    .describe = describe,
    .native_atomics = native_atomics,
    .open = sheaf_local_open,
    .close = sheaf_local_close,
    .address = sheaf_local_address,
    .connect = sheaf_local_connect,
    .send = sheaf_local_send,
    .fetch = sheaf_local_fetch,
    .turn = sheaf_local_turn,
    .descriptor = sheaf_local_descriptor,
    .arm = sheaf_local_arm,
    .direct = &sheaf_local_direct,
};
