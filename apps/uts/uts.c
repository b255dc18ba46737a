/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts the nodes of an unbalanced tree. Each PE has a stack of nodes, and a ring of chunks of nodes from
 * which others take by a compare-and-swap. See README.md.
 */
#include "app.h"
#include "tasks.h"
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHUNK_MOST 256
#define RING       8 /* chunks that wait in a PE's ring at most */
#define TASKS      8192 /* with --survive: chunks that a PE may leave in all */
#define TASK_SIZE  50 /* nodes that are visited before the rest is left, for each of a chunk */

struct chunk {
    long count;
    struct node node[CHUNK_MOST];
};

/* Symmetric. Chunks first .. last - 1 wait, chunk i in place i % RING; ends holds last in its upper half
 * and first in its lower. Both only grow (modulo 2^32), so whoever finds ends unchanged after its copy has
 * copied what was there. */
static uint64_t ends;
static struct chunk ring[RING];
static long unfinished; /* PE 0's counts: chunks that wait, and PEs with nodes on their stacks */

struct search {
    const struct tree *tree;
    long chunk; /* nodes in one */
    struct node *node; /* private: bottom .. top - 1 are on the stack */
    long bottom, top, room;
    long nodes, leaves, deepest, thefts;
    uint64_t random;
};

static uint32_t waiting(uint64_t both)
{
    return (uint32_t)(both >> 32) - (uint32_t)both;
}

static size_t chunk_bytes(const struct search *search)
{
    return offsetof(struct chunk, node) + (size_t)search->chunk * sizeof(struct node);
}

/* Whether there is room for so many nodes more. */
static bool make_room(struct search *search, long more)
{
    if (search->top + more <= search->room)
        return true;
    const long count = search->top - search->bottom;
    memmove(search->node, search->node + search->bottom, (size_t)count * sizeof *search->node);
    search->bottom = 0;
    search->top = count;
    if (2 * (count + more) <= search->room)
        return true;
    const long room = 4 * (count + more);
    struct node *node = realloc(search->node, (size_t)room * sizeof *node);
    if (node == NULL)
        return false;
    search->node = node;
    search->room = room;
    return true;
}

/* The chunk that a PE has had for longest, which its ends say is there. */
static bool take(struct search *search, int pe)
{
    static struct chunk chunk;
    const uint64_t both = shmem_uint64_atomic_fetch(&ends, pe), first = both & UINT32_MAX;
    if (waiting(both) == 0)
        return false;
    const uint64_t next = (both & ~(uint64_t)UINT32_MAX) | ((first + 1) & UINT32_MAX);
    shmem_getmem(&chunk, &ring[first % RING], chunk_bytes(search), pe);
    if (shmem_uint64_atomic_compare_swap(&ends, both, next, pe) != both)
        return false;
    memcpy(search->node, chunk.node, (size_t)chunk.count * sizeof *chunk.node);
    search->bottom = 0;
    search->top = chunk.count;
    return true;
}

/* Gives the nodes nearest to the root to whoever takes them. */
static void release(struct search *search)
{
    static struct chunk chunk;
    const int me = shmem_my_pe();
    const uint64_t both = shmem_uint64_atomic_fetch(&ends, me);
    if (waiting(both) == RING)
        return;
    chunk.count = search->chunk;
    memcpy(chunk.node, search->node + search->bottom, (size_t)search->chunk * sizeof *chunk.node);
    search->bottom += search->chunk;
    shmem_putmem(&ring[(both >> 32) % RING], &chunk, chunk_bytes(search), me);
    shmem_long_atomic_inc(&unfinished, 0);
    shmem_quiet(); /* counted, and in its place, before anybody can take it */
    /* Complete on return: the next release must find it, or it would take the same place again. */
    (void)shmem_ulong_atomic_fetch_add(&ends, 1UL << 32, me); /* Open MPI 4.1 has no uint64's */
}

/* The others wait for nodes that this PE has. */
static void end_without_memory(void)
{
    fprintf(stderr, "uts: no memory for more nodes on PE %d\n", shmem_my_pe());
    shmem_global_exit(1);
}

static bool visit(struct search *search, const struct node *node)
{
    const int children = tree_children(search->tree, node);
    search->nodes++;
    search->leaves += children == 0;
    search->deepest = node->depth > search->deepest ? node->depth : search->deepest;
    if (!make_room(search, children))
        return false;
    for (int i = 0; i < children; i++)
        tree_child(node, i, &search->node[search->top++]);
    return true;
}

/* Until the stack is empty. */
static bool work(struct search *search)
{
    for (long turn = 1; search->top > search->bottom; turn++) {
        const struct node node = search->node[--search->top];
        if (!visit(search, &node))
            return false;
        if (turn % 16 == 0 && search->top - search->bottom >= 2 * search->chunk)
            release(search);
    }
    shmem_long_atomic_add(&unfinished, -1, 0);
    return true;
}

static bool take_from_anyone(struct search *search)
{
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    if (take(search, me))
        return true;
    const int start = (int)app_random_below(&search->random, npes);
    for (int i = 0; i < npes; i++) {
        const int pe = (start + i) % npes;
        if (pe != me && take(search, pe)) {
            search->thefts++;
            return true;
        }
    }
    return false;
}

/* Until no PE has anything. One that finds nothing sleeps, each time for longer, so that it does not take
 * the processor from those that work. False: no memory. */
