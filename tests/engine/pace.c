/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the engine tells of itself where waiting is decided: batches that the progress thread sends are no
 * calls of the program, a sleep says whether anything came, of several threads one looks after hosts,
 * and puts are left to a thread that has another processor than the program.
 * Usage: pace batches|sleep|hosts|puts
 */
#include "harness.h"

#include "engine/message/message.h"

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

extern uint32_t sheaf_msg_open_batches;

static bool has_open_batches(void)
{
    return __atomic_load_n(&sheaf_msg_open_batches, __ATOMIC_ACQUIRE) != 0;
}

/* The default context's worker is looked at from within. */
static void send_a_batch(void)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(NULL);
    uint64_t value = 1;
    far_put(NULL, 1, heap, &value, sizeof value);
    REQUIRE(has_open_batches(), "the put was not batched");
    unsigned calls = worker->calls, polls = worker->polls;
    for (double end = now() + 10; has_open_batches() && now() < end;)
        compute(1e-3);
    REQUIRE(!has_open_batches(), "the thread did not send the batch");
    REQUIRE(worker->calls == calls && worker->polls == polls, "%u calls, %u polls of a PE that computed",
            worker->calls - calls, worker->polls - polls);
    far_quiet(NULL, SHEAF_EVERY_PE);
}

static void batches(void)
{
    engine->batch(NULL, SIZE_MAX);
    for (int i = 0; i < 40 && me == 0; i++)
        send_a_batch();
    barrier();
    engine->batch(NULL, 0);
    barrier();
}

static void on_alarm(int number)
{
    (void)number;
}

/* A signal ends it sooner, and is no news. */
static void sleep_alone(void)
{
    const struct itimerval soon = {.it_value.tv_usec = 20000};
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    for (int i = 0; i < 1000 && engine->progress(false); i++)
        continue;
    REQUIRE(!engine->sleep(NULL, false, 5000000), "nothing came, and the sleep ended by its time");
    setitimer(ITIMER_REAL, &soon, NULL);
    double begin = now();
    bool is_news = engine->sleep(NULL, false, 5000000000);
    REQUIRE(now() - begin < 4, "the signal did not end the sleep");
    REQUIRE(!is_news, "a signal is no news");
}

static void sleep_until_put(void)
{
    const volatile uint64_t *word = (const volatile uint64_t *)heap;
    bool is_news = false;
    double end = now() + 20;
    while (*word != 7 && !is_news && now() < end)
        if (!engine->progress(false) && *word != 7)
            is_news = engine->sleep(NULL, false, 1000000000);
    REQUIRE(is_news || *word == 7, "the put was not noticed");
}

static void sleeps(void)
{
    uint64_t value = 7;
    if (me == 1)
        sleep_alone();
    if (me == 0) {
        compute(0.3);
        far_put(NULL, 1, heap, &value, sizeof value);
        far_quiet(NULL, SHEAF_EVERY_PE);
    } else {
        sleep_until_put();
    }
    barrier();
}

/* Time that the test sets, and looks at the descriptors that it counts. Those who ask for the time meet
 * there: all decide at once whether it is time to look. */
#define LOOKERS 2
#define SECONDS 5000

static uint64_t set_ns;
static uint32_t askers, arrived, second;
static int looks;

/* The last of them waits for a while, another one each time: the others hear of it later. */
static void meet_askers(void)
{
    uint32_t before = __atomic_fetch_add(&askers, 1, __ATOMIC_ACQ_REL);
    uint32_t all = (before / LOOKERS + 1) * LOOKERS;
    for (int turns = 0; __atomic_load_n(&askers, __ATOMIC_ACQUIRE) < all; turns++)
        if (turns > 1000)
            sched_yield();
    for (volatile uint32_t i = 0; before + 1 == all && i < all / LOOKERS % 128; i++)
        continue;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    uint64_t ns = __atomic_load_n(&set_ns, __ATOMIC_ACQUIRE);
    if (ns == 0)
        return (int)syscall(SYS_clock_gettime, clock, time);
    meet_askers();
    *time = (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    return 0;
}

DIR *opendir(const char *path)
{
    __typeof__(&opendir) real_opendir = (__typeof__(&opendir))dlsym(RTLD_NEXT, "opendir");
    if (__atomic_load_n(&set_ns, __ATOMIC_ACQUIRE) == 0)
        return real_opendir(path);
    __atomic_fetch_add(&looks, 1, __ATOMIC_RELAXED);
    return NULL;
}

static void *look(void *unused)
{
    for (uint32_t i = 1; i <= SECONDS; i++) {
        __atomic_fetch_add(&arrived, 1, __ATOMIC_ACQ_REL);
        for (int turns = 0; __atomic_load_n(&second, __ATOMIC_ACQUIRE) != i; turns++)
            if (turns > 1000)
                sched_yield();
        sheaf_transport_ucx.look();
    }
    __atomic_fetch_add(&arrived, 1, __ATOMIC_ACQ_REL);
    return unused;
}

static void await(uint32_t count)
{
    while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) != count)
        sched_yield();
    __atomic_store_n(&arrived, 0, __ATOMIC_RELAXED);
}

