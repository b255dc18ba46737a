/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts and gets of every class of length and alignment, to and from the next PE, static data and
 * heap; run with copies by memcpy, past the caches, and as the library chooses.
 */
#include "streams.h"

#include "check.h"

#include <string.h>

enum { LARGE = 17 << 20, GUARD = 192, STATIC_BYTES = 100000 };

static char variable[STATIC_BYTES];
static char *heap, *local, *back;

static char pattern(size_t i, size_t bytes, int pe)
{
    return (char)(i * 31 + (i >> 8) * 7 + (i >> 16) + bytes + (size_t)pe * 3);
}

static void fill(char *at, size_t bytes, int pe)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = pattern(i, bytes, pe);
}

/* Wholly, and in one go: the loop stops at what is wrong. */
static void check(const char *at, size_t bytes, int pe, char guard)
{
    size_t wrong = 0;
    while (wrong < bytes && at[wrong] == pattern(wrong, bytes, pe))
        wrong++;
    CHECK_EQ(wrong, bytes);
    for (int i = 1; i <= GUARD / 2; i++) {
        CHECK_EQ(at[-i], guard);
        CHECK_EQ(at[bytes + (size_t)i - 1], guard);
    }
}

static void exchange(char *symmetric, size_t bytes, size_t to, size_t from, int step)
{
    int me = shmem_my_pe(), all = shmem_n_pes(), next = (me + 1) % all;
    char *target = symmetric + GUARD + to, *source = local + GUARD + from, *copy = back + GUARD + to;
    memset(symmetric, 'g', bytes + 2 * GUARD);
    memset(back, 'b', bytes + 2 * GUARD);
    fill(source, bytes, me);
    shmem_barrier_all();
    switch (step % 3) {
    case 0: shmem_putmem(target, source, bytes, next); break;
    case 1: shmem_putmem_nbi(target, source, bytes, next); break;
    default: shmem_ctx_putmem(SHMEM_CTX_DEFAULT, target, source, bytes, next);
    }
    shmem_barrier_all();
    check(target, bytes, (me + all - 1) % all, 'g');
    if (step % 2)
        shmem_getmem(copy, target, bytes, next);
    else
        shmem_getmem_nbi(copy, target, bytes, next);
    shmem_quiet();
    check(copy, bytes, me, 'b');
    shmem_barrier_all();
}

int main(void)
{
    static const size_t lengths[] = {1, 3, 8, 9, 63, 64, 65, 127, 128, 129, 1000, 4096, 65537, STATIC_BYTES / 2};
    static const size_t longer[] = {(1 << 20) + 1, (8 << 20) + 3, LARGE - 64};
    int step = 0;
    skip_where_nothing_streams();
    shmem_init();
    heap = shmem_malloc(LARGE + 2 * GUARD);
    local = malloc(LARGE + 2 * GUARD);
    back = malloc(LARGE + 2 * GUARD);
    CHECK(heap && local && back);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t to = 0; to < 64; to += 13)
            for (size_t from = 0; from < 64; from += 21)
                exchange(step % 5 ? heap : variable, lengths[i], to, from, step), step++;
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        exchange(heap, longer[i], i * 5, i * 11, step++);
    free(local);
    free(back);
    return test_finish();
}
