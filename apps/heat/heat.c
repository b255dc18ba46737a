/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How heat spreads over a plate whose edges, and in places whose inside, are held at a fixed
 * temperature: Laplace's equation by Jacobi, Gauss-Seidel or successive over-relaxation, with OpenSHMEM.
 * Draws the result. See README.md.
 */
#include "simulation.h"

#include "openshmem.h"

int main(int argc, char **argv)
{
    shmem_init();
    int status = simulation(argc, argv);
    shmem_finalize();
    return status;
}
