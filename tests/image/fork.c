/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fork() inside a PE: what the child writes to globals and to the heap stays with the child, what parent
 * or other PEs write to globals later stays away from it, and neither the child's exit nor its death ends
 * the job. Also system(), popen(), posix_spawn(), fork in a loop, from a thread, before init.
 */
#define _GNU_SOURCE
#include "check.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORDS 3000 /* several pages */

static long in_bss[WORDS];
static long in_data[WORDS] = {5};
static long rounds_seen;

/* Runs body(argument) in a child; returns its wait status. leave is exit or _exit. */
static int in_child(int (*body)(void *), void *argument, void (*leave)(int))
{
    fflush(NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        leave(body(argument));
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}

static int scribble(void *heap)
{
    for (int i = 0; i < WORDS; i++)
        in_bss[i] = in_data[i] = -77;
    if (heap)
        memset(heap, 0xee, WORDS * sizeof(long));
    return in_bss[WORDS - 1] == -77 ? 0 : 1;
}

static void fill(long *cells, long value)
{
    for (int i = 0; i < WORDS; i++)
        cells[i] = value;
}

static void check_filled(const long *cells, long value, int pe)
{
    long copy[WORDS];
    shmem_long_get(copy, cells, WORDS, pe);
    for (int i = 0; i < WORDS; i++)
        CHECK_EQ(copy[i], value);
}

static void check_child_writes(long *heap, int me, int npes, void (*leave)(int))
{
    fill(in_bss, 100 + me);
    fill(in_data, 200 + me);
    fill(heap, 300 + me);
    shmem_barrier_all();
    int status = in_child(scribble, heap, leave);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++) {
        check_filled(in_bss, 100 + pe, pe);
        check_filled(in_data, 200 + pe, pe);
        check_filled(heap, 300 + pe, pe);
    }
    shmem_barrier_all();
}

struct pipes {
    int to_child[2], to_parent[2];
};

/* The child: waits until parent and neighbours have written, then looks at its own copy. */
static int look_after_parent_wrote(void *argument)
{
    struct pipes *pipes = argument;
    char byte = 'r';
    if (write(pipes->to_parent[1], &byte, 1) != 1 || read(pipes->to_child[0], &byte, 1) != 1)
        return 2;
    for (int i = 0; i < WORDS; i++)
        if (in_bss[i] != 100 || in_data[i] != 200)
            return 1;
    return 0;
}

