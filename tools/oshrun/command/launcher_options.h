/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options of other launchers, which scripts pass: those that have no counterpart here.
 */
#ifndef SHEAF_OSHRUN_LAUNCHER_OPTIONS_H
#define SHEAF_OSHRUN_LAUNCHER_OPTIONS_H

/* name: with its dashes; value: what stood behind "=", or NULL; following: the words behind it, up to a
 * NULL. Returns how many of those belong to it, where it asks for nothing that oshrun would do otherwise: a
 * line says so, unless it is so anyway. -1: it is no launcher's. Where something else is to be used, a line
 * says what, and oshrun ends. */
int sheaf_launcher_option_skip(const char *name, const char *value, char **following);

#endif
