/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PE 0 has no free descriptor while another PE connects to it, and has some again after half a second: the
 * connection then comes about. PE 0 warns once. 2 PEs, each far to the other. Arguments: none.
 */
#include "check.h"

#include <shmem.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define MOST 4096

static long arrived, is_full;

/* Takes all descriptors. Returns how many. */
static int fill(int fds[MOST])
{
    struct rlimit limit;
    int count = 0;
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur > MOST)
        limit.rlim_cur = MOST;
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    while (count < MOST && (fds[count] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        count++;
    CHECK(count < MOST && errno == EMFILE);
    return count;
}

static void refuse_for_half_a_second(void)
{
    static int fds[MOST];
    int count = fill(fds);
    shmem_long_p(&is_full, 1, 1);
    shmem_quiet();
    nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
    CHECK(arrived == 0);
    while (count > 0)
        close(fds[--count]);
}

/* A private context has a connection of its own. */
static void connect_anew(void)
{
    shmem_ctx_t context;
    shmem_long_wait_until(&is_full, SHMEM_CMP_EQ, 1);
    CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &context) == 0);
    shmem_ctx_long_p(context, &arrived, 1, 0);
    shmem_ctx_quiet(context);
    shmem_ctx_destroy(context);
}

int main(void)
{
    shmem_init();
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        refuse_for_half_a_second();
    else
        connect_anew();
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        CHECK(arrived == 1);
    shmem_finalize();
    return 0;
}
