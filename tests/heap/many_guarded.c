/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHEAF_CHECK=memory looks at a part of the blocks in each call: 10,000 blocks take a second, where they took ten minutes.
 * The time limit of the test holds it.
 */
#include "check.h"

#define BLOCKS 10000

int main(void)
{
    static char *blocks[BLOCKS];
    shmem_init();
    for (int i = 0; i < BLOCKS; i++)
        CHECK(blocks[i] = shmem_malloc(16));
    for (int i = 0; i < BLOCKS; i += 3)
        shmem_free(blocks[i]);
    return test_finish();
}
