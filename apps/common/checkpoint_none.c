/* SPDX-License-Identifier: BSD-3-Clause
 *
 * No checkpoints: for libraries without them.
 */
#include "checkpoint.h"
#include "plain.h"

int checkpoint_save(const char *folder, const char *tag)
{
    return app_fail("%s/%s: the library that this version uses has no checkpoints", folder, tag);
}

int checkpoint_restore(bool *restored)
{
    *restored = false;
    return 0;
}

bool checkpoint_is_new(void)
{
    return false;
}

int checkpoint_survive(const char *folder, const char *tag, int (*work)(void *argument, bool is_back),
                       void *argument)
{
    (void)work;
    (void)argument;
    return app_fail("%s/%s: the library that this version uses has no checkpoints", folder, tag);
}