/* In each of so many seconds one of the threads looks. */
static int hosts(void)
{
    pthread_t threads[LOOKERS];
    for (int i = 0; i < LOOKERS; i++)
        pthread_create(&threads[i], NULL, look, NULL);
    for (uint32_t i = 1; i <= SECONDS; i++) {
        await(LOOKERS);
        __atomic_store_n(&set_ns, (uint64_t)i * 1000000001, __ATOMIC_RELEASE);
        __atomic_store_n(&second, i, __ATOMIC_RELEASE);
    }
    await(LOOKERS);
    for (int i = 0; i < LOOKERS; i++)
        pthread_join(threads[i], NULL);
    __atomic_store_n(&set_ns, 0, __ATOMIC_RELEASE);
    if (looks == SECONDS)
        return 0;
    fprintf(stderr, "%d looks in %d seconds\n", looks, SECONDS);
    return 1;
}

/* All threads of this process, or all but this one, to one processor. */
static void bind_threads(int processor, bool this_one_too)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *thread; threads && (thread = readdir(threads)) != NULL;) {
        int id = (int)strtol(thread->d_name, NULL, 10);
        if (id != 0 && (this_one_too || id != (int)syscall(SYS_gettid)))
            REQUIRE(sched_setaffinity(id, sizeof one, &one) == 0, "thread %d", id);
    }
    if (threads)
        closedir(threads);
}

/* The program sleeps until the thread has started each: so the thread comes first, wherever it is. */
static void leave_puts(int count)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(NULL);
    for (int i = 0; i < count; i++) {
        far_put_nbi(NULL, 1, heap, heap + (1 << 20), 65536);
        for (int naps = 0; naps < 5000; naps++) {
            const struct timespec moment = {0, 200000};
            if (__atomic_load_n(&worker->deferred_count, __ATOMIC_ACQUIRE) == 0)
                break;
            nanosleep(&moment, NULL);
        }
        far_quiet(NULL, SHEAF_EVERY_PE);
    }
}

static void puts_left(void)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(NULL);
    cpu_set_t allowed;
    int first = -1, other = -1;
    sched_getaffinity(0, sizeof allowed, &allowed);
    for (int i = 0; i < CPU_SETSIZE && other < 0; i++)
        if (CPU_ISSET(i, &allowed))
            *(first < 0 ? &first : &other) = i;
    if (me == 0) {
        bind_threads(first, true);
        leave_puts(200);
        REQUIRE(worker->puts.credit == 0 && worker->puts.pause >= 2 * sheaf_pace_table.left_pause_least,
                "a thread on the program's processor hides nothing: credit %lu, pause %lu",
                (unsigned long)worker->puts.credit, (unsigned long)worker->puts.pause);
    }
    if (me == 0 && other >= 0) {
        bind_threads(other, false);
        leave_puts(200);
        REQUIRE(worker->puts.credit > 0, "a thread with a processor of its own does");
    }
    barrier();
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "batches") == 0)
        return run_pes(2, batches);
    if (argc == 2 && strcmp(argv[1], "sleep") == 0)
        return run_pes(2, sleeps);
    if (argc == 2 && strcmp(argv[1], "puts") == 0)
        return run_pes(2, puts_left);
    return argc == 2 && strcmp(argv[1], "hosts") == 0 ? hosts() : 2;
}
