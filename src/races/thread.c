/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads of a PE: what orders them (locks, joins, semaphores of pthreads), and memory that goes from one
 * to another through malloc. The names replace libc's for the whole process; its own do the work.
 */
#include "races/internal.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>

#define OBJECTS      65536 /* locks, conditions and so on that are known */
#define MOST_THREADS 4096

static struct object {
    uintptr_t address;
    uint32_t release;
} objects[OBJECTS];

static struct started {
    pthread_t id;
    struct races_thread *thread;
    uint32_t last; /* what the thread had done at its end */
    bool is_used;
} started[MOST_THREADS];
static struct races_thread *idle[MOST_THREADS];
static int idle_count, thread_count = 1;

static _Atomic int lock_taken;
static _Thread_local int lock_depth __attribute__((tls_model("initial-exec")));

bool races_lock(void)
{
    if (!races.is_threaded)
        return false;
    while (lock_depth == 0 && atomic_exchange_explicit(&lock_taken, 1, memory_order_acquire))
        sched_yield();
    lock_depth++;
    return true;
}

void races_unlock(bool is_taken)
{
    if (is_taken && --lock_depth == 0)
        atomic_store_explicit(&lock_taken, 0, memory_order_release);
}

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
    return NULL;
}

static bool is_watched(void)
{
    return races_unlikely(races.is_threaded) && races.is_up && races_self && lock_depth == 0;
}

void races_object_acquire(const void *address)
{
    if (!is_watched())
        return;
    bool is_taken = races_lock();
    struct object *object = object_of(address);
    if (object)
        races_acquire(races_self, object->release);
    races_unlock(is_taken);
}

/* joins: several give it at a time. */
void races_object_release(const void *address, bool joins)
{
    if (!is_watched())
        return;
    bool is_taken = races_lock();
    struct object *object = object_of(address);
    uint32_t id = races_release(races_self, true);
    if (object)
        object->release = joins ? races_snapshot_join(races_self, object->release, id) : id;
    races_tick(races_self);
    races_unlock(is_taken);
}

void *races_next_of(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

struct beginning {
    void *(*routine)(void *);
    void *argument;
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

static void last_release(void *argument)
{
    struct started *entry = argument;
    if (races_self && races.is_up)
        entry->last = races_release(races_self, true);
    races_self = NULL;
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
    result = beginning.routine(beginning.argument);
    pthread_cleanup_pop(1);
    return result;
}

static struct started *new_entry(void)
{
    for (int i = 0; i < MOST_THREADS; i++)
        if (!started[i].is_used) {
            started[i] = (struct started){.is_used = true, .thread = thread_for()};
            return started[i].thread ? &started[i] : NULL;
        }
    return NULL;
}

/* From now on private memory may be shared. */
static struct beginning *prepare(void *(*routine)(void *), void *argument)
{
    struct beginning *beginning = malloc(sizeof *beginning);
    races.is_threaded = races.watches_private = races_self->watches_private = true;
    bool is_taken = races_lock();
    struct started *entry = beginning ? new_entry() : NULL;
    if (entry) {
        *beginning = (struct beginning){routine, argument, entry, races_release(races_self, true)};
        races_tick(races_self);
    }
    races_unlock(is_taken);
    if (!entry) {
        free(beginning);
        return NULL;
    }
    return beginning;
}

/* Not of the library's own threads, which run none of the program's code. */
RACES_PUBLIC int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*routine)(void *),
                                void *argument)
{
    Dl_info info;
    bool is_library = !dladdr((void *)routine, &info) || info.dli_fbase == NULL ||
                      (info.dli_fname && __builtin_strstr(info.dli_fname, "/libsheaf") != NULL);
    struct beginning *beginning =
        is_library || !races_self || !races.is_up ? NULL : prepare(routine, argument);
    if (!beginning)
        return REAL(pthread_create)(id, attributes, routine, argument);
    struct started *entry = beginning->entry;
    int failed = REAL(pthread_create)(id, attributes, begin_thread, beginning);
    if (failed) {
        free(beginning);
        entry->is_used = false;
    } else {
        entry->id = *id;
    }
    return failed;
}

