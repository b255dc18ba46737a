/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine of a job that spans nodes: its choice, start and stop.
 */
#ifndef SHEAF_CORE_ENGINE_START_H
#define SHEAF_CORE_ENGINE_START_H

#include "base/settings/env.h"

/* Collective. At the first initialization, with the image mapped: chooses and starts the engine where
 * the job has several nodes, and publishes its address. Returns 0, or -1 with the reason printed. stop:
 * after a barrier of all PEs. */
int sheaf_engine_start(const struct sheaf_settings *settings, int thread_level);
void sheaf_engine_stop(void);

#endif
