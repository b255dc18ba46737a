/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses of code in words, by addr2line where it is installed.
 */
#ifndef SHEAF_CORE_FAULT_SITE_H
#define SHEAF_CORE_FAULT_SITE_H

#include "image/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sheaf_fault_site {
    uintptr_t address; /* of code; behind a call: the last byte of the call */
    uintptr_t offset;  /* in its file, as addr2line wants it */
    char file[128];    /* "" before it is known */
    /* "step at heat.c:40", "step (heat+0x1234)", "heat+0x1234", "0x10, which is no code" */
    char text[160];
};

bool sheaf_fault_site_is_code(uintptr_t address);

/* Fills in text; within two seconds. */
void sheaf_fault_site_name(struct sheaf_fault_site *sites, size_t count);

/* Of one address of code: "heat.c:40", "heat+0x1234". False where it is none, and once addr2line was
 * slow. */
bool sheaf_fault_site_place(uintptr_t address, char *text, size_t size);

/* Where the program called the library: "heat.c:40", "heat+0x1234". For sheaf_log_set_place(); not with the
 * library linked into the program, whose code then is one. */
bool sheaf_fault_site_of_call(char *text, size_t size);

/* The same of a call that the flight recorder of the PE in slot has, where its program is this one's: for
 * sheaf_history_set_place(). */
bool sheaf_fault_site_of_record(int slot, const struct sheaf_record *call, char *text, size_t size);

#endif
