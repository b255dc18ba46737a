/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What of this machine matters to an OpenSHMEM job.
 */
#ifndef SHEAF_OSHINFO_MACHINE_H
#define SHEAF_OSHINFO_MACHINE_H

#include <stdio.h>

void sheaf_machine_print_cpus(FILE *out);
void sheaf_machine_print_nodes(FILE *out);
void sheaf_machine_print_memory(FILE *out);
void sheaf_machine_print_huge_pages(FILE *out);
void sheaf_machine_print_limits(FILE *out);
void sheaf_machine_print_address_space(FILE *out);

/* The left column of everything oshinfo prints. */
#define LABEL "%-21s "

#endif
