/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs die at random moments of what they do in a loop: collectives of each kind, allocation, agreement,
 * locks, waits. The living leave the call, make a team of themselves and go on, until as many have died
 * as were to; then a last part of the work must come out right. Arguments: seed, PEs that die, and what
 * they do (default: by the seed).
 */
#include "check.h"

#include <shmemx.h>
#include <shmemx_ft.h>

#include <setjmp.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define LONG     3000 /* elements that no note holds */
#define ROUNDS   20   /* of work after the last death */
#define AGREEMENTS 8 /* of a round */
#define LATEST   4000 /* us until a death */
#define PUT      3000 /* bytes, and so many at a time */
#define PUTS     4000

static long source[LONG * 8], dest[LONG * 8], never, lock, begun, ended;
static char *heap;
static sigjmp_buf out;
static shmem_team_t team;
static int size, rank, seed, is_inside, is_harmed_from_outside;
static uint64_t agreed;
static double told, went_on; /* s */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void leave(void *unused)
{
    (void)unused;
    if (told == 0)
        told = now();
    siglongjmp(out, 1);
}

/* What all members bring: the sum tells whether each came once. */
static long sum_of_all(long round)
{
    long sum = 0;
    for (int member = 0; member < size; member++)
        sum += round * (shmem_team_translate_pe(team, member, SHMEM_TEAM_WORLD) + 1);
    return sum;
}

static void fill(size_t count, long round)
{
    for (size_t i = 0; i < count; i++)
        source[i] = round * (shmem_my_pe() + 1);
}

static long of_member(int member, long round)
{
    return round * (shmem_team_translate_pe(team, member, SHMEM_TEAM_WORLD) + 1);
}

static void do_barrier(long round)
{
    (void)round;
    if (team == SHMEM_TEAM_WORLD)
        shmem_barrier_all();
    else
        CHECK_EQ(shmem_team_sync(team), 0);
}

static void broadcast(size_t count, long round)
{
    int root = (int)(round % size);
    fill(count, round);
    do_barrier(round);
    CHECK_EQ(shmem_long_broadcast(team, dest, source, count, root), 0);
    CHECK_EQ(dest[count - 1], of_member(root, round));
    do_barrier(round);
}

static void do_broadcast(long round) { broadcast(1, round); }
static void do_long_broadcast(long round) { broadcast(LONG, round); }

static void sum(size_t count, long round)
{
    fill(count, round);
    do_barrier(round);
    CHECK_EQ(shmem_long_sum_reduce(team, dest, source, count), 0);
    CHECK_EQ(dest[count - 1], sum_of_all(round));
}

static void do_sum(long round) { sum(1, round); }
static void do_long_sum(long round) { sum(LONG, round); }

static void do_fcollect(long round)
{
    fill(LONG, round);
    do_barrier(round);
    CHECK_EQ(shmem_long_fcollect(team, dest, source, LONG), 0);
    for (int member = 0; member < size; member++)
        CHECK_EQ(dest[(member + 1) * LONG - 1], of_member(member, round));
    do_barrier(round);
}

static void do_collect(long round)
{
    size_t mine = (size_t)shmem_my_pe() % 3 + 1;
    fill(mine, round);
    do_barrier(round);
    CHECK_EQ(shmem_long_collect(team, dest, source, mine), 0);
    CHECK_EQ(dest[0], of_member(0, round));
    do_barrier(round);
}

static void do_alltoall(long round)
{
    fill((size_t)size * 10, round);
    do_barrier(round);
    CHECK_EQ(shmem_long_alltoall(team, dest, source, 10), 0);
    for (int member = 0; member < size; member++)
        CHECK_EQ(dest[member * 10], of_member(member, round));
    do_barrier(round);
}

static void do_scan(long round)
{
    fill(1, round);
    do_barrier(round);
    CHECK_EQ(shmem_long_sum_inscan(team, dest, source, 1), 0);
    if (rank == size - 1)
        CHECK_EQ(dest[0], sum_of_all(round));
    do_barrier(round);
}

/* The same block on all: what is set, and what is not, in all living PEs' offsets. */
static void do_malloc(long round)
{
    size_t bytes = (size_t)(round % 5 + 1) * 1000;
    char *block = shmem_malloc(bytes);
    CHECK(block != NULL);
    uint64_t offset = (uint64_t)(block - heap), same = offset, other = ~offset;
    shmemx_agree(team, &same);
    shmemx_agree(team, &other);
    CHECK_EQ(same, offset);
    CHECK_EQ(other, ~offset);
    memset(block, (int)round, bytes);
    shmem_free(block);
    do_barrier(round);
}

