/* SPDX-License-Identifier: BSD-3-Clause
 * Copies of elements by strides: see coll_internal.h.
 */
#include "coll/coll_internal.h"

#define COPY_ELEMENTS(size)                                                                        \
    for (size_t i = 0; i < count; i++)                                                             \
    memcpy(to + (ptrdiff_t)i * to_stride, from + (ptrdiff_t)i * from_stride, (size))

/* There is a case for each size of the specification's types, so that the compiler copies by register. */
void sheaf_coll_copy_elements(char *to, ptrdiff_t to_stride, const char *from,
                              ptrdiff_t from_stride, size_t count, size_t element_bytes)
{
    if (to_stride == (ptrdiff_t)element_bytes && from_stride == to_stride) {
        sheaf_copy_part(to, from, count * element_bytes, count * element_bytes);
        return;
    }
    switch (element_bytes) {
    case 1:
        COPY_ELEMENTS(1);
        break;
    case 2:
        COPY_ELEMENTS(2);
        break;
    case 4:
        COPY_ELEMENTS(4);
        break;
    case 8:
        COPY_ELEMENTS(8);
        break;
    case 16:
        COPY_ELEMENTS(16);
        break;
    default:
        COPY_ELEMENTS(element_bytes);
    }
}
