/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Long copies: whether they are the copier's, or way.c's.
 */
#include "core/access/copy/copier.h"
#include "core/access/copy/copy.h"
#include "core/memory/check.h"
#include "core/pe/call.h"

#include <stdint.h>

size_t sheaf_copy_nbi_from = SIZE_MAX;
size_t sheaf_copy_most[SHEAF_COPY_SIZES], sheaf_copy_nbi_most[SHEAF_COPY_SIZES];

static void set_most(size_t most[SHEAF_COPY_SIZES], size_t from)
{
    for (int shift = 0; shift < SHEAF_COPY_SIZES; shift++)
        most[shift] = (from < PTRDIFF_MAX ? from : PTRDIFF_MAX) >> shift;
}

void sheaf_copy_choose(void)
{
    sheaf_copy_nbi_from =
        sheaf_copy_long_from < sheaf_copier_from ? sheaf_copy_long_from : sheaf_copier_from;
    set_most(sheaf_copy_most, sheaf_copy_long_from);
    set_most(sheaf_copy_nbi_most, sheaf_copy_nbi_from);
}

static __attribute__((noinline)) void copy_long_nbi(void *dest, const void *source, size_t bytes)
{
    if (bytes >= sheaf_copier_from)
        sheaf_copier_copy(dest, source, bytes, NULL, NULL);
    else
        sheaf_copy_many(dest, source, bytes);
}

void sheaf_copy_many_nbi(void *dest, const void *source, size_t bytes)
{
    if (sheaf_unlikely(bytes >= sheaf_copy_nbi_from))
        copy_long_nbi(dest, source, bytes);
    else
        memcpy(dest, source, bytes);
}

void sheaf_copy_long(void *dest, const void *source, size_t bytes, bool nbi)
{
    sheaf_check_size(bytes, sheaf_call.name);
    (nbi ? sheaf_copy_many_nbi : sheaf_copy_many)(dest, source, bytes);
}
