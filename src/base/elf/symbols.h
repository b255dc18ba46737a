/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program's variables, by the symbol table of its file. A fault handler may ask: nothing is allocated
 * but by sheaf_symbols_sort().
 */
#ifndef SHEAF_BASE_ELF_SYMBOLS_H
#define SHEAF_BASE_ELF_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sheaf_symbol {
    uintptr_t start;
    size_t size;
    char name[120]; /* as the linker knows it */
};

/* The variable that holds address, or else the last one before it; false where there is none, and where the
 * program has no symbols. */
bool sheaf_symbols_find(uintptr_t address, struct sheaf_symbol *symbol);

/* For who asks often: the same, without a name, in some 20 steps. Nothing is found before
 * sheaf_symbols_sort(). */
bool sheaf_symbols_find_range(uintptr_t address, uintptr_t *start, size_t *size);
void sheaf_symbols_sort(void);

/* What is added to an address in the program's file to have it in this process. */
uintptr_t sheaf_symbols_bias(void);

#endif
