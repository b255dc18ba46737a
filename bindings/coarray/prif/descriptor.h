/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The arguments of PRIF's procedures that C has no type for: arrays and characters by descriptor, as
 * ISO_Fortran_binding.h of gfortran and of flang have them, and STAT= with ERRMSG=.
 */
#ifndef SHEAF_COARRAY_PRIF_DESCRIPTOR_H
#define SHEAF_COARRAY_PRIF_DESCRIPTOR_H

#include "../section.h"

/* Both compilers' descriptors differ in three bytes, and tell it by version. */
struct prif_array {
    char *base;
    size_t length; /* of an element, in bytes */
    int version;   /* 1: gfortran */
    unsigned char rank;
    unsigned char kinds[3]; /* gfortran: attribute, type in 2 bytes. flang: type, attribute, flags */
    struct {
        ptrdiff_t lower, count, step; /* step: bytes */
    } dimensions[SHEAF_RANK_MOST];
};

/* The section that a descriptor stands for. */
void sheaf_prif_section(const char *statement, const struct prif_array *array,
                        struct sheaf_section *section);

/* An array of rank 1: how many integers it has, which must be of size bytes each, and one of them. */
size_t sheaf_prif_count(const char *statement, const struct prif_array *array, size_t size);
static inline void *sheaf_prif_at(const struct prif_array *array, size_t i)
{
    return array->base + (ptrdiff_t)i * array->dimensions[0].step;
}

/* Gives an allocatable that is not allocated memory that Fortran can deallocate. */
void sheaf_prif_allocate(const char *statement, struct prif_array *array, size_t bytes);

/* STAT= in PRIF's numbers, which are flang's in ISO_FORTRAN_ENV, and ERRMSG=: a variable or an
 * allocatable. All may be NULL. */
struct prif_reply {
    struct sheaf_outcome outcome; /* for the core */
    int status;
    char text[256];
    int *stat;
    struct prif_array *message, *allocatable;
};

enum {
    PRIF_STAT_FAILED_IMAGE = 101,
    PRIF_STAT_LOCKED,
    PRIF_STAT_LOCKED_OTHER_IMAGE,
    PRIF_STAT_STOPPED_IMAGE,
    PRIF_STAT_UNLOCKED,
    PRIF_STAT_OUT_OF_MEMORY = 301,
    PRIF_STAT_ALREADY_INIT
};

const struct sheaf_outcome *sheaf_prif_ask(struct prif_reply *reply, const char *statement,
                                           int *stat, struct prif_array *message,
                                           struct prif_array *allocatable);
void sheaf_prif_answer(struct prif_reply *reply);
int sheaf_prif_stat(int status); /* of a number of the core */

#endif
