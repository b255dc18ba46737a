/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The public call that a fault happened in, found from the instruction, the stack and the code before
 * return addresses.
 */
#ifndef SHEAF_CORE_FAULT_CALL_H
#define SHEAF_CORE_FAULT_CALL_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* The public routine's name, or NULL for the program's own code. */
const char *sheaf_fault_call(const ucontext_t *context);

/* The address of the instruction that faulted. */
uintptr_t sheaf_fault_place(const ucontext_t *context);

/* The return addresses of the frames around that instruction, outward, as the unwinder finds them; none
 * is left over from an earlier call. They are stored in frames, which has room for most. Called in a
 * copy of the process (copy.h). */
int sheaf_fault_frames(uintptr_t place, void **frames, int most, void ***behind);

/* Whether the fault at that address certainly belongs to a call. *caller: the call's return address, where
 * the routine has ended in a jump to libc and so has no frame; else 0. Called in a copy of the process. */
bool sheaf_fault_is_in_call(uintptr_t place, uintptr_t *caller);

/* Whether the library is linked into the program's file: its code cannot be told from the program's. */
bool sheaf_fault_is_linked_in(void);

/* Whether address is code of the program, where the library is not linked into it. */
bool sheaf_fault_is_program(uintptr_t address);

#endif
