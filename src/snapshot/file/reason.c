/* SPDX-License-Identifier: BSD-3-Clause
 * See reason.h.
 */
#include "snapshot/file/reason.h"

#include "base/tame.h"

static void put(struct sheaf_snapshot_reason *why, const char *format, va_list arguments)
{
    vsnprintf(why->text, sizeof why->text, format, arguments);
    sheaf_tame(why->text, 0);
}

int sheaf_snapshot_explain(struct sheaf_snapshot_reason *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(why, format, arguments);
    va_end(arguments);
    why->is_damage = false;
    return -1;
}

int sheaf_snapshot_explain_damage(struct sheaf_snapshot_reason *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(why, format, arguments);
    va_end(arguments);
    why->is_damage = true;
    return -1;
}
