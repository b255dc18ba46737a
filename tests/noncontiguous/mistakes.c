/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One mistake, by the name in the first argument, on every PE towards the next one. mistakes.py knows
 * the line that must come.
 */
#include "check.h"

#include <shmemx.h>

#include <string.h>

static long a[100];
static long local[100];
static shmemx_handle_t handle;

static void strided(const char *what, int next)
{
    ptrdiff_t one[] = {8, 16, 32, 64, 128, 256, 512, 1024}, far[] = {16};
    size_t counts[] = {8, 1, 1, 1, 1, 1, 1, 1}, two[] = {8, 2};
    if (strcmp(what, "dims-8") == 0)
        shmemx_putmem_strided(a, local, one, one, counts, 8, next);
    else if (strcmp(what, "dims-0") == 0)
        shmemx_getmem_strided_nb(local, a, one, one, counts, 0, next, &handle);
    else if (strcmp(what, "negative-run") == 0)
        shmemx_putmem_strided(a, local, one, one, (size_t[]){(size_t)-8}, 1, next);
    else if (strcmp(what, "negative-count") == 0)
        shmemx_putmem_strided(a, local, one, one, (size_t[]){8, (size_t)-2}, 2, next);
    else if (strcmp(what, "no-counts") == 0)
        shmemx_putmem_strided(a, local, one, one, NULL, 2, next);
    else if (strcmp(what, "no-strides") == 0)
        shmemx_getmem_strided(local, a, one, NULL, two, 2, next);
    else if (strcmp(what, "dest-overlap") == 0)
        shmemx_putmem_strided(a, local, (ptrdiff_t[]){4}, far, two, 2, next);
    else if (strcmp(what, "source-overlap") == 0)
        shmemx_ctx_getmem_strided(SHMEM_CTX_DEFAULT, local, a, far, (ptrdiff_t[]){-7}, two, 2, next);
    else if (strcmp(what, "third-overlap") == 0)
        shmemx_putmem_strided_nb(a, local, (ptrdiff_t[]){16, 0}, (ptrdiff_t[]){16, 32},
                                 (size_t[]){8, 2, 2}, 3, next, &handle);
    else if (strcmp(what, "too-many-bytes") == 0)
        shmemx_putmem_strided(a, local, one, one, (size_t[]){8, (size_t)1 << 40, (size_t)1 << 40}, 3,
                              next);
    else if (strcmp(what, "beyond") == 0)
        shmemx_putmem_strided(a, local, (ptrdiff_t[]){(ptrdiff_t)1 << 40}, far, two, 2, next);
    else if (strcmp(what, "pe") == 0)
        shmemx_putmem_strided(a, local, far, far, two, 2, shmem_n_pes());
    else if (strcmp(what, "pe-nothing") == 0)
        shmemx_getmem_strided(local, a, far, far, (size_t[]){0}, 1, -1);
}

static void others(const char *what, int next)
{
    void *dests[] = {a, a + 1};
    const void *sources[] = {local, local + 1};
    shmemx_vector_t vector = {dests, sources, 2, 8};
    double _Complex pair = 0;
    if (strcmp(what, "vector-negative") == 0)
        vector.count = (size_t)-3;
    else if (strcmp(what, "vector-bytes") == 0)
        vector.bytes = (size_t)-1;
    else if (strcmp(what, "vector-null") == 0)
        vector.sources = NULL;
    if (strcmp(what, "vector-pe") == 0)
        shmemx_getmem_vector_nb(&vector, 1, -1, &handle);
    else if (strncmp(what, "vector", 6) == 0)
        shmemx_putmem_vector(&vector, 1, next);
    else if (strcmp(what, "unaligned") == 0)
        shmemx_long_accumulate((long *)((char *)a + 4), local, 1, 1, next);
    else if (strcmp(what, "unaligned-complex") == 0)
        shmemx_complexd_accumulate((sheaf_complexd *)((char *)a + 4), &pair, 1, 1, next);
    else if (strcmp(what, "half-vector") == 0) {
        vector.bytes = 12;
        shmemx_long_accumulate_vector(&vector, 1, 1, next);
    } else if (strcmp(what, "half") == 0)
        shmemx_long_accumulate_strided(a, local, 1, NULL, NULL, (size_t[]){12}, 1, next);
    else if (strcmp(what, "odd-stride") == 0)
        shmemx_long_accumulate_strided(a, local, 1, (ptrdiff_t[]){12}, (ptrdiff_t[]){16},
                                       (size_t[]){8, 2}, 2, next);
    else if (strcmp(what, "negative-elements") == 0)
        shmemx_long_accumulate(a, local, 1, (size_t)-4, next);
    else if (strcmp(what, "accumulate-pe") == 0)
        shmemx_int_accumulate_nb((int *)a, (int *)local, 1, 1, 1000, &handle);
    else if (strcmp(what, "context") == 0)
        shmemx_ctx_long_accumulate(SHMEM_CTX_INVALID, a, local, 1, 1, next);
}

/* What only a far PE's memory, or the debug level, shows. */
static void outside(const char *what, int next)
{
    long mine[4] = {0};
    void *dests[] = {a, mine};
    const void *sources[] = {local, local};
    shmemx_vector_t vector = {dests, sources, 2, 8};
    ptrdiff_t far[] = {16};
    size_t two[] = {8, 2};
    if (strcmp(what, "stack-strided") == 0)
        shmemx_putmem_strided(mine, local, far, far, two, 2, next);
    else if (strcmp(what, "stack-get") == 0)
        shmemx_getmem_strided(local, mine, far, far, two, 2, next);
    else if (strcmp(what, "stack-vector") == 0)
        shmemx_putmem_vector(&vector, 1, next);
    else if (strcmp(what, "stack-accumulate") == 0)
        shmemx_long_accumulate(mine, local, 1, 2, next);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "before-init") == 0)
        shmemx_putmem_strided(a, local, NULL, NULL, (size_t[]){8}, 1, 0);
    else if (strcmp(what, "wait-before-init") == 0)
        shmemx_wait(&handle);
    shmem_init();
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    strided(what, next);
    others(what, next);
    outside(what, next);
    shmem_finalize();
    if (strcmp(what, "after-finalize") == 0)
        shmemx_double_accumulate((double *)a, (double *)local, 1, 1, 0);
    return 0;
}
