/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oshinfo --doctor: what of this machine and of this shell's settings stands in a job's way.
 */
#ifndef SHEAF_OSHINFO_DOCTOR_H
#define SHEAF_OSHINFO_DOCTOR_H

#include <stdio.h>

/* One line for each finding, with its remedy. Returns how many of them are wrong: a job would fail or lack
 * something that it needs. Others are notes: a job works, and could be faster or see more. */
int sheaf_doctor_print(FILE *out);

#endif
