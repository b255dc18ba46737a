/* SPDX-License-Identifier: BSD-3-Clause
 * The library's own map of a job, and its lists of nodes. What a PE says of itself is imitated: start.c.
 */
#include "start.h"

#include <stdlib.h>

#define malloc(bytes)                start_allocate(bytes, 1)
#define calloc(count, bytes)         start_allocate(count, bytes)
#define realloc(memory, bytes)       start_reallocate(memory, bytes)
#define free(memory)                 start_free(memory)
#define sheaf_pe_record_fill         library_pe_record_fill
#define sheaf_pe_record_is_apart     library_pe_record_is_apart
#define sheaf_pe_record_open_folder  library_pe_record_open_folder
#define SHEAF_VERSION                "model"
#include "boot/world/node_list.c"
#include "boot/world/pe_record.c"
