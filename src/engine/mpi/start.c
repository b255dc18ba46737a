/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The transport's table, and its start: MPI is initialized, sees this job, and has two communicators
 * for all ports, one for messages and one for data.
 */
#include "engine/mpi/mpi.h"

#include "base/log.h"
#include "base/mpi/use.h"

#include <stdio.h>

struct sheaf_mpi_state sheaf_mpi_state;

/* Where only one thread at a time calls Sheaf nobody else calls MPI for it. */
static enum sheaf_mpi_level level_for(const struct sheaf_engine_job *job)
{
    bool is_one_at_a_time = job->progress == SHEAF_PROGRESS_NONE && !job->multiple;
    return is_one_at_a_time ? SHEAF_MPI_SERIALIZED : SHEAF_MPI_MULTIPLE;
}

/* Returns 0, or -1 and why not. */
static int check_world(const struct sheaf_engine_job *job, char *why, size_t size)
{
    struct sheaf_mpi_state *state = &sheaf_mpi_state;
    state->shim->place(&state->rank, &state->size);
    state->most_tag = state->shim->most_tag();
    if (state->size == job->npes && state->rank == job->pe)
        return 0;
    snprintf(why, size, "MPI_COMM_WORLD of %s (%s) has %d process%s, this one of rank %d, and OpenSHMEM "
             "has %d PEs, "
             "this one of number %d: start the program with that MPI's launcher, or choose the "
             "launcher's MPI with SHEAF_MPI", sheaf_mpi_choice.name, sheaf_mpi_choice.file, state->size,
             state->size == 1 ? "" : "es", state->rank, job->npes, job->pe);
    return -1;
}

static int open_communicators(char *why, size_t size)
{
    struct sheaf_mpi_state *state = &sheaf_mpi_state;
    char reason[200];
    int error = state->shim->open(&state->messages);
    if (!error && (error = state->shim->open(&state->data)) != 0)
        state->shim->close(&state->messages);
    if (!error)
        return 0;
    state->shim->words(error, reason, sizeof reason);
    snprintf(why, size, "%s gives no communicator: %s", sheaf_mpi_choice.name, reason);
    return -1;
}

static int start(const struct sheaf_transport_user *user, struct sheaf_transport_abilities *abilities)
{
    char why[600];
    *abilities = (struct sheaf_transport_abilities){0};
    sheaf_mpi_state = (struct sheaf_mpi_state){.user = user};
    sheaf_mpi_state.shim = sheaf_mpi_use(level_for(user->job), why, sizeof why);
    if (!sheaf_mpi_state.shim) {
        sheaf_error("engine mpi: %s", why);
        return -1;
    }
    if (check_world(user->job, why, sizeof why) == 0 && open_communicators(why, sizeof why) == 0)
        return 0;
    sheaf_error("engine mpi: %s", why);
    sheaf_mpi_release();
    return -1;
}

static void stop(void)
{
    struct sheaf_mpi_state *state = &sheaf_mpi_state;
    if (!state->shim->is_finalized()) {
        state->shim->barrier(&state->messages);
        state->shim->close(&state->messages);
        state->shim->close(&state->data);
    }
    sheaf_mpi_release();
    *state = (struct sheaf_mpi_state){0};
}

static bool is_installed(void)
{
    char why[600];
    return sheaf_mpi_load(why, sizeof why) != NULL;
}

static bool describe(FILE *out)
{
    char why[600], version[200];
    const struct sheaf_mpi_shim *shim = sheaf_mpi_load(why, sizeof why);
    if (!shim) {
        fprintf(out, "not available: %s\n", why);
        return false;
    }
    shim->describe(version, sizeof version);
    fprintf(out, "%s (%s): %s\n", version, sheaf_mpi_choice.file, sheaf_mpi_choice.reason);
    fprintf(out, "puts and gets: messages to the target's processor\n");
    fprintf(out, "strangers: kept out by MPI, or not, as its network has it\n");
    return true;
}

static sheaf_amo_set native_atomics(char *why, size_t size)
{
    snprintf(why, size, "the engine over MPI leaves them to the processors");
    return 0;
}

const struct sheaf_transport sheaf_transport_mpi = {
    .name = "mpi",
    .title = "MPI",
    .is_installed = is_installed,
    .start = start,
    .stop = stop,
    .describe = describe,
    .native_atomics = native_atomics,
    .open = sheaf_mpi_open,
    .close = sheaf_mpi_close,
    .address = sheaf_mpi_address,
    .connect = sheaf_mpi_connect,
    .send = sheaf_mpi_send,
    .fetch = sheaf_mpi_fetch,
    .turn = sheaf_mpi_turn,
    .descriptor = sheaf_mpi_descriptor,
    .arm = sheaf_mpi_arm,
};
