/* SPDX-License-Identifier: BSD-3-Clause
 * See tasks.h.
 */
#include "tasks.h"

#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if __has_include(<shmemx_ft.h>)
#include <setjmp.h>
#include <shmemx_ft.h>

static sigjmp_buf out;

static void leave(void *unused)
{
    (void)unused;
    siglongjmp(out, 1);
}

static bool is_dead(int pe)
{
    return shmemx_pe_status(pe) == SHMEMX_PE_DEAD;
}

/* Waits for the living; returns how many are dead. *good: whether it was on all. */
static int meet(bool *good)
{
    uint64_t flags = *good;
    int dead = shmemx_agree(SHMEM_TEAM_WORLD, &flags);
    *good = flags != 0;
    return dead;
}

/* Whether nothing that it needs was in the memory of a dead PE that is out of reach. */
static bool went_through(void (*act)(void *what), void *what)
{
    if (sigsetjmp(out, 0) != 0)
        return false;
    shmemx_on_failure(leave, NULL);
    act(what);
    shmemx_on_failure(NULL, NULL);
    return true;
}

/* The living, the same on all; returns how many. */
static int list_living(int *pes)
{
    shmem_team_t living;
    if (shmemx_team_shrink(SHMEM_TEAM_WORLD, &living) != 0) {
        fprintf(stderr, "no memory for a team of those who live\n");
        shmem_global_exit(1);
    }
    const int count = shmem_team_n_pes(living);
    for (int i = 0; i < count; i++)
        pes[i] = shmem_team_translate_pe(living, i, SHMEM_TEAM_WORLD);
    shmem_team_destroy(living);
    return count;
}
#else
static bool is_dead(int pe)
{
    (void)pe;
    return false;
}

static int meet(bool *good)
{
    (void)good;
    shmem_barrier_all();
    return 0;
}

static bool went_through(void (*act)(void *what), void *what)
{
    act(what);
    return true;
}

static int list_living(int *pes)
{
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        pes[pe] = pe;
    return shmem_n_pes();
}
#endif

/* A task's word. */
#define FREE       0
#define DONE       1
#define CLAIMED_BY 2 /* and the PE's number */

struct place {
    long pe, index; /* -1: of no PE, for the first task */
};

/* In the ledger, followed by the task's bytes. */
struct entry {
    uint64_t word;
    struct place parent;
    struct done { /* once the word is DONE */
        struct place first; /* of the tasks that it left */
        long count;
        long result[TASKS_RESULTS];
    } done;
};

struct tasks {
    size_t stride;   /* of entries in bytes */
    size_t bytes;    /* of a task */
    long capacity;
    long *used;      /* symmetric: entries that the ledger has, also those that do not count yet */
    char *ledger;    /* symmetric */
    /* private */
    long left;       /* entries that the task under way has left, behind those in use */
    struct place now;
    long *own, waiting; /* my entries that were free when I left them: the last one is taken first */
    long *low;       /* by PE: all entries before are settled */
    char *task;      /* the one under way */
    int *pes, npes;  /* who has ledgers; the first one's begins with the first task */
    long result[TASKS_RESULTS];
};

static struct entry *entry(const struct tasks *tasks, long index)
{
    return (struct entry *)(tasks->ledger + (size_t)index * tasks->stride);
}

bool tasks_are_wanted(int argc, char **argv)
{
    int at = 1;
    while (at < argc && strcmp(argv[at], "--survive") != 0)
        at++;
    return at < argc;
}

static bool allocate_private(struct tasks *tasks)
{
    tasks->own = malloc((size_t)tasks->capacity * sizeof *tasks->own);
    tasks->low = calloc((size_t)shmem_n_pes(), sizeof *tasks->low);
    tasks->task = malloc(tasks->bytes);
    tasks->pes = malloc((size_t)shmem_n_pes() * sizeof *tasks->pes);
    for (int pe = 0; pe < shmem_n_pes() && tasks->pes != NULL; pe++)
        tasks->pes[tasks->npes++] = pe;
    return tasks->own != NULL && tasks->low != NULL && tasks->task != NULL && tasks->pes != NULL;
}

