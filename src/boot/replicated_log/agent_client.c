/* SPDX-License-Identifier: BSD-3-Clause
 * See agent_client.h.
 */
#include "boot/replicated_log/agent_client.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/os/os.h"
#include "base/os/process.h"
#include "base/times.h"
#include "boot/end/watch_hosts.h"
#include "boot/launcher/kvs.h"
#include "boot/replicated_log/agent_start.h"
#include "boot/replicated_log/agent.h"
#include "boot/replicated_log/mesh.h"
#include "boot/world/world.h"
#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEY       "agent"

static char address[SHEAF_MESH_ADDRESS]; /* on the node's lowest PE */
static int outbox = -1;

static struct sheaf_control *area(void)
{
    return sheaf_image.control;
}

bool sheaf_agent_is_used(void)
{
    return area() && area()->reports_failures && area()->nodes > 1;
}

/* Longer than the lowest PE does, which says why an agent does not start. */
static int32_t await_agent(void)
{
    uint64_t until = sheaf_clock_ns() + 2 * sheaf_times.agents_connect;
    int32_t pid;
    while ((pid = sheaf_load_acquire(&area()->agent_pid)) == 0 && sheaf_clock_ns() < until)
        sheaf_os_futex_wait((uint32_t *)&area()->agent_pid, 0, sheaf_times.agents_connect_look);
    if (pid == 0)
        errno = ETIMEDOUT;
    return pid;
}

static void tell_agent_is_missed(void)
{
    sheaf_store_release(&area()->agent_pid, SHEAF_NO_AGENT);
    sheaf_os_futex_wake((uint32_t *)&area()->agent_pid);
}

/* The node's other PEs: the pipe of the agent that the lowest has started. Where it could not, it says
 * why. */
static int open_outbox(void)
{
    int32_t agent = await_agent();
    if (agent == SHEAF_NO_AGENT)
        return -1;
    if (agent != 0)
        outbox = sheaf_process_open_pipe(agent, area()->agent_pipe, area()->agent_inode, O_WRONLY);
    if (outbox >= 0)
        return 0;
    sheaf_error("SH607 SHEAF_FAILURES=report: the agent of host %s cannot be reached: %s",
                sheaf_boot_host_of(sheaf_boot.pe), strerror(errno));
    return -1;
}

int sheaf_agent_launch(void)
{
    if (!sheaf_agent_is_used())
        return 0;
    bool is_lowest = sheaf_boot.slot == 0 && !sheaf_boot.is_respawned;
    if (sheaf_vote_bytes(sheaf_boot.npes) > SHEAF_REQUEST_MOST - sizeof(struct sheaf_agent_request)) {
        sheaf_error("SH208 SHEAF_FAILURES=report: a job of %d PEs on several hosts is too large for it",
                    sheaf_boot.npes);
        return -1;
    }
    int file = sheaf_image_has_file() ? sheaf_image.fd : -1;
    int failed = is_lowest ? sheaf_agent_start(area(), file, address, &outbox) : open_outbox();
    if (!failed)
        sheaf_watch_hosts_set_agent(sheaf_agent_end_job);
    else if (is_lowest)
        tell_agent_is_missed();
    return failed;
}

static void send_request(struct sheaf_agent_request *request)
{
    ssize_t done;
    while ((done = write(outbox, request, request->bytes)) < 0 && errno == EINTR)
        continue;
    (void)done; /* without the agent this process ends, see boot/end/watch.c */
}

int sheaf_agent_publish(void)
{
    if (!sheaf_agent_is_used() || sheaf_boot.slot != 0 || area()->agent_is_ready)
        return 0;
    return sheaf_boot_put(KEY, address, strlen(address) + 1);
}