static bool search_all(struct search *search)
{
    long pause_ns = 1000;
    while (work(search)) {
        while (!take_from_anyone(search)) {
            if (shmem_long_atomic_fetch(&unfinished, 0) == 0)
                return true;
            nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
            pause_ns = pause_ns < 100000 ? 2 * pause_ns : pause_ns;
        }
        pause_ns = 1000;
    }
    return false;
}

static int report(const struct search *search, double seconds)
{
    const struct tree *tree = search->tree;
    const long nodes = app_sum_long(search->nodes), leaves = app_sum_long(search->leaves);
    const long thefts = app_sum_long(search->thefts);
    const long deepest = (long)app_max_double((double)search->deepest);
    const long busiest = (long)app_max_double((double)search->nodes);
    app_report(seconds, (double)nodes, "%ld nodes, at most %ld by one PE, %ld thefts,", nodes, busiest,
               thefts);
    if (nodes != tree->nodes || leaves != tree->leaves || deepest != tree->deepest)
        return app_fail("counted %ld nodes, %ld leaves, depth %ld; known are %ld, %ld, %ld", nodes, leaves,
                        deepest,
                        tree->nodes, tree->leaves, tree->deepest);
    app_say("verified: %ld leaves and depth %ld, and all nodes, as is known", leaves, deepest);
    return 0;
}

/* With --survive: a chunk is a task, see tasks.h. Visits so many of the nodes below, and leaves those that
 * are on the stack then. */
static void do_task(void *state, const void *task, struct tasks *tasks, long result[TASKS_RESULTS])
{
    struct search *search = state;
    static struct chunk rest;
    const struct chunk *chunk = task;
    bool good = true, has_room = true;
    search->nodes = search->leaves = search->deepest = search->bottom = 0;
    search->top = chunk->count;
    memcpy(search->node, chunk->node, (size_t)chunk->count * sizeof *chunk->node);
    while (good && search->top > search->bottom) {
        if (has_room && search->nodes >= TASK_SIZE * search->chunk) {
            const long waiting = search->top - search->bottom;
            rest.count = waiting < search->chunk ? waiting : search->chunk;
            memcpy(rest.node, search->node + search->bottom, (size_t)rest.count * sizeof *rest.node);
            has_room = tasks_leave(tasks, &rest);
            search->bottom += has_room ? rest.count : 0;
        } else {
            const struct node node = search->node[--search->top];
            good = visit(search, &node);
        }
    }
    if (!good)
        end_without_memory();
    result[0] = search->nodes;
    result[1] = search->leaves;
    result[2] = search->deepest;
}

static bool is_as_known(const struct search *search)
{
    const struct tree *tree = search->tree;
    return search->nodes == tree->nodes && search->leaves == tree->leaves &&
           search->deepest == tree->deepest;
}

static void say_found(void *state)
{
    const struct search *search = state;
    const struct tree *tree = search->tree;
    printf("uts: %ld nodes on %d PEs\n", search->nodes, shmem_n_pes());
    if (is_as_known(search))
        printf("uts: verified: %ld leaves and depth %ld, and all nodes, as is known\n", search->leaves,
               search->deepest);
    else
        fprintf(stderr, "uts: counted %ld nodes, %ld leaves, depth %ld; known are %ld, %ld, %ld\n",
                search->nodes, search->leaves, search->deepest, tree->nodes, tree->leaves, tree->deepest);
}

static int survive(struct search *search)
{
    static struct chunk root = {.count = 1};
    long result[TASKS_RESULTS];
    struct tasks *tasks = tasks_create(TASKS, chunk_bytes(search));
    if (tasks == NULL)
        return 1;
    tree_root(search->tree, &root.node[0]);
    tasks_search(tasks, &root, do_task, search);
    tasks_sum(tasks, result);
    search->nodes = result[0];
    search->leaves = result[1];
    search->deepest = result[2];
    tasks_say(say_found, search);
    tasks_free(tasks);
    return is_as_known(search) ? 0 : 1;
}

static int run(int argc, char **argv)
{
    int which = 0;
    bool survives = false;
    struct search search = {.chunk = 20};
    const struct app_option options[] = {
        {"--tree", APP_CHOICE, &which, "whose nodes are counted", 0, 0, TREE_NAMES},
        {"--chunk", APP_COUNT, &search.chunk, "nodes that are given away together", 1, CHUNK_MOST, NULL},
        {"--survive", APP_FLAG, &survives, "go on where PEs die (SHEAF_FAILURES=report)", 0, 0, NULL},
        {.kind = APP_END}};
    const char *what = "Counts the nodes of an unbalanced tree.";
    int status = tasks_are_wanted(argc, argv) ? app_read(argc, argv, what, options)
                                              : app_start(argc, argv, what, options);
    if (status != APP_RUN)
        return status;
    search.tree = &trees[which];
    search.random = (uint64_t)shmem_my_pe();
    search.room = 4 * CHUNK_MOST;
    search.node = malloc((size_t)search.room * sizeof *search.node);
    if (survives) {
        if (search.node == NULL)
            end_without_memory();
        status = survive(&search);
        free(search.node);
        return status;
    }
    if (app_agree(search.node == NULL) != 0)
        return app_fail("no memory for a stack of nodes");
    if (shmem_my_pe() == 0)
        tree_root(search.tree, &search.node[search.top++]);
    unfinished = shmem_n_pes(); /* each begins with a stack, most with an empty one */
    shmem_barrier_all();
    const double begin = app_seconds();
    const bool done = search_all(&search);
    if (!done)
        end_without_memory();
    shmem_barrier_all();
    status = report(&search, app_max_double(app_seconds() - begin));
    free(search.node);
    return status;
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}
