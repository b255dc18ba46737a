/* SPDX-License-Identifier: BSD-3-Clause
 * See harness.h.
 */
#include "harness.h"

#include "engine/ucx/library.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_PES     16
#define MOST_ADDRESS 4096
#define TIME_LIMIT   100

const struct sheaf_engine *engine = &sheaf_engine_ucx;
int me, npes;
unsigned char data[DATA_BYTES] __attribute__((aligned(4096)));
unsigned char *heap;
bool expect_death;

/* Shared by the processes, as a launcher would be. */
static struct {
    uint32_t arrived, rounds;
    uint32_t length[MOST_PES];
    _Alignas(8) unsigned char address[MOST_PES][MOST_ADDRESS];
} *shared;

static int peer_address(int pe, void **address, size_t *length)
{
    *length = shared->length[pe];
    *address = malloc(*length);
    if (*address)
        memcpy(*address, shared->address[pe], *length);
    return *address ? 0 : -1;
}

/* Doubles alone, and by one process at a time. */
static void accumulate(void *dest, const void *source, size_t bytes, const struct sheaf_scale *scale)
{
    double factor, term, *to = dest;
    REQUIRE(scale->number == SHEAF_DOUBLE && bytes % sizeof term == 0, "%d, %zu bytes",
            (int)scale->number, bytes);
    memcpy(&factor, scale->alpha, sizeof factor);
    for (size_t at = 0; at < bytes; at += sizeof term) {
        memcpy(&term, (const char *)source + at, sizeof term);
        *to++ += factor * term;
    }
}

static __attribute__((noreturn)) void failed(int pe, const char *why)
{
    fprintf(stderr, "PE %d: PE %d failed: %s\n", me, pe, why);
    _exit(1);
}

double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void compute(double seconds)
{
    double end = now() + seconds;
    while (now() < end)
        for (volatile int i = 0; i < 20; i++)
            continue;
}

void finish(sheaf_engine_context *context, const size_t *left)
{
    while (__atomic_load_n(left, __ATOMIC_ACQUIRE) != 0)
        engine->work(context);
}

/* An operation of the engine, tried until it has started; then *left is waited for. */
#define PERFORM(operation, ...)                                                                    \
    do {                                                                                           \
        size_t left = 0;                                                                           \
        while (!engine->operation(context, pe, __VA_ARGS__))                                       \
            engine->work(context);                                                                 \
        finish(context, &left);                                                                    \
    } while (0)

void far_put(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes)
{
    PERFORM(put, dest, source, bytes, &left);
}

void far_put_nbi(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes)
{
    PERFORM(put, dest, source, bytes, NULL);
}

void far_get(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes)
{
    PERFORM(get, dest, source, bytes, &left);
}

void far_get_nbi(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes)
{
    PERFORM(get, dest, source, bytes, NULL);
}

void far_put_row(sheaf_engine_context *context, int pe, void *dest, const void *source,
                 const struct sheaf_blocks *blocks)
{
    struct sheaf_row row = {dest, source, *blocks};
    struct sheaf_rows rows = {&row, 1};
    PERFORM(put_rows, &rows, NULL, false, &left);
}

void far_get_row(sheaf_engine_context *context, int pe, void *dest, const void *source,
                 const struct sheaf_blocks *blocks)
{
    struct sheaf_row row = {dest, source, *blocks};
    struct sheaf_rows rows = {&row, 1};
    PERFORM(get_rows, &rows, &left);
}

void far_put_signal(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes,
                    const struct sheaf_signal_call *signal, bool nbi)
{
    PERFORM(put_signal, dest, source, bytes, signal, nbi ? NULL : &left);
}

void far_amo(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call, void *result)
{
    PERFORM(amo, call, result, &left);
}

void far_amo_nbi(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call, void *result)
{
    PERFORM(amo, call, result, NULL);
}

void far_quiet(sheaf_engine_context *context, int pe)
{
    size_t left = 0;
    engine->quiet(context, pe, &left);
    finish(context, &left);
}

static void wait_for_round(uint32_t round, bool started)
{
    for (int i = 0; __atomic_load_n(&shared->rounds, __ATOMIC_ACQUIRE) == round; i++) {
        if (started)
            engine->progress(false);
        if (i > 100)
            sched_yield();
    }
}

static void meet(bool started)
{
    uint32_t round = __atomic_load_n(&shared->rounds, __ATOMIC_ACQUIRE);
    if (__atomic_add_fetch(&shared->arrived, 1, __ATOMIC_ACQ_REL) == (uint32_t)npes) {
        __atomic_store_n(&shared->arrived, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&shared->rounds, round + 1, __ATOMIC_RELEASE);
    } else {
        wait_for_round(round, started);
    }
}

void barrier(void)
{
    meet(true);
}

/* UCX looks devices up in /sys, which shows those of the namespace that it was mounted in. */
static void see_devices(void)
{
    if (unshare(CLONE_NEWNS) != 0 || mount("", "/", NULL, MS_SLAVE | MS_REC, NULL) != 0 ||
        umount2("/sys", MNT_DETACH) != 0 || mount("sys", "/sys", "sysfs", 0, NULL) != 0) {
        perror("/sys");
        exit(1);
    }
}

