/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine by which this PE reaches PEs of other nodes. engine_start.h chooses it.
 */
#ifndef SHEAF_CORE_PE_NETWORK_H
#define SHEAF_CORE_PE_NETWORK_H

#include "engine/engine.h"

/* The engine in use; NULL in a job of one node. Before initialization and after finalization it is
 * sheaf_engine_none, so that a fence or quiet comes to the code that refuses it. Written at init and
 * finalize alone. */
extern const struct sheaf_engine *sheaf_network;

#endif