static void do_sync(long round)
{
    (void)round;
    CHECK_EQ(shmem_team_sync(team), 0);
}

static void do_alltoalls(long round)
{
    fill((size_t)size * 20, round);
    do_barrier(round);
    CHECK_EQ(shmem_long_alltoalls(team, dest, source, 2, 2, 10), 0);
    for (int member = 0; member < size; member++)
        CHECK_EQ(dest[member * 20], of_member(member, round));
    do_barrier(round);
}

static void do_exscan(long round)
{
    fill(1, round);
    do_barrier(round);
    CHECK_EQ(shmem_long_sum_exscan(team, dest, source, 1), 0);
    if (rank == size - 1)
        CHECK_EQ(dest[0], sum_of_all(round) - of_member(rank, round));
    do_barrier(round);
}

/* All but one, who gets none. */
static void do_split(long round)
{
    shmem_team_t part;
    int alone = (int)(round % size), first = alone == 0, count = alone == 0 ? size - 1 : alone;
    if (count > 0)
        CHECK_EQ(shmem_team_split_strided(team, first, 1, count, NULL, 0, &part), 0);
    if (count > 0 && rank >= first && rank < first + count) {
        CHECK_EQ(shmem_team_n_pes(part), count);
        CHECK_EQ(shmem_team_sync(part), 0);
        shmem_team_destroy(part);
    }
    do_barrier(round);
}

static void do_context(long round)
{
    shmem_ctx_t context;
    CHECK_EQ(shmem_team_create_ctx(team, 0, &context), 0);
    shmem_ctx_long_p(context, &dest[0], round, (rank + 1) % size);
    shmem_ctx_quiet(context);
    shmem_ctx_destroy(context);
    do_barrier(round);
    CHECK_EQ(dest[0], round);
    do_barrier(round);
}

/* More than a network takes at once, and nothing waits for its end before the quiet. */
static void do_puts(long round)
{
    static char bytes[PUT];
    char *there = (char *)dest;
    memset(bytes, (int)round, PUT);
    for (int i = 0; i < PUTS; i++)
        shmem_putmem_nbi(there + (size_t)i % 8 * PUT, bytes, PUT,
                         shmem_team_translate_pe(team, (rank + 1) % size, SHMEM_TEAM_WORLD));
    shmem_quiet();
    do_barrier(round);
    CHECK_EQ(there[8 * PUT - 1], (char)round);
    do_barrier(round);
}

static void do_space(long round)
{
    shmemx_space_t space;
    CHECK_EQ(shmemx_space_create(team, "default", 1 << 16, &space), 0);
    char *block = shmemx_space_malloc(space, 100);
    CHECK(block != NULL);
    memset(block, (int)round, 100);
    shmemx_space_free(space, block);
    shmemx_space_destroy(space);
    do_barrier(round);
}

/* Teams whose PEs are not evenly apart have none. */
static void do_snapshot(long round)
{
    int is_even = 1;
    for (int member = 2; member < size; member++)
        is_even &= of_member(member, 1) - of_member(member - 1, 1) == of_member(1, 1) - of_member(0, 1);
    if (is_even)
        CHECK_EQ(shmemx_snapshot(team, "snapshots", "tag"), 0);
    do_barrier(round);
}

static uint64_t flags_of(int pe, long number)
{
    uint64_t state = (uint64_t)number * 4096 + (uint64_t)pe;
    return test_random(&state) | test_random(&state);
}

/* Who did not come is dead, and all that came return the same: either all of them that nobody has died, or none. */
static void do_agree(long round)
{
    for (long number = round * AGREEMENTS; number < (round + 1) * AGREEMENTS; number++) {
        uint64_t flags = flags_of(shmem_my_pe(), number), all = UINT64_MAX;
        for (int member = 0; member < size; member++)
            all &= flags_of(shmem_team_translate_pe(team, member, SHMEM_TEAM_WORLD), number);
        int dead = shmemx_agree(team, &flags);
        CHECK(dead >= 0);
        if (dead > 0)
            leave(NULL);
        CHECK_EQ(flags, all);
        agreed = agreed * 31 + flags + 1;
    }
    do_barrier(round);
}

/* What all have agreed on by now. */
static void compare_agreed(void)
{
    uint64_t same = agreed, other = ~agreed;
    shmemx_agree(team, &same);
    shmemx_agree(team, &other);
    CHECK_EQ(same, agreed);
    CHECK_EQ(other, ~agreed);
}

