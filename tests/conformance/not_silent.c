/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mistakes that once were silent, or waited. Argument: which; CMakeLists.txt knows what each must say.
 */
#include "check.h"

#include <shmemx.h>

#include <stdint.h>
#include <string.h>

static void destroyed(const char *what)
{
    shmem_ctx_t ctx;
    shmem_ctx_create(0, &ctx);
    shmem_ctx_destroy(ctx);
    if (strcmp(what, "ctx_quiet") == 0)
        shmem_ctx_quiet(ctx);
    else if (strcmp(what, "ctx_fence") == 0)
        shmem_ctx_fence(ctx);
    else if (strcmp(what, "session_start") == 0)
        shmem_ctx_session_start(ctx, 0, NULL, 0);
    else if (strcmp(what, "session_stop") == 0)
        shmem_ctx_session_stop(ctx);
}

int main(int argc, char **argv)
{
    static const int far_off[2] = {0, 1000};
    const char *what = argc > 1 ? argv[1] : "";
    shmem_init();
    int list[2] = {shmem_my_pe() % 2, (shmem_my_pe() + 1) % 2}; /* the other way round on the other PE */
    shmem_team_t team;
    destroyed(what);
    if (strcmp(what, "pe_range") == 0)
        shmem_pe_quiet(far_off, 2);
    else if (strcmp(what, "pe_null") == 0)
        shmem_pe_quiet(NULL, 2);
    else if (strcmp(what, "pe_many") == 0)
        shmem_pe_quiet(far_off, SIZE_MAX);
    else if (strcmp(what, "order") == 0)
        shmemx_team_from_pes(SHMEM_TEAM_WORLD, list, 2, NULL, 0, &team);
    shmem_barrier_all();
    return test_finish();
}
