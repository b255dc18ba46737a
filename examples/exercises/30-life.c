/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include <stdlib.h>
#include <string.h>

#define WIDTH 24
#define ROWS  4 /* of each PE */
#define STEPS 30
static unsigned char field[2][ROWS + 2][WIDTH]; /* halo rows: 0 and ROWS + 1 */

static void next_row(unsigned char *to, const unsigned char *above, const unsigned char *here, const unsigned char *below)
{
    for (int j = 0; j < WIDTH; j++) {
        const int left = (j + WIDTH - 1) % WIDTH, right = (j + 1) % WIDTH;
        const int around = above[left] + above[j] + above[right] + here[left] + here[right] + below[left] + below[j] + below[right];
        to[j] = around == 3 || (around == 2 && here[j]);
    }
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    const int height = ROWS * n;
    unsigned char (*whole)[WIDTH] = calloc((size_t)height * 2, WIDTH); /* the same on one PE */
    CHECK(whole);
    for (int i = 0; i < height; i++)
        for (int j = 0; j < WIDTH; j++)
            whole[i][j] = (unsigned char)((i * 7 + j * 5 + i * j) % 3 == 0);
    memcpy(field[0][1], whole[ROWS * me], ROWS * WIDTH);
    shmem_barrier_all();
    for (int step = 0; step < STEPS; step++) {
        unsigned char (*now)[WIDTH] = field[step % 2], (*then)[WIDTH] = field[1 - step % 2];
        shmem_putmem(now[ROWS + 1], now[1], WIDTH, before);
        shmem_putmem(now[0], now[ROWS], WIDTH, next);
        shmem_barrier_all();
        for (int i = 1; i <= ROWS; i++)
            next_row(then[i], now[i - 1], now[i], now[i + 1]);
        shmem_barrier_all();

        unsigned char (*from)[WIDTH] = whole + step % 2 * height, (*to)[WIDTH] = whole + (1 - step % 2) * height;
        for (int i = 0; i < height; i++)
            next_row(to[i], from[(i + height - 1) % height], from[i], from[(i + 1) % height]);
    }
    CHECK(memcmp(field[STEPS % 2][1], whole[STEPS % 2 * height + ROWS * me], ROWS * WIDTH) == 0);
    free(whole);
    shmem_finalize();
}
