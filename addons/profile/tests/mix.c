/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts of which a known share goes to another memory node. PE 0 puts three times to the PE NEAR, which is
 * on its own node, for each time to the PE FAR, there 16 KiB behind. Arguments: NEAR, FAR.
 */
#include <shmem.h>

#include <stdlib.h>

#define BYTES 16384
#define TURNS 2000

static void put_near(char *dest, const char *source, int pe)
{
    shmem_putmem(dest, source, BYTES, pe);
}

static void put_far(char *dest, const char *source, int pe)
{
    shmem_putmem(dest, source, BYTES, pe);
}

int main(int argc, char **argv)
{
    shmem_init();
    char *block = shmem_align(2 * BYTES, 2 * BYTES), *source = calloc(BYTES, 1);
    if (shmem_my_pe() == 0 && argc > 2)
        for (int i = 0; i < TURNS; i++) {
            for (int n = 0; n < 3; n++)
                put_near(block, source, atoi(argv[1]));
            put_far(block + BYTES, source, atoi(argv[2]));
        }
    shmem_barrier_all();
    free(source);
    shmem_finalize();
}
