/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The routes of programs that were compiled with shmemx_inline.h. Each program and each shared
 * object has one, in memory of its own, and registers it; the library writes them all when its
 * own route opens and closes. The printed header carries the text between the two markers.
 */
#ifndef SHEAF_CORE_ACCESS_INLINE_H
#define SHEAF_CORE_ACCESS_INLINE_H

#include "core/pe/public.h"

#include <stdbool.h>

/* begin public */
/* How near PEs are reached from here: remote = local + base + (pe - first) * stride. The library
 * writes it; count is 0 while calls must not take this way: before initialization, after
 * finalization, in a forked child, and where arguments are checked (SHEAF_CHECK, SHMEM_DEBUG). It
 * lies among the program's variables, which other PEs may write: hence cache lines of its own. */
struct sheaf_inline_route {
    uintptr_t base;
    uintptr_t stride;
    unsigned first; /* lowest near PE */
    unsigned count; /* near PEs from first on; 0 sends every call to the library */
    int pe;         /* the caller's number */
    int npes;
    uintptr_t heap; /* the two largest symmetric ranges, in local addresses: for shmem_ptr */
    uintptr_t heap_length;
    uintptr_t data;
    uintptr_t data_length;
} __attribute__((__aligned__(64)));

/* Changes with the structure and with what the inline forms do. */
#define SHEAF_INLINE_VERSION 1

/* Called by the constructor and the destructor that shmemx_inline.h puts into each object. A
 * version that the library does not know ends the program with a line that says so. */
void sheaf_inline_attach(struct sheaf_inline_route *route, unsigned version);
void sheaf_inline_detach(struct sheaf_inline_route *route);
/* end public */

/* From here on the attached routes, and those attached later, are as *route. */
void sheaf_inline_open(const struct sheaf_inline_route *route);

/* From here on they send every call to the library. */
void sheaf_inline_close(void);

/* Whether an object of this process has inline forms. */
bool sheaf_inline_is_used(void);

/* First of all in a forked child, where a thread that is gone may hold the lock. */
void sheaf_inline_forked(void);

#endif
