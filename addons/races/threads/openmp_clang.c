/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenMP of clang (libomp): the same as openmp.c, by the names that its code calls. Locks (omp_set_lock)
 * have theirs from there.
 */
#include "races/threads/openmp.h"

#include <stdarg.h>
#include <stdlib.h>

/* Variables that a region shares: a function takes no harm from arguments behind its own. */
#define MOST_SHARED 64
#define FOUR(I)     body->shared[I], body->shared[(I) + 1], body->shared[(I) + 2], body->shared[(I) + 3]
#define SIXTEEN(I)  FOUR(I), FOUR((I) + 4), FOUR((I) + 8), FOUR((I) + 12)

typedef void part_of_region(int32_t *global, int32_t *local, ...);
struct body {
    part_of_region *function;
    struct races_region *region;
    void *shared[MOST_SHARED];
};

static void run_body(int32_t *global, int32_t *local, ...)
{
    va_list arguments;
    va_start(arguments, local);
    const struct body *body = va_arg(arguments, const struct body *);
    va_end(arguments);
    struct races_place outer = races_region_enter(body->region);
    body->function(global, local, SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48));
    races_region_leave(outer);
}

RACES_PUBLIC void __kmpc_fork_call(void *place, int32_t count, part_of_region *function, ...);
RACES_PUBLIC void __kmpc_fork_call(void *place, int32_t count, part_of_region *function, ...)
{
    va_list arguments;
    struct body body = {.function = function, .region = NULL};
    if (count > MOST_SHARED) {
        races_say("SH146 error: a parallel region shares %d variables: --check=races runs those of %d at "
                  "most",
                  count, MOST_SHARED);
        pshmem_global_exit(1);
    }
    va_start(arguments, function);
    for (int32_t i = 0; i < count; i++)
        body.shared[i] = va_arg(arguments, void *);
    va_end(arguments);
    body.region = races_region_begin();
    REAL(__kmpc_fork_call)(place, 1, run_body, &body);
    races_region_end(body.region);
}

static void leave_barrier(const void *barrier)
{
    take(barrier);
    take(OBJECT(tasks));
}

RACES_PUBLIC void __kmpc_barrier(void *place, int32_t thread);
RACES_PUBLIC void __kmpc_barrier(void *place, int32_t thread)
{
    const void *barrier = races_region_barrier();
    give(barrier);
    REAL(__kmpc_barrier)(place, thread);
    leave_barrier(barrier);
}

RACES_PUBLIC int32_t __kmpc_cancel_barrier(void *place, int32_t thread);
RACES_PUBLIC int32_t __kmpc_cancel_barrier(void *place, int32_t thread)
{
    const void *barrier = races_region_barrier();
    give(barrier);
    int32_t result = REAL(__kmpc_cancel_barrier)(place, thread);
    leave_barrier(barrier);
    return result;
}

/* What goes from one that ends to the next that starts. */
#define TAKES(RESULT, NAME, PARAMETERS, ARGUMENTS, OBJECT)                                               \
    RACES_PUBLIC RESULT NAME PARAMETERS;                                                                 \
    RACES_PUBLIC RESULT NAME PARAMETERS                                                                  \
    {                                                                                                    \
        RESULT result = REAL(NAME) ARGUMENTS;                                                            \
        take(OBJECT);                                                                                    \
        return result;                                                                                   \
    }
#define STARTS(NAME, PARAMETERS, ARGUMENTS, OBJECT)                                                      \
    RACES_PUBLIC void NAME PARAMETERS;                                                                   \
    RACES_PUBLIC void NAME PARAMETERS                                                                    \
    {                                                                                                    \
        REAL(NAME) ARGUMENTS;                                                                            \
        take(OBJECT);                                                                                    \
    }
#define ENDS(NAME, PARAMETERS, ARGUMENTS, OBJECT)                                                        \
    RACES_PUBLIC void NAME PARAMETERS;                                                                   \
    RACES_PUBLIC void NAME PARAMETERS                                                                    \
    {                                                                                                    \
        give(OBJECT);                                                                                    \
        REAL(NAME) ARGUMENTS;                                                                            \
    }
STARTS(__kmpc_critical, (void *place, int32_t thread, void *name), (place, thread, name), name)
STARTS(__kmpc_critical_with_hint, (void *place, int32_t thread, void *name, uint32_t hint),
       (place, thread, name, hint), name)
ENDS(__kmpc_end_critical, (void *place, int32_t thread, void *name), (place, thread, name), name)
STARTS(__kmpc_ordered, (void *place, int32_t thread), (place, thread), OBJECT(ordered))
ENDS(__kmpc_end_ordered, (void *place, int32_t thread), (place, thread), OBJECT(ordered))
TAKES(int32_t, __kmpc_omp_taskwait, (void *place, int32_t thread), (place, thread), OBJECT(tasks))
STARTS(__kmpc_end_taskgroup, (void *place, int32_t thread), (place, thread), OBJECT(tasks))

/* Reductions and copyprivate: the library calls a function of the program's with what two threads have. */
static _Thread_local void (*combine_now)(void *mine, void *others);

