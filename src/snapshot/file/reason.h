/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Why something about a snapshot failed, in words. The functions of this folder fill it where they return
 * -1, and print nothing: of all PEs that failed one says so.
 */
#ifndef SHEAF_SNAPSHOT_FILE_REASON_H
#define SHEAF_SNAPSHOT_FILE_REASON_H

struct sheaf_snapshot_reason {
    char text[400]; /* "": nothing has failed */
};

/* Fills it. Returns -1. */
int sheaf_snapshot_explain(struct sheaf_snapshot_reason *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