/* The me-th name of SHEAF_TEST_NETNS, from the start again when there are fewer. */
static void enter_namespace(void)
{
    char names[256], path[300], *list[MOST_PES], *rest = NULL;
    const char *given = getenv("SHEAF_TEST_NETNS");
    int count = 0;
    if (!given)
        return;
    snprintf(names, sizeof names, "%s", given);
    for (char *name = strtok_r(names, ",", &rest); name && count < MOST_PES;
         name = strtok_r(NULL, ",", &rest))
        list[count++] = name;
    snprintf(path, sizeof path, "/run/netns/%s", list[me % count]);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || setns(fd, CLONE_NEWNET) != 0) {
        perror(path);
        exit(1);
    }
    close(fd);
    see_devices();
}

static int progress_setting(void)
{
    const char *given = getenv("SHEAF_TEST_PROGRESS");
    if (given && strcmp(given, "none") == 0)
        return SHEAF_PROGRESS_OFF;
    return given && strcmp(given, "thread") == 0 ? SHEAF_PROGRESS_THREAD : SHEAF_PROGRESS_AUTO;
}

static int rma_setting(void)
{
    const char *given = getenv("SHEAF_TEST_RMA");
    return given ? sheaf_names_find(sheaf_rma_names, given) : SHEAF_RMA_AUTO;
}

static int aggregate_setting(void)
{
    const char *given = getenv("SHEAF_TEST_GATHER");
    return given ? sheaf_names_find(sheaf_aggregate_names, given) : SHEAF_AGGREGATE_ON;
}

sheaf_amo_set device_atomics(void)
{
    const char *given = getenv("SHEAF_TEST_ATOMICS");
    sheaf_amo_set set = 0;
    REQUIRE(!given || sheaf_amo_parse(given, &set) == 0, "SHEAF_TEST_ATOMICS=%s", given);
    return set;
}

static __typeof__(&ucp_config_modify) real_modify;

static ucs_status_t modify_less(ucp_config_t *config, const char *name, const char *value)
{
    return strcmp(name, "SHM_DEVICES") == 0 ? UCS_OK : real_modify(config, name, value);
}

static void allow_shared_memory(void)
{
    char why[256];
    REQUIRE(sheaf_ucx_load(why, sizeof why) == 0, "%s", why);
    real_modify = sheaf_ucx.ucp_config_modify;
    sheaf_ucx.ucp_config_modify = modify_less;
}

static void start(void)
{
    const void *address;
    size_t length;
    void *hint = (void *)((uintptr_t)0x200000000000 + (uintptr_t)me * 0x100000000);
    heap = mmap(hint, HEAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct sheaf_engine_job job = {
        .pe = me,
        .npes = npes,
        .key = TEST_KEY,
        .segments = {[SHEAF_SEGMENT_DATA] = {(char *)data, sizeof data},
                     [SHEAF_SEGMENT_HEAP] = {(char *)heap, HEAP_BYTES}},
        .multiple = !getenv("SHEAF_TEST_ONE_THREAD"),
        .progress = progress_setting(),
        .rma = rma_setting(),
        .atomics = device_atomics() ? SHEAF_ATOMICS_DEVICE : SHEAF_ATOMICS_CPU,
        .native_atomics = device_atomics(),
        .aggregate = aggregate_setting(),
        .peer_address = peer_address,
        .accumulate = accumulate,
        .failed = failed,
        .host_failed = failed,
    };
    if (getenv("SHEAF_TEST_SHARED_MEMORY"))
        allow_shared_memory();
    if (heap == MAP_FAILED || engine->start(&job) != 0)
        exit(1);
    engine->address(&address, &length);
    REQUIRE(length <= MOST_ADDRESS, "an address of %zu bytes", length);
    memcpy(shared->address[me], address, length);
    shared->length[me] = (uint32_t)length;
    REQUIRE(engine->heap_grown(0, HEAP_BYTES) == 0, "the heap cannot be used");
}

static void run_pe(void (*body)(void))
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(TIME_LIMIT);
    enter_namespace();
    start();
    meet(true);
    body();
    far_quiet(NULL, SHEAF_EVERY_PE);
    meet(true);
    engine->stop();
    exit(0);
}

static int wait_for_all(void)
{
    int status, failed = 0;
    for (int i = 0; i < npes; i++) {
        wait(&status);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            continue;
        failed = 1;
        if (expect_death)
            continue;
        fprintf(stderr, "a process ended with status 0x%x\n", status);
        signal(SIGTERM, SIG_IGN);
        kill(0, SIGTERM);
    }
    return failed;
}

int run_pes(int count, void (*body)(void))
{
    setpgid(0, 0);
    npes = count;
    setenv("UCX_TLS", "tcp,self", 0);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (me = 0; me < npes; me++)
        if (fork() == 0)
            run_pe(body);
    return wait_for_all();
}