static void combine(void *mine, void *others)
{
    take(OBJECT(reduced));
    combine_now(mine, others);
    give(OBJECT(reduced));
}

#define REDUCES(NAME)                                                                                    \
    RACES_PUBLIC int32_t NAME(void *place, int32_t thread, int32_t count, size_t bytes, void *data,      \
                              void (*function)(void *, void *), void *lock);                             \
    RACES_PUBLIC int32_t NAME(void *place, int32_t thread, int32_t count, size_t bytes, void *data,      \
                              void (*function)(void *, void *), void *lock)                              \
    {                                                                                                    \
        give(OBJECT(reduced));                                                                           \
        combine_now = function;                                                                          \
        int32_t how = REAL(NAME)(place, thread, count, bytes, data, combine, lock);                      \
        take(OBJECT(reduced));                                                                           \
        take(lock);                                                                                      \
        return how;                                                                                      \
    }
REDUCES(__kmpc_reduce)
REDUCES(__kmpc_reduce_nowait)

static void leave_reduction(const void *lock)
{
    give(lock);
    give(OBJECT(reduced));
}

RACES_PUBLIC void __kmpc_end_reduce(void *place, int32_t thread, void *lock);
RACES_PUBLIC void __kmpc_end_reduce(void *place, int32_t thread, void *lock)
{
    leave_reduction(lock);
    REAL(__kmpc_end_reduce)(place, thread, lock);
    take(OBJECT(reduced)); /* a barrier is in it */
}

RACES_PUBLIC void __kmpc_end_reduce_nowait(void *place, int32_t thread, void *lock);
RACES_PUBLIC void __kmpc_end_reduce_nowait(void *place, int32_t thread, void *lock)
{
    leave_reduction(lock);
    REAL(__kmpc_end_reduce_nowait)(place, thread, lock);
}

RACES_PUBLIC void __kmpc_copyprivate(void *place, int32_t thread, size_t bytes, void *data,
                                     void (*function)(void *, void *), int32_t is_mine);
RACES_PUBLIC void __kmpc_copyprivate(void *place, int32_t thread, size_t bytes, void *data,
                                     void (*function)(void *, void *), int32_t is_mine)
{
    give(OBJECT(reduced));
    combine_now = function;
    REAL(__kmpc_copyprivate)(place, thread, bytes, data, combine, is_mine);
    take(OBJECT(reduced));
}

/* Tasks that wait, by their address, with what belongs to them. */
#define MOST_TASKS 65536
struct kmp_task {
    void *shared;
    int32_t (*function)(int32_t thread, void *task);
};
static struct waiting {
    struct kmp_task *task; /* NULL: free */
    int32_t (*function)(int32_t thread, void *task);
    struct races_region *region;
    uint32_t release; /* what the thread that made it had done */
    bool depends;
} waiting[MOST_TASKS];

static struct waiting *waiting_at(const struct kmp_task *task, const struct kmp_task *wanted)
{
    uintptr_t hash = ((uintptr_t)task >> 4) * 2654435761u;
    for (uintptr_t i = hash, step = 0; step < 256; i++, step++)
        if (waiting[i % MOST_TASKS].task == wanted)
            return &waiting[i % MOST_TASKS];
    return NULL;
}

static int32_t run_task(int32_t thread, void *task)
{
    bool is_taken = races_lock();
    struct waiting *place = waiting_at(task, task), mine = *place;
    place->task = NULL;
    races_unlock(is_taken);
    ((struct kmp_task *)task)->function = mine.function; /* one that is not tied comes in several parts */
    struct races_region *outer = races_region_now;
    races_region_now = mine.region;
    races_thread_acquire(mine.release);
    if (mine.depends)
        take(OBJECT(tasks));
    int32_t result = mine.function(thread, task);
    give(OBJECT(tasks));
    races_region_now = outer;
    return result;
}

/* Without room it goes its way. */
static void prepare_task(struct kmp_task *task, bool depends)
{
    uint32_t release = races_thread_release();
    bool is_taken = races_lock();
    struct waiting *place = waiting_at(task, NULL);
    if (place && task->function != run_task && !races_is_gomp_task) {
        *place = (struct waiting){task, task->function, races_region_now, release, depends};
        task->function = run_task;
    }
    races_unlock(is_taken);
}

RACES_PUBLIC int32_t __kmpc_omp_task(void *place, int32_t thread, struct kmp_task *task);
RACES_PUBLIC int32_t __kmpc_omp_task(void *place, int32_t thread, struct kmp_task *task)
{
    prepare_task(task, false);
    return REAL(__kmpc_omp_task)(place, thread, task);
}

RACES_PUBLIC int32_t __kmpc_omp_task_with_deps(void *place, int32_t thread, struct kmp_task *task,
                                               int32_t count, void *list, int32_t more, void *more_list);
RACES_PUBLIC int32_t __kmpc_omp_task_with_deps(void *place, int32_t thread, struct kmp_task *task,
                                               int32_t count, void *list, int32_t more, void *more_list)
{
    prepare_task(task, true);
    return REAL(__kmpc_omp_task_with_deps)(place, thread, task, count, list, more, more_list);
}
