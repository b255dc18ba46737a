/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The PEs of a node as one value for the launcher: the record of the lowest of them, in which all others
 * are alike, and their numbers in runs. So a PE that reads who is where needs a value of each node, not
 * of each PE.
 */
#ifndef SHEAF_BOOT_WORLD_NODE_LIST_H
#define SHEAF_BOOT_WORLD_NODE_LIST_H

#include "boot/world/pe_record.h"

/* Whether two PEs' records are the same in what a job's map is made of: they share memory, and one record
 * serves for both. */
bool sheaf_pe_records_are_alike(const struct sheaf_pe_record *one, const struct sheaf_pe_record *other);

/* The value, malloc'ed; pes ascend, and the first is the record's. With count 0 it says that there is
 * no list: the PEs are not alike. NULL without memory. */
void *sheaf_node_list_make(const struct sheaf_pe_record *record, const int *pes, int count, size_t *bytes);

/* Reads a value that PE leader has put: writes owner into owners[] of each PE of the list, which has
 * npes entries, -1 where the PE is in no list yet. False where it is no list, or names a PE that
 * cannot be in it; owners may then have some of the entries. */
bool sheaf_node_list_read(const void *value, size_t bytes, int leader, int npes, int owner, int *owners,
                          struct sheaf_pe_record *record);

#endif
