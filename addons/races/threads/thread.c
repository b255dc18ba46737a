/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads of a PE: their begin and their end, objects that order them, and memory that goes from one to
 * another through malloc. The names replace libc's for the whole process; its own do the work.
 */
#include "races/internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

#define OBJECTS      (1u << 20) /* locks, conditions and so on that are known */
#define MOST_THREADS 4096  /* that run, or have ended and are not joined */
#define MANY_THREADS 1024  /* detached ones before those that have ended are used again */

#define CALLED_BY_OTHER(LEVEL)                                                                           \
    "called by another thread than the one that initialized, which " LEVEL " alone lets call the "       \
    "library: ask shmem_init_thread for SHMEM_THREAD_SERIALIZED or SHMEM_THREAD_MULTIPLE"

static struct object {
    uintptr_t address;
    uint32_t release;
} objects[OBJECTS], others; /* all for which there is no room: they order too much */

static struct started {
    pthread_t id;
    struct races_thread *thread;
    uint32_t last; /* what the thread had done at its end */
    bool is_used, is_detached;
} started[MOST_THREADS];
static struct races_thread *idle[MOST_THREADS];
static int idle_count, thread_count = 1;

static struct object *object_of(const void *address)
{
    uintptr_t key = (uintptr_t)address;
    for (unsigned i = (unsigned)(key >> 3) * 2654435761u, step = 0; step < 64; i++, step++) {
        struct object *object = &objects[i % OBJECTS];
        if (object->address == key || object->address == 0) {
            object->address = key;
            return object;
        }
    }
    return &others;
}

static bool is_watched(void)
{
    return races_unlikely(races.is_threaded) && races.is_up && races_self && !races_has_lock();
}

void races_object_acquire(const void *address)
{
    if (!is_watched())
        return;
    bool is_taken = races_lock();
    races_acquire(races_self, object_of(address)->release);
    races_unlock(is_taken);
}

static uint32_t release_now(void)
{
    uint32_t id = races_release(races_self, true);
    races_tick(races_self);
    return id;
}

void races_object_release(const void *address, bool joins)
{
    if (!is_watched())
        return;
    bool is_taken = races_lock();
    struct object *object = object_of(address);
    uint32_t id = release_now();
    joins |= object == &others;
    object->release = joins ? races_snapshot_join(races_self, object->release, id) : id;
    races_unlock(is_taken);
}

uint32_t races_thread_release(void)
{
    return is_watched() ? release_now() : 0;
}

void races_thread_acquire(uint32_t release)
{
    if (is_watched())
        races_acquire(races_self, release);
}

/* SHMEM_THREAD_SERIALIZED: behind the call that was the last to begin. */
static bool is_serialized(const struct races_thread *thread)
{
    static unsigned last;
    static uint32_t clock;
    bool is_taken = races_lock(), is_behind = !thread || thread->vc[last] >= clock;
    if (thread) {
        last = thread->program;
        clock = thread->clock;
    }
    races_unlock(is_taken);
    return is_behind;
}

void races_called(const struct races_call *call)
{
    if (races_likely(!races.is_up || races.thread_level == SHMEM_THREAD_MULTIPLE))
        return;
    if (races.thread_level == SHMEM_THREAD_SERIALIZED && !is_serialized(races_self))
        races_report_call(call, "called while another thread may be in a call, which "
                                "SHMEM_THREAD_SERIALIZED does not allow: order the two by a lock, or ask "
                                "shmem_init_thread for SHMEM_THREAD_MULTIPLE");
    else if (races.thread_level < SHMEM_THREAD_SERIALIZED && races_self != races.first)
        races_report_call(call, races.thread_level == SHMEM_THREAD_SINGLE
                                    ? CALLED_BY_OTHER("SHMEM_THREAD_SINGLE")
                                    : CALLED_BY_OTHER("SHMEM_THREAD_FUNNELED"));
}

/* What a thread runs: one of the two. */
struct work {
    void *(*posix)(void *);
    int (*c11)(void *);
    void *argument;
};
struct beginning {
    struct work work;
    struct started *entry;
    uint32_t release;
};

static struct races_thread *thread_for(void)
{
    if (idle_count > 0)
        return idle[--idle_count];
    return races_thread_new(thread_count++);
}

static void forget_stack(void)
{
    pthread_attr_t attributes;
    void *start;
    size_t bytes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    if (pthread_attr_getstack(&attributes, &start, &bytes) == 0)
        races_forget_private((uintptr_t)start, bytes);
    pthread_attr_destroy(&attributes);
}

/* The lock is held. */
static void forget_entry(struct started *entry)
{
    if (idle_count < MOST_THREADS && (!entry->is_detached || thread_count > MANY_THREADS))
        idle[idle_count++] = entry->thread;
    entry->is_used = false;
}

static void last_release(void *argument)
{
    struct started *entry = argument;
    bool is_taken = races_lock();
    if (races_self && races.is_up)
        entry->last = races_release(races_self, true);
    races_self = NULL;
    if (entry->is_detached)
        forget_entry(entry);
    races_unlock(is_taken);
}

static void *do_work(const struct work *work)
{
    return work->posix ? work->posix(work->argument) : (void *)(intptr_t)work->c11(work->argument);
}

