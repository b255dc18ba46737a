/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The external heap: memory that another runtime hands in before the symmetric heap is made, an
 * accelerator's as a rule. This PE's processor may be unable to touch it and no other PE has it mapped, so
 * nothing here copies from it or to it: a call that would is refused by name. Known from
 * shmemx_heap_create to the last finalization.
 */
#ifndef SHEAF_CORE_MEMORY_EXTERNAL_H
#define SHEAF_CORE_MEMORY_EXTERNAL_H

#include "base/atomic.h"
#include "base/segment.h"

#include <stdbool.h>
#include <stddef.h>

/* length is 0 where there is none. Written between shmemx_heap_preinit and shmemx_heap_postinit, and at
 * finalize. */
extern struct sheaf_segment sheaf_external_heap;

/* Takes the memory over; what is wrong with an argument ends the program with a line that says so. */
void sheaf_external_create(void *base, size_t size, int device_type, int device_index, const char *call);
void sheaf_external_forget(void);

/* "in the external heap (Level Zero device 0), which ..." */
void sheaf_external_describe(char *text, size_t size);

_Noreturn void sheaf_external_refuse_now(const void *address, const char *call);

/* Ends the program with a line that names call and address where any byte of the range lies in it. */
static inline void sheaf_external_refuse(const void *address, size_t bytes, const char *call)
{
    const struct sheaf_segment *external = &sheaf_external_heap;
    if (sheaf_unlikely(external->length) && bytes != 0 &&
        ((uintptr_t)address - (uintptr_t)external->start < external->length ||
         (uintptr_t)external->start - (uintptr_t)address < bytes))
        sheaf_external_refuse_now(address, call);
}

#endif
