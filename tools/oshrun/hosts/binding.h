/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which CPUs each PE runs on.
 */
#ifndef SHEAF_OSHRUN_BINDING_H
#define SHEAF_OSHRUN_BINDING_H

#include "oshrun/command/options.h"

#include <sched.h>

/* One set per PE, or NULL when the PEs are not bound. --bind core: one core each, spread over
 * the machine. By default each gets its share of the cores, so that a PE's threads have room and
 * two small jobs do not sit on the same core. Never when there are more PEs than usable CPUs. */
cpu_set_t *sheaf_binding_choose(const struct options *options);

/* With SHEAF_LOW_JITTER=on: where the kernel keeps processors free of other work (isolcpus=), lets this
 * process have them, and there are enough, they are the job's usable ones. Before the former. */
void sheaf_binding_use_isolated(struct options *options);

#endif
