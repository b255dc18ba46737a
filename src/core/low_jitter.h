/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHEAF_LOW_JITTER=on: what keeps the operating system from stopping a PE between two of its calls. Memory
 * is locked, and touched before the program uses it; the thread that initializes has real-time priority and
 * sleeps exactly. init.c starts it, allocation.c tells it of new blocks. oshrun's part, isolated processors
 * and no preemption, is in tools/oshrun/hosts.
 */
#ifndef SHEAF_CORE_LOW_JITTER_H
#define SHEAF_CORE_LOW_JITTER_H

#include <stddef.h>

/* By the thread that initializes, once this PE's memory and the near PEs' is mapped. What this process is
 * not allowed PE 0 tells in one line. */
void sheaf_low_jitter_start(void);

/* A block of the heap that all PEs of the node have from now on: its pages here and on the near PEs are
 * mapped, so that neither's first access stops. Returns at once without the setting. */
void sheaf_low_jitter_touch(void *block, size_t size);

#endif
