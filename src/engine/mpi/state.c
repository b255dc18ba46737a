/* SPDX-License-Identifier: BSD-3-Clause
 *
 * State shared by the files of the MPI transport, and the end of a link by an error of MPI.
 */
#include "engine/mpi/mpi.h"

struct sheaf_mpi_state sheaf_mpi_state;

void sheaf_mpi_break_by_error(sheaf_transport_link *link, int error)
{
    if (link->why)
        return;
    sheaf_mpi_state.shim->words(error, link->reason, sizeof link->reason);
    sheaf_mpi_break(link, link->reason);
}
