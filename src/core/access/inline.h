/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The routes of programs that were compiled with shmemx_inline.h. Each program and each shared object has
 * one route, in its own memory, and registers it. The library writes all of them when its own route opens
 * and closes. The printed header contains the text between the two markers.
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

/* Writes *route to all attached routes, and to those attached later. */
void sheaf_inline_open(const struct sheaf_inline_route *route);

/* Makes all attached routes send every call to the library. */
void sheaf_inline_close(void);

/* Whether an object of this process has inline forms. */
bool sheaf_inline_is_used(void);

/* Called first of all in a forked child, where a thread that no longer exists may hold the lock. */
void sheaf_inline_forked(void);

#endif
