/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that inline forms must leave to the library, which ends the program with its reason. The
 * argument names the case; states.py knows how each ends.
 */
#include "check.h"

#include <shmemx_inline.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long cell;

static void use_in_child(void)
{
    shmem_long_p(&cell, 1, shmem_my_pe());
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        shmem_long_p(&cell, 666, 0);
        _exit(77);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    shmem_long_atomic_inc(&cell, shmem_my_pe());
    CHECK_EQ(cell, 2);
}

static void attach_another_version(void)
{
    static struct sheaf_inline_route route;
    sheaf_inline_attach(&route, SHEAF_INLINE_VERSION + 1);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    long local = 0;

    if (strcmp(name, "early-p") == 0)
        shmem_long_p(&cell, 1, 0);
    else if (strcmp(name, "early-my_pe") == 0)
        return shmem_my_pe();
    else if (strcmp(name, "early-ptr") == 0)
        return shmem_ptr(&cell, 0) == NULL;
    else if (strcmp(name, "version") == 0)
        attach_another_version();

    shmem_init();
    const int npes = shmem_n_pes();
    if (strcmp(name, "high") == 0)
        shmem_long_p(&cell, 1, npes);
    else if (strcmp(name, "negative") == 0)
        return (int)shmem_long_atomic_fetch_add(&cell, 1, -1);
    else if (strcmp(name, "stack") == 0)
        shmem_long_put(&local, &cell, 1, 0);
    else if (strcmp(name, "child") == 0)
        use_in_child();
    shmem_finalize();
    if (strcmp(name, "late-g") == 0)
        return (int)shmem_long_g(&cell, 0);
    if (strcmp(name, "late-add") == 0)
        shmem_atomic_add(&cell, 1, 0);
    if (strcmp(name, "late-n_pes") == 0)
        return shmem_n_pes();
    return 0;
}
