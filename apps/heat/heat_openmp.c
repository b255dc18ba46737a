/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How heat spreads over a plate, with OpenMP, to compare with. See README.md.
 */
#include "simulation.h"

int main(int argc, char **argv)
{
    return simulation(argc, argv);
}
