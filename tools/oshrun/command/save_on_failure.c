/* SPDX-License-Identifier: BSD-3-Clause
 * See save_on_failure.h.
 */
#include "oshrun/command/save_on_failure.h"

#include "oshrun/command/say.h"
#include "oshrun/command/snapshot.h"

#include <stddef.h>

#define VARIABLE "SHEAF_SAVE_ON_FAILURE"

void sheaf_save_on_failure_set(const char *option, const char *folder)
{
    sheaf_snapshot_set_folder(option, folder, VARIABLE);
}

const char *sheaf_save_on_failure_folder(const struct options *options)
{
    const char *folder = sheaf_program_setting(&options->programs[0], VARIABLE);
    return folder && *folder ? folder : NULL;
}

void sheaf_save_on_failure_check(const struct options *options)
{
    if (!sheaf_save_on_failure_folder(options))
        return;
    if (options->hosts.count)
        sheaf_die(STATUS_USAGE, "--save-on-failure (" VARIABLE ") is for jobs of this host: with --hosts "
                  "each PE's memory ends with it");
    if (sheaf_options_are_apart(options))
        sheaf_die(STATUS_USAGE, "--save-on-failure (" VARIABLE ") is for PEs that share memory: with "
                  "SHEAF_ONNODE=off each PE's memory ends with it");
}
