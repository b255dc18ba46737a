/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When a call touches memory that is not there: one line that says which call, which PE, which
 * address and what that is; then the fault takes its course. Costs nothing until it happens.
 */
#ifndef SHEAF_CORE_FAULT_H
#define SHEAF_CORE_FAULT_H

void sheaf_fault_watch(void);

#endif
