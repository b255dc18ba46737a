/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places of dead PEs on two hosts of two PEs each, a or b: which can be taken, and which cannot. Argument:
 * host (both PEs of a host die), respawn-agent (PE 1's is killed: another's takes over), killed-agent (host
 * b's), first-agent (that of host a), twice (host b's, and its PEs on host a die again), none-left (PE 1
 * dies, then host b's agent is killed), end (PE 1 dies, and the new process ends the job), leave (PE 1 dies,
 * and the new ones leave before they have met the others), outside (PE 1 dies, PE 0 asks for a new one, and
 * all others die before they meet it), all (all die, and nobody asks for new ones).
 */
#define _GNU_SOURCE
#include "agent.h"
#include "check.h"

#include <shmemx.h>
#include <shmemx_ft.h>

#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#define TRIES 6 /* more than there are new processes */

static char mode;
static sigjmp_buf out;

static void leave(void *unused)
{
    (void)unused;
    siglongjmp(out, 1);
}

static void kill_agent(void)
{
    int agent = find_agent();
    if (agent > 0)
        kill(agent, SIGKILL);
}

static void die_as_meant(void)
{
    int pe = shmem_my_pe();
    if (mode == 'h' && pe >= 2)
        raise(SIGKILL);
    if (mode == 'r' && pe == 1)
        kill(getppid(), SIGKILL);
    if (mode == 'a' || (strchr("elno", mode) && pe == 1))
        raise(SIGKILL);
    while (mode == 'n' && pe == 2 && shmemx_pe_status(1) == SHMEMX_PE_ALIVE)
        usleep(1000);
    if (strchr("ktn", mode) ? pe == 2 : mode == 'f' && pe == 0)
        kill_agent();
    if ((mode == 'r' && pe == 1) || (strchr("ktn", mode) ? pe >= 2 : mode == 'f' && pe < 2))
        pause(); /* until that ends this one */
}

static int meet(void)
{
    int dead[4], result = -1;
    for (int tries = 0; result != 0 && tries < TRIES; tries++) {
        int count = shmemx_failed_pes(dead);
        for (int i = 0; i < count; i++)
            shmemx_respawn(dead[i]);
        result = shmemx_rejoin();
    }
    return result;
}

/* What a PE of a host that was taken in has is far from all others but those of its own host. */
static void check_places(void)
{
    static long numbers[4]; /* symmetric */
    int me = shmem_my_pe();
    for (int pe = 0; pe < 4; pe++)
        shmem_p(&numbers[me], me + 1, pe);
    shmem_barrier_all();
    for (int pe = 0; pe < 4; pe++) {
        CHECK_EQ(numbers[pe], pe + 1);
        CHECK((shmem_ptr(numbers, pe) != NULL) == (pe / 2 == me / 2));
    }
    CHECK_EQ(shmem_team_n_pes(SHMEM_TEAM_SHARED), 2);
    long *block = shmem_malloc(1 << 20);
    CHECK(block != NULL);
    shmem_sync_all();
    shmem_free(block);
}

static void be_new(void)
{
    if (mode == 'e')
        shmem_global_exit(0);
    if (mode == 'l')
        _exit(3);
}

/* How many times all have met by now, with this one. */
static int count_meetings(void)
{
    static int mine, most; /* symmetric */
    shmem_int_max_reduce(SHMEM_TEAM_WORLD, &most, &mine, 1);
    int meetings = mine = most + 1;
    shmem_barrier_all(); /* all have counted it before one dies */
    return meetings;
}

static void go_on(void)
{
    if (mode == 'o' && shmem_my_pe() == 0)
        shmemx_respawn(1);
    if (mode == 'a' || (mode == 'o' && !shmemx_is_respawned()))
        raise(SIGKILL);
    int missed = meet();
    if (!missed && count_meetings() == 1 && mode == 't' && shmem_my_pe() >= 2)
        raise(SIGKILL);
    if (!missed)
        check_places();
    if (shmem_my_pe() == 0)
        printf("%s\n", missed ? "some are missed" : "all have met");
    if (mode == 'n')
        shmem_global_exit(0); /* PE 1 waits for the others */
    if (!missed)
        shmem_barrier_all();
}

int main(int argc, char **argv)
{
    mode = argc > 1 ? argv[1][0] : 'h';
    shmem_init();
    shmemx_on_failure(leave, NULL);
    if (shmemx_is_respawned())
        be_new();
    if (sigsetjmp(out, 0) != 0 || shmemx_is_respawned()) {
        go_on();
    } else {
        shmem_barrier_all();
        die_as_meant();
        shmem_barrier_all();
    }
    shmem_finalize();
    return 0;
}
