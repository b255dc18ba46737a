/* SPDX-License-Identifier: BSD-3-Clause
 * Loads an MPI as the library does, prints its file, and after a refusal whether an MPI is loaded nevertheless. For
 * test_module.py, which lays out the folders.
 */
#include "base/mpi/family.h"
#include "base/os/library.h"

#include <stdio.h>

int main(void)
{
    char why[512];
    if (sheaf_mpi_load(why, sizeof why)) {
        printf("%s\n", sheaf_mpi_choice.file);
        return 0;
    }
    printf("%s%s\n", why, sheaf_library_symbol(NULL, "MPI_Init_thread") ? ", and it is loaded" : "");
    return 1;
}
