/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The Fock matrix's part of two electrons, F_ij = sum over k, l of D_kl ((ij|kl) - (ik|jl) / 2),
 * from a density D, both symmetric and distributed: of each pair of atoms i >= j one block, number
 * i (i + 1) / 2 + j.
 */
#ifndef BUILD_H
#define BUILD_H

#include "integrals.h"

struct build {
    const struct basis *basis;
    double least;                             /* integrals below it are left out */
    long integrals, gets, adds;               /* what this process did in the last build */
    double *density[6], *fock[6], *transposed; /* blocks, see build.c */
    double *memory;
};

/* 0, or 1 without memory. */
int build_create(struct build *build, const struct basis *basis, double least);
void build_destroy(struct build *build);

static inline long build_block(long first, long second)
{
    return first * (first + 1) / 2 + second;
}

/* Every process, between distributed_begin and distributed_settle: draws pairs of atoms until
 * there are none. */
void build_add(struct build *build);

/* Then, of the process's own blocks of one atom: adds their mirror image, of which nothing was
 * added. */
void build_finish(const struct basis *basis, double *block);

/* The density's element at first guess. */
double build_guess(const struct product *product);

#endif
