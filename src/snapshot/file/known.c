/* SPDX-License-Identifier: BSD-3-Clause
 * See known.h.
 */
#include "snapshot/file/known.h"

#include <stdlib.h>
#include <sys/mman.h>

static size_t bytes_of(const struct sheaf_known_piece *piece)
{
    return piece->pages * sizeof *piece->hashes;
}

struct sheaf_known_piece *sheaf_known_add(struct sheaf_known *known, const struct sheaf_piece *piece,
                                          size_t page)
{
    struct sheaf_known_piece one = {piece->segment, piece->offset, piece->length / page, 0, NULL};
    void *grown = reallocarray(known->pieces, (size_t)known->count + 1, sizeof one);
    if (!grown)
        return NULL;
    known->pieces = grown;
    one.hashes = mmap(NULL, bytes_of(&one), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (one.hashes == MAP_FAILED)
        return NULL;
    known->pieces[known->count] = one;
    return &known->pieces[known->count++];
}

const struct sheaf_known_piece *sheaf_known_find(const struct sheaf_known *known,
                                                 const struct sheaf_known_piece *like)
{
    for (int i = 0; i < known->count; i++)
        if (known->pieces[i].segment == like->segment && known->pieces[i].offset == like->offset &&
            known->pieces[i].pages == like->pages)
            return &known->pieces[i];
    return NULL;
}

void sheaf_known_drop(struct sheaf_known *known)
{
    for (int i = 0; i < known->count; i++)
        munmap(known->pieces[i].hashes, bytes_of(&known->pieces[i]));
    free(known->pieces);
    *known = (struct sheaf_known){0};
}
