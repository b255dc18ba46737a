/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs on several hosts: the launcher that starts their PEs.
 */
#ifndef SHEAF_OSHRUN_OTHER_LAUNCHERS_H
#define SHEAF_OSHRUN_OTHER_LAUNCHERS_H

#include "oshrun/command/options.h"

/* Executes the launcher that starts options' programs on options' hosts, in place of this process; does
 * not return. */
_Noreturn void sheaf_other_launcher_become(const struct options *options);

#endif
