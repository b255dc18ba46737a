/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The copier's ring by itself: several threads claim pieces while one adds jobs of all lengths, with
 * and without signals. Every byte arrives, once each signal is seen all of its job is there, and a full
 * ring refuses.
 */
#include "core/access/copy/ring.h"
#include "core/access/copy/copy.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 3, ROUNDS = 40, JOBS = 3 * SHEAF_COPIER_JOBS };
#define MOST (5 * SHEAF_COPIER_PIECE)

size_t sheaf_copy_long_from = SIZE_MAX;
void sheaf_copy_long_part(void *dest, const void *source, size_t bytes, size_t total)
{
    (void)total;
    memcpy(dest, source, bytes);
}

void sheaf_copy_blocks(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride, size_t count,
                       size_t block_bytes)
{
    for (size_t i = 0; i < count; i++)
        memcpy((char *)dest + (ptrdiff_t)i * dest_stride, (const char *)source + (ptrdiff_t)i * source_stride,
               block_bytes);
}

static struct sheaf_copier_ring ring;
static bool stop;
static char *source, *dest;

#define CHECK(condition)                                                                            \
    do {                                                                                            \
        if (!(condition)) {                                                                         \
            printf("failed: %s, line %d\n", #condition, __LINE__);                                  \
            exit(1);                                                                                \
        }                                                                                           \
    } while (0)

static void *work(void *unused)
{
    while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE))
        sheaf_copier_ring_work(&ring);
    return unused;
}

static size_t length_of(unsigned *seed)
{
    size_t length = (size_t)rand_r(seed) % MOST + 1;
    return rand_r(seed) % 3 == 0 ? (length / SHEAF_COPIER_PIECE + 1) * SHEAF_COPIER_PIECE : length;
}

/* Into blocks that lie in a row at both ends, shorter and longer than a piece; kind 0: no blocks. */
static void cut(struct sheaf_copier_copy *copy, size_t kind)
{
    static const size_t lengths[] = {0, 24, 4096, SHEAF_COPIER_PIECE + 9};
    size_t length = lengths[kind];
    if (length == 0 || copy->bytes < length)
        return;
    copy->blocks = (struct sheaf_blocks){(ptrdiff_t)length, (ptrdiff_t)length, length, copy->bytes / length};
    copy->bytes = copy->blocks.count * length;
    copy->has_blocks = true;
}

/* One after the other into the same place, each seen by its signal; every second is waited for by
 * position. */
static void run_round(unsigned seed)
{
    uint64_t signal = 0, sum = 0;
    for (uint64_t number = 1; number <= JOBS; number++) {
        size_t bytes = length_of(&seed);
        memset(source, (int)(number + seed), bytes);
        struct sheaf_copier_copy copy = {.dest = dest, .source = source, .bytes = bytes, .signal = &signal, .value = number, .adds = number % 2 == 0};
        cut(&copy, number % 4);
        sum = copy.adds ? sum + number : number;
        while (!sheaf_copier_ring_add(&ring, &copy))
            sheaf_copier_ring_work(&ring);
        if (number % 4 < 2)
            while (__atomic_load_n(&signal, __ATOMIC_ACQUIRE) != sum)
                sheaf_copier_ring_work(&ring);
        while (!sheaf_copier_ring_is_done(&ring, ring.head))
            sheaf_copier_ring_work(&ring);
        CHECK(signal == sum);
        CHECK(memcmp(dest, source, copy.bytes) == 0);
    }
}

/* Many at once, each to its own place. */
static void run_many(unsigned seed)
{
    enum { AT_ONCE = SHEAF_COPIER_JOBS + 9, PART = 70000 };
    static char from[AT_ONCE][PART], to[AT_ONCE][PART];
    for (int job = 0; job < AT_ONCE; job++) {
        memset(from[job], (int)seed + job, PART);
        struct sheaf_copier_copy copy = {.dest = to[job], .source = from[job], .bytes = PART};
        while (!sheaf_copier_ring_add(&ring, &copy))
            sheaf_copier_ring_work(&ring);
    }
    while (!sheaf_copier_ring_is_done(&ring, ring.head))
        sheaf_copier_ring_work(&ring);
    CHECK(memcmp(from, to, sizeof from) == 0);
}

/* Without threads: what does not fit is refused, and nothing is copied until somebody works. */
static void check_full(void)
{
    char from[8] = "1234567", to[8] = "";
    struct sheaf_copier_copy copy = {.dest = to, .source = from, .bytes = sizeof from};
    CHECK(!sheaf_copier_ring_work(&ring));
    for (int job = 0; job < SHEAF_COPIER_JOBS; job++)
        CHECK(sheaf_copier_ring_add(&ring, &copy));
    CHECK(!sheaf_copier_ring_add(&ring, &copy));
    CHECK(to[0] == '\0');
    CHECK(!sheaf_copier_ring_is_done(&ring, 1));
    CHECK(sheaf_copier_ring_work(&ring));
    CHECK(to[0] == '1');
    CHECK(sheaf_copier_ring_is_done(&ring, 1) && !sheaf_copier_ring_is_done(&ring, 2));
    CHECK(sheaf_copier_ring_add(&ring, &copy));
    while (sheaf_copier_ring_work(&ring))
        continue;
    CHECK(sheaf_copier_ring_is_done(&ring, ring.head));
    copy.bytes = 0;
    CHECK(!sheaf_copier_ring_add(&ring, &copy));
}

int main(void)
{
    pthread_t workers[WORKERS];
    source = malloc(MOST + SHEAF_COPIER_PIECE);
    dest = malloc(MOST + SHEAF_COPIER_PIECE);
    CHECK(source && dest);
    check_full();
    for (int i = 0; i < WORKERS; i++)
        CHECK(pthread_create(&workers[i], NULL, work, NULL) == 0);
    for (unsigned seed = 1; seed <= ROUNDS / 10; seed++)
        run_round(seed);
    for (unsigned seed = 1; seed <= ROUNDS; seed++)
        run_many(seed);
    __atomic_store_n(&stop, true, __ATOMIC_RELEASE);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    free(source);
    free(dest);
    puts("ok");
    return 0;
}
