/* SPDX-License-Identifier: BSD-3-Clause
 * The library's own PMI-1, of which each simulated PE has the state: start.h.
 */
#include "start.h"

#include "boot/launcher/pmi1.c" /* for its statics */

void start_set_pmi1(int pe, int npes)
{
    my_pe = pe;
    world_size = npes;
}
