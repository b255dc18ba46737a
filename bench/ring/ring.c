/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a ring takes (shmemx_ring.h), between processes of one host:
 *   latency INTERVAL_US MESSAGES READERS  from before a write to after the read, in a reader
 *   word INTERVAL_US MESSAGES READERS     the same by a word of shared memory and a futex, without a ring
 *   processor MESSAGES                    of a reader, at a message every 5 ms
 *   stream MESSAGES READERS               62 blocks of 64 bytes, the writer waits
 *   deaths TIMES                          from a kill to the call's return on the other side
 * Without arguments all of them, in small.
 */
#include <shmemx_ring.h>

#include <linux/futex.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define READERS_MOST 64

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t clock_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

static void need(int result)
{
    if (result == 0)
        return;
    fprintf(stderr, "ring: %s\n", shmemx_ring_text(result));
    exit(1);
}

static int by_value(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* A child that reads so many stamps, and what it does with them. */
typedef void reader(shmemx_ring_t ring, int messages);
static pid_t start(const char *name, reader *read, int messages)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    shmemx_ring_t ring;
    need(shmemx_ring_open(name, &ring));
    read(ring, messages);
    exit(0);
}

static uint64_t read_stamp(shmemx_ring_t ring)
{
    uint64_t stamp;
    size_t bytes;
    need(shmemx_ring_read(ring, &stamp, sizeof stamp, &bytes, 60));
    return stamp;
}

static void write_stamp(shmemx_ring_t ring)
{
    uint64_t stamp = clock_ns();
    need(shmemx_ring_write(ring, &stamp, sizeof stamp, 60));
}

static void print_taken(const char *what, uint64_t *taken, int messages)
{
    qsort(taken, (size_t)messages, sizeof *taken, by_value);
    printf("%s\tp50 %.2f us\tp99 %.2f us\tlongest %.1f us\n", what, taken[messages / 2] / 1e3,
           taken[(int)(messages * 0.99)] / 1e3, taken[messages - 1] / 1e3);
    fflush(stdout);
    free(taken);
}

static void print_latency(shmemx_ring_t ring, int messages)
{
    uint64_t *taken = calloc((size_t)messages, sizeof *taken);
    for (int i = 0; i < messages; ++i) {
        uint64_t stamp = read_stamp(ring);
        taken[i] = clock_ns() - stamp;
    }
    print_taken("latency", taken, messages);
}

static void pass(uint64_t until_ns)
{
    if (until_ns > clock_ns() + 200000)
        usleep((useconds_t)((until_ns - clock_ns()) / 1000 - 100));
    while (clock_ns() < until_ns)
        ;
}

static void await(int children)
{
    for (int status; children > 0; --children)
        if (wait(&status) < 0 || status != 0)
            exit(1);
}

static void measure_latency(int interval_us, int messages, int readers)
{
    shmemx_ring_t ring;
    need(shmemx_ring_create(62, 64, READERS_MOST, SHMEMX_RING_WAIT, &ring));
    char name[128];
    snprintf(name, sizeof name, "%s", shmemx_ring_name(ring));
    for (int i = 0; i < readers; ++i)
        start(name, print_latency, messages);
    need(shmemx_ring_wait_readers(ring, readers, 60));
    uint64_t at = clock_ns();
    for (int i = 0; i < messages; ++i) {
        write_stamp(ring);
        at += (uint64_t)interval_us * 1000;
        pass(at);
    }
    await(readers);
    shmemx_ring_close(ring);
}

#define STAMPS 4096 /* more than the messages that the writer is ahead */

/* A word and a futex in place of a ring: the least time that this machine allows. */
struct word {
    _Atomic uint32_t written, sleepers;
    _Atomic int readers;
    _Atomic uint64_t stamps[STAMPS];
};

