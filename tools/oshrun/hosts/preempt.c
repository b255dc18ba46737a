/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One thread watches the PEs' CPU time in /proc, and starts and stops the other threads, which wake up on
 * their processors at intervals: each wake-up preempts the PE there. Meanwhile the PEs have a short slice,
 * since without it the scheduler lets the polling loop go on after a wake-up. Where it is only a guess that
 * PEs poll, and they may be computing, wake-ups must cost little. Where yields have been found to help
 * (yield_trial.h) the PEs do poll; and a PE that makes no more fences keeps its processor until a wake-up.
 */
#include "oshrun/hosts/preempt.h"

#include "base/clock.h"
#include "base/os/os.h"
#include "base/settings/env.h"
#include "base/settings/names.h"
#include "base/times.h"
#include "oshrun/hosts/yield_trial.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* Unless SHEAF_PREEMPT is on, wake-ups take 1/COST_PARTS of a processor. */
#define COST_PARTS 100
/* Number of measurements of the time to program the timer, which is done twice per wake-up: 0.1 us
 * on hardware, 10 us in a virtual machine within another one. */
#define ARMS 31

/* While fewer PEs are busy than there are processors, the looks at them get rarer: up to LONGEST_PAUSES
 * times busy_look apart. */
#define LONGEST_PAUSES 8

/* A PE counts as busy (polling or computing) where it did not sleep, and kept its processor until the
 * scheduler or a wake-up took it away. A wait of the library sleeps, or yields within microseconds. */
#define SLEEPS_LESS_THAN 10 /* it slept for less than 1/10 of the time */

struct watched {
    int pid;
    uint64_t run_ns, wait_ns, runs; /* totals at the last look */
    bool is_short;                  /* has the short slice */
    uint64_t slice_ns;              /* its slice before */
};

static struct {
    struct sheaf_control *control;
    struct watched *pes;
    cpu_set_t usable;
    int cpus;
    uint64_t pause_ns;  /* between wake-ups */
    uint32_t is_active; /* the threads wake up; a futex */
    bool has_threads;
} preempt;

/* The value of SHEAF_PREEMPT. The library reports an invalid one. */
static enum sheaf_preempt preempt_setting(void)
{
    const char *word = sheaf_settings_text("SHEAF_PREEMPT");
    if (word)
        return (enum sheaf_preempt)sheaf_names_find(sheaf_preempt_names, word);
    return sheaf_settings_choice("SHEAF_LOW_JITTER") == SHEAF_LOW_JITTER_ON ? SHEAF_PREEMPT_OFF
                                                                            : SHEAF_PREEMPT_AUTO;
}

