/* SPDX-License-Identifier: BSD-3-Clause
 *
 * State that all threads of a process share: the lock, the groups, the number of operations under
 * way. Also how a thread waits, and how it leaves a call that a dead PE will not answer.
 */
#include "torch.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <shmemx_ft.h>
#include <stdio.h>
#include <time.h>

struct sheaf_group *sheaf_job_groups;
int sheaf_job_pending;
uint64_t sheaf_job_moves;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER;
static bool is_idle;
static _Atomic bool is_ending;
static _Atomic int waiters;
static uint64_t last_begun;
static int cpus, neighbours;
static _Thread_local sigjmp_buf way_out;
static _Thread_local bool has_handler;

static uint64_t ns_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t sheaf_job_ns(void)
{
    return ns_of(CLOCK_MONOTONIC);
}

/* The time that this thread has run. */
uint64_t sheaf_job_cpu_ns(void)
{
    return ns_of(CLOCK_THREAD_CPUTIME_ID);
}

void sheaf_job_lock(void)
{
    pthread_mutex_lock(&lock);
}

void sheaf_job_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

static void leave(void *unused)
{
    (void)unused;
    siglongjmp(way_out, 1);
}

/* Makes the call. False: it has been left, because a PE has died; or the job has ended here. Every
 * call that may wait for another PE is made so. */
bool sheaf_job_guard(void (*call)(void *), void *argument)
{
    if (is_ending)
        return false;
    if (!has_handler)
        shmemx_on_failure(leave, NULL);
    has_handler = true;
    if (sigsetjmp(way_out, 0) != 0) {
        shmemx_failed_pes(NULL);
        return false;
    }
    call(argument);
    return true;
}

void sheaf_job_sleep(long ns)
{
    nanosleep(&(struct timespec){0, ns}, NULL);
}

/* A moment of a processor's time; false where another PE of the host may need the processor. A PE that is
 * bound to one processor may have it for itself, and its neighbours theirs. */
bool sheaf_job_spin(enum sheaf_torch_place place)
{
    bool is_bound_alone = cpus == 1 && place == SHEAF_ELSEWHERE;
    if (place == SHEAF_HERE || (neighbours > cpus && !is_bound_alone))
        return false;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
    return true;
}

/* A wait's turn: at first it keeps its processor, where there is one for each PE of the host, for some
 * 15 us: other programs may need it, and an idle one comes back from a yield in half a microsecond. Then it
 * lets others run; then it sleeps, longer and longer. */
void sheaf_job_pause(unsigned turn, enum sheaf_torch_place place)
{
    if (turn < 128 && sheaf_job_spin(place))
        return;
    if (turn < 3000) {
        sched_yield();
    } else {
        unsigned times = (turn - 3000) / 8;
        sheaf_job_sleep(20000L << (times < 5 ? times : 5));
    }
}

/* With the lock. text: why the operation has failed; NULL where it has not. */
void sheaf_job_end_operation(struct sheaf_operation *operation, const char *text)
{
    if (text)
        snprintf(operation->text, sizeof operation->text, "%s", text);
    sheaf_job_pending--;
    sheaf_job_moves++;
    operation->state = text ? SHEAF_FAILED : SHEAF_DONE;
}

/* With the lock. */
void sheaf_job_work_began(void)
{
    last_begun = sheaf_job_ns();
    if (is_idle)
        pthread_cond_signal(&begun);
}

/* How many threads of the program wait: they move operations on themselves. */
void sheaf_job_waits(int more)
{
    waiters += more;
}

bool sheaf_job_has_waiters(void)
{
    return waiters > 0;
}

/* With the lock: sleeps until the next operation begins, where none has for so long. Whether it has
 * slept. */
bool sheaf_job_idle(uint64_t ns)
{
    is_idle = !sheaf_job_pending && !is_ending && sheaf_job_ns() - last_begun > ns;
    if (!is_idle)
        return false;
    pthread_cond_wait(&begun, &lock);
    is_idle = false;
    return true;
}

/* With the lock. */
void sheaf_job_close(void)
{
    is_ending = true;
    pthread_cond_signal(&begun);
}

bool sheaf_job_is_closed(void)
{
    return is_ending;
}

/* How many processors this process may use, beside so many PEs of its host. */
void sheaf_job_count(int pes)
{
    cpu_set_t set;
    cpus = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    neighbours = pes;
}