static bool introduce(int node)
{
    _Alignas(8) char whole[SHEAF_REQUEST_MOST];
    struct sheaf_agent_request *request = (struct sheaf_agent_request *)whole;
    void *text;
    size_t bytes;
    if (sheaf_boot_get(sheaf_boot_leader_of(node), KEY, &text, &bytes) != 0)
        return false;
    bool fits = bytes > 1 && bytes <= SHEAF_MESH_ADDRESS;
    *request = (struct sheaf_agent_request){.bytes = (uint32_t)(sizeof *request + bytes), .kind =
                                            SHEAF_REQUEST_REACH,
                                            .node = (uint16_t)node};
    if (fits) {
        memcpy(request + 1, text, bytes);
        send_request(request);
    }
    free(text);
    return fits;
}

/* A launcher hands N hosts' addresses to N hosts, one after the other. */
static uint64_t longest_connecting(void)
{
    return sheaf_times.agents_connect + (uint64_t)sheaf_boot.nodes * sheaf_times.agents_connect_host;
}

static bool await_ready(void)
{
    uint64_t until = sheaf_clock_ns() + longest_connecting();
    while (!sheaf_load_acquire(&area()->agent_is_ready) && sheaf_clock_ns() < until)
        sheaf_os_futex_wait(&area()->agent_is_ready, 0, sheaf_times.agents_connect_look);
    return sheaf_load_acquire(&area()->agent_is_ready);
}

static int refuse_unconnected(void)
{
    int node = sheaf_load_relaxed(&area()->agent_lacks);
    node = node >= 0 && node < sheaf_boot.nodes ? node : 0;
    sheaf_error("SH607 SHEAF_FAILURES=report: host %s has not been connected within %g s: a PE there has "
                "died in shmem_init, or the hosts do not reach each other by TCP: UCX_NET_DEVICES names "
                "the interfaces that they use",
                sheaf_boot_host_of(sheaf_boot_leader_of(node)), (double)longest_connecting() / 1e9);
    return -1;
}

int sheaf_agent_connect(void)
{
    if (!sheaf_agent_is_used())
        return 0;
    bool all = true, has_met = sheaf_load_acquire(&area()->agent_is_ready);
    for (int node = 0; node < sheaf_boot.nodes && sheaf_boot.slot == 0 && !has_met; node++)
        if (node != sheaf_boot.node)
            all &= introduce(node);
    if (all && await_ready())
        return 0;
    return refuse_unconnected();
}

static void hand_over(enum sheaf_request_kind kind, const void *what, size_t bytes)
{
    _Alignas(8) char whole[SHEAF_REQUEST_MOST];
    struct sheaf_agent_request *request = (struct sheaf_agent_request *)whole;
    *request = (struct sheaf_agent_request){.bytes = (uint32_t)(sizeof *request + bytes),
                                            .kind = (uint16_t)kind};
    memcpy(request + 1, what, bytes);
    send_request(request);
}

void sheaf_agent_vote(const struct sheaf_vote *vote)
{
    hand_over(SHEAF_REQUEST_VOTE, vote, sheaf_vote_bytes(sheaf_boot.npes));
}

void sheaf_agent_lock(const struct sheaf_lock_call *call)
{
    hand_over(SHEAF_REQUEST_LOCK, call, sizeof *call);
}

void sheaf_agent_respawn(const struct sheaf_respawn *call)
{
    hand_over(SHEAF_REQUEST_RESPAWN, call, sizeof *call);
}

void sheaf_agent_end_job(int pe, int status)
{
    static bool is_told;
    struct sheaf_job_end end = {pe, status};
    if (!__atomic_exchange_n(&is_told, true, __ATOMIC_RELAXED)) /* the agent may be gone the next time */
        hand_over(SHEAF_REQUEST_END, &end, sizeof end);
}

#define MOST_ADDRESS                                                                                      \
    (SHEAF_REQUEST_MOST - sizeof(struct sheaf_agent_request) - sizeof(struct sheaf_said_address))

static int refuse_address(size_t bytes)
{
    sheaf_error("SH607 oshrun --spare: the network address of this PE has %zu bytes, and may have %zu: "
                "name fewer interfaces in UCX_NET_DEVICES", bytes, MOST_ADDRESS);
    return -1;
}

