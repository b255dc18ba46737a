/* SPDX-License-Identifier: BSD-3-Clause
 * See order.h.
 */
#include "boot/order/order.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/os/os.h"
#include "boot/launcher/mail.h"
#include "boot/order/keeper.h"
#include "boot/order/post.h"
#include "boot/world/world.h"
#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEY       "keeper"
#define PATIENCE  (10 * SHEAF_SECOND) /* until all keepers are connected */

static char address[SHEAF_POST_ADDRESS]; /* on the node's lowest PE */
static int outbox = -1;

static struct sheaf_control *area(void)
{
    return sheaf_image.control;
}

bool sheaf_order_is_kept(void)
{
    return area() && area()->reports_failures && area()->nodes > 1;
}

/* In the grandchild: the PE is not its parent, so that the program does not find a child that it has
 * not made. */
_Noreturn static void be_keeper(int inbox)
{
    struct stat file;
    if (mprotect(area(), area()->slots_offset, PROT_READ | PROT_WRITE) != 0 || fstat(inbox, &file) != 0)
        _exit(1);
    setsid();
    area()->keeper_pipe = inbox;
    area()->keeper_inode = (uint32_t)file.st_ino;
    sheaf_store_release(&area()->keeper_pid, (int32_t)getpid());
    sheaf_os_futex_wake((uint32_t *)&area()->keeper_pid);
    sheaf_keeper_run(inbox);
}

static int fork_keeper(void)
{
    int ends[2], status;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0)
            be_keeper(ends[0]);
        _exit(0);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    close(ends[0]);
    outbox = ends[1];
    return child > 0 ? 0 : -1;
}

static int32_t await_keeper(void)
{
    uint64_t until = sheaf_clock_ns() + PATIENCE;
    int32_t pid;
    while ((pid = sheaf_load_acquire(&area()->keeper_pid)) == 0 && sheaf_clock_ns() < until)
        sheaf_os_futex_wait((uint32_t *)&area()->keeper_pid, 0, 100 * SHEAF_MILLISECOND);
    return pid;
}

/* The pipe of the node's keeper: known by its inode, should the process be another by now. */
static int open_outbox(int32_t keeper)
{
    char path[64];
    struct stat file;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", keeper, area()->keeper_pipe);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &file) == 0 && (uint32_t)file.st_ino == area()->keeper_inode)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

int sheaf_order_start(void)
{
    if (!sheaf_order_is_kept())
        return 0;
    bool is_lowest = sheaf_boot.slot == 0, failed = false;
    if (sheaf_vote_bytes(sheaf_boot.npes) > SHEAF_ERRAND_MOST - sizeof(struct sheaf_errand)) {
        sheaf_error("SHEAF_FAILURES=report: a job of %d PEs on several hosts is too large for it",
                    sheaf_boot.npes);
        return -1;
    }
    if (is_lowest)
        failed = sheaf_post_open(sheaf_boot.nodes, sheaf_boot.node, address) != 0 || fork_keeper() != 0;
    if (is_lowest && !failed)
        sheaf_post_forget();
    int32_t keeper = failed ? 0 : await_keeper();
    if (keeper != 0 && outbox < 0)
        outbox = open_outbox(keeper);
    if (keeper != 0 && outbox >= 0)
        return 0;
    sheaf_error("SHEAF_FAILURES=report: the process that puts deaths in order cannot be had on host %s: %s",
                sheaf_boot_host_of(sheaf_boot.pe), strerror(errno));
    return -1;
}

static void run_errand(struct sheaf_errand *errand)
{
    ssize_t done;
    while ((done = write(outbox, errand, errand->bytes)) < 0 && errno == EINTR)
        continue;
    (void)done; /* without the keeper this process ends, see boot/end/watch.c */
}

int sheaf_order_publish(void)
{
    if (!sheaf_order_is_kept() || sheaf_boot.slot != 0 || area()->keeper_is_ready)
        return 0;
    return sheaf_boot_put(KEY, address, strlen(address) + 1);
}

static bool introduce(int node)
{
    _Alignas(8) char whole[SHEAF_ERRAND_MOST];
    struct sheaf_errand *errand = (struct sheaf_errand *)whole;
    void *text;
    size_t bytes;
    if (sheaf_boot_get(sheaf_boot_leader_of(node), KEY, &text, &bytes) != 0)
        return false;
    bool fits = bytes > 1 && bytes <= SHEAF_POST_ADDRESS;
    *errand = (struct sheaf_errand){.bytes = (uint32_t)(sizeof *errand + bytes), .kind =
                                    SHEAF_ERRAND_REACH,
                                    .node = (uint16_t)node};
    if (fits) {
        memcpy(errand + 1, text, bytes);
        run_errand(errand);
    }
    free(text);
    return fits;
}

static bool await_ready(void)
{
    uint64_t until = sheaf_clock_ns() + PATIENCE;
    while (!sheaf_load_acquire(&area()->keeper_is_ready) && sheaf_clock_ns() < until)
        sheaf_os_futex_wait(&area()->keeper_is_ready, 0, 100 * SHEAF_MILLISECOND);
    return sheaf_load_acquire(&area()->keeper_is_ready);
}

int sheaf_order_meet(void)
{
    if (!sheaf_order_is_kept())
        return 0;
    bool all = true, has_met = sheaf_load_acquire(&area()->keeper_is_ready);
    for (int node = 0; node < sheaf_boot.nodes && sheaf_boot.slot == 0 && !has_met; node++)
        if (node != sheaf_boot.node)
            all &= introduce(node);
    if (all && await_ready())
        return 0;
    sheaf_error("SHEAF_FAILURES=report: the hosts of this job cannot connect to one another within 10 s: "
                "UCX_NET_DEVICES names the interfaces that they use");
    return -1;
}

static void hand_over(enum sheaf_errand_kind kind, const void *what, size_t bytes)
{
    _Alignas(8) char whole[SHEAF_ERRAND_MOST];
    struct sheaf_errand *errand = (struct sheaf_errand *)whole;
    *errand = (struct sheaf_errand){.bytes = (uint32_t)(sizeof *errand + bytes), .kind = (uint16_t)kind};
    memcpy(errand + 1, what, bytes);
    run_errand(errand);
}

void sheaf_order_vote(const struct sheaf_vote *vote)
{
    hand_over(SHEAF_ERRAND_VOTE, vote, sheaf_vote_bytes(sheaf_boot.npes));
}

void sheaf_order_lock(const struct sheaf_lock_call *call)
{
    hand_over(SHEAF_ERRAND_LOCK, call, sizeof *call);
}
