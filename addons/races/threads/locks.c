/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What orders the threads of a PE: locks, conditions, barriers, semaphores of pthreads and of C11, and what
 * is done once. The names replace libc's for the whole process; its own do the work.
 */
#include "races/internal.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

/* A lock of readers and writers is two objects: what writers have done, which all learn, and what readers
 * have, which writers alone learn. Who holds it as a writer says what its unlock is. */
#define WRITERS 1024
static _Atomic uintptr_t writers[WRITERS];

static const void *writers_of(const void *lock)
{
    return lock;
}

static const void *readers_of(const void *lock)
{
    return (const char *)lock + 1;
}

static _Atomic uintptr_t *writer_place(uintptr_t lock, uintptr_t wanted)
{
    for (uintptr_t i = lock >> 3, step = 0; step < WRITERS; i++, step++)
        if (atomic_load(&writers[i % WRITERS]) == wanted)
            return &writers[i % WRITERS];
    return NULL;
}

static void read_locked(const void *lock)
{
    races_object_acquire(writers_of(lock));
}

static void write_locked(const void *lock)
{
    uintptr_t nobody = 0;
    _Atomic uintptr_t *place = writer_place((uintptr_t)lock, 0);
    while (place && !atomic_compare_exchange_strong(place, &nobody, (uintptr_t)lock)) {
        nobody = 0;
        place = writer_place((uintptr_t)lock, 0);
    }
    races_object_acquire(writers_of(lock));
    races_object_acquire(readers_of(lock));
}

static void unlocking(const void *lock)
{
    _Atomic uintptr_t *place = writer_place((uintptr_t)lock, (uintptr_t)lock);
    if (place) {
        races_object_release(writers_of(lock), false);
        atomic_store(place, 0);
    } else {
        races_object_release(readers_of(lock), true);
    }
}

static void locked(const void *lock)
{
    races_object_acquire(lock);
}

static void given(const void *lock)
{
    races_object_release(lock, false);
}

/* A barrier, a semaphore: several give it at a time. */
static void joined(const void *object)
{
    races_object_release(object, true);
}

static void linger(uintptr_t caller)
{
    if (races.is_threaded && races_self && races.is_up)
        races_linger(caller);
}

/* AFTER(object) where the result is SUCCESS. */
#define TAKES(RESULT, NAME, PARAMETERS, ARGUMENTS, SUCCESS, AFTER, OBJECT)                               \
    RACES_PUBLIC RESULT NAME PARAMETERS                                                                  \
    {                                                                                                    \
        linger(RACES_CALLER);                                                                            \
        RESULT result = REAL(NAME) ARGUMENTS;                                                            \
        if (result == (SUCCESS))                                                                         \
            AFTER((const void *)OBJECT);                                                                 \
        return result;                                                                                   \
    }
#define GIVES(RESULT, NAME, PARAMETERS, ARGUMENTS, BEFORE, OBJECT)                                       \
    RACES_PUBLIC RESULT NAME PARAMETERS                                                                  \
    {                                                                                                    \
        BEFORE((const void *)OBJECT);                                                                    \
        RESULT result = REAL(NAME) ARGUMENTS;                                                            \
        linger(RACES_CALLER);                                                                            \
        return result;                                                                                   \
    }
/* A wait gives the lock meanwhile, and has it again whatever its result is. */
#define WAITS(RESULT, NAME, PARAMETERS, ARGUMENTS, OBJECT)                                               \
    RACES_PUBLIC RESULT NAME PARAMETERS                                                                  \
    {                                                                                                    \
        given(OBJECT);                                                                                   \
        RESULT result = REAL(NAME) ARGUMENTS;                                                            \
        locked(OBJECT);                                                                                  \
        return result;                                                                                   \
    }
#define UNTIL const struct timespec *until

TAKES(int, pthread_mutex_lock, (pthread_mutex_t * lock), (lock), 0, locked, lock)
TAKES(int, pthread_mutex_trylock, (pthread_mutex_t * lock), (lock), 0, locked, lock)
TAKES(int, pthread_mutex_timedlock, (pthread_mutex_t * lock, UNTIL), (lock, until), 0, locked, lock)
TAKES(int, pthread_mutex_clocklock, (pthread_mutex_t * lock, clockid_t clock, UNTIL), (lock, clock, until),
      0, locked, lock)
GIVES(int, pthread_mutex_unlock, (pthread_mutex_t * lock), (lock), given, lock)
WAITS(int, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *lock), (condition, lock), lock)
WAITS(int, pthread_cond_timedwait, (pthread_cond_t * condition, pthread_mutex_t *lock, UNTIL),
      (condition, lock, until), lock)
WAITS(int, pthread_cond_clockwait,
      (pthread_cond_t * condition, pthread_mutex_t *lock, clockid_t clock, UNTIL),
      (condition, lock, clock, until), lock)

