/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses of code as functions, files and lines, by addr2line where it is installed.
 */
#ifndef SHEAF_CORE_FAULT_SITE_H
#define SHEAF_CORE_FAULT_SITE_H

#include "image/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sheaf_fault_site {
    uintptr_t address; /* an instruction's; for a return address: the last byte of the call before it */
    uintptr_t offset;  /* in its file, as addr2line expects it */
    char file[128];    /* "" before it is known */
    /* "step at heat.c:40", "step (heat+0x1234)", "heat+0x1234", "0x10, which is no code" */
    char text[160];
};

bool sheaf_fault_site_is_code(uintptr_t address);

/* Fills in text, within 2 s. */
void sheaf_fault_site_name(struct sheaf_fault_site *sites, size_t count);

/* Prints the place of one address of code: "heat.c:40", "heat+0x1234". False where it is no code, and
 * after addr2line has been slow once. */
bool sheaf_fault_site_place(uintptr_t address, char *text, size_t size);

/* Prints where the program called the library: "heat.c:40", "heat+0x1234". For sheaf_log_set_place().
 * Not for a library that is linked into the program, whose code cannot be told apart. */
bool sheaf_fault_site_of_call(char *text, size_t size);

/* The same for a call in the flight recorder of the PE in slot, where that PE runs the same program:
 * for sheaf_history_set_place(). */
bool sheaf_fault_site_of_record(int slot, const struct sheaf_record *call, char *text, size_t size);

#endif
