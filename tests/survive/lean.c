/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The agent of a host has nothing of its PEs' memory: of a program with 128 MiB of data, touched before shmem_init, it
 * takes less than 16 MiB. Arguments: none.
 */
#include "agent.h"
#include "check.h"

#include <shmem.h>

#define MOST_KIB 16384

static char *private_data;
static char data[64 << 20]; /* symmetric */

static long resident_kib(int process)
{
    char number[16], text[8192];
    snprintf(number, sizeof number, "%d", process);
    read_file(number, "status", text, sizeof text);
    const char *line = strstr(text, "\nVmRSS:");
    return line ? strtol(line + 7, NULL, 10) : -1;
}

int main(void)
{
    private_data = malloc(sizeof data);
    memset(private_data, 1, sizeof data);
    memset(data, 1, sizeof data);
    shmem_init();
    shmem_barrier_all();
    int agent = find_agent();
    long kib = resident_kib(agent);
    CHECK(agent > 0);
    CHECK(kib > 0 && kib < MOST_KIB);
    if (shmem_my_pe() == 0)
        printf("the agent takes %ld KiB\n", kib);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