/* Looks at the word for so long, and then sleeps. */
static void await_word(struct word *word, uint32_t seen, uint64_t look_ns)
{
    uint64_t begin = clock_ns();
    while (word->written == seen) {
        if (clock_ns() - begin < look_ns)
            continue;
        word->sleepers++;
        syscall(SYS_futex, &word->written, FUTEX_WAIT, seen, NULL, NULL, 0);
        word->sleepers--;
    }
}

static void read_word(struct word *word, int messages, uint64_t look_ns)
{
    uint64_t *taken = calloc((size_t)messages, sizeof *taken);
    word->readers++;
    for (int i = 0; i < messages; ++i) {
        await_word(word, (uint32_t)i, look_ns);
        taken[i] = clock_ns() - word->stamps[i % STAMPS];
    }
    print_taken("word", taken, messages);
    exit(0);
}

static void measure_word(int interval_us, int messages, int readers)
{
    struct word *word = mmap(NULL, sizeof *word, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    uint64_t look_ns = readers < sysconf(_SC_NPROCESSORS_ONLN) ? 30000 : 0;
    for (int i = 0; i < readers; ++i)
        if (fork() == 0)
            read_word(word, messages, look_ns);
    while (word->readers < readers)
        usleep(1000);
    uint64_t at = clock_ns();
    for (int i = 0; i < messages; ++i) {
        word->stamps[i % STAMPS] = clock_ns();
        word->written++;
        if (word->sleepers)
            syscall(SYS_futex, &word->written, FUTEX_WAKE, readers, NULL, NULL, 0);
        at += (uint64_t)interval_us * 1000;
        pass(at);
    }
    await(readers);
    munmap(word, sizeof *word);
}

static void print_processor(shmemx_ring_t ring, int messages)
{
    uint64_t begin = clock_ns(), used = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < messages; ++i)
        read_stamp(ring);
    printf("processor\t%.2f %% of one, a message every 5 ms\n",
           100.0 * (double)(read_clock(CLOCK_PROCESS_CPUTIME_ID) - used) /
               (double)(clock_ns() - begin));
    fflush(stdout);
}

static void measure_processor(int messages)
{
    shmemx_ring_t ring;
    need(shmemx_ring_create(62, 64, READERS_MOST, SHMEMX_RING_WAIT, &ring));
    char name[128];
    snprintf(name, sizeof name, "%s", shmemx_ring_name(ring));
    start(name, print_processor, messages);
    need(shmemx_ring_wait_readers(ring, 1, 60));
    for (int i = 0; i < messages; ++i) {
        usleep(5000);
        write_stamp(ring);
    }
    await(1);
    shmemx_ring_close(ring);
}

static void read_stream(shmemx_ring_t ring, int messages)
{
    for (int i = 0; i < messages; ++i)
        read_stamp(ring);
}

static void measure_stream(int messages, int readers)
{
    shmemx_ring_t ring;
    uint64_t longest = 0, last;
    need(shmemx_ring_create(62, 64, READERS_MOST, SHMEMX_RING_WAIT, &ring));
    char name[128];
    snprintf(name, sizeof name, "%s", shmemx_ring_name(ring));
    for (int i = 0; i < readers; ++i)
        start(name, read_stream, messages);
    need(shmemx_ring_wait_readers(ring, readers, 60));
    uint64_t begin = last = clock_ns();
    for (int i = 0; i < messages; ++i) {
        write_stamp(ring);
        uint64_t now = clock_ns();
        longest = now - last > longest ? now - last : longest;
        last = now;
    }
    await(readers);
    printf("stream\t%d messages to %d in %.2f s: %.2f us each, the longest write %.1f ms\n",
           messages, readers, (last - begin) / 1e9, (last - begin) / 1e3 / messages, longest / 1e6);
    shmemx_ring_close(ring);
}

