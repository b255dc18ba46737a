/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A runtime that loads the library with dlopen reads the teams as data right after it, begins the
 * initialization, hands in memory, and ends it. Argument: libsheaf.so.
 */
#include "loaded.h"

int main(int argc, char **argv)
{
    static char memory[4096];
    int provided = -1;
    CHECK(argc == 2);
    load_library(argv[1], RTLD_NOW | RTLD_LOCAL);
    void *world = *(void **)look_up("SHMEM_TEAM_WORLD");
    void *shared = *(void **)look_up("SHMEM_TEAM_SHARED");
    void *node = *(void **)look_up("SHMEMX_TEAM_NODE");
    CHECK(world && shared && node == shared && world != shared);
    LOOK_UP(int, shmemx_heap_preinit_thread, int, int *);
    LOOK_UP(void, shmemx_heap_create, void *, size_t, int, int);
    LOOK_UP(void, shmemx_heap_postinit, void);
    LOOK_UP(int, shmem_my_pe, void);
    LOOK_UP(int, shmem_n_pes, void);
    LOOK_UP(int, shmem_team_my_pe, void *);
    LOOK_UP(int, shmem_team_n_pes, void *);
    LOOK_UP(void, shmem_finalize, void);
    CHECK(shmemx_heap_preinit_thread(3, &provided) == 0 && provided == 3);
    int me = shmem_my_pe(), npes = shmem_n_pes();
    CHECK(me >= 0 && me < npes);
    shmemx_heap_create(memory, sizeof memory, 1, 0);
    shmemx_heap_postinit();
    CHECK(shmem_team_my_pe(world) == me && shmem_team_n_pes(world) == npes);
    CHECK(shmem_team_n_pes(shared) >= 1 && shmem_team_n_pes(node) == shmem_team_n_pes(shared));
    shmem_finalize();
    return 0;
}
