/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernel ends a PE that oshrun has started when oshrun ends. oshrun's proxy
 * (tools/oshrun/hosts/proxy.h) does so too, but may be killed or stopped itself. PR_SET_PDEATHSIG does not
 * serve where a wrapper script stands between the two: the script would get the signal.
 */
#ifndef SHEAF_BOOT_END_PARENT_DEATH_H
#define SHEAF_BOOT_END_PARENT_DEATH_H

#include <stdbool.h>

/* With the control area mapped. From now on the kernel kills this process when oshrun ends: no thread,
 * no signal handler, 50 us at start. False: oshrun has ended already. Where /proc does not show oshrun,
 * which a namespace may hide, the PE does without. */
bool sheaf_parent_death_arm(void);

#endif
