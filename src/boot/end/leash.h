/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE of oshrun's ends when oshrun does, whoever stands between them and in whatever way oshrun
 * went. The keeper (tools/oshrun/hosts/keeper.h) ends what is left of a job; it may be killed or stopped,
 * and a wrapper script takes the parent-death signal in the PE's place. So each PE asks the kernel.
 */
#ifndef SHEAF_BOOT_END_LEASH_H
#define SHEAF_BOOT_END_LEASH_H

#include <stdbool.h>

/* With the control area mapped. From now on the kernel kills this process when oshrun ends: no thread,
 * no signal handler, 50 us at start. False: oshrun has ended already. Where /proc does not show oshrun,
 * which a namespace may hide, the PE does without. */
bool sheaf_leash_take(void);

#endif
