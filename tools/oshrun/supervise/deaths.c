/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With SHEAF_FAILURES=report the job goes on when a PE was killed: the death is written into the
 * control area, where the others read it, and those that sleep are woken. No PE can
 * continue without one that has not completed shmem_init.
 */
#include "oshrun/supervise/supervise.h"

#include "oshrun/command/say.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

bool sheaf_deaths_has(const struct supervisor *supervisor, int pe)
{
    const struct sheaf_pe *entry = sheaf_control_pe(supervisor->job->control, pe);
    return supervisor->pes[pe].exited && sheaf_load_relaxed(&entry->presence) != SHEAF_PE_THERE;
}

static void print_death(struct supervisor *supervisor, int pe, int status)
{
    char *content;
    size_t length;
    if (supervisor->options->quiet)
        return;
    FILE *out = open_memstream(&content, &length);
    if (!out)
        sheaf_die(1, "out of memory");
    fputs("oshrun: ", out);
    sheaf_message_pe(out, supervisor, pe);
    fprintf(out, " was killed by signal %d (%s); the job goes on (SHEAF_FAILURES=report) [SH604]\n",
            WTERMSIG(status), strsignal(WTERMSIG(status)));
    fclose(out);
    sheaf_output_message(supervisor->output, content);
    free(content);
}

void sheaf_deaths_in_reserve(struct supervisor *supervisor, int pid, int left)
{
    char text[128];
    if (pid == 0)
        snprintf(text, sizeof text, "oshrun: only %d processes in reserve (--spare) can be started: "
                                    "raise ulimit -n or -u [SH904]\n", left);
    else
        snprintf(text, sizeof text, "oshrun: a process in reserve (--spare, pid %d) has ended; %d left "
        "[SH606]\n",
                 pid, left);
    if (!supervisor->options->quiet && supervisor->phase == RUNNING)
        sheaf_output_message(supervisor->output, text);
}

/* Whether a process was started in place of a dead one: no PE waits for its shmem_init. */
static bool is_respawned(struct sheaf_control *control, int pe)
{
    return sheaf_load_relaxed(&sheaf_control_pe(control, pe)->presence) == SHEAF_PE_STARTED;
}

bool sheaf_deaths_report(struct supervisor *supervisor, int pe, int status)
{
    struct sheaf_control *control = supervisor->job->control;
    uint32_t state = sheaf_load_acquire(&sheaf_control_pe(control, pe)->state);
    bool was_up = state >= SHEAF_PE_INITIALIZED || is_respawned(control, pe);
    if (!control->reports_failures || supervisor->phase != RUNNING || !was_up || supervisor->alive == 0 ||
        !sheaf_control_list_death(control, pe))
        return false;
    sheaf_control_count_deaths(control);
    print_death(supervisor, pe, status);
    return true;
}

static void start_respawned(struct supervisor *supervisor, int pe)
{
    struct sheaf_pe *entry = sheaf_control_pe(supervisor->job->control, pe);
    sheaf_store_release(&entry->presence, SHEAF_PE_STARTED);
    supervisor->pes[pe].exited = false;
    supervisor->alive++;
    sheaf_proxy_command(supervisor->channel, PROXY_RESPAWN, pe);
}

/* A PE adds to the count after it has stored the number of the dead PE: a process that sees the count
 * sees the number. */
void sheaf_deaths_respawn(struct supervisor *supervisor)
{
    struct sheaf_control *control = supervisor->job->control;
    uint32_t asked = sheaf_load_acquire(&control->respawns);
    if (asked == supervisor->respawns || supervisor->phase != RUNNING)
        return;
    supervisor->respawns = asked;
    for (int pe = 0; pe < supervisor->options->npes; pe++)
        if (supervisor->pes[pe].exited &&
            sheaf_load_acquire(&sheaf_control_pe(control, pe)->presence) == SHEAF_PE_WANTED)
            start_respawned(supervisor, pe);
}

int sheaf_deaths_tick(const struct supervisor *supervisor, int tick)
{
    const struct sheaf_control *control = supervisor->job->control;
    return control->deaths != 0 && supervisor->respawns < (uint32_t)supervisor->options->spares ? 1 : tick;
}
