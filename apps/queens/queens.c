/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many ways are there to place N queens on an N x N board so that none attacks another?
 * The search tree is uneven, so PEs that have nothing left steal from PEs that have. Boards
 * to go on with lie in a queue per PE under a lock; a counter says when all is done. See
 * README.md.
 */
#include "app.h"
#include "tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LARGEST  18  /* the largest board */
#define CAPACITY 1024 /* of a queue; a PE that finds its queue full just goes on by itself */

#define TASKS    65536 /* with --survive: that a PE leaves in all */

/* A board with queens in its first rows: which columns and diagonals of the next row they take. */
struct board {
    uint32_t columns;
    uint32_t left;
    uint32_t right;
    uint32_t row;
};

/* Boards first .. last - 1 are waiting. The owner takes from the end, thieves from the front,
 * both under lock[owner]; first and last are read without it to see whether a visit is worth it, so
 * they are written by atomic operations. */
struct queue {
    long first;
    long last;
    struct board board[CAPACITY];
};

static struct queue queue;  /* symmetric */
static long unfinished;     /* PE 0's counts: boards in any queue or in work */
static long *lock;          /* symmetric: lock[p] is the one lock of PE p's queue */

struct tally {
    long size;      /* of the board */
    long depth;     /* boards with fewer queens are split, others are searched to the end */
    long solutions;
    long boards;    /* that this PE worked on */
    long thefts;
    uint64_t random;
};

/* Known numbers of solutions, from the literature (sequence A000170). */
static const long known[LARGEST + 1] = {1,   1,    0,     0,      2,       10,       4,
                                        40,  92,   352,   724,    2680,    14200,    73712,
                                        365596, 2279184, 14772512, 95815104, 666090624};

static uint32_t free_columns(const struct board *board, long size)
{
    return ~(board->columns | board->left | board->right) & ((UINT32_C(1) << size) - 1);
}

static struct board with_queen(const struct board *board, uint32_t column)
{
    return (struct board){.columns = board->columns | column,
                          .left = (board->left | column) << 1,
                          .right = (board->right | column) >> 1,
                          .row = board->row + 1};
}

static long count_solutions(const struct board *board, long size)
{
    if (board->row == size)
        return 1;
    long solutions = 0;
    for (uint32_t open = free_columns(board, size); open != 0; open &= open - 1) {
        const struct board next = with_queen(board, open & -open);
        solutions += count_solutions(&next, size);
    }
    return solutions;
}

/* The last board of my own queue. */
static bool take(struct board *board)
{
    const int me = shmem_my_pe();
    if (shmem_long_atomic_fetch(&queue.first, me) >= shmem_long_atomic_fetch(&queue.last, me))
        return false;
    shmem_set_lock(&lock[me]);
    const long last = queue.last - 1;
    const bool there = queue.first <= last;
    if (there) {
        *board = queue.board[last];
        shmem_long_atomic_set(&queue.last, last, me);
    }
    shmem_clear_lock(&lock[me]);
    return there;
}

/* Appends to my own queue, moved to the front of its array first. False when it is full. */
static bool append(const struct board *board, long count)
{
    const int me = shmem_my_pe();
    shmem_set_lock(&lock[me]);
    long last = queue.last;
    const long waiting = last - queue.first;
    const bool fits = waiting + count <= CAPACITY;
    if (fits && last + count > CAPACITY) {
        for (long i = 0; i < waiting; i++)
            queue.board[i] = queue.board[queue.first + i];
        shmem_long_atomic_set(&queue.first, 0, me);
        last = waiting;
    }
    for (long i = 0; fits && i < count; i++)
        queue.board[last++] = board[i];
    shmem_long_atomic_set(&queue.last, last, me);
    shmem_clear_lock(&lock[me]);
    return fits;
}

/* Half of what the victim has, rounded up, from the front, where the largest pieces of work lie.
 * Returns how many boards that is. */
static long steal(int victim, struct board *loot)
{
    if (shmem_long_atomic_fetch(&queue.first, victim) >=
        shmem_long_atomic_fetch(&queue.last, victim))
        return 0;
    if (shmem_test_lock(&lock[victim]) != 0)
        return 0;
    const long first = shmem_long_g(&queue.first, victim);
    const long waiting = shmem_long_g(&queue.last, victim) - first;
    const long count = (waiting + 1) / 2;
    if (count > 0) {
        shmem_getmem(loot, &queue.board[first], (size_t)count * sizeof *loot, victim);
        shmem_long_atomic_set(&queue.first, first + count, victim);
    }
    shmem_clear_lock(&lock[victim]);
    return count;
}

/* Replaces a board by those with one queen more, or searches it to the end. */
static void work_on(const struct board *board, struct tally *tally)
{
    tally->boards++;
    long children = 0;
    if (board->row < tally->depth) {
        struct board next[LARGEST];
        for (uint32_t open = free_columns(board, tally->size); open != 0; open &= open - 1)
            next[children++] = with_queen(board, open & -open);
        shmem_long_atomic_add(&unfinished, children, 0);
        shmem_quiet(); /* the counter must not reach 0 while these wait */
        if (!append(next, children)) {
            for (long i = 0; i < children; i++)
                tally->solutions += count_solutions(&next[i], tally->size);
            shmem_long_atomic_add(&unfinished, -children, 0);
        }
    } else {
        tally->solutions += count_solutions(board, tally->size);
    }
    shmem_long_atomic_add(&unfinished, -1, 0);
}

