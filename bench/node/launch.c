/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The smallest program: the runner takes the time from the start of the launcher to its end.
 */
#include <shmem.h>

int main(void)
{
    shmem_init();
    shmem_finalize();
}
