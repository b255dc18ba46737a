/* SPDX-License-Identifier: BSD-3-Clause */
/* A level of threads, asked for and asked about. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    int provided, level;
    if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0 || provided < SHMEM_THREAD_MULTIPLE) {
        puts("this library does not let several threads call it");
        return 1;
    }
    shmem_query_thread(&level);
    if (shmem_my_pe() == 0)
        printf("level %d of %d\n", level, SHMEM_THREAD_MULTIPLE);
    shmem_finalize();
}
