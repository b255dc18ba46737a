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
#define SHEAF_MPI_SHIM_VERSION 2

/* MPI's own order of its thread levels. */
enum sheaf_mpi_level {
    SHEAF_MPI_SINGLE,
    SHEAF_MPI_FUNNELED,
    SHEAF_MPI_SERIALIZED,
    SHEAF_MPI_MULTIPLE,
    SHEAF_MPI_LEVELS
};

/* A communicator, a request and a window: an MPI's handle, which is an int or a pointer. */
typedef struct {
    uint64_t handle;
} sheaf_mpi_comm;
typedef struct {
    uint64_t handle;
} sheaf_mpi_request;
typedef struct {
    uint64_t handle;
} sheaf_mpi_window;

/* What one of MPI's atomic operations does to the target's word; REPLACE stores its operand. */
enum sheaf_mpi_change {
    SHEAF_MPI_SUM,
    SHEAF_MPI_AND,
    SHEAF_MPI_OR,
    SHEAF_MPI_XOR,
    SHEAF_MPI_REPLACE,
    SHEAF_MPI_CHANGES
};

/* A word of 4 or 8 bytes in a window: whose, where from the start of the memory that this one offers. */
struct sheaf_mpi_word {
    const sheaf_mpi_window *window;
    int rank;
    unsigned bytes;
    uint64_t place;
};

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

    /* Collective: the least of all values, in the place of one's own. */
    int (*least)(const sheaf_mpi_comm *comm, int *value);
    /* The first process on another host than this one; -1: there is none. Collective. */
    int (*first_elsewhere)(const sheaf_mpi_comm *comm);

    /* Memory of every process, open to all of them until it is closed; collective, both. is_unified: what
     * others write there a processor reads without a call of MPI's. */
    int (*window_open)(const sheaf_mpi_comm *comm, void *start, size_t bytes, sheaf_mpi_window *window,
                       bool *is_unified);
    void (*window_close)(sheaf_mpi_window *window);

    /* Both ends' bytes stay as they are until the end: request's, where the local ones may be used again,
     * or with request NULL the next flush's. */
    int (*put)(const sheaf_mpi_window *window, const void *source, int count, int rank, uint64_t place,
               sheaf_mpi_request *request);
    int (*get)(const sheaf_mpi_window *window, void *dest, int count, int rank, uint64_t place,
               sheaf_mpi_request *request);

    /* Likewise until a flush. before: gets what the word held; NULL: not wanted. */
    int (*change)(const struct sheaf_mpi_word *word, enum sheaf_mpi_change change, const void *operand,
                  void *before);
    int (*compare_swap)(const struct sheaf_mpi_word *word, const void *compare, const void *value,
                        void *before);

    /* Waits until all that this process has started in the window to that rank is complete there. */
    int (*flush)(const sheaf_mpi_window *window, int rank);
};

/* The name of the library's table. */
#define SHEAF_MPI_SHIM_SYMBOL "sheaf_mpi_shim"

#endif
