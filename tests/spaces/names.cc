// SPDX-License-Identifier: BSD-3-Clause
//
// A namespace of a program may declare the teams' names as its own variables, as a wrapper of several
// libraries does; and the header's names are constants in static initializers all the same.
#include "check.h"

#include <shmemx.h>

#if !defined(SHMEM_TEAM_WORLD) || !defined(SHMEM_TEAM_SHARED) || !defined(SHMEMX_TEAM_NODE)
#error "programs ask for these names by #ifdef"
#endif

namespace wrapper
{
extern shmem_team_t SHMEM_TEAM_WORLD;
extern shmem_team_t SHMEM_TEAM_SHARED;
extern shmem_team_t SHMEMX_TEAM_NODE;
shmem_team_t SHMEM_TEAM_WORLD = 0;
shmem_team_t SHMEM_TEAM_SHARED = 0;
shmem_team_t SHMEMX_TEAM_NODE = 0;

static int size_of_world()
{
    return shmem_team_n_pes(SHMEM_TEAM_WORLD);
}
}

static shmem_team_t teams[] = {SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED, SHMEMX_TEAM_NODE};

int main()
{
    shmem_init();
    CHECK_EQ(wrapper::size_of_world(), -1);
    wrapper::SHMEM_TEAM_WORLD = ::SHMEM_TEAM_WORLD;
    CHECK_EQ(wrapper::size_of_world(), shmem_n_pes());
    CHECK_EQ(shmem_team_my_pe(teams[0]), shmem_my_pe());
    CHECK_EQ(shmem_team_n_pes(teams[1]), shmem_team_n_pes(teams[2]));
    return test_finish();
}
