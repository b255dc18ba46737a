/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How PEs of other hosts are started and reached from here.
 */
#ifndef SHEAF_OSHINFO_NETWORK_H
#define SHEAF_OSHINFO_NETWORK_H

#include <stdio.h>

void sheaf_network_print_launchers(FILE *out);
void sheaf_network_print_engines(FILE *out);

/* Who does each atomic operation, in each of the domains. 0, or a setting is wrong and was named. */
int sheaf_network_print_amo(FILE *out);

#endif