TAKES(int, mtx_lock, (mtx_t * lock), (lock), thrd_success, locked, lock)
TAKES(int, mtx_trylock, (mtx_t * lock), (lock), thrd_success, locked, lock)
TAKES(int, mtx_timedlock, (mtx_t *restrict lock, const struct timespec *restrict until), (lock, until),
      thrd_success, locked, lock)
GIVES(int, mtx_unlock, (mtx_t * lock), (lock), given, lock)
WAITS(int, cnd_wait, (cnd_t * condition, mtx_t *lock), (condition, lock), lock)
WAITS(int, cnd_timedwait,
      (cnd_t *restrict condition, mtx_t *restrict lock, const struct timespec *restrict until),
      (condition, lock, until), lock)

TAKES(int, pthread_spin_lock, (pthread_spinlock_t * lock), (lock), 0, locked, lock)
TAKES(int, pthread_spin_trylock, (pthread_spinlock_t * lock), (lock), 0, locked, lock)
GIVES(int, pthread_spin_unlock, (pthread_spinlock_t * lock), (lock), given, lock)

TAKES(int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock), 0, read_locked, lock)
TAKES(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t * lock), (lock), 0, read_locked, lock)
TAKES(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t * lock, UNTIL), (lock, until), 0, read_locked,
      lock)
TAKES(int, pthread_rwlock_clockrdlock, (pthread_rwlock_t * lock, clockid_t clock, UNTIL),
      (lock, clock, until), 0, read_locked, lock)
TAKES(int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock), 0, write_locked, lock)
TAKES(int, pthread_rwlock_trywrlock, (pthread_rwlock_t * lock), (lock), 0, write_locked, lock)
TAKES(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t * lock, UNTIL), (lock, until), 0,
      write_locked, lock)
TAKES(int, pthread_rwlock_clockwrlock, (pthread_rwlock_t * lock, clockid_t clock, UNTIL),
      (lock, clock, until), 0, write_locked, lock)
GIVES(int, pthread_rwlock_unlock, (pthread_rwlock_t * lock), (lock), unlocking, lock)

GIVES(int, sem_post, (sem_t * semaphore), (semaphore), joined, semaphore)
TAKES(int, sem_wait, (sem_t * semaphore), (semaphore), 0, locked, semaphore)
TAKES(int, sem_trywait, (sem_t * semaphore), (semaphore), 0, locked, semaphore)
TAKES(int, sem_timedwait, (sem_t * semaphore, UNTIL), (semaphore, until), 0, locked, semaphore)
TAKES(int, sem_clockwait, (sem_t * semaphore, clockid_t clock, UNTIL), (semaphore, clock, until), 0, locked,
      semaphore)

/* A barrier is two objects by turns: who is slow to leave learns nothing of those who have come to the
 * next. */
#define BARRIERS 256
static struct barrier {
    const void *address;
    unsigned threads, arrivals;
} barriers[BARRIERS];

static struct barrier *barrier_at(const void *address)
{
    for (int i = 0; i < BARRIERS; i++)
        if (barriers[i].address == address)
            return &barriers[i];
    return NULL;
}

static void set_barrier(const void *address, const void *now, unsigned threads)
{
    bool is_taken = races_lock();
    struct barrier *barrier = barrier_at(address);
    if (barrier)
        *barrier = (struct barrier){now, threads, 0};
    races_unlock(is_taken);
}

RACES_PUBLIC int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                                      unsigned threads)
{
    set_barrier(barrier, NULL, 0);
    set_barrier(NULL, barrier, threads);
    return REAL(pthread_barrier_init)(barrier, attributes, threads);
}

RACES_PUBLIC int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    set_barrier(barrier, NULL, 0);
    return REAL(pthread_barrier_destroy)(barrier);
}

static const void *turn_of(const void *address)
{
    bool is_taken = races_lock();
    struct barrier *barrier = barrier_at(address);
    unsigned turn = barrier && barrier->threads ? barrier->arrivals++ / barrier->threads : 0;
    races_unlock(is_taken);
    return (const char *)address + turn % 2;
}

/* One of them returns another number. */
RACES_PUBLIC int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    const void *object = turn_of(barrier);
    joined(object);
    int result = REAL(pthread_barrier_wait)(barrier);
    locked(object);
    return result;
}

/* The routine's own end is given, and nothing of those who find it done. */
static _Thread_local struct once {
    const void *flag;
    void (*routine)(void);
} once_now __attribute__((tls_model("initial-exec")));

static void run_once(void)
{
    struct once mine = once_now;
    mine.routine();
    joined(mine.flag);
}

RACES_PUBLIC int pthread_once(pthread_once_t *flag, void (*routine)(void))
{
    struct once outer = once_now;
    once_now = (struct once){flag, routine};
    int failed = REAL(pthread_once)(flag, run_once);
    once_now = outer;
    locked(flag);
    return failed;
}

RACES_PUBLIC void call_once(once_flag *flag, void (*routine)(void))
{
    struct once outer = once_now;
    once_now = (struct once){flag, routine};
    REAL(call_once)(flag, run_once);
    once_now = outer;
    locked(flag);
}
