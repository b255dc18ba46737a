/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exit statuses of the commands, as the shells and timeout(1) use them. 1: it failed.
 */
#ifndef SHEAF_TOOLS_COMMON_STATUS_H
#define SHEAF_TOOLS_COMMON_STATUS_H

#define STATUS_USAGE          2 /* the command line is wrong, and nothing was done */
#define STATUS_TIMEOUT        124
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_NOT_FOUND      127
#define STATUS_SIGNAL         128 /* + the signal's number */

#endif
