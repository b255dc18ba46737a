/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Descriptions of an address of this process, for messages: "on the stack", "field[3].x of grid, a static
 * variable of the program", "12 bytes past the end of a block of 64 bytes of the symmetric heap, allocated
 * at heat.c:40; the next block, of 16 bytes allocated at heat.c:41, begins 16 bytes behind it".
 */
#ifndef SHEAF_CORE_MEMORY_ADDRESS_TEXT_H
#define SHEAF_CORE_MEMORY_ADDRESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHEAF_ADDRESS_TEXT 640 /* room for the longest */
#define SHEAF_ADDRESS_NAME 64  /* the same for sheaf_address_name() */

void sheaf_address_describe(const void *address, char *text, size_t size);

/* Notes that a call could not allocate this many bytes and returns a null pointer to site. From now on
 * descriptions of null pointers name this call. For collective calls: one thread at a time. */
void sheaf_address_note_null(const char *call, size_t bytes, const void *site);

/* Describes an address near null. Returns whether a call has returned such a pointer, from which the
 * address may come. For other addresses returns false and leaves text empty. */
bool sheaf_address_describe_null(const void *address, char *text, size_t size);

/* Prints " flag" or " flag+8" for a static variable in the program's symbol table, else "". For one
 * thread at a time. The program's file is read once for each of the last few variables. */
void sheaf_address_name(const void *address, char *text, size_t size);

/* Describes a range that begins in a block of the heap and ends beyond it: "end 8 bytes past their
 * block: they begin at byte 56 of one of 64 bytes ...". False where the range begins in no block. */
bool sheaf_address_describe_overrun(const void *address, size_t bytes, char *text, size_t size);

/* Prints the source line of an address of code, "heat.c:40". Returns whether it is known. */
typedef bool sheaf_address_place(uintptr_t address, char *text, size_t size);
void sheaf_address_set_place(sheaf_address_place *place);

/* From now on descriptions have no source lines and no members of variables, which would need files of
 * programs and libraries: for a fault handler. */
void sheaf_address_be_brief(void);

/* Appends to text, which has room for size bytes. */
void sheaf_address_add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for the source line of a call, between two phrases; appends nothing where it is not known.
 * returns: the return address of the call. */
void sheaf_address_add_call(char *text, size_t size, const char *before, uint64_t returns,
                            const char *after);

/* Whether readable memory is mapped there. */
bool sheaf_address_is_mapped(const void *address);

#endif