/* A reader that never reads is killed while the writer waits for room. */
static uint64_t kill_reader(void)
{
    shmemx_ring_t ring;
    uint64_t *killed = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    need(shmemx_ring_create(2, 64, 1, SHMEMX_RING_WAIT, &ring));
    char name[128];
    snprintf(name, sizeof name, "%s", shmemx_ring_name(ring));
    pid_t reader = fork(), killer = 0;
    if (reader == 0) {
        need(shmemx_ring_open(name, &ring));
        pause();
    }
    need(shmemx_ring_wait_readers(ring, 1, 60));
    write_stamp(ring);
    write_stamp(ring);
    killer = fork();
    if (killer == 0) {
        usleep(20000);
        *killed = clock_ns();
        kill(reader, SIGKILL);
        _exit(0);
    }
    write_stamp(ring); /* waits */
    uint64_t taken = clock_ns() - *killed;
    if (shmemx_ring_died(ring) != 1)
        exit(1);
    waitpid(reader, NULL, 0);
    waitpid(killer, NULL, 0);
    shmemx_ring_close(ring);
    return taken;
}

static uint64_t kill_writer(void)
{
    int ends[2];
    char name[128];
    if (pipe(ends) != 0)
        exit(1);
    pid_t writer = fork();
    if (writer == 0) {
        shmemx_ring_t ring;
        need(shmemx_ring_create(2, 64, 1, SHMEMX_RING_WAIT, &ring));
        snprintf(name, sizeof name, "%s", shmemx_ring_name(ring));
        if (write(ends[1], name, sizeof name) != sizeof name)
            exit(1);
        pause();
    }
    if (read(ends[0], name, sizeof name) != sizeof name)
        exit(1);
    shmemx_ring_t ring;
    need(shmemx_ring_open(name, &ring));
    uint64_t *killed = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t killer = fork();
    if (killer == 0) {
        usleep(20000);
        *killed = clock_ns();
        kill(writer, SIGKILL);
        _exit(0);
    }
    size_t bytes;
    if (shmemx_ring_read(ring, name, sizeof name, &bytes, 60) != SHMEMX_RING_WRITER_DIED)
        exit(1);
    uint64_t taken = clock_ns() - *killed;
    waitpid(writer, NULL, 0);
    waitpid(killer, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    shmemx_ring_close(ring);
    return taken;
}

static void measure_deaths(int times)
{
    static uint64_t (*const kinds[])(void) = {kill_reader, kill_writer};
    static const char *const words[] = {"reader", "writer"};
    uint64_t *taken = calloc((size_t)times, sizeof *taken);
    for (int kind = 0; kind < 2; ++kind) {
        for (int i = 0; i < times; ++i)
            taken[i] = kinds[kind]();
        qsort(taken, (size_t)times, sizeof *taken, by_value);
        printf("deaths\tof a %s told in %.2f ms, the longest of %d %.2f ms\n", words[kind],
               taken[times / 2] / 1e6, times, taken[times - 1] / 1e6);
    }
    free(taken);
}

int main(int argc, char **argv)
{
    int numbers[3] = {0};
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 2; i < argc && i < 5; ++i)
        numbers[i - 2] = atoi(argv[i]);
    if (argc == 1) {
        measure_latency(20, 1000, 1);
        measure_word(20, 1000, 1);
        measure_processor(20);
        measure_stream(10000, 2);
        measure_deaths(3);
    } else if (strcmp(argv[1], "latency") == 0 && argc == 5) {
        measure_latency(numbers[0], numbers[1], numbers[2]);
    } else if (strcmp(argv[1], "word") == 0 && argc == 5) {
        measure_word(numbers[0], numbers[1], numbers[2]);
    } else if (strcmp(argv[1], "processor") == 0 && argc == 3) {
        measure_processor(numbers[0]);
    } else if (strcmp(argv[1], "stream") == 0 && argc == 4) {
        measure_stream(numbers[0], numbers[1]);
    } else if (strcmp(argv[1], "deaths") == 0 && argc == 3) {
        measure_deaths(numbers[0]);
    } else {
        fprintf(stderr, "ring: see the head of ring.c\n");
        return 2;
    }
    return 0;
}
