/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See callee.h.
 */
#include "callee.h"

void callee_store(long *target, long value, int pe)
{
    (void)pe;
    __atomic_store_n(target, value, __ATOMIC_RELAXED);
}

long callee_load(const long *source, int pe)
{
    (void)pe;
    return __atomic_load_n(source, __ATOMIC_RELAXED);
}

void callee_order(void)
{
    long word = 0;
    __atomic_fetch_add(&word, 0, __ATOMIC_SEQ_CST);
    __asm__ volatile("" : : "r"(&word) : "memory");
}

long callee_fetch_add(long *target, long value, int pe)
{
    (void)pe;
    return __atomic_fetch_add(target, value, __ATOMIC_SEQ_CST);
}
