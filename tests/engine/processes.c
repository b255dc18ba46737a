/* SPDX-License-Identifier: BSD-3-Clause
 * See processes.h.
 */
#include "processes.h"

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In seconds: a test that takes longer is stuck where no step is counted. */
#define TIME_LIMIT 100

/* In ns: for a step, and for a look at the clock. */
#define STEP_NS  700
#define CLOCK_NS 100

int me, npes;

static struct shared {
    bool in_steps;
    uint32_t may_go[MOST_PES]; /* a futex each */
    bool has_left[MOST_PES], is_at_all[MOST_PES]; /* at the barrier of all */
    uint64_t chance;
    int stepping; /* processes */
    uint64_t steps, most;
    uint64_t clock_ns;
    struct {
        uint32_t arrived, rounds;
    } barriers[2]; /* of the first ones, and of all: those who are left out wait in that one */
    const char *doing[MOST_PES]; /* the program's constants, at the same addresses in all */
    uint64_t failed;             /* 1 + the process */
    char repeat[200];
} *shared;

void *share(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    return memory;
}

/* Instead of libc's, for the library's code too. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (!shared || !shared->in_steps)
        return (int)syscall(SYS_clock_gettime, clock, time);
    uint64_t now = __atomic_add_fetch(&shared->clock_ns, CLOCK_NS, __ATOMIC_RELAXED);
    *time = (struct timespec){(time_t)(now / 1000000000), (long)(now % 1000000000)};
    return 0;
}

void is_doing(const char *what)
{
    shared->doing[me] = what;
}

void repeat_by(const char *format, ...)
{
    va_list arguments;
    if (!shared)
        shared = share(sizeof *shared);
    va_start(arguments, format);
    vsnprintf(shared->repeat, sizeof shared->repeat, format, arguments);
    va_end(arguments);
}

void trace(const char *format, ...)
{
    static int is_on = -1;
    char line[300];
    va_list arguments;
    if (is_on < 0)
        is_on = getenv("SHEAF_TEST_TRACE") != NULL;
    if (!is_on)
        return;
    int used = snprintf(line, sizeof line, "%8lu PE %d: ", (unsigned long)shared->steps, me);
    va_start(arguments, format);
    vsnprintf(line + used, sizeof line - (size_t)used, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s\n", line);
}

void fail(const char *file, int line, const char *condition, const char *format, ...)
{
    va_list arguments;
    uint64_t nobody = 0;
    if (!__atomic_compare_exchange_n(&shared->failed, &nobody, 1 + (uint64_t)me, false,
                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        _exit(1); /* one of them tells it */
    fprintf(stderr, "%s:%d: PE %d: %s: ", file, line, me, condition);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    for (int pe = 0; pe < npes; pe++)
        fprintf(stderr, "  PE %d: %s\n", pe, shared->doing[pe] ? shared->doing[pe] : "?");
    fprintf(stderr, "again: %s\n", shared->repeat);
    _exit(1);
}

static void wait_to_go(void)
{
    while (!__atomic_exchange_n(&shared->may_go[me], 0, __ATOMIC_ACQ_REL))
        syscall(SYS_futex, &shared->may_go[me], FUTEX_WAIT, 0, NULL, NULL, 0);
}

