/* SPDX-License-Identifier: BSD-3-Clause
 * See times.h.
 */
#include "base/times.h"

#define DEFAULT(name, ns, why) .name = (ns),
const struct sheaf_times sheaf_times_defaults = {SHEAF_TIMES(DEFAULT, DEFAULT)};
struct sheaf_times sheaf_times = {SHEAF_TIMES(DEFAULT, DEFAULT)};
