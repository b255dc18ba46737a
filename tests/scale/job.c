/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The place in the job of the simulated PE that runs.
 */
#include "boot/boot.h"
#include "core/pe/job.h"

struct sheaf_job sheaf_job;
struct sheaf_boot sheaf_boot;