static void joined(pthread_t id)
{
    if (!races_self || !races.is_up)
        return;
    bool is_taken = races_lock();
    for (int i = 0; i < MOST_THREADS; i++)
        if (started[i].is_used && started[i].last && pthread_equal(started[i].id, id)) {
            races_acquire(races_self, started[i].last);
            idle[idle_count++] = started[i].thread;
            started[i].is_used = false;
            break;
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

RACES_PUBLIC int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    int failed = REAL(pthread_mutex_lock)(mutex);
    if (!failed)
        races_object_acquire(mutex);
    return failed;
}

RACES_PUBLIC int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    int failed = REAL(pthread_mutex_timedlock)(mutex, until);
    if (!failed)
        races_object_acquire(mutex);
    return failed;
}

RACES_PUBLIC int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    int failed = REAL(pthread_mutex_trylock)(mutex);
    if (!failed)
        races_object_acquire(mutex);
    return failed;
}

RACES_PUBLIC int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    races_object_release(mutex, false);
    return REAL(pthread_mutex_unlock)(mutex);
}

RACES_PUBLIC int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    races_object_release(mutex, false);
    int failed = REAL(pthread_cond_wait)(condition, mutex);
    races_object_acquire(mutex);
    return failed;
}

RACES_PUBLIC int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                        const struct timespec *until)
{
    races_object_release(mutex, false);
    int failed = REAL(pthread_cond_timedwait)(condition, mutex, until);
    races_object_acquire(mutex);
    return failed;
}

RACES_PUBLIC int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    races_object_release(barrier, true);
    int result = REAL(pthread_barrier_wait)(barrier);
    races_object_acquire(barrier);
    return result;
}

RACES_PUBLIC int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    int failed = REAL(pthread_rwlock_rdlock)(lock);
    if (!failed)
        races_object_acquire(lock);
    return failed;
}

RACES_PUBLIC int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    int failed = REAL(pthread_rwlock_wrlock)(lock);
    if (!failed)
        races_object_acquire(lock);
    return failed;
}

RACES_PUBLIC int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    int failed = REAL(pthread_rwlock_tryrdlock)(lock);
    if (!failed)
        races_object_acquire(lock);
    return failed;
}

RACES_PUBLIC int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    int failed = REAL(pthread_rwlock_trywrlock)(lock);
    if (!failed)
        races_object_acquire(lock);
    return failed;
}

RACES_PUBLIC int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    races_object_release(lock, true);
    return REAL(pthread_rwlock_unlock)(lock);
}

RACES_PUBLIC int pthread_spin_lock(pthread_spinlock_t *lock)
{
    int failed = REAL(pthread_spin_lock)(lock);
    races_object_acquire((const void *)lock);
    return failed;
}

RACES_PUBLIC int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    int failed = REAL(pthread_spin_trylock)(lock);
    if (!failed)
        races_object_acquire((const void *)lock);
    return failed;
}

RACES_PUBLIC int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    races_object_release((const void *)lock, false);
    return REAL(pthread_spin_unlock)(lock);
}

RACES_PUBLIC int pthread_once(pthread_once_t *once, void (*routine)(void))
{
    int failed = REAL(pthread_once)(once, routine);
    races_object_acquire(once);
    races_object_release(once, true);
    return failed;
}

RACES_PUBLIC int sem_post(sem_t *semaphore)
{
    races_object_release(semaphore, true);
    return REAL(sem_post)(semaphore);
}

RACES_PUBLIC int sem_wait(sem_t *semaphore)
{
    int failed = REAL(sem_wait)(semaphore);
    if (!failed)
        races_object_acquire(semaphore);
    return failed;
}

RACES_PUBLIC int sem_trywait(sem_t *semaphore)
{
    int failed = REAL(sem_trywait)(semaphore);
    if (!failed)
        races_object_acquire(semaphore);
    return failed;
}

RACES_PUBLIC int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
    int failed = REAL(sem_timedwait)(semaphore, until);
    if (!failed)
        races_object_acquire(semaphore);
    return failed;
}

/* The block's next owner begins anew. */
extern void __libc_free(void *block) __attribute__((weak));
static void (*real_free)(void *);

RACES_PUBLIC void free(void *block)
{
    if (races_unlikely(races.watches_private) && block)
        races_forget_private((uintptr_t)block, malloc_usable_size(block));
    if (real_free)
        real_free(block);
    else if (__libc_free)
        __libc_free(block);
}

static void forked(void)
{
    races.is_up = races.is_threaded = races.watches_private = false;
    races_self = NULL;
}

void races_threads_prepare(void)
{
    real_free = (void (*)(void *))races_next_of("free");
    pthread_atfork(NULL, NULL, forked);
}
