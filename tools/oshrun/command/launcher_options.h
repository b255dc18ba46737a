/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options of other launchers that scripts pass and that have no counterpart in oshrun.
 */
#ifndef SHEAF_OSHRUN_LAUNCHER_OPTIONS_H
#define SHEAF_OSHRUN_LAUNCHER_OPTIONS_H

/* Ignores an option of another launcher. name has its dashes; value is the text behind "=", or NULL;
 * following has the next words, up to a NULL. Returns how many of those words belong to the option. It
 * prints a line that the option has no effect, unless oshrun does so anyway. Returns -1 where no
 * launcher has the option. Where another option is to be used instead, it prints which, and ends
 * oshrun. */
int sheaf_launcher_option_skip(const char *name, const char *value, char **following);

#endif
