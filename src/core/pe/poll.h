/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops that read until a value changes: while (shmem_g(&flag, me) == old). Where PEs outnumber their
 * processors, such a loop occupies the processor that the awaited PE needs. So reads of single words are
 * counted there, and the loop yields. On other nodes nothing is counted: no call has a comparison more.
 */
#ifndef SHEAF_CORE_PE_POLL_H
#define SHEAF_CORE_PE_POLL_H

#include "base/atomic.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether reads are counted. If so, sheaf_route has no near PE for reads, and no fast tests. Written at
 * init alone. */
extern SHEAF_HIDDEN bool sheaf_poll_counts;

void sheaf_poll_init(bool crowded);

/* The reads that are still skipped before the next look. */
extern __thread uint32_t sheaf_poll_left __attribute__((tls_model("initial-exec")));

/* A look: the call has read value at object. Yields where the last looks found no new value and
 * followed each other quickly. Returns value. */
uint64_t sheaf_poll_look(const void *object, uint64_t value);

/* Counts a read; returns value. */
static inline uint64_t sheaf_poll_seen(const void *object, uint64_t value)
{
    if (sheaf_likely(sheaf_poll_left-- != 0))
        return value;
    return sheaf_poll_look(object, value);
}

#endif
