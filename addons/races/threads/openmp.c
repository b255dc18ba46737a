/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenMP of gcc: what orders the threads of a region. Its library has a name for each construct, which is
 * replaced here.
 */
#include "races/threads/openmp.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 8

_Thread_local struct races_region *races_region_now;
_Thread_local bool races_is_gomp_task;

static char unnamed_critical, atomic_section;
static _Thread_local struct races_region regions[MOST_DEPTH];
static _Thread_local unsigned depth, barriers_met; /* in the region */

struct races_region *races_region_begin(void)
{
    struct races_region *region = &regions[depth++ % MOST_DEPTH];
    give(&region->fork);
    return region;
}

void races_region_end(struct races_region *region)
{
    depth--;
    take(&region->join);
    take(&region->tasks);
}

struct races_place races_region_enter(struct races_region *region)
{
    struct races_place outer = {races_region_now, barriers_met};
    races_region_now = region;
    barriers_met = 0;
    take(&region->fork);
    return outer;
}

void races_region_leave(struct races_place outer)
{
    give(OBJECT(join));
    races_region_now = outer.region;
    barriers_met = outer.barriers_met;
}

const void *races_region_barrier(void)
{
    return OBJECT(barrier[barriers_met++ % 2]);
}

struct body {
    void (*function)(void *);
    void *data;
    struct races_region *region;
};

static void run_body(void *argument)
{
    const struct body *body = argument;
    struct races_place outer = races_region_enter(body->region);
    body->function(body->data);
    races_region_leave(outer);
}

static struct body begin_region(void (*function)(void *), void *data)
{
    return (struct body){function, data, races_region_begin()};
}

static void end_region(const struct body *body)
{
    races_region_end(body->region);
}

#define PARALLEL(NAME, PARAMETERS, ...)                                                                  \
    RACES_PUBLIC void NAME PARAMETERS;                                                                   \
    RACES_PUBLIC void NAME PARAMETERS                                                                    \
    {                                                                                                    \
        struct body body = begin_region(function, data);                                                 \
        REAL(NAME)(run_body, &body, __VA_ARGS__);                                                        \
        end_region(&body);                                                                               \
    }
#define PARALLEL_LOOP(NAME)                                                                              \
    PARALLEL(GOMP_parallel_loop_##NAME,                                                                  \
             (void (*function)(void *), void *data, unsigned threads, long first, long end, long step,   \
              long chunk, unsigned flags),                                                               \
             threads, first, end, step, chunk, flags)
#define PARALLEL_LOOP_WITHOUT_CHUNK(NAME)                                                                \
    PARALLEL(GOMP_parallel_loop_##NAME,                                                                  \
             (void (*function)(void *), void *data, unsigned threads, long first, long end, long step,   \
              unsigned flags),                                                                           \
             threads, first, end, step, flags)

PARALLEL(GOMP_parallel, (void (*function)(void *), void *data, unsigned threads, unsigned flags), threads,
         flags)
PARALLEL(GOMP_parallel_sections,
         (void (*function)(void *), void *data, unsigned threads, unsigned count, unsigned flags), threads,
         count, flags)
PARALLEL_LOOP(static)
PARALLEL_LOOP(dynamic)
PARALLEL_LOOP(guided)
PARALLEL_LOOP(nonmonotonic_dynamic)
PARALLEL_LOOP(nonmonotonic_guided)
PARALLEL_LOOP_WITHOUT_CHUNK(runtime)
PARALLEL_LOOP_WITHOUT_CHUNK(nonmonotonic_runtime)
PARALLEL_LOOP_WITHOUT_CHUNK(maybe_nonmonotonic_runtime)

RACES_PUBLIC unsigned GOMP_parallel_reductions(void (*function)(void *), void *data, unsigned threads,
                                               unsigned flags);
RACES_PUBLIC unsigned GOMP_parallel_reductions(void (*function)(void *), void *data, unsigned threads,
                                               unsigned flags)
{
    struct body body = begin_region(function, data);
    unsigned result = REAL(GOMP_parallel_reductions)(run_body, &body, threads, flags);
    end_region(&body);
    return result;
}

/* All threads of the region meet; tasks of before are done then. */
#define MEETING(NAME)                                                                                    \
    RACES_PUBLIC void NAME(void);                                                                        \
    RACES_PUBLIC void NAME(void)                                                                         \
    {                                                                                                    \
        const void *barrier = races_region_barrier();                                                    \
        give(barrier);                                                                                   \
        REAL(NAME)();                                                                                    \
        take(barrier);                                                                                   \
        take(OBJECT(tasks));                                                                             \
    }
MEETING(GOMP_barrier)
MEETING(GOMP_loop_end)
MEETING(GOMP_sections_end)

