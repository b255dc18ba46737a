/* SPDX-License-Identifier: BSD-3-Clause
 * The library's own texts of PMI-1 and PMI-2. Their descriptor is imitated: start_daemon.c.
 */
#define sheaf_wire_is_there     library_wire_is_there
#define sheaf_wire_open         library_wire_open
#define sheaf_wire_watch        library_wire_watch
#define sheaf_wire_closed       library_wire_closed
#define sheaf_wire_lock         library_wire_lock
#define sheaf_wire_unlock       library_wire_unlock
#define sheaf_wire_send         library_wire_send
#define sheaf_wire_receive      library_wire_receive
#define sheaf_wire_receive_line library_wire_receive_line
#include "start.h"
#include <stdlib.h>
#define malloc(bytes) start_allocate(bytes, 1)
#define free(memory)  start_free(memory)
#include "boot/launcher/wire.c"
