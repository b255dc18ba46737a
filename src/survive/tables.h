/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tables to choose from. See interface/survival.h.
 */
#ifndef SHEAF_SURVIVE_TABLES_H
#define SHEAF_SURVIVE_TABLES_H

#include "survive/interface/survival.h"

/* A death ends the job; deaths are reported in a job of one host, and in one of several. */
extern const struct sheaf_survival sheaf_survival_plain, sheaf_survival_one_host,
    sheaf_survival_several_hosts;

/* Of jobs without an engine, or whose engine needs nothing: 0, and nothing is connected. */
int sheaf_survival_prepare_nothing(const struct sheaf_engine *engine, struct sheaf_engine_job *job);
void sheaf_survival_connect_nothing(void);

#endif