static void *begin_thread(void *argument)
{
    struct beginning beginning = *(struct beginning *)argument;
    void *result;
    free(argument);
    forget_stack();
    races_acquire(beginning.entry->thread, beginning.release);
    races_tick(beginning.entry->thread);
    races_self = beginning.entry->thread;
    pthread_cleanup_push(last_release, beginning.entry);
    result = do_work(&beginning.work);
    pthread_cleanup_pop(1);
    return result;
}

static void *begin_unseen(void *argument)
{
    struct beginning beginning = *(struct beginning *)argument;
    free(argument);
    return do_work(&beginning.work);
}

static bool is_detached(const pthread_attr_t *attributes)
{
    int state = PTHREAD_CREATE_JOINABLE;
    if (attributes)
        pthread_attr_getdetachstate(attributes, &state);
    return state == PTHREAD_CREATE_DETACHED;
}

/* NULL where the table is full, or strands are. */
static struct started *new_entry(const pthread_attr_t *attributes)
{
    for (int i = 0; i < MOST_THREADS; i++)
        if (!started[i].is_used) {
            started[i] = (struct started){
                .is_used = true, .is_detached = is_detached(attributes), .thread = thread_for()};
            return started[i].thread ? &started[i] : NULL;
        }
    return NULL;
}

/* From now on private memory may be shared. */
static void introduce(struct beginning *beginning, const pthread_attr_t *attributes)
{
    races.is_threaded = races.watches_private = races_self->watches_private = true;
    bool is_taken = races_lock();
    beginning->entry = new_entry(attributes);
    if (beginning->entry)
        beginning->release = release_now();
    races_unlock(is_taken);
}

/* Not the library's own threads, which run none of the program's code. */
static bool is_programs(const void *routine)
{
    Dl_info info;
    return dladdr(routine, &info) && info.dli_fbase &&
           !(info.dli_fname && __builtin_strstr(info.dli_fname, "/libsheaf") != NULL);
}

static int start(pthread_t *id, const pthread_attr_t *attributes, struct work work)
{
    struct beginning *beginning = malloc(sizeof *beginning);
    if (!beginning)
        return EAGAIN;
    *beginning = (struct beginning){.work = work};
    if (races_self && races.is_up)
        introduce(beginning, attributes);
    struct started *entry = beginning->entry;
    int failed = REAL(pthread_create)(id, attributes, entry ? begin_thread : begin_unseen, beginning);
    if (failed) {
        free(beginning);
        if (entry)
            entry->is_used = false;
    } else if (entry) {
        entry->id = *id;
    }
    return failed;
}

RACES_PUBLIC int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*routine)(void *),
                                void *argument)
{
    if (!races_self || !races.is_up || !is_programs((const void *)routine))
        return REAL(pthread_create)(id, attributes, routine, argument);
    return start(id, attributes, (struct work){.posix = routine, .argument = argument});
}

/* C11's threads are those of pthreads; libc's calls of these are its own, which nothing replaces. */
RACES_PUBLIC int thrd_create(thrd_t *id, thrd_start_t routine, void *argument)
{
    int failed = start(id, NULL, (struct work){.c11 = routine, .argument = argument});
    return failed == 0 ? thrd_success : failed == ENOMEM ? thrd_nomem : thrd_error;
}

static struct started *entry_of(pthread_t id)
{
    for (int i = 0; i < MOST_THREADS; i++)
        if (started[i].is_used && !started[i].is_detached && pthread_equal(started[i].id, id))
            return &started[i];
    return NULL;
}

static void joined(pthread_t id)
{
    if (!races_self || !races.is_up)
        return;
    bool is_taken = races_lock();
    struct started *entry = entry_of(id);
    if (entry && entry->last) {
        races_acquire(races_self, entry->last);
        forget_entry(entry);
    }
    races_unlock(is_taken);
}

RACES_PUBLIC int pthread_join(pthread_t id, void **result)
{
    int failed = REAL(pthread_join)(id, result);
    if (!failed)
        joined(id);
    return failed;
}

RACES_PUBLIC int pthread_tryjoin_np(pthread_t id, void **result)
{
    int failed = REAL(pthread_tryjoin_np)(id, result);
    if (!failed)
        joined(id);
    return failed;
}

RACES_PUBLIC int pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *until)
{
    int failed = REAL(pthread_timedjoin_np)(id, result, until);
    if (!failed)
        joined(id);
    return failed;
}

RACES_PUBLIC int thrd_join(thrd_t id, int *result)
{
    int failed = REAL(thrd_join)(id, result);
    if (failed == thrd_success)
        joined(id);
    return failed;
}

static void detached(pthread_t id)
{
    bool is_taken = races_lock();
    struct started *entry = entry_of(id);
    if (entry) {
        entry->is_detached = true;
        if (entry->last)
            forget_entry(entry);
    }
    races_unlock(is_taken);
}

RACES_PUBLIC int pthread_detach(pthread_t id)
{
    detached(id);
    return REAL(pthread_detach)(id);
}

RACES_PUBLIC int thrd_detach(thrd_t id)
{
    detached(id);
    return REAL(thrd_detach)(id);
}

static void forked(void)
{
    races.is_up = races.is_threaded = races.watches_private = false;
    races_self = NULL;
}

void races_threads_prepare(void)
{
    pthread_atfork(NULL, NULL, forked);
}
