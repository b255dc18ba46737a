/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an address of this process is, in words, for messages: "on the stack", "field[3].x of grid, a
 * static variable of the program", "12 bytes past the end of a block of 64 bytes of the symmetric heap,
 * allocated at heat.c:40; the next block, of 16 bytes allocated at heat.c:41, begins 16 bytes behind it".
 */
#ifndef SHEAF_CORE_MEMORY_ADDRESS_TEXT_H
#define SHEAF_CORE_MEMORY_ADDRESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHEAF_ADDRESS_TEXT 640 /* room for the longest */
#define SHEAF_ADDRESS_NAME 64  /* the same for sheaf_address_name() */

void sheaf_address_describe(const void *address, char *text, size_t size);

/* A call could not allocate so many bytes and returns a null pointer to site. Descriptions of null pointers
 * name the last such call from now on. For collective calls: one thread at a time. */
void sheaf_address_note_null(const char *call, size_t bytes, const void *site);

/* What an address near null is; whether such a pointer was returned, from which it may come. False, and
 * nothing in text, for other addresses. */
bool sheaf_address_describe_null(const void *address, char *text, size_t size);

/* " flag" or " flag+8" for a static variable that the program's symbols know, else "". For one thread at a
 * time; the program's file is read once for each of the last few variables. */
void sheaf_address_name(const void *address, char *text, size_t size);

/* What is wrong with so many bytes that begin in a block of the heap and do not end in it: "end 8 bytes
 * past their block: they begin at byte 56 of one of 64 bytes ...". False where they begin in none. */
bool sheaf_address_describe_overrun(const void *address, size_t bytes, char *text, size_t size);

/* Names a place of the program's code, "heat.c:40". Returns whether it is known. */
typedef bool sheaf_address_place(uintptr_t address, char *text, size_t size);
void sheaf_address_set_place(sheaf_address_place *place);

/* From now on descriptions are made without places of code and members of variables, for which programs and
 * libraries are asked: for a fault handler. */
void sheaf_address_be_brief(void);

/* Appends to text, which has room for size bytes. */
void sheaf_address_add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for the place of a call, between two phrases; nothing where it is not known. returns: the
 * address that the call returns to. */
void sheaf_address_add_call(char *text, size_t size, const char *before, uint64_t returns,
                            const char *after);

/* Whether anything that can be read is mapped there. */
bool sheaf_address_is_mapped(const void *address);

#endif
