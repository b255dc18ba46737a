/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atoms in a cube, and their functions: Gaussians of s type, the same ones on each atom, whose
 * integrals have a closed form. Each process has all of it; it knows no others.
 */
#ifndef INTEGRALS_H
#define INTEGRALS_H

/* A product of two functions, which is one Gaussian. */
struct product {
    double exponent, centre[3];
    double factor, overlap;
};

struct basis {
    long atoms, size; /* size: functions of each atom */
    struct product *products;
    double *bounds; /* of pairs of atoms: no integral of two is above their product */
};

/* 0, or 1 without memory. */
int basis_create(struct basis *basis, long atoms, long size);
void basis_destroy(struct basis *basis);

/* The products of two atoms' functions, first's function i with second's j at i x size + j. */
const struct product *basis_products(const struct basis *basis, long first, long second);

/* The repulsion between two products' charges: (ij|kl). */
double basis_integral(const struct product *ij, const struct product *kl);

/* Of two atoms: their pair's bound. */
double basis_bound(const struct basis *basis, long first, long second);

#endif
