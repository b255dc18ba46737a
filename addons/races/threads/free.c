/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory that goes from one thread to another through malloc: the next owner of a block begins anew.
 */
#include "races/internal.h"

#include <malloc.h>
#include <stdlib.h>

extern void __libc_free(void *block) __attribute__((weak));
static void (*real_free)(void *);

RACES_PUBLIC void free(void *block)
{
    if (races_unlikely(races.watches_private) && block)
        races_forget_private((uintptr_t)block, malloc_usable_size(block));
    if (real_free)
        real_free(block);
    else if (__libc_free)
        __libc_free(block);
}

void races_free_prepare(void)
{
    real_free = (void (*)(void *))races_next_of("free");
}