struct tasks *tasks_create(long capacity, size_t bytes)
{
    const size_t stride = sizeof(struct entry) + (bytes + 7) / 8 * 8;
    struct tasks *tasks = calloc(1, sizeof *tasks);
    long *used = shmem_calloc(1, sizeof *used);
    char *ledger = shmem_calloc((size_t)capacity, stride);
    if (used == NULL || ledger == NULL) {
        app_fail("not enough symmetric memory for %ld tasks of %zu bytes on each PE", capacity, bytes);
        return NULL;
    }
    if (tasks != NULL)
        *tasks = (struct tasks){.stride = stride, .bytes = bytes, .capacity = capacity, .used = used,
                                .ledger = ledger};
    if (tasks == NULL || !allocate_private(tasks)) {
        fprintf(stderr, "no memory for the tasks of PE %d\n", shmem_my_pe());
        shmem_global_exit(1);
    }
    return tasks;
}

void tasks_free(struct tasks *tasks)
{
    shmem_free(tasks->ledger);
    shmem_free(tasks->used);
    free(tasks->own);
    free(tasks->low);
    free(tasks->task);
    free(tasks->pes);
    free(tasks);
}

bool tasks_leave(struct tasks *tasks, const void *task)
{
    const long index = *tasks->used + tasks->left;
    if (index == tasks->capacity)
        return false;
    struct entry *mine = entry(tasks, index);
    mine->parent = tasks->now;
    memcpy(mine + 1, task, tasks->bytes);
    tasks->left++;
    return true;
}

/* From here on it is done, and what it left is there. */
static void commit(struct tasks *tasks, const long result[TASKS_RESULTS])
{
    const int me = shmem_my_pe(), pe = (int)tasks->now.pe;
    const long first = *tasks->used;
    struct entry *where = entry(tasks, tasks->now.index);
    struct done done = {.first = {me, first}, .count = tasks->left};
    memcpy(done.result, result, sizeof done.result);
    shmem_quiet(); /* whoever sees that they are used sees whose they are */
    shmem_long_atomic_set(tasks->used, first + tasks->left, me);
    shmem_putmem(&where->done, &done, sizeof done, pe);
    shmem_quiet();
    shmem_uint64_atomic_set(&where->word, DONE, pe);
    shmem_quiet();
    for (long i = 0; i < tasks->left; i++)
        tasks->own[tasks->waiting++] = first + i;
    tasks->left = 0;
}

/* A task exists once that is done which left it, and was not left by a PE that died before it was done. */
enum existence { UNBORN, BORN, STILLBORN };
static enum existence existence(const struct tasks *tasks, int pe, long index)
{
    struct place parent;
    struct done done;
    shmem_getmem(&parent, &entry(tasks, index)->parent, sizeof parent, pe);
    if (parent.pe < 0)
        return BORN;
    if (shmem_uint64_atomic_fetch(&entry(tasks, parent.index)->word, (int)parent.pe) != DONE)
        return UNBORN;
    shmem_getmem(&done, &entry(tasks, parent.index)->done, sizeof done, (int)parent.pe);
    const bool is_among = done.first.pe == pe && index >= done.first.index &&
                          index < done.first.index + done.count;
    return is_among ? BORN : STILLBORN;
}

/* From nobody or a dead PE, by its word. */
static bool claim(struct tasks *tasks, int pe, long index, uint64_t word)
{
    struct entry *where = entry(tasks, index);
    const uint64_t mine = CLAIMED_BY + (uint64_t)shmem_my_pe();
    if (word == DONE || (word != FREE && !is_dead((int)(word - CLAIMED_BY))) ||
        shmem_uint64_atomic_compare_swap(&where->word, word, mine, pe) != word)
        return false;
    shmem_getmem(tasks->task, where + 1, tasks->bytes, pe);
    tasks->now = (struct place){pe, index};
    return true;
}

static bool take_own(struct tasks *tasks)
{
    while (tasks->waiting > 0)
        if (claim(tasks, shmem_my_pe(), tasks->own[--tasks->waiting], FREE))
            return true;
    return false;
}

/* What a look at all ledgers has found. */
struct look {
    bool has_task; /* claimed */
    bool is_over;  /* nothing was left to do */
    long entries;
};

