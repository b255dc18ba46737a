/* SPDX-License-Identifier: BSD-3-Clause
 * See respawn_slots.h.
 */
#include "boot/replicated_log/respawn_slots.h"

#include "base/os/process.h"
#include "boot/replicated_log/respawn_agent.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMMANDS, REPLIES };

#define NOBODY (-1)

static struct {
    struct sheaf_control *area;
    struct agent {
        int pipe[2]; /* -1: closed */
        int asked;   /* processes that it was asked for and has not told of yet */
        bool is_gone;
    } *agents; /* by slot of the own area; NULL: there are none */
    int *asked; /* by PE of the world: the slot of the agent that was asked for its process; NOBODY */
} here;

static int open_pipe(const struct sheaf_pe *pe, int which, int flags)
{
    return sheaf_process_open_pipe(pe->respawn_agent, pe->respawn_agent_pipe[which],
                                   pe->respawn_agent_inode[which], flags | O_NONBLOCK);
}

static int open_memory(const struct sheaf_pe *pe)
{
    struct sheaf_process owner = {sheaf_load_acquire(&pe->pid), sheaf_load_relaxed(&pe->started)};
    return pe->file < 0 ? -1 : sheaf_process_open_file(&owner, pe->file, pe->file_inode, -1);
}

static bool tell(struct agent *agent, const struct sheaf_respawn_command *command)
{
    return agent->pipe[COMMANDS] >= 0 &&
           write(agent->pipe[COMMANDS], command, sizeof *command) == sizeof *command;
}

static bool open_agent(struct sheaf_pe *pe, struct agent *agent)
{
    const struct sheaf_respawn_command stay = {.what = SHEAF_RESPAWN_COMMAND_STAY};
    *agent = (struct agent){.pipe = {-1, -1}};
    if (pe->respawn_agent == 0)
        return false;
    pe->agent_file = open_memory(pe);
    agent->pipe[COMMANDS] = open_pipe(pe, COMMANDS, O_WRONLY);
    agent->pipe[REPLIES] = open_pipe(pe, REPLIES, O_RDONLY);
    return pe->agent_file >= 0 && agent->pipe[REPLIES] >= 0 && tell(agent, &stay);
}

void sheaf_respawn_slots_begin(struct sheaf_control *control)
{
    here.area = control;
}

bool sheaf_respawn_slots_open(void)
{
    bool all = true;
    here.asked = calloc((size_t)here.area->world_npes, sizeof *here.asked);
    here.agents = here.asked ? calloc((size_t)here.area->npes, sizeof *here.agents) : NULL;
    for (int pe = 0; here.asked && pe < here.area->world_npes; pe++)
        here.asked[pe] = NOBODY;
    for (int slot = 0; here.agents && slot < here.area->npes; slot++)
        all &= open_agent(sheaf_control_pe(here.area, slot), &here.agents[slot]);
    return here.agents && all;
}

static bool ask(int agent_slot, int pe, const struct sheaf_respawn_command *command)
{
    struct agent *agent = &here.agents[agent_slot];
    if (agent->is_gone || !tell(agent, command))
        return false;
    here.asked[pe] = agent_slot;
    agent->asked++;
    return true;
}

/* No agent can start it: the next hear tells so. */
static void fail(int agent_slot, int pe)
{
    here.asked[pe] = agent_slot;
    here.agents[agent_slot].asked++;
    here.agents[agent_slot].is_gone = true;
}

void sheaf_respawn_slots_start(struct sheaf_control *area, int pe)
{
    struct sheaf_respawn_command command = {.what = SHEAF_RESPAWN_COMMAND_START};
    int slot = sheaf_control_location(area, pe)->slot, first = slot % here.area->npes;
    snprintf(command.slot, sizeof command.slot, "%d %d %d %016lx", (int)getpid(),
             sheaf_control_pe(area, 0)->agent_file, slot, (unsigned long)area->job_id);
    for (int step = 0; step < here.area->npes; step++) {
        int agent_slot = (first + step) % here.area->npes;
        command.adopted = area == here.area && agent_slot == slot ? 0 : pe + 1;
        if (ask(agent_slot, pe, &command))
            return;
    }
    fail(first, pe);
}

size_t sheaf_respawn_slots_watch(struct pollfd *fds, bool *all_wait)
{
    size_t count = 0;
    *all_wait = true;
    for (int slot = 0; here.agents && slot < here.area->npes; slot++) {
        const struct agent *agent = &here.agents[slot];
        if (agent->asked == 0)
            continue;
        fds[count++] = (struct pollfd){.fd = agent->pipe[REPLIES], .events = POLLIN};
        *all_wait &= !agent->is_gone;
    }
    return count;
}

/* The PE that a respawn agent tells of; NOBODY: it was not asked for that one. */
static int find_asked(int agent_slot, int adopted)
{
    for (int pe = 0; pe < here.area->world_npes; pe++)
        if (here.asked[pe] == agent_slot &&
            (adopted < 0 || adopted == pe + 1 ||
             (adopted == 0 && pe == sheaf_control_pe(here.area, agent_slot)->world_pe)))
            return pe;
    return NOBODY;
}

bool sheaf_respawn_slots_hear(int agent_slot, struct sheaf_started *started)
{
    struct sheaf_respawn_reply reply = {.adopted = -1, .pid = -1}; /* of an agent that is gone: any PE */
    struct agent *agent = here.agents ? &here.agents[agent_slot] : NULL;
    if (!agent || agent->asked == 0)
        return false;
    ssize_t got = agent->is_gone ? 0 : read(agent->pipe[REPLIES], &reply, sizeof reply);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (got != sizeof reply) {
        agent->is_gone = true;
        reply.adopted = reply.pid = -1;
    }
    started->pe = find_asked(agent_slot, reply.adopted);
    started->process = (struct sheaf_process){reply.pid > 0 ? reply.pid : -1, reply.started};
    if (started->pe == NOBODY)
        return false;
    here.asked[started->pe] = NOBODY;
    agent->asked--;
    return true;
}

void sheaf_respawn_slots_end(int status)
{
    const struct sheaf_respawn_command command = {.what = SHEAF_RESPAWN_COMMAND_END, .status = status};
    for (int slot = 0; here.agents && slot < here.area->npes; slot++)
        tell(&here.agents[slot], &command);
}