/* OBJECT is what goes from one that ends to the next that starts. */
#define TAKES(NAME, PARAMETERS, ARGUMENTS, OBJECT)                                                       \
    RACES_PUBLIC void NAME PARAMETERS;                                                                   \
    RACES_PUBLIC void NAME PARAMETERS                                                                    \
    {                                                                                                    \
        REAL(NAME) ARGUMENTS;                                                                            \
        take(OBJECT);                                                                                    \
    }
#define GIVES(NAME, PARAMETERS, ARGUMENTS, OBJECT)                                                       \
    RACES_PUBLIC void NAME PARAMETERS;                                                                   \
    RACES_PUBLIC void NAME PARAMETERS                                                                    \
    {                                                                                                    \
        give(OBJECT);                                                                                    \
        REAL(NAME) ARGUMENTS;                                                                            \
    }
TAKES(GOMP_critical_start, (void), (), &unnamed_critical)
GIVES(GOMP_critical_end, (void), (), &unnamed_critical)
TAKES(GOMP_critical_name_start, (void **name), (name), name)
GIVES(GOMP_critical_name_end, (void **name), (name), name)
TAKES(GOMP_atomic_start, (void), (), &atomic_section)
GIVES(GOMP_atomic_end, (void), (), &atomic_section)
TAKES(GOMP_ordered_start, (void), (), OBJECT(ordered))
GIVES(GOMP_ordered_end, (void), (), OBJECT(ordered))
TAKES(GOMP_taskwait, (void), (), OBJECT(tasks))
TAKES(GOMP_taskgroup_end, (void), (), OBJECT(tasks))
TAKES(omp_set_lock, (void *lock), (lock), lock)
GIVES(omp_unset_lock, (void *lock), (lock), lock)
TAKES(omp_set_nest_lock, (void *lock), (lock), lock)
GIVES(omp_unset_nest_lock, (void *lock), (lock), lock)

#define TRIES(NAME)                                                                                      \
    RACES_PUBLIC int NAME(void *lock);                                                                   \
    RACES_PUBLIC int NAME(void *lock)                                                                    \
    {                                                                                                    \
        int is_taken = REAL(NAME)(lock);                                                                 \
        if (is_taken)                                                                                    \
            take(lock);                                                                                  \
        return is_taken;                                                                                 \
    }
TRIES(omp_test_lock)
TRIES(omp_test_nest_lock)

RACES_PUBLIC void *GOMP_single_copy_start(void);
RACES_PUBLIC void *GOMP_single_copy_start(void)
{
    void *data = REAL(GOMP_single_copy_start)();
    if (data)
        take(OBJECT(copied));
    return data;
}
GIVES(GOMP_single_copy_end, (void *data), (data), OBJECT(copied))

/* Tasks: their data is what the library copies, with the task itself in front of it. */
struct task {
    void (*function)(void *);
    void (*copy)(void *, void *);
    void *data; /* the program's, until it is copied */
    struct races_region *region;
    size_t room; /* of this, in front of the data */
    size_t bytes;
    uint32_t release; /* what the thread that made it had done */
    bool depends;
};

static void run_task(void *argument)
{
    const struct task *task = argument;
    struct races_region *outer = races_region_now;
    races_region_now = task->region;
    races_is_gomp_task = false; /* it may be run at once */
    races_thread_acquire(task->release);
    if (task->depends)
        take(OBJECT(tasks));
    task->function((char *)argument + task->room);
    give(OBJECT(tasks));
    races_region_now = outer;
}

static void copy_task(void *to, void *from)
{
    const struct task *task = from;
    char *data = (char *)to + task->room;
    memcpy(to, from, sizeof *task);
    if (task->copy)
        task->copy(data, task->data);
    else
        memcpy(data, task->data, task->bytes);
}

#define TASK_DEPENDS  8u
#define TASK_DETACHES 0x2000u /* the library writes into its data: such tasks go their way */
#define TASK_PARAMETERS                                                                                  \
    void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long alignment,      \
        bool is_deferred, unsigned flags, void **depend, int priority, void *detach
RACES_PUBLIC void GOMP_task(TASK_PARAMETERS);
RACES_PUBLIC void GOMP_task(TASK_PARAMETERS)
{
    size_t align = alignment > (long)_Alignof(struct task) ? (size_t)alignment : _Alignof(struct task);
    size_t room = (sizeof(struct task) + align - 1) / align * align;
    struct task task = {.function = function,
                        .copy = copy,
                        .data = data,
                        .region = races_region_now,
                        .room = room,
                        .bytes = (size_t)bytes,
                        .release = races_thread_release(),
                        .depends = (flags & TASK_DEPENDS) != 0};
    races_is_gomp_task = true;
    if (flags & TASK_DETACHES)
        REAL(GOMP_task)
        (function, data, copy, bytes, alignment, is_deferred, flags, depend, priority, detach);
    else
        REAL(GOMP_task)
        (run_task, &task, copy_task, bytes + (long)room, (long)align, is_deferred, flags, depend, priority,
         detach);
    races_is_gomp_task = false;
}
