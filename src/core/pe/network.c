/* SPDX-License-Identifier: BSD-3-Clause
 * See network.h.
 */
#include "core/pe/network.h"

const struct sheaf_engine *sheaf_network = &sheaf_engine_none;
