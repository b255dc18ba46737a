/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds out what windows this MPI makes between the job's hosts: whether it makes any, and whether an
 * access waits for the target's processor. MPI tells neither, so the first process tries: it reads a word
 * of a process on another host again and again. That process sets the word once it has stopped calling
 * MPI, and again before it next calls MPI. The value read first shows when the access was carried out.
 */
#include "engine/mpi/mpi.h"

#include "base/times.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Several, since processors may be busy during one. */
#define TRIALS 3

/* Values of the word. */
enum { BEFORE, ASLEEP, AWAKE };

static int mpi_read_word(const sheaf_mpi_window *window, int rank, uint64_t *word)
{
    int error = sheaf_mpi_state.shim->get(window, word, sizeof *word, rank, 0, NULL);
    return error ? error : sheaf_mpi_state.shim->flush(window, rank);
}

/* Reads once before, while the other process waits within MPI, so that the connection exists. */
static bool read_asleep(const sheaf_mpi_window *window, int rank)
{
    const struct sheaf_mpi_shim *shim = sheaf_mpi_state.shim;
    uint64_t word = BEFORE;
    int error = mpi_read_word(window, rank, &word);
    shim->barrier(&sheaf_mpi_state.data);
    while (!error && word == BEFORE)
        error = mpi_read_word(window, rank, &word);
    return !error && word == ASLEEP;
}

static void sleep_beside(uint64_t *word)
{
    const struct timespec pause = sheaf_times_spec(sheaf_times.mpi_trial);
    sheaf_mpi_state.shim->barrier(&sheaf_mpi_state.data);
    __atomic_store_n(word, ASLEEP, __ATOMIC_SEQ_CST);
    nanosleep(&pause, NULL);
    __atomic_store_n(word, AWAKE, __ATOMIC_SEQ_CST);
}

/* On all processes: whether the first one reads the word of rank other while that one sleeps. */
static bool try_once(const sheaf_mpi_window *window, int other, uint64_t *word)
{
    const struct sheaf_mpi_state *state = &sheaf_mpi_state;
    int is_read = true;
    __atomic_store_n(word, BEFORE, __ATOMIC_SEQ_CST);
    state->shim->barrier(&state->data);
    if (state->rank == 0)
        is_read = read_asleep(window, other);
    else if (state->rank == other)
        sleep_beside(word);
    else
        state->shim->barrier(&state->data);
    return state->shim->least(&state->data, &is_read) == 0 && is_read;
}

/* The first process's answer counts. -1: there is only one host. */
static int find_other(void)
{
    const struct sheaf_mpi_state *state = &sheaf_mpi_state;
    int first = state->shim->first_elsewhere(&state->data), other = state->rank == 0 ? first : INT_MAX;
    return state->shim->least(&state->data, &other) == 0 ? other : -1;
}

/* MPICH 5.0.2 over UCX 1.20 loses messages between hosts on TCP that are under way beside an access in a
 * window. A program of MPI alone shows it: docs/measured/mpi.md, "Faults of MPIs". */
static bool does_lose_messages(void)
{
    char version[200];
    sheaf_mpi_state.shim->describe(version, sizeof version);
    return strncmp(version, "MPICH 5.", strlen("MPICH 5.")) == 0;
}

static enum sheaf_mpi_windows find_window_kind(const sheaf_mpi_window *window, uint64_t *word, char *why,
                                               size_t size)
{
    int far = find_other(), other = far >= 0 ? far : sheaf_mpi_state.size > 1;
    sheaf_mpi_state.is_one_host = far < 0;
    snprintf(why, size, "in them an access waits for the target to call MPI");
    for (int trial = 0; trial < TRIALS && other > 0; trial++)
        if (try_once(window, other, word))
            return SHEAF_MPI_OWN_WINDOWS;
    if (far < 0 || !does_lose_messages())
        return SHEAF_MPI_SERVED_WINDOWS;
    snprintf(why, size, "messages beside an access in them get lost with MPICH 5");
    return SHEAF_MPI_NO_WINDOWS;
}

enum sheaf_mpi_windows sheaf_mpi_try_windows(char *why, size_t size)
{
    const struct sheaf_mpi_state *state = &sheaf_mpi_state;
    static _Alignas(SHEAF_MPI_ALIGNED) uint64_t word;
    sheaf_mpi_window window;
    bool is_unified = false;
    int error = state->shim->window_open(&state->data, &word, sizeof word, &window, &is_unified);
    int is_open = error == 0, is_usable = is_unified;
    snprintf(why, size, "a processor does not see what MPI writes in them");
    if (error)
        state->shim->words(error, why, size);
    if (state->shim->least(&state->data, &is_open) != 0 || !is_open)
        return SHEAF_MPI_NO_WINDOWS;
    bool is_agreed = state->shim->least(&state->data, &is_usable) == 0 && is_usable;
    enum sheaf_mpi_windows found = is_agreed ? find_window_kind(&window, &word, why,
                                                                size) : SHEAF_MPI_NO_WINDOWS;
    state->shim->window_close(&window);
    return found;
}
