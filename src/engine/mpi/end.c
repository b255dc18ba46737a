/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ends broken links: all operations under way on them end with the link's reason.
 */
#include "engine/mpi/mpi.h"

void sheaf_mpi_end_broken(sheaf_transport_port *port)
{
    while (port->broken) {
        sheaf_transport_link *link = port->broken;
        port->broken = link->next_broken;
        sheaf_mpi_end_sends(link);
        sheaf_mpi_end_data(link);
        sheaf_mpi_end_accesses(link);
        if (link->has_peer)
            sheaf_mpi_state.user->lost(link->peer, link->why);
    }
}
