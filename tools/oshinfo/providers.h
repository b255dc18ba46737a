/* SPDX-License-Identifier: BSD-3-Clause
 * See providers.c.
 */
#ifndef SHEAF_OSHINFO_PROVIDERS_H
#define SHEAF_OSHINFO_PROVIDERS_H

#include <stdio.h>

/* Collective: the program of a job. PE 0 prints. Returns 0, or 1 without memory. */
int sheaf_providers_print(FILE *out);

#endif
