/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The keepers of two nodes, which this machine plays, linked with nothing but what they need: they meet, and
 * both control areas have the same deaths in the same order, one of each node. Keepers end with their PEs. On
 * loopback (UCX_NET_DEVICES=lo). Arguments: none.
 */
#include "boot/order/keeper.h"
#include "base/os/process.h"
#include "boot/order/post.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NODES = 2, NODE_PES = 2, PES = NODES * NODE_PES, PATIENCE_MS = 20000 };

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: failed: %s\n", __LINE__, #condition);                                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static struct sheaf_control *areas[NODES];
static pid_t pes[PES], keepers[NODES];

/* A process that waits for its end: this one's end too. */
static struct sheaf_process start_pe(void)
{
    int said[2];
    struct sheaf_process self;
    CHECK(pipe(said) == 0);
    const pid_t test = getpid(), pid = fork();
    if (pid == 0) {
        self = sheaf_process_self();
        if (write(said[1], &self, sizeof self) != sizeof self)
            _exit(1);
        while (getppid() == test)
            poll(NULL, 0, 100);
        _exit(0);
    }
    CHECK(pid > 0 && read(said[0], &self, sizeof self) == sizeof self);
    close(said[0]);
    close(said[1]);
    return self;
}

/* PEs 0 and 1 are on node 0, 2 and 3 on node 1. */
static void fill(struct sheaf_control *area, int node)
{
    area->node = node;
    area->reports_failures = 1;
    for (int other = 0; other < NODES; other++) {
        struct sheaf_node *there = sheaf_control_node(area, other);
        there->leader = other * NODE_PES;
        there->home = other;
        snprintf(there->host, sizeof there->host, "host-%c", 'a' + other);
    }
    for (int pe = 0; pe < PES; pe++)
        *sheaf_control_seat(area, pe) = (struct sheaf_seat){pe / NODE_PES, pe % NODE_PES, SHEAF_PE_THERE, 0, 0, 0};
    for (int slot = 0; slot < NODE_PES; slot++) {
        struct sheaf_pe *entry = sheaf_control_pe(area, slot);
        const struct sheaf_process process = start_pe();
        entry->world_pe = node * NODE_PES + slot;
        entry->pid = pes[entry->world_pe] = process.pid;
        entry->started = process.started;
        entry->state = SHEAF_PE_INITIALIZED;
        entry->presence = SHEAF_PE_THERE;
    }
}

static void make_area(int node)
{
    struct sheaf_control header;
    CHECK(sheaf_control_plan(&header, NODE_PES, PES, NODES, UINT64_C(1) << 32) == 0);
    areas[node] = mmap(NULL, header.slots_offset, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(areas[node] != MAP_FAILED);
    sheaf_control_write(areas[node], &header);
    fill(areas[node], node);
}

static void start_keeper(int node, char address[SHEAF_POST_ADDRESS], int *outbox)
{
    int ends[2];
    CHECK(pipe2(ends, O_CLOEXEC) == 0 && sheaf_post_open(NODES, node, address) == 0);
    keepers[node] = fork();
    if (keepers[node] == 0)
        sheaf_keeper_run(areas[node], ends[0]);
    CHECK(keepers[node] > 0);
    sheaf_post_forget();
    close(ends[0]);
    *outbox = ends[1];
}

static void introduce(int outbox, int node, const char *address)
{
    _Alignas(8) char whole[SHEAF_ERRAND_MOST];
    struct sheaf_errand *errand = (struct sheaf_errand *)whole;
    size_t bytes = sizeof *errand + strlen(address) + 1;
    *errand = (struct sheaf_errand){(uint32_t)bytes, SHEAF_ERRAND_REACH, (uint16_t)node};
    strcpy((char *)(errand + 1), address);
    CHECK(write(outbox, whole, bytes) == (ssize_t)bytes);
}

static bool await(const uint32_t *word, uint32_t value)
{
    for (int ms = 0; ms < PATIENCE_MS && sheaf_load_acquire(word) != value; ms++)
        poll(NULL, 0, 1);
    return sheaf_load_acquire(word) == value;
}

static void check_death(uint32_t deaths, int pe)
{
    for (int node = 0; node < NODES; node++) {
        CHECK(await(&areas[node]->deaths, deaths));
        CHECK(areas[node]->dead[deaths - 1] == pe + 1);
        CHECK(sheaf_control_seat(areas[node], pe)->presence == SHEAF_PE_DEAD);
    }
}

static void end_all(void)
{
    int status;
    for (int pe = 0; pe < PES; pe++) {
        sheaf_store_release(&sheaf_control_pe(areas[pe / NODE_PES], pe % NODE_PES)->state,
                            (uint32_t)SHEAF_PE_FINALIZED);
        kill(pes[pe], SIGKILL);
        CHECK(waitpid(pes[pe], NULL, 0) == pes[pe]);
    }
    for (int node = 0; node < NODES; node++)
        CHECK(waitpid(keepers[node], &status, 0) == keepers[node] && status == 0);
}

int main(void)
{
    char addresses[NODES][SHEAF_POST_ADDRESS];
    int outboxes[NODES];
    setenv("UCX_NET_DEVICES", "lo", 1);
    for (int node = 0; node < NODES; node++)
        make_area(node);
    for (int node = 0; node < NODES; node++)
        start_keeper(node, addresses[node], &outboxes[node]);
    for (int node = 0; node < NODES; node++)
        introduce(outboxes[node], 1 - node, addresses[1 - node]);
    for (int node = 0; node < NODES; node++)
        CHECK(await(&areas[node]->keeper_is_ready, 1));
    kill(pes[3], SIGKILL);
    check_death(1, 3);
    kill(pes[0], SIGKILL);
    check_death(2, 0);
    end_all();
    return 0;
}
