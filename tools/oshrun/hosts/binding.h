/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The CPUs that each PE runs on.
 */
#ifndef SHEAF_OSHRUN_BINDING_H
#define SHEAF_OSHRUN_BINDING_H

#include "oshrun/command/options.h"

#include <sched.h>

/* Returns one set per PE, or NULL when the PEs are not bound. With --bind core each PE gets one core,
 * spread over the machine. By default each PE gets its share of the cores, so that a PE's threads have
 * room and two small jobs do not use the same core. PEs are never bound when they outnumber the usable
 * CPUs. */
cpu_set_t *sheaf_binding_choose(const struct options *options);

/* Called before sheaf_binding_choose(), with SHEAF_LOW_JITTER=on. Where the kernel keeps processors
 * free of other work (isolcpus=), lets this process have them, and there are enough, they become the
 * job's usable ones. */
void sheaf_binding_use_isolated(struct options *options);

#endif
