/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Explains a fault in a call: one line with the call, the PE, the address and what lies there. Then the
 * signal takes its usual effect. It costs nothing before a fault.
 */
#ifndef SHEAF_CORE_FAULT_H
#define SHEAF_CORE_FAULT_H

void sheaf_fault_watch(void);

#endif
