/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The transport's table, and its start: initializes MPI, checks that MPI's world is this job, and makes
 * two communicators for all ports, one for messages and one for data.
 */
#include "engine/mpi/mpi.h"

#include "base/log.h"
#include "base/mpi/use.h"
#include "base/os/host.h"
#include "base/pace/processor.h"
#include "base/settings/env.h"

#include <stdio.h>

/* If only one thread at a time calls Sheaf, no two threads call MPI at once. */
static enum sheaf_mpi_level level_for(const struct sheaf_engine_job *job)
{
    bool is_one_at_a_time = job->progress == SHEAF_PROGRESS_OFF && !job->multiple;
    return is_one_at_a_time ? SHEAF_MPI_SERIALIZED : SHEAF_MPI_MULTIPLE;
}

/* Returns 0, or -1 and the reason. */
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

/* Collective, whatever a PE's settings are: the least of all PEs' values. */
static int least_of_all(int value)
{
    const struct sheaf_mpi_state *state = &sheaf_mpi_state;
    return state->shim->least(&state->data, &value) == 0 ? value : 0;
}

/* In ascending order of the wish. */
enum { BY_MESSAGE, WHERE_THEY_ARE_BEST, BY_WINDOW };

static int rma_wish(const struct sheaf_engine_job *job)
{
    return job->rma == SHEAF_RMA_NATIVE ? BY_WINDOW
           : job->rma == SHEAF_RMA_AUTO ? WHERE_THEY_ARE_BEST : BY_MESSAGE;
}

static int atomics_wish(const struct sheaf_engine_job *job)
{
    return job->atomics == SHEAF_ATOMICS_CPU ? BY_MESSAGE
           : job->native_atomics ? BY_WINDOW : WHERE_THEY_ARE_BEST;
}

/* On all PEs: whether a window whose target has to look is better than messages. On one host with a
 * processor for each PE it takes half the time (MPICH 4.0.2: a put of 8 bytes 1.0 us, by message 2.3).
 * With fewer processors MPI waits for the target without giving way to it. */
static bool are_served_at_once(void)
{
    return least_of_all(sheaf_mpi_state.is_one_host && !sheaf_pace_here.is_outnumbered) != 0;
}

static bool is_granted(int wish, enum sheaf_mpi_windows found)
{
    const struct sheaf_mpi_state *state = &sheaf_mpi_state;
    bool are_best = found == SHEAF_MPI_OWN_WINDOWS ||
                    (found == SHEAF_MPI_SERVED_WINDOWS && state->are_served_at_once);
    return wish == BY_WINDOW ? found != SHEAF_MPI_NO_WINDOWS : wish == WHERE_THEY_ARE_BEST && are_best;
}

/* Data beyond a fragment travels in several steps, each of which waits for the target: as a message it asks
 * the target once. */
static size_t longest_access(int wish, enum sheaf_mpi_windows found)
{
    return found == SHEAF_MPI_SERVED_WINDOWS && wish != BY_WINDOW ? SHEAF_TRANSPORT_FRAGMENT : 0;
}

/* MPI promises that operations on one word are atomic with each other only if all are the same operation.
 * So all others are built from this one. */
#define ONE_FOR_ALL sheaf_amo_bit(SHEAF_AMO_COMPARE_SWAP, 8)

/* On one host none are taken unless they are named: Open MPI 4.1.4 crashes there in a compare-and-swap on
 * the process's own memory (mca_btl_vader_emu_acswap). */
static sheaf_amo_set mpi_choose_native_atomics(const struct sheaf_engine_job *job, int wish,
                                               enum sheaf_mpi_windows found)
{
    if (!is_granted(wish, found) || (sheaf_mpi_state.is_one_host && !job->native_atomics))
        return 0;
    return job->native_atomics ? job->native_atomics : ONE_FOR_ALL;
}

