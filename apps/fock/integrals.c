/* SPDX-License-Identifier: BSD-3-Clause */
#include "integrals.h"

#include <math.h>
#include <stdlib.h>

#define SPACING    2.8 /* between neighbours, in units of Bohr's radius */
#define DIFFUSEST  0.15
#define PROGRESSION 3.0 /* from one exponent to the next */

static const double pi = 3.14159265358979323846;

static void place(double at[3], long atom, long side)
{
    at[0] = SPACING * (double)(atom % side);
    at[1] = SPACING * (double)(atom / side % side);
    at[2] = SPACING * (double)(atom / side / side);
}

static struct product multiply(const double a_at[3], double a, const double b_at[3], double b)
{
    struct product product = {.exponent = a + b};
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        square += (a_at[axis] - b_at[axis]) * (a_at[axis] - b_at[axis]);
        product.centre[axis] = (a * a_at[axis] + b * b_at[axis]) / (a + b);
    }
    const double size = pow(4 * a * b / (pi * pi), 0.75) * exp(-a * b / (a + b) * square);
    product.factor = size * sqrt(2) * pow(pi, 1.25) / (a + b);
    product.overlap = size * pow(pi / (a + b), 1.5);
    return product;
}

double basis_integral(const struct product *ij, const struct product *kl)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++)
        square += (ij->centre[axis] - kl->centre[axis]) * (ij->centre[axis] - kl->centre[axis]);
    const double sum = ij->exponent + kl->exponent;
    const double x = sqrt(ij->exponent * kl->exponent / sum * square);
    const double boys = x < 1e-6 ? 1 - x * x / 3 : sqrt(pi) / 2 * erf(x) / x;
    return ij->factor * kl->factor / sqrt(sum) * boys;
}

static struct product *products_of(const struct basis *basis, long first, long second)
{
    return basis->products + (first * basis->atoms + second) * basis->size * basis->size;
}

const struct product *basis_products(const struct basis *basis, long first, long second)
{
    return products_of(basis, first, second);
}

double basis_bound(const struct basis *basis, long first, long second)
{
    return basis->bounds[first * basis->atoms + second];
}

/* Of one pair of atoms: the products, and Schwarz's bound. */
static void fill(struct basis *basis, long first, long second, long side)
{
    struct product *products = products_of(basis, first, second);
    double first_at[3], second_at[3], most = 0;
    place(first_at, first, side);
    place(second_at, second, side);
    for (long i = 0; i < basis->size; i++)
        for (long j = 0; j < basis->size; j++) {
            struct product *product = &products[i * basis->size + j];
            *product = multiply(first_at, DIFFUSEST * pow(PROGRESSION, (double)i), second_at,
                                DIFFUSEST * pow(PROGRESSION, (double)j));
            most = fmax(most, basis_integral(product, product));
        }
    basis->bounds[first * basis->atoms + second] = sqrt(most);
}

int basis_create(struct basis *basis, long atoms, long size)
{
    const size_t pairs = (size_t)(atoms * atoms);
    *basis = (struct basis){.atoms = atoms, .size = size};
    basis->products = calloc(pairs * (size_t)(size * size), sizeof *basis->products);
    basis->bounds = calloc(pairs, sizeof *basis->bounds);
    if (basis->products == NULL || basis->bounds == NULL)
        return 1;
    const long side = (long)ceil(cbrt((double)atoms) - 1e-9);
    for (long first = 0; first < atoms; first++)
        for (long second = 0; second < atoms; second++)
            fill(basis, first, second, side);
    return 0;
}

void basis_destroy(struct basis *basis)
{
    free(basis->products);
    free(basis->bounds);
}
