/* SPDX-License-Identifier: BSD-3-Clause
 *
 * This machine's figures for hosts.tsv, by system calls alone: prints lines with a tab, a name and nanoseconds or nanoseconds a byte.
 * Two PEs on one host and one on another (real.py); PE 1 has no connection. The sizes behind names are of the memory that was touched in between: the processor's own
 * caches hold less than 4 MiB.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <linux/futex.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TIMES  2000
#define TRASH  ((size_t)4 << 20)
#define LARGE  ((size_t)64 << 10)
#define COPIES 500
#define PORT   "7777"

static long is_listening;
static int flag, me, peer, events;
static char trash[TRASH], buffer[LARGE];

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static void print(const char *name, double value)
{
    if (me == 0)
        printf("%s\t%.3g\n", name, value);
}

static void bind_to_first(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* Until the word has that value: by a futex, or by yields. */
static void await(int *word, int value, bool sleeps)
{
    int now;
    while ((now = __atomic_load_n(word, __ATOMIC_ACQUIRE)) != value)
        if (sleeps)
            syscall(SYS_futex, word, FUTEX_WAIT, now, NULL, NULL, 0);
        else
            sched_yield();
}

/* A word goes round some processes of one processor. */
static void pass_round(int (*words)[16], int process, int processes, bool sleeps)
{
    bind_to_first();
    for (int round = 1; round <= TIMES; round++) {
        int *next = words[(process + 1) % processes];
        if (process != 0)
            await(words[process], round, sleeps);
        __atomic_store_n(next, round, __ATOMIC_RELEASE);
        if (sleeps)
            syscall(SYS_futex, next, FUTEX_WAKE, 1, NULL, NULL, 0);
        if (process == 0)
            await(words[0], round, sleeps);
    }
    _exit(0);
}

static double hop(int processes, bool sleeps)
{
    int(*words)[16] = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double begun = now_ns();
    for (int process = 0; process < processes; process++)
        if (fork() == 0)
            pass_round(words, process, processes, sleeps);
    while (wait(NULL) > 0)
        ;
    munmap(words, 4096);
    return (now_ns() - begun) / TIMES / processes;
}

static double yield_alone(void)
{
    double begun = now_ns();
    for (int i = 0; i < TIMES; i++)
        sched_yield();
    return (now_ns() - begun) / TIMES;
}

static double turn(void)
{
    double begun = now_ns();
    for (int i = 0; i < TIMES; i++)
        shmem_int_test(&flag, SHMEM_CMP_EQ, 1);
    return (now_ns() - begun) / TIMES;
}

static double copy(bool is_cold)
{
    char *from = malloc(COPIES * LARGE), *to = malloc(COPIES * LARGE);
    memset(from, 1, COPIES * LARGE);
    memset(to, 1, COPIES * LARGE);
    __asm__ volatile("" : : "r"(from), "r"(to) : "memory"); /* else no page of them is there */
    double begun = now_ns();
    for (size_t i = 0; i < COPIES; i++)
        memcpy(to + is_cold * i * LARGE, from + is_cold * i * LARGE, LARGE);
    double took = now_ns() - begun;
    free(from);
    free(to);
    return took / COPIES / LARGE;
}

/* 2 KiB of many arrays each, as a member of a node sums its share. */
static double sum(bool is_cold)
{
    static long into[256];
    long *from = malloc(COPIES * LARGE);
    memset(from, 1, COPIES * LARGE);
    double begun = now_ns();
    for (size_t i = 0; i < 8 * COPIES; i++) {
        const long *part = from + is_cold * i % COPIES * (LARGE / sizeof *from) + i / COPIES * 256;
        for (size_t at = 0; at < 256; at++)
            into[at] += part[at];
        __asm__ volatile("" : : "r"(into) : "memory");
    }
    double took = now_ns() - begun;
    free(from);
    return took / (8 * COPIES) / sizeof into;
}

