/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The procedures of PRIF, the Parallel Runtime Interface for Fortran, revision 0.8. The module prif
 * (print-module) gives them Fortran interfaces with BIND(C): arguments are addresses, absent ones
 * NULL. flang 22 calls some of them itself, with -fcoarray, as procedures of a module that is not
 * BIND(C): they have a second name here.
 */
#ifndef SHEAF_COARRAY_PRIF_H
#define SHEAF_COARRAY_PRIF_H

#include "../coarray.h"
#include "descriptor.h"

#define PRIF_PUBLIC      __attribute__((visibility("default"))) void
#define PRIF(NAME)       PRIF_PUBLIC prif_##NAME
#define PRIF_FLANG(NAME) PRIF_PUBLIC _QMprifPprif_##NAME

/* The last arguments of most procedures: STAT=, and ERRMSG= in one of two forms. */
#define PRIF_REPLY int *stat, struct prif_array *errmsg, struct prif_array *errmsg_alloc

/* In a procedure with these: outcome, which is answered where its block ends. */
#define PRIF_OUTCOME(NAME)                                                                         \
    __attribute__((cleanup(sheaf_prif_answer))) struct prif_reply reply;                           \
    const struct sheaf_outcome *outcome = sheaf_prif_ask(&reply, NAME, stat, errmsg, errmsg_alloc)
#define PRIF_STATEMENT(NAME)                                                                       \
    SHEAF_STATEMENT(NAME);                                                                         \
    PRIF_OUTCOME(NAME)

/* A body for both names: inlined, so that each has the place of the program's call. flang 22 passes
 * a copy of an allocatable's descriptor: one that is not allocated stays so. */
#define PRIF_BODY static inline __attribute__((always_inline)) void
#define PRIF_OF_FLANG                                                                              \
    errmsg = errmsg ? errmsg : errmsg_alloc && errmsg_alloc->base ? errmsg_alloc : NULL;           \
    errmsg_alloc = NULL
#define PRIF_BOTH(NAME, PARAMETERS, ARGUMENTS)                                                     \
    PRIF(NAME) PARAMETERS                                                                          \
    {                                                                                              \
        NAME ARGUMENTS;                                                                            \
    }                                                                                              \
    PRIF_FLANG(NAME) PARAMETERS                                                                    \
    {                                                                                              \
        PRIF_OF_FLANG;                                                                             \
        NAME ARGUMENTS;                                                                            \
    }

/* The target of a handle: a coarray, or an alias of one with other cobounds. */
struct prif_coarray {
    struct sheaf_coarray *whole;
    struct prif_coarray *original; /* of an alias; else itself */
    char *data;                    /* of this image; within whole->memory */
    size_t size;                   /* bytes asked for */
    void *context;                 /* the original's counts */
    void (*cleanup)(struct prif_coarray *handle);
    char *near;     /* data of near_image, mapped here: the last one that was read or written; NULL: none */
    int near_image; /* of the initial team */
    int corank;
    int64_t lower[SHEAF_RANK_MOST], counts[SHEAF_RANK_MOST]; /* the last count is any */
};

/* A PRIF_COARRAY_HANDLE is a structure of one address, which C passes as that address. */
typedef struct prif_coarray *const prif_handle;

/* NULL: refused with a line. */
struct prif_coarray *sheaf_prif_coarray(const char *statement, const struct prif_coarray *coarray);

/* bytes from an offset of a coarray on; PE of an image of the initial team; where memory that it
 * has at an address is for the library's calls. All refuse what cannot be. */
void *sheaf_prif_place(const char *statement, prif_handle *handle, const size_t *offset, size_t bytes);
int sheaf_prif_pe(const char *statement, const int *image);
void *sheaf_prif_reach(const char *statement, int pe, const intptr_t *address);

/* A PRIF_TEAM_TYPE, and flang's TEAM_TYPE, hold a number: 0 is none. NULL: the current team. */
struct sheaf_images *sheaf_prif_team(const char *statement, const int64_t *team);
/* The team of that number which was formed with the current one; -1: the initial one. Returns its
 * images. */
int sheaf_prif_images_of_number(const char *statement, int64_t number);

#endif
