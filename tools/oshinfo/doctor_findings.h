/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A visit of the doctor: what was found, and who looks at what of the network.
 */
#ifndef SHEAF_OSHINFO_DOCTOR_FINDINGS_H
#define SHEAF_OSHINFO_DOCTOR_FINDINGS_H

#include <stdio.h>

struct visit {
    FILE *out;
    int wrong, notes;
};

/* A line each: subject, what was found, the remedy. */
__attribute__((format(printf, 3, 4))) void sheaf_doctor_wrong(struct visit *visit, const char *subject,
                                                              const char *format, ...);
__attribute__((format(printf, 3, 4))) void sheaf_doctor_note(struct visit *visit, const char *subject,
                                                             const char *format, ...);

void sheaf_doctor_see_launchers(struct visit *visit);
void sheaf_doctor_see_engine(struct visit *visit);
void sheaf_doctor_see_adapters(struct visit *visit);

#endif
