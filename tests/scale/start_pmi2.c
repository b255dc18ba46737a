/* SPDX-License-Identifier: BSD-3-Clause
 * The library's own PMI-2, of which each simulated PE has the state: start.h.
 */
#include "start.h"

#include "boot/launcher/pmi2.c" /* for its statics */

void start_set_pmi2(int pe, int npes)
{
    my_pe = pe;
    world_size = npes;
}