/* A holder that died may have begun and not ended; nobody else is inside. */
static void do_lock(long round)
{
    int home = shmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD);
    shmem_set_lock(&lock);
    is_inside = 1;
    long b = shmem_g(&begun, home), e = shmem_g(&ended, home);
    if (shmemx_lock_inherited(&lock) >= 0)
        CHECK(shmemx_pe_status(shmemx_lock_inherited(&lock)) == SHMEMX_PE_DEAD && (b == e || b == e + 1));
    else
        CHECK_EQ(b, e);
    shmem_p(&begun, b + 1, home);
    shmem_p(&ended, b + 1, home);
    is_inside = 0;
    shmem_clear_lock(&lock);
    if (round % 16 == 0)
        do_barrier(round);
}

/* Ends by a death alone; behind the last one there is none to wait for. */
static void do_wait(long round)
{
    if (size == shmem_n_pes())
        shmem_wait_until(&never, SHMEM_CMP_NE, 0);
    do_barrier(round);
}

static const struct task {
    const char *name;
    void (*work)(long round);
} tasks[] = {{"barrier", do_barrier}, {"broadcast", do_broadcast}, {"broadcast-long", do_long_broadcast},
             {"sum", do_sum}, {"sum-long", do_long_sum}, {"fcollect", do_fcollect}, {"collect", do_collect},
             {"alltoall", do_alltoall}, {"scan", do_scan}, {"malloc", do_malloc}, {"agree", do_agree},
             {"lock", do_lock}, {"wait", do_wait}, {"sync", do_sync}, {"alltoalls", do_alltoalls},
             {"exscan", do_exscan}, {"split", do_split}, {"context", do_context}, {"space", do_space},
             {"snapshot", do_snapshot}, {"puts", do_puts}};
#define TASKS (int)(sizeof tasks / sizeof *tasks)

static const struct task *find(const char *name)
{
    for (int i = 0; i < TASKS; i++)
        if (strcmp(tasks[i].name, name) == 0)
            return &tasks[i];
    printf("no such task: %s\n", name);
    exit(2);
}

/* SIGALRM ends a process that does not handle it: wherever it is by then. */
static void die_later(int victims)
{
    uint64_t random = (uint64_t)seed;
    int first = (int)test_random_below(&random, (uint64_t)shmem_n_pes());
    for (int i = 0; i < victims; i++) {
        struct itimerval timer = {.it_value = {.tv_usec = 1 + (long)test_random_below(&random, LATEST)}};
        if (shmem_my_pe() == (first + i) % shmem_n_pes())
            setitimer(ITIMER_REAL, &timer, NULL);
    }
}

/* As tests/hosts/victim.c does. */
static void introduce(void)
{
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    printf("PE %d of %d is process %d on %s\n", shmem_my_pe(), size, (int)getpid(), host);
    fflush(stdout);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("ready\n");
    fflush(stdout);
}

static void shrink(void)
{
    shmem_team_t smaller;
    if (is_inside) /* the memory of a dead PE of another host is out of reach */
        shmem_clear_lock(&lock);
    is_inside = 0;
    CHECK(shmemx_failed_pes(NULL) > 0);
    CHECK_EQ(shmemx_team_shrink(team, &smaller), 0);
    team = smaller;
    size = shmem_team_n_pes(team);
    rank = shmem_team_my_pe(team);
    went_on = now();
    compare_agreed();
    if (begun != ended)
        begun = ended;
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? atoi(argv[1]) : 1;
    static int victims; /* of the stack, siglongjmp might lose it */
    victims = argc > 2 ? atoi(argv[2]) : 1;
    const struct task *task = argc > 3 && strcmp(argv[3], "-") != 0 ? find(argv[3]) : &tasks[seed % TASKS];
    is_harmed_from_outside = argc > 4;
    shmem_init();
    if (victims >= shmem_n_pes())
        TEST_SKIP("somebody must live");
    team = SHMEM_TEAM_WORLD;
    size = shmem_n_pes();
    rank = shmem_my_pe();
    int living = size - victims;
    heap = shmem_malloc(16);
    if (sigsetjmp(out, 0) == 0) {
        shmemx_on_failure(leave, NULL);
        shmem_barrier_all(); /* a member may leave it by the handler: another may be out, and dead */
    }
    if (is_harmed_from_outside)
        introduce();
    else
        die_later(victims);
    if (sigsetjmp(out, 0) != 0)
        shrink();
    for (long round = 1; size != living || round <= ROUNDS; round++)
        task->work(round);
    CHECK_EQ(shmemx_failed_pes(NULL), victims);
    if (is_harmed_from_outside)
        printf("PE %d of %d was told at %.6f, went on at %.6f\n", shmem_my_pe(), size, told, went_on);
    shmem_finalize();
    return 0;
}
