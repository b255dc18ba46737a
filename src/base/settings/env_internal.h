/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The names in the table of env.c, for unknown.c.
 */
#ifndef SHEAF_BASE_SETTINGS_ENV_INTERNAL_H
#define SHEAF_BASE_SETTINGS_ENV_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

/* The name of a row; NULL after the last row. */
const char *sheaf_settings_name(size_t row);

/* Whether a row has this name, by either spelling, or a part of Sheaf sets it for another part. */
bool sheaf_settings_has(const char *name);

#endif
