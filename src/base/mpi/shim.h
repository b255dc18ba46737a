/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What Sheaf asks of an MPI, without a type of that MPI's: every MPI has handles and constants of its
 * own, so a small library is compiled for each (shim/shim.c), and this table is all that it shows. Who
 * loads it, and which, is library.h's matter.
 *
 * Calls that can fail return 0 or the MPI's error code; words() explains it.
 */
#ifndef SHEAF_BASE_MPI_SHIM_H
#define SHEAF_BASE_MPI_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of this table: a library of another version is not used. */
#define SHEAF_MPI_SHIM_VERSION 1

/* MPI's own order of its thread levels. */
enum sheaf_mpi_level {
    SHEAF_MPI_SINGLE,
    SHEAF_MPI_FUNNELED,
    SHEAF_MPI_SERIALIZED,
    SHEAF_MPI_MULTIPLE,
    SHEAF_MPI_LEVELS
};

/* A communicator, and a request: an MPI's handle, which is an int or a pointer. */
typedef struct {
    uint64_t handle;
} sheaf_mpi_comm;
typedef struct {
    uint64_t handle;
} sheaf_mpi_request;

/* What a message brought, where it was received. */
struct sheaf_mpi_arrival {
    int source;
    size_t bytes;
};

struct sheaf_mpi_shim {
    unsigned version;

    /* Up: between MPI_Init and MPI_Finalize. */
    bool (*is_initialized)(void);
    bool (*is_finalized)(void);
    int (*initialize)(void); /* with as many threads as it gives */
    int (*finalize)(void);
    enum sheaf_mpi_level (*level)(void);
    int (*native_level)(void); /* as the MPI's own constants count */
    void (*abort)(int status);

    /* "Open MPI v4.1.4"; before it is up, too. */
    void (*describe)(char *text, size_t size);
    void (*words)(int error, char *text, size_t size);

    /* A communicator of all processes, numbered as in MPI_COMM_WORLD, whose errors are returned;
     * collective, as free is. */
    int (*open)(sheaf_mpi_comm *comm);
    void (*close)(sheaf_mpi_comm *comm);
    void (*barrier)(const sheaf_mpi_comm *comm);
    void (*place)(int *rank, int *size); /* in MPI_COMM_WORLD */
    int (*most_tag)(void);               /* the largest tag */

    /* Everybody's bytes to everybody; counts and all are arrays of size. */
    int (*gather_counts)(const sheaf_mpi_comm *comm, int mine, int *counts);
    int (*gather)(const sheaf_mpi_comm *comm, const void *mine, int bytes, void *all, const int *counts,
                  const int *places);

    /* The bytes stay where they are until the end. source -1: anybody. */
    int (*send)(const sheaf_mpi_comm *comm, const void *bytes, int count, int rank, int tag,
                sheaf_mpi_request *request);
    int (*receive)(const sheaf_mpi_comm *comm, void *bytes, int count, int source, int tag,
                   sheaf_mpi_request *request);
    /* Whether it has ended; end may be NULL. An error, too, is an end. */
    int (*test)(sheaf_mpi_request *request, bool *has_ended, struct sheaf_mpi_arrival *end);
    /* A receive that nothing has come for: it ends, now or in a later test. */
    void (*cancel)(sheaf_mpi_request *request);
};

/* The name of the library's table. */
#define SHEAF_MPI_SHIM_SYMBOL "sheaf_mpi_shim"

#endif