static int listen_and_accept(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(PORT))};
    int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (void *)&address, sizeof address) != 0 || listen(listener, 1) != 0)
        shmem_global_exit(1);
    shmem_long_p(&is_listening, 1, 0);
    return accept(listener, NULL, NULL);
}

static int connect_to(const char *host)
{
    struct addrinfo *address;
    shmem_long_wait_until(&is_listening, SHMEM_CMP_EQ, 1);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (getaddrinfo(host, PORT, NULL, &address) != 0 || connect(fd, address->ai_addr, address->ai_addrlen) != 0)
        shmem_global_exit(1);
    return fd;
}

static void open_connection(const char *host)
{
    int one = 1;
    peer = me == 1 ? listen_and_accept() : connect_to(host);
    setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    events = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(events, EPOLL_CTL_ADD, peer, &event);
}

static double send_all(size_t bytes)
{
    double begun = now_ns();
    for (size_t done = 0; done < bytes;) {
        ssize_t sent = send(peer, buffer + done, bytes - done, MSG_NOSIGNAL);
        done += sent > 0 ? (size_t)sent : 0;
    }
    return now_ns() - begun;
}

/* As UCX does it: a look that finds something, the data, and a look for more. */
static double take_all(size_t bytes)
{
    double took = 0;
    for (size_t done = 0; done < bytes;) {
        struct epoll_event event;
        double begun = now_ns();
        if (epoll_wait(events, &event, 1, 0) <= 0)
            continue;
        ssize_t got = recv(peer, buffer, LARGE, MSG_DONTWAIT);
        done += got > 0 ? (size_t)got : 0;
        if (done == bytes)
            recv(peer, buffer, LARGE, MSG_DONTWAIT);
        took += now_ns() - begun;
    }
    return took;
}

static int compare(const void *one, const void *other)
{
    double difference = *(const double *)one - *(const double *)other;
    return (difference > 0) - (difference < 0);
}

/* A message goes to and fro. Medians of PE 0's calls. */
static void exchange(size_t bytes, size_t touched, const char *sent, const char *taken)
{
    static double sends[TIMES], takes[TIMES];
    int times = bytes == LARGE ? TIMES / 4 : TIMES;
    for (int i = 0; i < 2 * times; i++) {
        for (size_t at = 0; at < touched; at += 64)
            trash[at]++;
        if (i % 2 == me)
            sends[i / 2] = send_all(bytes);
        else
            takes[i / 2] = take_all(bytes);
    }
    qsort(sends, (size_t)times, sizeof *sends, compare);
    qsort(takes, (size_t)times, sizeof *takes, compare);
    print(sent, sends[times / 2]);
    print(taken, takes[times / 2]);
}

static void measure_here(void)
{
    print("a turn of the network", turn());
    print("a yield with nobody there", yield_alone());
    print("a hop by yields, 2 processes", hop(2, false));
    print("a hop by a futex, 2 processes", hop(2, true));
    print("a hop by a futex, 32 processes", hop(32, true));
    print("a copy of 64 KiB, a byte", copy(false));
    print("a copy from memory, a byte", copy(true));
    print("a sum of longs, a byte", sum(false));
    print("a sum from memory, a byte", sum(true));
}

int main(int argc, char **argv)
{
    shmem_init();
    bool is_alone = shmem_my_pe() == 1;
    me = shmem_my_pe() / 2;
    if (argc != 2 || shmem_n_pes() != 3)
        shmem_global_exit(1);
    if (is_alone)
        print("a turn of the network without a connection", turn());
    shmem_barrier_all();
    if (me == 0 && !is_alone)
        measure_here();
    shmem_barrier_all();
    if (!is_alone) {
        open_connection(argv[1]);
        exchange(64, 0, "send 64 B", "take 64 B");
        exchange(LARGE, 0, "send 64 KiB", "take 64 KiB");
        exchange(64, TRASH, "send 64 B, 4 MiB touched", "take 64 B, 4 MiB touched");
        exchange(LARGE, TRASH, "send 64 KiB, 4 MiB touched", "take 64 KiB, 4 MiB touched");
    }
    shmem_finalize();
    return 0;
}
