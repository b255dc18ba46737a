/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What every application written to OpenSHMEM needs beyond plain.h and world.h: memory on all PEs, or a
 * verdict that all PEs share, so that none waits for another that has given up. Uses nothing but the public
 * interface.
 */
#ifndef APP_H
#define APP_H

#include "plain.h"

#include "openshmem.h"

/* Collective. PE 0's bytes (at most APP_SHARE_BYTES of them) replace everybody's. */
#define APP_SHARE_BYTES 256
void app_share(void *data, size_t bytes);

/* Collective. Zeroed symmetric memory of the same size on all PEs, at least one byte. NULL on
 * all PEs, and a message that says what it was for, when there is not enough. */
void *app_allocate(size_t count, size_t size, const char *what);

/* The same from a page's beginning on. */
#define APP_PAGE 4096
void *app_allocate_pages(size_t count, size_t size, const char *what);

#endif