static void let_go(int pe)
{
    __atomic_store_n(&shared->may_go[pe], 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &shared->may_go[pe], FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* By whoever goes. -1: nobody is left. */
static int choose_next(void)
{
    int able[MOST_PES], count = 0;
    for (int pe = 0; pe < shared->stepping; pe++)
        if (!shared->has_left[pe])
            able[count++] = pe;
    return count ? able[below(&shared->chance, (uint64_t)count)] : -1;
}

void begin_steps(uint64_t seed, int pes, uint64_t most)
{
    alarm(TIME_LIMIT);
    meet(npes, NULL);
    if (me == 0) {
        shared->chance = seed;
        shared->stepping = pes;
        shared->steps = 0;
        shared->most = most;
        shared->clock_ns = 1000000000;
    }
    meet(npes, NULL);
}

/* Those that are left out of the steps are let in once nobody else has a step to take. */
static void let_all_in(void)
{
    for (int pe = 0; pe < shared->stepping; pe++)
        if (!shared->has_left[pe] && !shared->is_at_all[pe])
            return;
    shared->stepping = npes;
}

void step(void)
{
    if (!shared->in_steps) {
        sched_yield();
        return;
    }
    shared->clock_ns += STEP_NS;
    REQUIRE(++shared->steps < shared->most, "stuck: %lu steps", (unsigned long)shared->steps);
    int next = choose_next();
    if (next == me || next < 0)
        return;
    let_go(next);
    wait_to_go();
}

static void leave(void)
{
    if (!shared->in_steps)
        return;
    shared->has_left[me] = true;
    let_all_in();
    int next = choose_next();
    if (next >= 0)
        let_go(next);
}

void die(void)
{
    leave();
    _exit(0);
}

void meet(int pes, void (*meanwhile)(void))
{
    bool is_of_all = pes == npes;
    uint32_t *arrived = &shared->barriers[is_of_all].arrived;
    uint32_t *rounds = &shared->barriers[is_of_all].rounds;
    uint32_t round = __atomic_load_n(rounds, __ATOMIC_ACQUIRE);
    if (__atomic_add_fetch(arrived, 1, __ATOMIC_ACQ_REL) == (uint32_t)pes) {
        __atomic_store_n(arrived, 0, __ATOMIC_RELAXED);
        __atomic_store_n(rounds, round + 1, __ATOMIC_RELEASE);
        return;
    }
    shared->is_at_all[me] = is_of_all;
    let_all_in();
    while (__atomic_load_n(rounds, __ATOMIC_ACQUIRE) == round) {
        if (meanwhile)
            meanwhile();
        step();
    }
    shared->is_at_all[me] = false;
}

/* Handing over costs a fraction on one processor of what it costs across two. */
static void stay_on_one_processor(void)
{
    cpu_set_t allowed, one;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    int which = (int)(getpid() % CPU_COUNT(&allowed));
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed) && which-- == 0)
            CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static _Noreturn void run(void (*body)(void))
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(TIME_LIMIT);
    if (shared->in_steps)
        wait_to_go();
    body();
    leave();
    exit(0);
}

/* One that fails ends the others. */
static int wait_for_all(pid_t *processes)
{
    int status, failed = 0;
    for (int i = 0; i < npes; i++) {
        pid_t ended = wait(&status);
        for (int pe = 0; pe < npes; pe++)
            if (processes[pe] == ended)
                processes[pe] = 0;
        if (ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
            continue;
        if (!failed && !shared->failed)
            fprintf(stderr, "a process ended with status 0x%x; again: %s\n", status, shared->repeat);
        failed = 1;
        for (int pe = 0; pe < npes; pe++)
            if (processes[pe] > 0)
                kill(processes[pe], SIGKILL);
    }
    return failed;
}

int run_processes(int count, bool in_steps, void (*body)(void))
{
    pid_t processes[MOST_PES];
    npes = count;
    if (!shared)
        shared = share(sizeof *shared);
    memset(shared, 0, offsetof(struct shared, repeat));
    shared->most = UINT64_MAX;
    shared->stepping = count;
    shared->may_go[0] = 1;
    shared->in_steps = in_steps;
    if (in_steps)
        stay_on_one_processor();
    fflush(NULL);
    for (me = 0; me < npes; me++)
        if ((processes[me] = fork()) == 0)
            run(body);
    return wait_for_all(processes);
}

void fill(void *bytes, size_t count, uint64_t number)
{
    unsigned char *at = bytes;
    uint64_t chance = number;
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word = test_random(&chance);
        memcpy(at + i, &word, count - i < 8 ? count - i : 8);
    }
}

bool is_filled(const void *bytes, size_t count, uint64_t number)
{
    const unsigned char *at = bytes;
    uint64_t chance = number;
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word = test_random(&chance);
        if (memcmp(at + i, &word, count - i < 8 ? count - i : 8) != 0)
            return false;
    }
    return true;
}
