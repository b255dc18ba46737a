/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions in a shared object of their own, called as a library is.
 */
#ifndef BENCH_CALLEE_H
#define BENCH_CALLEE_H

void callee_store(long *target, long value, int pe);
long callee_load(const long *source, int pe);
void callee_order(void);
long callee_fetch_add(long *target, long value, int pe);

#endif
