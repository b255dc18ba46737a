/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Why something about a snapshot failed, in words. The functions of this folder fill it where they return
 * -1, and print nothing: of all PEs that failed one says so.
 */
#ifndef SHEAF_SNAPSHOT_FILE_REASON_H
#define SHEAF_SNAPSHOT_FILE_REASON_H

#include <stdbool.h>

struct sheaf_snapshot_reason {
    char text[400];  /* "": nothing has failed */
    bool is_damage;  /* of a file, of which another copy may be undamaged */
};

/* Fills it: one line, whatever bytes of files are among the arguments. Return -1. */
int sheaf_snapshot_explain(struct sheaf_snapshot_reason *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int sheaf_snapshot_explain_damage(struct sheaf_snapshot_reason *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
