/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How heat spreads over a plate whose edges, and in places whose inside, are held at a fixed
 * temperature: Laplace's equation by Jacobi, Gauss-Seidel or successive over-relaxation, with MPI, to
 * compare with. Draws the result. See README.md.
 */
#include "simulation.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int status = simulation(argc, argv);
    MPI_Finalize();
    return status;
}
