/* SPDX-License-Identifier: BSD-3-Clause
 * See call.h.
 */
#include "core/pe/call.h"

__thread struct sheaf_call sheaf_call;
