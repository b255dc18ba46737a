/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an address of this process is, in words, for messages: "on the stack", "12 bytes past the
 * end of a block of 64 bytes of the symmetric heap".
 */
#ifndef SHEAF_CORE_MEMORY_ADDRESS_TEXT_H
#define SHEAF_CORE_MEMORY_ADDRESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

void sheaf_address_describe(const void *address, char *text, size_t size);

/* Whether anything is mapped there. */
bool sheaf_address_is_mapped(const void *address);

#endif
