/* SPDX-License-Identifier: BSD-3-Clause
 * What every way of initialization passes to core/init.h.
 */
#ifndef SHEAF_API_SETUP_H
#define SHEAF_API_SETUP_H

#include "base/settings/env.h"

/* Choices that settings make for the parts above core. */
int sheaf_setup_prepare(const struct sheaf_settings *settings);

#endif
