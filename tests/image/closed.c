/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that closes all descriptors before it initializes, as daemons do: it runs, or is told which one it needs.
 */
#include "check.h"

#include <unistd.h>

int main(void)
{
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    shmem_init();
    printf("all is well\n");
    return test_finish();
}
