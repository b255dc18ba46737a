/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A command whose output is lost, on a full disk for instance, must not end with status 0.
 */
#ifndef SHEAF_TOOLS_COMMON_STANDARD_OUTPUT_H
#define SHEAF_TOOLS_COMMON_STANDARD_OUTPUT_H

/* Called first in main. When the command exits and its standard output could not be written, it says so
 * and its status is 1. */
void sheaf_standard_output_watch(void);

#endif