static void check_parent_writes(int me, int npes)
{
    struct pipes pipes;
    char byte = 'g';
    CHECK(pipe(pipes.to_child) == 0 && pipe(pipes.to_parent) == 0);
    fill(in_bss, 100);
    fill(in_data, 200);
    shmem_barrier_all();
    fflush(NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        _exit(look_after_parent_wrote(&pipes));
    CHECK(read(pipes.to_parent[0], &byte, 1) == 1);
    shmem_barrier_all();
    fill(in_bss, -1);
    static long other[WORDS];
    fill(other, -2);
    shmem_long_put(in_data, other, WORDS, (me + 1) % npes);
    shmem_barrier_all();
    CHECK(write(pipes.to_child[1], &byte, 1) == 1);
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
    for (int i = 0; i < 2; i++) {
        close(pipes.to_child[i]);
        close(pipes.to_parent[i]);
    }
}

static int nothing(void *unused)
{
    (void)unused;
    return 0;
}

static int die(void *unused)
{
    (void)unused;
    signal(SIGTERM, SIG_DFL);
    raise(SIGTERM);
    return 0;
}

static int status_three(void *unused)
{
    (void)unused;
    return 3;
}

static long far_page[65536];

/* What the child wrote, in the heap and in a page that nobody had touched before. */
static int look_at_childs(void *heap)
{
    const long *cells = heap;
    return cells[0] == -8 && cells[WORDS - 1] == -8 && far_page[40000] == -9 ? scribble(heap) : 5;
}

static int grandchild(void *heap)
{
    fill(heap, -8);
    far_page[40000] = -9;
    int status = in_child(look_at_childs, heap, _exit);
    const long *cells = heap;
    if (cells[0] != -8 || far_page[40000] != -9)
        return 6;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}

static void check_ends_of_children(long *heap)
{
    int status = in_child(status_three, NULL, exit);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    status = in_child(die, NULL, _exit);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    fill(heap, 1);
    fill(in_bss, 2);
    status = in_child(grandchild, heap, _exit);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    check_filled(heap, 1, shmem_my_pe());
    check_filled(in_bss, 2, shmem_my_pe());
    shmem_barrier_all();
}

/* What is much is copied after the child has begun, and only where it goes on as this program. */
#define MUCH ((size_t)64 << 20)
static unsigned char much[MUCH];

/* Bytes of memory that a process takes to become another program: the least of some, as one that waits long for
 * a processor before it does counts as one that goes on. */
static long run_another(void)
{
    long least = LONG_MAX;
    for (int i = 0; i < 5; i++) {
        struct rusage usage;
        int status;
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            execlp("true", "true", (char *)NULL);
            _exit(1);
        }
        CHECK(wait4(child, &status, 0, &usage) == child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        least = usage.ru_maxrss * 1024 < least ? usage.ru_maxrss * 1024 : least;
    }
    return least;
}

static int look_at_much(void *unused)
{
    struct timespec while_parent_could_write = {.tv_nsec = 100000000};
    (void)unused;
    nanosleep(&while_parent_could_write, NULL);
    for (size_t i = 0; i < MUCH; i += 4096)
        if (much[i] != (i < MUCH / 2))
            return 2;
    memset(much, 9, MUCH);
    return in_child(nothing, NULL, _exit);
}

static void check_much(int me, int npes)
{
    memset(much, 1, MUCH / 2);
    shmem_barrier_all();
    int status;
    long taken = run_another();
#ifndef SHEAF_CHECKED_BUILD /* a sanitizer's own memory is more than that */
    if (npes > 1)
        CHECK(taken < (long)MUCH / 4);
#endif
    (void)taken;
    shmem_barrier_all();
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        _exit(look_at_much(NULL));
    memset(much, 5, MUCH);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
    for (size_t i = 0; i < MUCH; i += 4096)
        CHECK(much[i] == 5);
    shmem_barrier_all();
    CHECK_EQ(shmem_uchar_g(&much[MUCH - 1], (me + 1) % npes), 5);
    shmem_barrier_all();
}

static void check_loop(int me, int npes)
{
    rounds_seen = 0;
    shmem_barrier_all();
    for (int i = 0; i < 30; i++) {
        int status = in_child(nothing, NULL, i % 2 ? exit : _exit);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        shmem_long_atomic_inc(&rounds_seen, (me + 1) % npes);
    }
    shmem_barrier_all();
    CHECK_EQ(rounds_seen, 30);
}

__attribute__((unused)) static void *fork_in_thread(void *heap)
{
    int status = in_child(scribble, heap, _exit);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return NULL;
}

__attribute__((unused)) static void check_thread(long *heap, int me)
{
    pthread_t thread;
    fill(in_bss, 7 + me);
    fill(heap, 8 + me);
    CHECK(pthread_create(&thread, NULL, fork_in_thread, heap) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    check_filled(in_bss, 7 + me, me);
    check_filled(heap, 8 + me, me);
    shmem_barrier_all();
}

static void check_commands(void)
{
    char line[32] = "";
    CHECK_EQ(WEXITSTATUS(system("exit 3")), 3);
    FILE *command = popen("echo 42", "r");
    CHECK(command && fgets(line, sizeof line, command));
    CHECK_EQ(atoi(line), 42);
    CHECK_EQ(pclose(command), 0);
    pid_t child;
    char *arguments[] = {(char *)"sh", (char *)"-c", (char *)"exit 5", NULL};
    int status;
    CHECK(posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) == 0);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
    shmem_barrier_all();
}

static void check_before_init(void)
{
    fill(in_bss, 12);
    int status = in_child(scribble, NULL, exit);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    for (int i = 0; i < WORDS; i++)
        CHECK(in_bss[i] == 12 && in_data[i] == (i == 0 ? 5 : 0));
}

int main(void)
{
    check_before_init();
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    long *heap = shmem_malloc(WORDS * sizeof *heap);
    CHECK(heap != NULL);
    check_much(me, npes);
    check_child_writes(heap, me, npes, _exit);
    check_child_writes(heap, me, npes, exit);
    check_parent_writes(me, npes);
    check_ends_of_children(heap);
    check_loop(me, npes);
#ifndef ONE_THREAD /* a statically linked program must not fork while it has several */
    check_thread(heap, me);
#endif
    check_commands();
    check_child_writes(heap, me, npes, _exit);
    return test_finish();
}