int sheaf_agent_say_address(const void *address, size_t bytes)
{
    _Alignas(8) char whole[SHEAF_REQUEST_MOST];
    struct sheaf_said_address *said = (struct sheaf_said_address *)whole;
    if (bytes > MOST_ADDRESS)
        return refuse_address(bytes);
    *said = (struct sheaf_said_address){sheaf_boot.pe,
                                        sheaf_control_incarnation_state(area(), sheaf_boot.pe) / 2};
    memcpy(said + 1, address, bytes);
    hand_over(SHEAF_REQUEST_ADDRESS, said, sizeof *said + bytes);
    return 0;
}

bool sheaf_agent_has_addresses(void)
{
    return sheaf_agent_is_used() && area()->addresses_offset != 0;
}

int sheaf_agent_note_address(int pe, const void *address, size_t bytes)
{
    struct sheaf_address *row = sheaf_control_address(area(), pe);
    if (bytes > MOST_ADDRESS)
        return refuse_address(bytes);
    memcpy(row->text, address, bytes);
    sheaf_store_release(&row->bytes, (uint32_t)bytes);
    return 0;
}

/* False where the agent has written meanwhile. */
static bool copy_address(const struct sheaf_address *row, void *text, size_t *bytes)
{
    uint32_t sequence = sheaf_load_acquire(&row->sequence);
    *bytes = sheaf_load_relaxed(&row->bytes);
    if (sequence % 2 || *bytes > sizeof row->text)
        return false;
    memcpy(text, row->text, *bytes);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return sheaf_load_relaxed(&row->sequence) == sequence;
}

int sheaf_agent_address(int pe, void **address, size_t *bytes)
{
    const struct sheaf_address *row = sheaf_control_address(area(), pe);
    *address = malloc(sizeof row->text);
    if (!*address)
        return -1;
    while (!copy_address(row, *address, bytes))
        sheaf_cpu_relax();
    if (*bytes > 0)
        return 0;
    free(*address);
    return -1;
}

#define PART (SHEAF_REQUEST_MOST - sizeof(struct sheaf_agent_request) - sizeof(struct sheaf_heap_part))

static void say_part(uint32_t deaths, const char *heap, size_t offset, size_t bytes)
{
    _Alignas(8) char whole[SHEAF_REQUEST_MOST];
    struct sheaf_heap_part *part = (struct sheaf_heap_part *)whole;
    *part = (struct sheaf_heap_part){.deaths = deaths, .offset = offset};
    memcpy(part + 1, heap + offset, bytes);
    hand_over(SHEAF_REQUEST_HEAP, part, sizeof *part + bytes);
}

void sheaf_agent_begin_rejoin(uint32_t deaths, const void *heap, size_t bytes)
{
    struct sheaf_rejoin rejoin = {.deaths = deaths, .heap_bytes = bytes};
    for (size_t offset = 0; offset < bytes; offset += PART)
        say_part(deaths, heap, offset, bytes - offset < PART ? bytes - offset : PART);
    hand_over(SHEAF_REQUEST_REJOIN, &rejoin, sizeof rejoin);
}

void sheaf_agent_settle(uint32_t deaths)
{
    struct sheaf_arrival mine = {sheaf_boot.pe, deaths};
    hand_over(SHEAF_REQUEST_SETTLE, &mine, sizeof mine);
}

static int read_all(int fd, char *to, size_t bytes)
{
    ssize_t got = 1;
    for (size_t at = 0; at < bytes && got > 0; at += (size_t)got)
        got = pread(fd, to + at, bytes - at, (off_t)at);
    return got > 0 ? 0 : -1;
}

int sheaf_agent_heap(void **heap, size_t *bytes)
{
    const struct sheaf_process agent = sheaf_control_agent(area());
    int fd = sheaf_process_open_file(&agent, area()->joined_file, 0, -1);
    *bytes = area()->joined_heap;
    *heap = malloc(*bytes ? *bytes : 1);
    int failed = fd < 0 || !*heap ? -1 : read_all(fd, *heap, *bytes);
    if (fd >= 0)
        close(fd);
    if (failed)
        free(*heap);
    return failed;
}
