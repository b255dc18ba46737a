/* SPDX-License-Identifier: BSD-3-Clause
 * The health of all jobs of this user on this host, as text for programs that watch them.
 */
#ifndef SHEAF_OSHTOP_HEALTH_H
#define SHEAF_OSHTOP_HEALTH_H

#include "report/health.h"

#include <stdint.h>

struct top_healths; /* of all jobs, at one time */

/* pid: of oshrun or of a PE; 0: all jobs of this user. There may be none. NULL: no memory. */
struct top_healths *top_healths_take(int pid);
void top_healths_free(struct top_healths *healths);

/* One JSON object; and metrics in Prometheus' text format. */
void top_healths_print_json(const struct top_healths *healths, FILE *out);
void top_healths_print_metrics(const struct top_healths *healths, FILE *out);

#endif
