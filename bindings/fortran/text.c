/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts as Fortran and C have them.
 */
#include "descriptor.h"

#include <string.h>

void sheaf_take_text(const struct sheaf_fortran_call *fortran, const char *argument,
                     const CFI_cdesc_t *from, char *to)
{
    const char *text = from->base_addr;
    size_t length = from->elem_len;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (length >= SHEAF_TEXT) {
        sheaf_refuse(fortran->name, "%s has %zu characters: expected %d at most", argument, length,
                     SHEAF_TEXT - 1);
        length = SHEAF_TEXT - 1;
    }
    memcpy(to, text, length);
    to[length] = '\0';
}
