/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the modules have in another form than C.
 */
#include "descriptor.h"

#include <string.h>

/* A copy of text, with blanks behind it as Fortran's texts have them. */
static void copy_text(char *to, size_t length, const char *text)
{
    size_t used = strlen(text);
    if (used > length)
        used = length;
    memcpy(to, text, used);
    memset(to + used, ' ', length - used);
}

void sheaf_fortran_info_get_name(const CFI_cdesc_t *name)
{
    char text[SHMEM_MAX_NAME_LEN];
    shmem_info_get_name(text);
    copy_text(name->base_addr, name->elem_len, text);
}

/* Of the older interface: a text's length comes last. */
void shmem_info_get_name_(char *name, size_t length)
{
    char text[SHMEM_MAX_NAME_LEN];
    shmem_info_get_name(text);
    copy_text(name, length, text);
}

void sheaf_fortran_pcontrol(int level)
{
    shmem_pcontrol(level);
}

bool sheaf_fortran_same(shmem_team_t a, shmem_team_t b)
{
    return a == b;
}

bool sheaf_fortran_differ(shmem_team_t a, shmem_team_t b)
{
    return a != b;
}

bool sheaf_fortran_same_ctx(shmem_ctx_t a, shmem_ctx_t b)
{
    return a == b;
}

bool sheaf_fortran_differ_ctx(shmem_ctx_t a, shmem_ctx_t b)
{
    return a != b;
}
