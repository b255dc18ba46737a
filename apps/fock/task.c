/* SPDX-License-Identifier: BSD-3-Clause */
#include "task.h"

#include "plain.h"

#include "build.h"
#include "distributed.h"
#include "integrals.h"

#include <math.h>

#define LEAST     1e-11 /* integrals */
#define TOLERANCE 1e-7  /* of an element */

struct atoms {
    long first, second;
};

struct state {
    struct basis basis;
    struct build build;
    long blocks, mine; /* of the matrix, and this process's */
    long rounds, checked;
};

/* The atoms of this process's n-th block. */
static struct atoms own_block(long n)
{
    const long block = app_rank() + n * app_workers();
    struct atoms atoms = {0};
    while (build_block(atoms.first + 1, 0) <= block)
        atoms.first++;
    atoms.second = block - build_block(atoms.first, 0);
    return atoms;
}

static void guess_density(const struct state *state)
{
    const long elements = state->basis.size * state->basis.size;
    double *density = distributed_density();
    for (long n = 0; n < state->mine; n++) {
        const struct atoms of = own_block(n);
        for (long e = 0; e < elements; e++)
            density[n * elements + e] =
                build_guess(&basis_products(&state->basis, of.first, of.second)[e]);
    }
}

static void prepare(void *argument)
{
    (void)argument;
    distributed_begin();
}

static void work(void *argument)
{
    struct state *state = argument;
    const long elements = state->basis.size * state->basis.size;
    build_add(&state->build);
    distributed_settle();
    for (long n = 0; n < state->mine; n++) {
        const struct atoms of = own_block(n);
        if (of.first == of.second)
            build_finish(&state->basis, distributed_fock() + n * elements);
    }
}

/* Element e of a block from the definition: all its integrals, none left out. */
static double element(const struct basis *basis, struct atoms of, long e)
{
    const long size = basis->size, f = e / size, g = e % size;
    const struct product *fg = &basis_products(basis, of.first, of.second)[e];
    double sum = 0;
    for (long a = 0; a < basis->atoms; a++)
        for (long b = 0; b < basis->atoms; b++)
            for (long i = 0; i < size * size; i++) {
                const struct product *kl = &basis_products(basis, a, b)[i];
                const struct product *fk = &basis_products(basis, of.first, a)[f * size + i / size];
                const struct product *gl =
                    &basis_products(basis, of.second, b)[g * size + i % size];
                sum += build_guess(kl) * (basis_integral(fg, kl) - basis_integral(fk, gl) / 2);
            }
    return sum;
}

/* Collective. */
static int verify(const struct state *state)
{
    const long elements = state->mine * state->basis.size * state->basis.size;
    const long tried = state->checked < elements ? state->checked : elements;
    const long stride = state->basis.size * state->basis.size;
    uint64_t random = (uint64_t)app_rank();
    double most = 0;
    for (long i = 0; i < tried; i++) {
        const long e = tried == elements ? i : app_random_below(&random, elements);
        const double off =
            fabs(distributed_fock()[e] - element(&state->basis, own_block(e / stride), e % stride));
        most = off <= most ? most : isnan(off) ? INFINITY : off;
    }
    most = app_max_double(most);
    const long all = app_sum_long(tried);
    if (most > TOLERANCE)
        return app_fail("an element is off by %g from the sum of all its integrals", most);
    app_say("verified: %ld elements are off by at most %.1e from the sums of all their integrals",
            all, most);
    return 0;
}

static int run(struct state *state)
{
    guess_density(state);
    const double seconds = app_timed_after(prepare, work, state, state->rounds);
    const struct build *build = &state->build;
    const long integrals = app_sum_long(build->integrals), gets = app_sum_long(build->gets);
    const long adds = app_sum_long(build->adds);
    app_report(seconds, (double)integrals,
               "%ld atoms of %ld functions, %ld blocks read and %ld added", state->basis.atoms,
               state->basis.size, gets, adds);
    return verify(state);
}

int task_run(int argc, char **argv)
{
    long atoms = 27, functions = 4;
    struct state state = {.rounds = 1, .checked = 100};
    const struct app_option options[] = {
        {"--atoms", APP_COUNT, &atoms, "in a cube", 1, 1000, NULL},
        {"--functions", APP_COUNT, &functions, "of each atom", 1, 16, NULL},
        {"--rounds", APP_COUNT, &state.rounds, "so many times; the median is told", 1, APP_ROUNDS_MOST,
         NULL},
        {"--checked", APP_COUNT, &state.checked, "elements that each process checks", 1, 1e9, NULL},
        {.kind = APP_END}};
    int status =
        app_start(argc, argv, "Builds a Fock matrix from a density, both distributed.", options);
    if (status != APP_RUN)
        return status;
    state.blocks = build_block(atoms, 0);
    state.mine = (state.blocks - app_rank() + app_workers() - 1) / app_workers();
    status = basis_create(&state.basis, atoms, functions) != 0 ||
             build_create(&state.build, &state.basis, LEAST) != 0;
    if (app_agree(status) != 0) {
        status = app_fail("not enough memory for %ld atoms of %ld functions", atoms, functions);
    } else {
        status = distributed_create(state.blocks, functions * functions);
        if (status == 0) {
            status = run(&state);
            distributed_destroy();
        }
    }
    build_destroy(&state.build);
    basis_destroy(&state.basis);
    return status;
}
