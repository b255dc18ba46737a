/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints how many threads this PE's process has before and after long nonblocking puts and gets, for automatic.sh.
 */
#include "check.h"

#include <dirent.h>
#include <string.h>

#define BYTES ((size_t)4 << 20)

static int threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    CHECK(tasks != NULL);
    for (struct dirent *entry; (entry = readdir(tasks)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

int main(void)
{
    shmem_init();
    char *dest = shmem_malloc(BYTES), *source = malloc(BYTES);
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    CHECK(dest && source);
    memset(source, 7, BYTES);
    shmem_putmem_nbi(dest, source, BYTES / 8, next);
    shmem_putmem(dest, source, BYTES, next);
    shmem_quiet();
    int before = threads();
    shmem_putmem_nbi(dest, source, BYTES, next);
    shmem_quiet();
    printf("threads: %d\n", threads() - before);
    shmem_barrier_all();
    CHECK(dest[0] == 7 && memcmp(dest, dest + 1, BYTES - 1) == 0);
    shmem_finalize();
    return 0;
}
