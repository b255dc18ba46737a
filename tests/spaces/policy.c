/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The NUMA policy of a space's pages is the one that its kind names, on whichever PE asks; and a space that
 * comes after it at the same place does not inherit that.
 */
#include "check.h"

#include <shmemx.h>

#include <errno.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

static int policy_of(void *address)
{
    int mode = -1;
    if (syscall(SYS_get_mempolicy, &mode, NULL, 0UL, address, (unsigned long)MPOL_F_ADDR) != 0 &&
        (errno == ENOSYS || errno == EPERM))
        TEST_SKIP("the kernel does not tell a page's policy");
    return mode;
}

static void check_kind(const char *kind, int mode)
{
    shmemx_space_t space;
    CHECK_EQ(shmemx_space_create(SHMEM_TEAM_WORLD, kind, 1 << 20, &space), 0);
    char *block = shmemx_space_malloc(space, 1000);
    CHECK(block);
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        if (shmem_ptr(block, pe))
            CHECK_EQ(policy_of(shmem_ptr(block, pe)), mode);
    shmem_putmem(block, "x", 1, (shmem_my_pe() + 1) % shmem_n_pes());
    shmem_barrier_all();
    CHECK_EQ(*block, 'x');
    shmemx_space_destroy(space);
}

int main(void)
{
    if (access("/sys/devices/system/node/node0", F_OK) != 0)
        return printf("skipped: no NUMA nodes are told\n"), TEST_STATUS_SKIPPED;
    shmem_init();
    int plain = policy_of(&(int){0});
    check_kind("numa:0", MPOL_BIND);
    check_kind("interleave", MPOL_INTERLEAVE);
    if (access("/sys/devices/system/node/node1", F_OK) != 0)
        check_kind("default", plain);
    check_kind("numa:0", MPOL_BIND);
    return test_finish();
}
