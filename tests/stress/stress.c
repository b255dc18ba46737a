/* SPDX-License-Identifier: BSD-3-Clause
 * See stress.h.
 */
#include "stress.h"

struct stress stress;

/* Sanitizers make everything many times slower. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOWDOWN 10
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOWDOWN 10
#endif
#endif
#ifndef SLOWDOWN
#define SLOWDOWN 1
#endif

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void stress_fail(const char *file, int line, const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    printf("PE %d: %s:%d: %s with seed %llu, round %ld, %d PEs: %s\n", stress.me, file, line,
           stress.name, (unsigned long long)stress.seed, stress.round, stress.npes, what);
    test_end(TEST_STATUS_FAILED);
    abort();
}

static void run_seed(uint64_t seed, stress_body *body)
{
    stress.seed = stress.schedule = seed;
    stress.round = 0;
    shmem_barrier_all();
    body();
    shmem_barrier_all();
}

/* PE 0 looks at the clock for all. */
static int another_seed(void)
{
    static long decision;
    if (stress.me == 0)
        for (int pe = 0; pe < stress.npes; pe++)
            shmem_long_p(&decision, now() < stress.end, pe);
    shmem_barrier_all();
    int another = decision != 0;
    shmem_barrier_all();
    return another;
}

static void soak(uint64_t seed, stress_body *body)
{
    do {
        run_seed(seed++, body);
        stress.soaked++;
    } while (another_seed());
    if (stress.me == 0)
        printf("%s: %ld seeds, the last is %llu\n", stress.name, stress.soaked,
               (unsigned long long)seed - 1);
}

int stress_main(int argc, char **argv, const char *name, long rounds, stress_body *body)
{
    const char *seconds = getenv("SHEAF_SOAK_SECONDS");
    int soaking = argc > 1 && strcmp(argv[1], "soak") == 0;
    stress.name = name;
    shmem_init();
    stress.me = shmem_my_pe();
    stress.npes = shmem_n_pes();
    stress.rounds = stress.npes > 4 ? rounds * 16 / (stress.npes * stress.npes) : rounds;
    stress.rounds = stress.rounds / SLOWDOWN + 1;
    if (argc > 2 && !soaking)
        stress.rounds = atol(argv[2]);
    CHECK(stress.npes <= STRESS_MOST_PES);
    if (soaking) {
        if (!seconds || atof(seconds) <= 0)
            TEST_SKIP("set SHEAF_SOAK_SECONDS to the seconds that each soak test takes");
        stress.end = now() + atof(seconds);
        soak(argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL) / 3600 * 1000, body);
    } else {
        run_seed(argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t)stress.npes, body);
    }
    return test_finish();
}
