/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether the plate holds what it should after a run.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include "task.h"

/* Collective. 0 and a line that tells what was checked, or 1 and the reason. */
int verdict(const struct task *task, const struct plate *plate, const struct result *result);

#endif
