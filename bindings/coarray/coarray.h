/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of coarrays: the same bytes on each image of a team. And of what a coarray's allocatable
 * components hold, which each image allocates for itself and the others reach by the address that
 * its owner has.
 */
#ifndef SHEAF_COARRAY_COARRAY_H
#define SHEAF_COARRAY_COARRAY_H

#include "image.h"
#include "outcome.h"

enum sheaf_coarray_kind { SHEAF_OF_DATA, SHEAF_OF_EVENTS, SHEAF_OF_LOCKS };

/* What compilers call a token. */
struct sheaf_coarray {
    _Alignas(64) struct sheaf_coarray *next; /* of the same team; of this image's components; unused */
    struct sheaf_images *owner; /* the team that allocated it; NULL: a component's memory */
    char *memory;               /* NULL: none yet */
    char *block;                /* the symmetric memory that it lies in; NULL: a component */
    size_t turn;                /* where in a page its memory begins, if it is large */
    size_t bytes;
    enum sheaf_coarray_kind kind;
    void *descriptor; /* the compiler's, of an array; PRIF's record */
    char **base; /* the program's pointer to memory, of an allocatable coarray; or NULL */
    void *token; /* where the program has the token; or NULL */
    size_t text; /* length of its elements that are characters, or 0 */
    bool is_used;  /* as a record */
    bool is_array; /* a static one */
    bool is_here; /* the arguments of an access, as if a coarray; without memory: on another host */
    bool is_view; /* memory is a part of another one's */
    bool may_point;  /* elements may have pointers, which lead to memory of their image */
    uint64_t number; /* of the team's allocations */
};

/* All records, unused ones too, in one range of addresses: what a compiler passes may be no token. */
extern struct sheaf_records {
    char *first;
    size_t bytes;
} sheaf_records;
static inline bool sheaf_coarray_is_record(const struct sheaf_coarray *token)
{
    uintptr_t at = (uintptr_t)token - (uintptr_t)sheaf_records.first;
    return at < sheaf_records.bytes && at % sizeof *token == 0;
}
/* The token itself, or NULL where it is none that this library has given and not taken back. */
static inline struct sheaf_coarray *sheaf_coarray_of(void *token)
{
    struct sheaf_coarray *coarray = token;
    return sheaf_coarray_is_record(coarray) && coarray->is_used ? coarray : NULL;
}

/* Collective over the current team, with SYNC ALL at its end; zeroed where asked. NULL where there
 * is no memory: outcome has it. */
struct sheaf_coarray *sheaf_coarray_new(const struct sheaf_outcome *outcome, size_t bytes,
                                        bool zeroed);
/* Collective over the team that allocated it, with SYNC ALL before. */
void sheaf_coarray_free(const struct sheaf_outcome *outcome, struct sheaf_coarray *coarray);
/* END TEAM: the team's coarrays are not allocated any more. */
void sheaf_coarray_free_all(struct sheaf_images *team);

/* The coarray that this image has at an address, or NULL. */
struct sheaf_coarray *sheaf_coarray_at(const void *address);

/* Collective over all images, at the start. */
void sheaf_component_begin(void);
/* A component: not collective. These six may be called by any thread. */
struct sheaf_coarray *sheaf_component_new(const struct sheaf_outcome *outcome);
bool sheaf_component_allocate(const struct sheaf_outcome *outcome, struct sheaf_coarray *component,
                              size_t bytes);
struct sheaf_coarray *sheaf_component_at(const void *memory); /* its first byte; NULL: none */
bool sheaf_component_holds(const void *address);              /* whether any has this byte */
void sheaf_component_release(struct sheaf_coarray *component); /* its memory; it stays */
void sheaf_component_free(struct sheaf_coarray *component);

/* Where memory that PE pe has at this address of its own lies for the routines that reach it; NULL:
 * none that others can reach. */
char *sheaf_component_reach(void *address, int pe);

#endif
