/* SPDX-License-Identifier: BSD-3-Clause
 *
 * (ij|kl) = (ji|kl) = (ij|lk) = (kl|ij): of atoms I >= J, K >= L and pairs IJ >= KL each integral
 * is computed once. It weighs as much as it has different permutations, and belongs to six blocks,
 * of which those of IJ are kept through a whole task, those of IK and JK while L runs.
 */
#include "build.h"

#include "distributed.h"

#include <stdlib.h>
#include <string.h>

enum { IJ, IK, JK, KL, IL, JL, PAIRS };

int build_create(struct build *build, const struct basis *basis, double least)
{
    const size_t elements = (size_t)(basis->size * basis->size);
    *build = (struct build){.basis = basis, .least = least};
    build->memory = calloc((2 * PAIRS + 1) * elements, sizeof *build->memory);
    if (build->memory == NULL)
        return 1;
    for (int pair = 0; pair < PAIRS; pair++) {
        build->density[pair] = build->memory + (size_t)(2 * pair) * elements;
        build->fock[pair] = build->memory + (size_t)(2 * pair + 1) * elements;
    }
    build->transposed = build->memory + 2 * PAIRS * elements;
    return 0;
}

void build_destroy(struct build *build)
{
    free(build->memory);
}

static void transpose(double *to, const double *from, long size)
{
    for (long i = 0; i < size; i++)
        for (long j = 0; j < size; j++)
            to[j * size + i] = from[i * size + j];
}

/* Of two atoms, in any order: brings their block of the density, and clears what is to be added
 * to that of the Fock matrix. */
static void open_pair(struct build *build, int pair, long first, long second)
{
    const long size = build->basis->size;
    if (first >= second) {
        distributed_get(build_block(first, second), build->density[pair]);
    } else {
        distributed_get(build_block(second, first), build->transposed);
        transpose(build->density[pair], build->transposed, size);
    }
    memset(build->fock[pair], 0, (size_t)(size * size) * sizeof(double));
    build->gets++;
}

static void close_pair(struct build *build, int pair, long first, long second)
{
    if (first >= second) {
        distributed_add(build_block(first, second), build->fock[pair]);
    } else {
        transpose(build->transposed, build->fock[pair], build->basis->size);
        distributed_add(build_block(second, first), build->transposed);
    }
    build->adds++;
}

/* One integral of functions i, j, k, l of their atoms, where it belongs. */
static inline void spread(struct build *build, double integral, long i, long j, long k, long l)
{
    double **density = build->density, **fock = build->fock;
    const long size = build->basis->size;
    const long ij = i * size + j, ik = i * size + k, jk = j * size + k;
    const long kl = k * size + l, il = i * size + l, jl = j * size + l;
    fock[IJ][ij] += integral * density[KL][kl];
    fock[KL][kl] += integral * density[IJ][ij];
    fock[IK][ik] -= integral / 4 * density[JL][jl];
    fock[JL][jl] -= integral / 4 * density[IK][ik];
    fock[IL][il] -= integral / 4 * density[JK][jk];
    fock[JK][jk] -= integral / 4 * density[IL][il];
}

/* All integrals of four atoms, each weighing as much. */
static void compute(struct build *build, const struct product *ij, const struct product *kl,
                    double weight)
{
    const long size = build->basis->size;
    for (long i = 0; i < size; i++)
        for (long j = 0; j < size; j++)
            for (long k = 0; k < size; k++)
                for (long l = 0; l < size; l++)
                    spread(build, weight * basis_integral(&ij[i * size + j], &kl[k * size + l]), i, j, k,
                           l);
    build->integrals += size * size * size * size;
}

static void add_third(struct build *build, long i, long j, long k)
{
    const struct basis *basis = build->basis;
    const double least = build->least / basis_bound(basis, i, j);
    const long last = k == i ? j : k;
    open_pair(build, IK, i, k);
    open_pair(build, JK, j, k);
    for (long l = 0; l <= last; l++) {
        if (basis_bound(basis, k, l) < least)
            continue;
        const double weight = (i == j ? 0.25 : 0.5) * (k == l ? 1 : 2) * (i == k && j == l ? 1 : 2);
        open_pair(build, KL, k, l);
        open_pair(build, IL, i, l);
        open_pair(build, JL, j, l);
        compute(build, basis_products(basis, i, j), basis_products(basis, k, l), weight);
        close_pair(build, KL, k, l);
        close_pair(build, IL, i, l);
        close_pair(build, JL, j, l);
    }
    close_pair(build, IK, i, k);
    close_pair(build, JK, j, k);
}

void build_add(struct build *build)
{
    const struct basis *basis = build->basis;
    const long pairs = basis->atoms * (basis->atoms + 1) / 2;
    build->integrals = build->gets = build->adds = 0;
    for (long drawn; (drawn = distributed_draw()) < pairs;) {
        long i = basis->atoms - 1, j = pairs - 1 - drawn; /* the longest tasks first */
        while (build_block(i, 0) > j)
            i--;
        j -= build_block(i, 0);
        open_pair(build, IJ, i, j);
        for (long k = 0; k <= i; k++)
            add_third(build, i, j, k);
        close_pair(build, IJ, i, j);
    }
}

void build_finish(const struct basis *basis, double *block)
{
    const long size = basis->size;
    for (long i = 0; i < size; i++)
        for (long j = 0; j <= i; j++)
            block[i * size + j] = block[j * size + i] = block[i * size + j] + block[j * size + i];
}

double build_guess(const struct product *product)
{
    return product->overlap / 2;
}
