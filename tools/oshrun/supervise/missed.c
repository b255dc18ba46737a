/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE may leave with status 0 and yet be missed: it never loaded the library, or exited without
 * shmem_finalize. When all others have been waiting for a second, and still wait a second after it left,
 * they will wait for ever. A PE that another has just released may not have run since; then its process
 * does not sleep.
 */
#include "oshrun/supervise/supervise.h"

#include "base/clock.h"
#include "base/times.h"
#include "oshrun/command/say.h"
#include "oshrun/hosts/process.h"

#include <stdlib.h>

static uint32_t state_of(const struct supervisor *supervisor, int pe)
{
    return sheaf_load_acquire(&sheaf_control_pe(supervisor->job->control, pe)->state);
}

/* Whether a PE has left: it makes no more calls, though without shmem_finalize it waits for the others
 * before it exits. */
static bool has_left(const struct supervisor *supervisor, int pe)
{
    return supervisor->pes[pe].exited || state_of(supervisor, pe) == SHEAF_PE_LEFT;
}

/* The first PE that has left and is missed; -1 when there is none. */
static int find_missed(const struct supervisor *supervisor)
{
    int first = -1;
    for (int pe = 0; pe < supervisor->options->npes; pe++) {
        if (!has_left(supervisor, pe) || sheaf_deaths_has(supervisor, pe))
            continue;
        if (state_of(supervisor, pe) != SHEAF_PE_FINALIZED)
            return pe;
        if (first < 0)
            first = pe;
    }
    return first;
}

/* Whether the boot barrier can no longer complete: it needs every PE, so PEs wait in vain once one has
 * exited. */
static bool boot_is_stuck(struct supervisor *supervisor)
{
    struct sheaf_control *control = supervisor->job->control;
    uint32_t epoch = sheaf_load_acquire(&control->boot_epoch);
    uint32_t arrived = sheaf_load_acquire(&control->boot_arrived);
    uint64_t now = sheaf_clock_ns();
    if (!supervisor->boot_since_ns || epoch != supervisor->boot_epoch ||
        arrived != supervisor->boot_arrived) {
        supervisor->boot_epoch = epoch;
        supervisor->boot_arrived = arrived;
        supervisor->boot_since_ns = now;
    }
    return arrived > 0 && now - supervisor->boot_since_ns > sheaf_times.missed_waits;
}

static bool waits_long(const struct supervisor *supervisor, int pe, uint64_t since_exit_ns)
{
    return sheaf_board_wait_ns(supervisor->job, pe) >= sheaf_times.missed_waits &&
           (since_exit_ns >= sheaf_times.missed_most || sheaf_process_is_asleep(supervisor->pes[pe].pid));
}

/* The time since the last PE left. */
static uint64_t all_stay_ns(const struct supervisor *supervisor)
{
    uint64_t shortest = sheaf_clock_ns() - supervisor->last_exit_ns;
    for (int pe = 0; pe < supervisor->options->npes; pe++) {
        uint64_t ns = sheaf_board_wait_ns(supervisor->job, pe);
        if (!supervisor->pes[pe].exited && has_left(supervisor, pe) && ns < shortest)
            shortest = ns;
    }
    return shortest;
}

static bool all_others_wait(const struct supervisor *supervisor)
{
    uint64_t since_exit_ns = all_stay_ns(supervisor);
    if (since_exit_ns < sheaf_times.missed_waits)
        return false;
    for (int pe = 0; pe < supervisor->options->npes; pe++)
        if (!supervisor->pes[pe].exited && !waits_long(supervisor, pe, since_exit_ns))
            return false;
    return true;
}

/* The PE that is named as the cause where PEs share no memory; -1: none. Accesses to an exited PE fail
 * then: that PE is named before those whose accesses fail. */
static int find_lost(const struct supervisor *supervisor)
{
    struct sheaf_control *control = supervisor->job->control;
    for (int pe = 0; pe < supervisor->options->npes && control->is_apart; pe++)
        if (supervisor->pes[pe].exited &&
            sheaf_load_acquire(&sheaf_control_pe(control, pe)->state) == SHEAF_PE_INITIALIZED)
            return pe;
    return -1;
}

/* A PE whose death was reported. The others continue without it, but not in shmem_init. */
static int find_dead(const struct supervisor *supervisor)
{
    int pe = supervisor->options->npes - 1;
    while (pe >= 0 && !sheaf_deaths_has(supervisor, pe))
        pe--;
    return pe;
}

enum wait_for { IN_BOOT, ON_BOARD, NO_ANSWER };

static void print_missed(struct supervisor *supervisor, int pe, enum wait_for others)
{
    char *content;
    size_t length;
    FILE *out = open_memstream(&content, &length);
    if (!out)
        sheaf_die(1, "out of memory");
    uint32_t state = sheaf_load_acquire(&sheaf_control_pe(supervisor->job->control, pe)->state);
    fputs("oshrun: ", out);
    sheaf_message_pe(out, supervisor, pe);
    fprintf(out, " exited %s, ",
            state == SHEAF_PE_LAUNCHED     ? "without loading OpenSHMEM"
            : state == SHEAF_PE_ATTACHED   ? "without calling shmem_init"
            : state == SHEAF_PE_FINALIZED  ? "after shmem_finalize"
                                           : "without shmem_finalize");
    if (others == NO_ANSWER) {
        fputs("and answers the others no more (SHEAF_ONNODE=off)", out);
    } else if (others == IN_BOOT) {
        fputs("while others wait in shmem_init", out);
    } else {
        fputs("while ", out);
        sheaf_board_print_waits(out, supervisor->job, supervisor->pes);
    }
    fputs(" [SH908]\n", out);
    fclose(out);
    sheaf_output_message(supervisor->output, content);
    free(content);
}

void sheaf_missed_check(struct supervisor *supervisor)
{
    if (supervisor->phase != RUNNING || supervisor->alive <= 0)
        return;
    int lost = find_lost(supervisor), missed = lost >= 0 ? lost : find_missed(supervisor);
    bool boot = lost < 0 && boot_is_stuck(supervisor);
    if (boot && missed < 0)
        missed = find_dead(supervisor);
    if (missed < 0 || (lost < 0 && !boot && !all_others_wait(supervisor)))
        return;
    if (!supervisor->options->quiet)
        print_missed(supervisor, missed, lost >= 0 ? NO_ANSWER : boot ? IN_BOOT : ON_BOARD);
    supervisor->is_explained = true;
    sheaf_supervise_end(supervisor, 1, missed, 0);
}
