/* SPDX-License-Identifier: BSD-3-Clause
 * Variables of many types, and two snapshots of them in the folder named: for dump.py.
 */
#include "check.h"

#include <complex.h>
#include <shmemx.h>
#include <stdbool.h>
#include <string.h>

enum colour { RED, GREEN = 5 };

struct cell {
    double temperature;
    enum colour colour;
    unsigned flags : 3;
    int small : 4;
    char name[12];
    struct {
        short x, y;
    };
    struct cell *next;
};

struct cell grid[10];
float matrix[3][4];
long large[1 << 20];
short *pointer;
double *heap;
double complex number;
long double longer = 1.5L;
bool truth;
unsigned char bytes[4] = {255, 1};
union {
    unsigned whole;
    float part;
} both;

static int count(void)
{
    static int counter = 7;
    return counter++;
}

static void fill(int me)
{
    for (int i = 0; i < 10; i++) {
        heap[i] = i * 1.5 + me;
        grid[i] = (struct cell){100.0 * me + i, GREEN, 5, -3, "cell", {3, -4}, &grid[(i + 1) % 10]};
        matrix[i / 4][i % 4] = (float)i;
    }
    pointer = &grid[3].y;
    number = 1 + 2 * I;
    truth = true;
    both.part = 1;
    large[(1 << 20) - 1] = count();
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    shmem_init();
    int me = shmem_my_pe();
    heap = shmem_malloc(10 * sizeof *heap);
    fill(me);
    CHECK_EQ(shmemx_snapshot(SHMEM_TEAM_WORLD, argv[1], "first"), 0);
    if (me == 1) {
        grid[5].temperature = -1;
        heap[3] = 9;
        count();
    }
    CHECK_EQ(shmemx_snapshot(SHMEM_TEAM_WORLD, argv[1], "second"), 0);
    shmem_finalize();
    return 0;
}
