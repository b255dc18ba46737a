/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the start asks of the system and of parts of the library that have nothing to do in it: no containers, no agents, no
 * relay, the default settings.
 */
#include "simulation.h"
#include "start.h"
#include "unit.h"

#include "base/container.h"
#include "base/os/os.h"
#include "base/os/process.h"
#include "base/settings/env.h"
#include "boot/containers/containers.h"
#include "boot/end/exit_claim.h"
#include "boot/launcher/connection.h"
#include "boot/launcher/relay.h"
#include "boot/launcher/wire.h"
#include "boot/replicated_log/agent_client.h"
#include "image/image.h"

/* Called for each basic block of the library's code. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    if (sim_me)
        sim_me->counts.blocks++;
}

void sheaf_debug(const char *format, ...)
{
    (void)format;
}

size_t sheaf_os_page_size(void)
{
    return 4096;
}

void sheaf_os_affinity(uint64_t *mask, size_t words)
{
    memset(mask, 0, words * sizeof *mask);
    mask[0] = 1;
}

int sheaf_os_within_quota(int cpus)
{
    return cpus;
}

bool sheaf_os_has_proc(void)
{
    return true;
}

int sheaf_os_open_process(int pid)
{
    (void)pid;
    return -1;
}

int sheaf_os_move_up(int fd)
{
    return fd;
}

long sheaf_os_read_file(const char *path, char *text, size_t size)
{
    (void)path, (void)text, (void)size;
    return -1;
}

struct sheaf_process sheaf_process_self(void)
{
    return (struct sheaf_process){.pid = 1};
}

const char *sheaf_settings_text(const char *name)
{
    (void)name;
    return NULL;
}

int sheaf_settings_choice(const char *name)
{
    (void)name;
    return 0;
}

uint32_t sheaf_container_namespace(int pid)
{
    (void)pid;
    return 0;
}

bool sheaf_containers_find(const struct sheaf_job_map *map, int *into)
{
    (void)map, (void)into;
    return false;
}

int sheaf_containers_join(struct sheaf_job_map *map, int *into, const struct sheaf_launcher *launcher)
{
    (void)map, (void)into, (void)launcher;
    return -1;
}

int sheaf_containers_own_pes(void)
{
    return 0;
}

bool sheaf_containers_process(int pe, struct sheaf_process *process)
{
    (void)pe, (void)process;
    return false;
}

bool sheaf_exit_claim_failure(void)
{
    return false;
}

void sheaf_image_take_slot(int slot)
{
    (void)slot;
}

void sheaf_image_reduce_heap(size_t limit, size_t alignment, size_t team_end)
{
    (void)limit, (void)alignment, (void)team_end;
}

int sheaf_agent_publish(void)
{
    return 0;
}

int sheaf_agent_connect(void)
{
    return 0;
}

bool sheaf_relay_is_needed(void)
{
    return false;
}

bool sheaf_relay_has_greeted(void)
{
    return false;
}

int sheaf_relay_start(void)
{
    return -1;
}

_Noreturn void sheaf_connection_lost(const char *how)
{
    printf("the launcher is gone: %s\n", how);
    exit(1);
}

bool sheaf_wire_is_there(void)
{
    return true;
}

int sheaf_wire_open(int *pe, int *npes)
{
    (void)pe, (void)npes;
    return -1;
}

void sheaf_wire_watch(struct pollfd *end)
{
    (void)end;
}

void sheaf_wire_closed(void)
{
}

void sheaf_wire_lock(void)
{
}

void sheaf_wire_unlock(void)
{
}
