/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With SHEAF_CHECK=memory: whether a byte of this PE's heap has been written that nobody may write.
 */
#ifndef SHEAF_CORE_MEMORY_GUARD_CHECK_H
#define SHEAF_CORE_MEMORY_GUARD_CHECK_H

/* Ends the program with a line that names call and block where there is one. Looks at every block. */
void sheaf_guard_check(const char *call);

#endif
