/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With SHEAF_CHECK=memory: the check for written bytes of this PE's heap that belong to no block.
 */
#ifndef SHEAF_CORE_MEMORY_GUARD_CHECK_H
#define SHEAF_CORE_MEMORY_GUARD_CHECK_H

/* Ends the program with a line that names the call and the block where it finds such bytes. At finalize
 * it checks every block, else some. */
void sheaf_guard_check(const char *call);

#endif