/* Tries every other PE once, from a random one on. */
static bool steal_from_anyone(struct tally *tally)
{
    static struct board loot[CAPACITY];
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    const int start = (int)app_random_below(&tally->random, npes);
    for (int i = 0; i < npes; i++) {
        const int victim = (start + i) % npes;
        const long count = victim != me ? steal(victim, loot) : 0;
        if (count > 0) {
            tally->thefts++;
            append(loot, count); /* fits: my queue is empty */
            return true;
        }
    }
    return false;
}

/* Until the counter says that no PE has anything left. A PE that finds nothing to steal sleeps
 * a little longer each time, so that it does not take the processor from those that work. */
static void search(struct tally *tally)
{
    long pause_ns = 1000;
    struct board board;
    for (;;) {
        if (take(&board)) {
            work_on(&board, tally);
            pause_ns = 1000;
        } else if (steal_from_anyone(tally)) {
            pause_ns = 1000;
        } else if (shmem_long_atomic_fetch(&unfinished, 0) == 0) {
            return;
        } else {
            nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
            pause_ns = pause_ns < 500000 ? 2 * pause_ns : pause_ns;
        }
    }
}

static int report(const struct tally *tally, double seconds)
{
    const long solutions = app_sum_long(tally->solutions);
    const long boards = app_sum_long(tally->boards);
    const long thefts = app_sum_long(tally->thefts);
    const long busiest = (long)app_max_double((double)tally->boards);
    if (shmem_my_pe() == 0)
        printf("queens: %ld queens, %ld solutions, %ld pieces of work, at most %ld by one PE, "
               "%ld thefts, %.3f s on %d PEs\n",
               tally->size, solutions, boards, busiest, thefts, seconds, shmem_n_pes());
    if (solutions != known[tally->size])
        return app_fail("there are %ld solutions, not %ld", known[tally->size], solutions);
    if (shmem_my_pe() == 0)
        printf("queens: verified: the number is the known one\n");
    return 0;
}

/* With --survive: a board is a task, see tasks.h. */
static void do_task(void *state, const void *task, struct tasks *tasks, long result[TASKS_RESULTS])
{
    const struct tally *tally = state;
    const struct board *board = task;
    result[1] = 1;
    if (board->row >= tally->depth) {
        result[0] = count_solutions(board, tally->size);
        return;
    }
    for (uint32_t open = free_columns(board, tally->size); open != 0; open &= open - 1) {
        const struct board next = with_queen(board, open & -open);
        if (!tasks_leave(tasks, &next))
            result[0] += count_solutions(&next, tally->size);
    }
}

static void say_found(void *state)
{
    const struct tally *tally = state;
    printf("queens: %ld queens, %ld solutions, %ld pieces of work on %d PEs\n", tally->size,
           tally->solutions, tally->boards, shmem_n_pes());
    if (tally->solutions == known[tally->size])
        printf("queens: verified: the number is the known one\n");
    else
        fprintf(stderr, "queens: there are %ld solutions, not %ld\n", known[tally->size], tally->solutions);
}

static int survive(struct tally *tally)
{
    const struct board empty = {0};
    long result[TASKS_RESULTS];
    struct tasks *tasks = tasks_create(TASKS, sizeof empty);
    if (tasks == NULL)
        return 1;
    tasks_search(tasks, &empty, do_task, tally);
    tasks_sum(tasks, result);
    tally->solutions = result[0];
    tally->boards = result[1];
    tasks_say(say_found, tally);
    tasks_free(tasks);
    return tally->solutions == known[tally->size] ? 0 : 1;
}

static int run(int argc, char **argv)
{
    struct tally tally = {.size = 11, .depth = 3};
    bool survives = false;
    const struct app_option options[] = {
        {"--size", APP_COUNT, &tally.size, "queens, and rows of the board", 1, LARGEST, NULL},
        {"--depth", APP_COUNT, &tally.depth, "queens placed before a board is not split further",
         0, LARGEST, NULL},
        {"--survive", APP_FLAG, &survives, "go on where PEs die (SHEAF_FAILURES=report)", 0, 0, NULL},
        {.kind = APP_END}};
    const char *what = "Counts the solutions of the N queens puzzle.";
    int status = tasks_are_wanted(argc, argv) ? app_read(argc, argv, what, options)
                                              : app_start(argc, argv, what, options);
    if (status != APP_RUN)
        return status;
    if (tally.depth > tally.size)
        tally.depth = tally.size;
    if (survives)
        return survive(&tally);
    lock = app_allocate((size_t)shmem_n_pes(), sizeof(long), "the locks");
    if (lock == NULL)
        return 1;
    tally.random = (uint64_t)shmem_my_pe();
    if (shmem_my_pe() == 0) {
        queue.last = 1; /* the empty board */
        unfinished = 1;
    }
    shmem_barrier_all();
    const double begin = app_seconds();
    search(&tally);
    shmem_barrier_all();
    status = report(&tally, app_seconds() - begin);
    shmem_free(lock);
    return status;
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}
