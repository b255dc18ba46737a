/* SPDX-License-Identifier: BSD-3-Clause
 *
 * to += alpha * from for floating-point numbers, by the widest vector instructions that the processor has.
 * All widths round as the others do. accumulate.c calls it, with the lock of the target.
 */
#ifndef SHEAF_CORE_ACCESS_VECTOR_ADD_H
#define SHEAF_CORE_ACCESS_VECTOR_ADD_H

#include "engine/engine.h"

#include <stddef.h>

/* number: SHEAF_FLOAT to SHEAF_COMPLEXD. to is aligned as the type asks, from and alpha in any way. bytes:
 * whole numbers. */
void sheaf_vector_add(enum sheaf_number number, void *to, const void *from, const void *alpha,
                      size_t bytes);

#endif