static void look_into(struct tasks *tasks, int pe, struct look *look)
{
    const long used = shmem_long_atomic_fetch(tasks->used, pe);
    look->entries += used;
    for (long index = tasks->low[pe]; index < used && !look->has_task; index++) {
        const uint64_t word = shmem_uint64_atomic_fetch(&entry(tasks, index)->word, pe);
        const enum existence is = word == FREE ? existence(tasks, pe, index) : BORN;
        if (word == DONE || is == STILLBORN) {
            tasks->low[pe] += tasks->low[pe] == index;
            continue;
        }
        look->is_over = false;
        look->has_task = is == BORN && claim(tasks, pe, index, word);
    }
}

static struct look look_around(struct tasks *tasks)
{
    const int me = shmem_my_pe();
    struct look look = {.is_over = true};
    for (int i = 0; i < tasks->npes && !look.has_task; i++)
        look_into(tasks, tasks->pes[(me + i) % tasks->npes], &look);
    return look;
}

/* New tasks come from tasks that are not done alone. So where all were done at the end of one look, and
 * the next one finds no others, all are. False: they are. */
static bool take_any(struct tasks *tasks)
{
    long settled = -1, pause_ns = 1000;
    for (;;) {
        const struct look look = look_around(tasks);
        if (look.has_task)
            return true;
        if (look.is_over && look.entries == settled)
            return false;
        settled = look.is_over ? look.entries : -1;
        if (!look.is_over)
            nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
        pause_ns = pause_ns < 100000 ? 2 * pause_ns : pause_ns;
    }
}

/* In the first PE's ledger, where every PE puts the same: that one may be dead. */
static void plant(struct tasks *tasks, const void *first)
{
    const int pe = tasks->pes[0];
    const struct place nobody = {-1, -1};
    struct entry *root = entry(tasks, 0);
    shmem_putmem(&root->parent, &nobody, sizeof nobody, pe);
    shmem_putmem(root + 1, first, tasks->bytes, pe);
    shmem_quiet();
    shmem_long_atomic_compare_swap(tasks->used, 0, 1, pe);
}

static void add_ledger(struct tasks *tasks, int pe)
{
    const long used = shmem_long_atomic_fetch(tasks->used, pe);
    long *sum = tasks->result;
    for (long index = 0; index < used; index++) {
        struct entry one;
        shmem_getmem(&one, entry(tasks, index), sizeof one, pe);
        if (one.word != DONE)
            continue;
        sum[0] += one.done.result[0];
        sum[1] += one.done.result[1];
        sum[2] = one.done.result[2] > sum[2] ? one.done.result[2] : sum[2];
    }
}

/* A search, and the sum of its results. */
struct attempt {
    struct tasks *tasks;
    const void *first;
    tasks_work *work;
    void *state;
};

static void search(void *what)
{
    const struct attempt *it = what;
    struct tasks *tasks = it->tasks;
    plant(tasks, it->first);
    while (take_own(tasks) || take_any(tasks)) {
        long result[TASKS_RESULTS] = {0};
        it->work(it->state, tasks->task, tasks, result);
        commit(tasks, result);
    }
    for (int i = 0; i < tasks->npes; i++)
        add_ledger(tasks, tasks->pes[i]);
}

static void complete(void *unused)
{
    (void)unused;
    shmem_quiet();
}

/* Nobody reads or writes the ledgers now. */
static void clear(struct tasks *tasks)
{
    memset(tasks->ledger, 0, (size_t)tasks->capacity * tasks->stride);
    memset(tasks->low, 0, (size_t)shmem_n_pes() * sizeof *tasks->low);
    memset(tasks->result, 0, sizeof tasks->result);
    *tasks->used = tasks->left = tasks->waiting = 0;
}

void tasks_search(struct tasks *tasks, const void *first, tasks_work *work, void *state)
{
    struct attempt attempt = {tasks, first, work, state};
    for (;;) {
        bool good = went_through(search, &attempt);
        while (!went_through(complete, NULL))
            continue;
        meet(&good);
        if (good)
            return;
        clear(tasks);
        tasks->npes = list_living(tasks->pes);
    }
}

void tasks_sum(const struct tasks *tasks, long result[TASKS_RESULTS])
{
    memcpy(result, tasks->result, sizeof tasks->result);
}

void tasks_say(void (*say)(void *state), void *state)
{
    bool good = true;
    int dead = meet(&good), before;
    do {
        int first = 0;
        while (first < shmem_my_pe() && is_dead(first))
            first++;
        if (first == shmem_my_pe())
            say(state);
        fflush(stdout);
        before = dead;
        dead = meet(&good);
    } while (dead != before);
}
