/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The job of the simulated PE that runs.
 */
#include "core/pe/job.h"

struct sheaf_job sheaf_job;
