/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The external heap: memory that another runtime passes in before the symmetric heap is made, as a rule an
 * accelerator's. This PE's processor may be unable to access it, and no other PE has it mapped. So Sheaf
 * does not copy from it or to it, and refuses a call that would. It exists from shmemx_heap_create to the
 * last finalization.
 */
#ifndef SHEAF_CORE_MEMORY_EXTERNAL_H
#define SHEAF_CORE_MEMORY_EXTERNAL_H

#include "base/segment.h"

#include <stdbool.h>
#include <stddef.h>

/* length is 0 where there is none. Written between shmemx_heap_preinit and shmemx_heap_postinit, and at
 * finalize. */
extern struct sheaf_segment sheaf_external_heap;

/* Takes the memory over. A wrong argument ends the program with a line about it. */
void sheaf_external_create(void *base, size_t size, int device_type, int device_index, const char *call);
void sheaf_external_forget(void);

/* "in the external heap of 65536 bytes (Level Zero device 0)" */
void sheaf_external_describe(char *text, size_t size);

#endif
