/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops that read until something changes: while (shmem_g(&flag, me) == old). Where PEs outnumber their
 * processors such a loop keeps from running whom it waits for, so reads of single words are counted there
 * and the loop yields. Elsewhere nothing is counted: calls find out by comparisons that they make anyway.
 */
#ifndef SHEAF_CORE_PE_POLL_H
#define SHEAF_CORE_PE_POLL_H

#include "base/atomic.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether reads are counted: sheaf_route then has no near PE for them, and no test. Written at init
 * alone. */
extern SHEAF_HIDDEN bool sheaf_poll_counts;

void sheaf_poll_init(bool crowded);

/* Reads until the next one that is looked at. */
extern __thread uint32_t sheaf_poll_left __attribute__((tls_model("initial-exec")));

/* Looks at one of the reads: a call has read value at object. Yields where the last looks found nothing new
 * and came in quick succession. Returns value. */
uint64_t sheaf_poll_look(const void *object, uint64_t value);

/* Counts a read; returns value. */
static inline uint64_t sheaf_poll_seen(const void *object, uint64_t value)
{
    if (sheaf_likely(sheaf_poll_left-- != 0))
        return value;
    return sheaf_poll_look(object, value);
}

#endif
