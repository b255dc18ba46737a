/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The pages of a piece that exist, found without touching any: where nothing has been written nothing is
 * read, so that a static array of 100 GB costs nothing.
 */
#ifndef SHEAF_SNAPSHOT_PAGES_H
#define SHEAF_SNAPSHOT_PAGES_H

#include "snapshot/piece.h"

/* Calls use for each run of whole pages that exist, at most most bytes at a time. 0, or the first other
 * result of use; -1 and errno where the system does not tell. */
typedef int sheaf_pages_use(void *context, const struct sheaf_piece *piece, size_t at, size_t length);
int sheaf_pages_each(const struct sheaf_piece *piece, size_t most, sheaf_pages_use *use, void *context);

#endif