/* A wish by name that cannot be met is reported. */
static void choose_direct(const struct sheaf_engine_job *job, struct sheaf_transport_abilities *abilities)
{
    char why[200] = "";
    int rma = least_of_all(rma_wish(job)), atomics = least_of_all(atomics_wish(job));
    if (rma == BY_MESSAGE && atomics == BY_MESSAGE)
        return;
    enum sheaf_mpi_windows found = sheaf_mpi_try_windows(why, sizeof why);
    sheaf_mpi_state.are_served_at_once = are_served_at_once();
    abilities->has_direct = is_granted(rma, found);
    abilities->longest_direct = longest_access(rma, found);
    abilities->atomics = mpi_choose_native_atomics(job, atomics, found);
    sheaf_mpi_state.are_served = found == SHEAF_MPI_SERVED_WINDOWS;
    sheaf_mpi_state.flushes_soon = sheaf_mpi_state.is_one_host && (found == SHEAF_MPI_OWN_WINDOWS ||
                                                                   sheaf_mpi_state.are_served_at_once);
    snprintf(sheaf_mpi_state.reason, sizeof sheaf_mpi_state.reason, "%s's windows are not used: %s",
             sheaf_mpi_choice.name, found == SHEAF_MPI_OWN_WINDOWS ? "there is one host alone" : why);
    if (job->pe == 0 && found == SHEAF_MPI_NO_WINDOWS && (rma == BY_WINDOW || atomics == BY_WINDOW))
        sheaf_warn("SH509 engine mpi: puts, gets and atomic operations are messages: %s makes no windows "
                   "between these hosts: %s", sheaf_mpi_choice.name, why);
    else if (job->pe == 0)
        sheaf_debug("engine mpi: puts and gets are %s%s%s", abilities->has_direct ? "MPI's" : "messages",
                    found == SHEAF_MPI_OWN_WINDOWS ? "" : ": ", found == SHEAF_MPI_OWN_WINDOWS ? "" : why);
}

static int mpi_print_refusal(const char *why)
{
    sheaf_error("SH503 engine mpi: host %s: %s", sheaf_os_host_name().text, why);
    return -1;
}

static int mpi_start(const struct sheaf_transport_user *user, struct sheaf_transport_abilities *abilities)
{
    char why[600];
    *abilities = (struct sheaf_transport_abilities){0};
    sheaf_mpi_state = (struct sheaf_mpi_state){.user = user};
    sheaf_mpi_state.shim = sheaf_mpi_use(level_for(user->job), why, sizeof why);
    if (!sheaf_mpi_state.shim)
        return mpi_print_refusal(why);
    abilities->longest = SHEAF_MPI_LONGEST;
    if (check_world(user->job, why, sizeof why) == 0 && open_communicators(why, sizeof why) == 0) {
        choose_direct(user->job, abilities);
        return 0;
    }
    sheaf_mpi_release();
    return mpi_print_refusal(why);
}

static void mpi_stop(void)
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

static bool mpi_is_installed(void)
{
    char why[600];
    return sheaf_mpi_load(why, sizeof why) != NULL;
}

static void describe_mpi_rma(FILE *out)
{
    static const char *const ways[] = {
        [SHEAF_RMA_AUTO] = "by MPI's windows, where a job finds at its start that no access in them "
                           "waits for the target's processor, or that all PEs have one of the same "
                           "host; else messages",
        [SHEAF_RMA_NATIVE] = "by MPI's windows, where it makes any between the job's hosts; else messages",
        [SHEAF_RMA_MESSAGE] = "messages to the target's processor"};
    int setting = sheaf_settings_choice("SHEAF_RMA");
    fprintf(out, "puts and gets: %s (SHEAF_RMA=%s)\n", ways[setting], sheaf_rma_names[setting]);
    if (setting != SHEAF_RMA_MESSAGE)
        fprintf(out, "which, and why: SHMEM_DEBUG=1 says that when a job starts\n");
}

static bool mpi_describe(FILE *out)
{
    char why[600], version[200];
    const struct sheaf_mpi_shim *shim = sheaf_mpi_load(why, sizeof why);
    if (!shim) {
        fprintf(out, "not available: %s\n", why);
        return false;
    }
    shim->describe(version, sizeof version);
    fprintf(out, "%s (%s): %s\n", version, sheaf_mpi_choice.file, sheaf_mpi_choice.reason);
    describe_mpi_rma(out);
    fprintf(out, "strangers: kept out by MPI, or not, as its network has it\n");
    return true;
}

static sheaf_amo_set mpi_native_atomics(char *why, size_t size)
{
    const char *reason = sheaf_mpi_state.reason;
    snprintf(why, size, "%s",
             *reason ? reason : "a job finds out at its start what MPI's windows are like");
    return 0;
}

const struct sheaf_transport sheaf_transport_mpi = {
    .name = "mpi",
    .title = "MPI",
    .is_installed = mpi_is_installed,
    .start = mpi_start,
    .stop = mpi_stop,
    .describe = mpi_describe,
    .native_atomics = mpi_native_atomics,
    .open = sheaf_mpi_open,
    .close = sheaf_mpi_close,
    .address = sheaf_mpi_address,
    .connect = sheaf_mpi_connect,
    .send = sheaf_mpi_send,
    .fetch = sheaf_mpi_fetch,
    .turn = sheaf_mpi_turn,
    .descriptor = sheaf_mpi_descriptor,
    .arm = sheaf_mpi_arm,
    .needs_turns = sheaf_mpi_needs_turns,
    .direct = &sheaf_mpi_direct,
};