static int compare_times(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The time to program the processor's timer: for that the timer must be the next one to expire. */
static uint64_t timer_cost_ns(void)
{
    uint64_t took[ARMS] = {0};
    struct itimerspec soon = {.it_value = sheaf_times_spec(sheaf_times.preempt_least / 2)}, never = {0};
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    for (int i = 0; i < ARMS && fd >= 0; i++) {
        uint64_t before = sheaf_clock_ns();
        timerfd_settime(fd, 0, &soon, NULL);
        took[i] = sheaf_clock_ns() - before;
        timerfd_settime(fd, 0, &never, NULL);
    }
    if (fd >= 0)
        close(fd);
    qsort(took, ARMS, sizeof *took, compare_times);
    return took[ARMS / 2];
}

/* The pause between wake-ups where polling is only a guess; 0: they would cost too much. */
static uint64_t choose_pause(void)
{
    static uint64_t pause_ns;
    if (preempt_setting() == SHEAF_PREEMPT_ON)
        return sheaf_times.preempt_least;
    if (pause_ns == 0)
        pause_ns = COST_PARTS * (2 * timer_cost_ns() + sheaf_times.preempt_cost);
    uint64_t least = sheaf_times.preempt_least;
    return pause_ns > sheaf_times.preempt_most ? 0 : pause_ns > least ? pause_ns : least;
}

/* The kernel's struct sched_attr; only recent versions of libc have it. */
struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

/* Gives an ordinary process another slice, and changes nothing else. Returns the slice it had; 0 where
 * the kernel does not report one. */
static uint64_t change_slice(int pid, uint64_t slice_ns)
{
    struct attributes attributes = {0};
    if (syscall(SYS_sched_getattr, pid, &attributes, sizeof attributes, 0) ||
        attributes.policy != SCHED_OTHER)
        return 0;
    uint64_t before = attributes.runtime;
    attributes.size = sizeof attributes;
    attributes.runtime = slice_ns;
    syscall(SYS_sched_setattr, pid, &attributes, 0);
    return before;
}

static void set_slice(struct watched *pe, bool is_short)
{
    if (pe->is_short == is_short || pe->pid == 0)
        return;
    if (is_short)
        pe->slice_ns = change_slice(pe->pid, sheaf_times.preempt_pe_slice);
    else
        change_slice(pe->pid, pe->slice_ns);
    pe->is_short = is_short;
}

static void sleep_for_ns(uint64_t ns)
{
    struct timespec pause = {(time_t)(ns / SHEAF_SECOND), (long)(ns % SHEAF_SECOND)};
    nanosleep(&pause, NULL);
}

/* Runs on one processor. The wake-up is all its work. */
static void *wake_up_at_intervals(void *cpu)
{
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET((int)(intptr_t)cpu, &own);
    sched_setaffinity(0, sizeof own, &own);
    prctl(PR_SET_TIMERSLACK, 1);
    change_slice(0, sheaf_times.preempt_slice);
    for (;;)
        if (sheaf_load_relaxed(&preempt.is_active))
            sleep_for_ns(sheaf_load_relaxed(&preempt.pause_ns));
        else
            sheaf_os_futex_wait(&preempt.is_active, 0, 0);
    return NULL;
}

/* Whether the PE was busy for the whole time since the last look. */
static bool is_busy(struct watched *pe, int pid, uint64_t elapsed_ns)
{
    char path[40], text[96];
    struct watched now = {.pid = pid};
    snprintf(path, sizeof path, "/proc/%d/schedstat", pid);
    if (pid <= 0 || sheaf_os_read_file(path, text, sizeof text) <= 0 ||
        sscanf(text, "%lu %lu %lu", &now.run_ns, &now.wait_ns, &now.runs) != 3)
        return false;
    struct watched before = *pe;
    if (before.pid == pid) {
        now.is_short = before.is_short;
        now.slice_ns = before.slice_ns;
    }
    *pe = now;
    if (before.pid != pid)
        return false;
    uint64_t run_ns = now.run_ns - before.run_ns, runs = now.runs - before.runs;
    uint64_t asleep_ns = elapsed_ns - (run_ns + now.wait_ns - before.wait_ns);
    return (int64_t)asleep_ns < (int64_t)(elapsed_ns / SLEEPS_LESS_THAN) &&
           run_ns / (runs + 1) > (preempt.is_active ? sheaf_times.preempt_least / 4 : sheaf_times.busy_run);
}

static int count_busy(uint64_t elapsed_ns)
{
    int busy = 0;
    for (int pe = 0; pe < preempt.control->npes; pe++) {
        int pid = sheaf_load_relaxed(&sheaf_control_pe(preempt.control, pe)->pid);
        busy += is_busy(&preempt.pes[pe], pid, elapsed_ns);
    }
    return busy;
}

static bool start_thread(void *(*body)(void *), int cpu)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)256 << 10);
    return pthread_create(&thread, &attributes, body, (void *)(intptr_t)cpu) == 0;
}

/* Starts the threads that wake up, before the first wake-up. */
static void start_threads(void)
{
    for (int cpu = 0; cpu < CPU_SETSIZE && !preempt.has_threads; cpu++)
        if (CPU_ISSET(cpu, &preempt.usable) && !start_thread(wake_up_at_intervals, cpu))
            break;
    preempt.has_threads = true;
}

/* Begins or ends the wake-ups. pause_ns: between them; 0: there are none. */
static void begin_or_end_wakeups(uint64_t pause_ns)
{
    bool is_active = pause_ns != 0;
    for (int pe = 0; pe < preempt.control->npes; pe++)
        set_slice(&preempt.pes[pe], is_active);
    if (is_active) {
        start_threads();
        sheaf_store_relaxed(&preempt.pause_ns, pause_ns);
    }
    if (is_active == preempt.is_active)
        return;
    sheaf_store_relaxed(&preempt.is_active, is_active);
    sheaf_os_futex_wake(&preempt.is_active);
}

static void *watch_pes(void *unused)
{
    uint64_t look_ns = (uint64_t)preempt.control->npes * sheaf_times.busy_look_pe, pauses = 1;
    if (look_ns < sheaf_times.busy_look)
        look_ns = sheaf_times.busy_look;
    (void)unused;
    for (uint64_t last = sheaf_clock_ns();;) {
        sleep_for_ns(look_ns * pauses);
        uint64_t now = sheaf_clock_ns();
        bool is_crowded = count_busy(now - last) > preempt.cpus;
        enum sheaf_help help = sheaf_yield_trial_choose(preempt.control, is_crowded, now - last);
        last = now;
        begin_or_end_wakeups(help == SHEAF_HELP_YIELDS  ? sheaf_times.preempt_least
                             : help == SHEAF_HELP_GUESS ? choose_pause()
                                                        : 0);
        bool is_soon = is_crowded || sheaf_yield_trial_is_on();
        pauses = is_soon ? 1 : pauses < LONGEST_PAUSES ? pauses + 1 : pauses;
    }
    return NULL;
}

void sheaf_preempt_start(struct sheaf_control *control)
{
    if (preempt_setting() == SHEAF_PREEMPT_OFF ||
        sched_getaffinity(0, sizeof preempt.usable, &preempt.usable))
        return;
    preempt.control = control;
    preempt.cpus = CPU_COUNT(&preempt.usable);
    if (control->npes <= preempt.cpus)
        return;
    preempt.pes = calloc((size_t)control->npes, sizeof *preempt.pes);
    if (preempt.pes)
        start_thread(watch_pes, 0);
}
