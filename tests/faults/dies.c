/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PE 1 dies in the way that the first argument names, for stacks.py. The lines that it looks for end in a
 * comment with a word.
 */
#include <shmem.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void (*volatile nowhere)(void);
static volatile long zero;
static long object; /* symmetric */

static __attribute__((noinline)) long store(long *place)
{
    *(volatile long *)place = 1; /* the store */
    return 1 + zero;
}

static __attribute__((noinline)) long recurse(long depth)
{
    volatile char room[1000];
    room[0] = (char)depth;
    return depth < 0 ? 0 : recurse(depth + 1) + room[0]; /* deeper */
}

static void *run(void *place)
{
    store(place); /* of a thread */
    return NULL;
}

static void own_handler(int number)
{
    static const char text[] = "the program's own handler\n";
    (void)!write(1, text, sizeof text - 1);
    _exit(number);
}

/* An address of PE 1's own memory, for a copy on PE target. */
static void use_private(const char *which, int target)
{
    long on_the_stack[8] = {0};
    long *large = malloc((size_t)64 << 20), *small = malloc(100);
    if (!strcmp(which, "stack"))
        shmem_long_put(on_the_stack, on_the_stack, 1, target);
    if (!strcmp(which, "large"))
        shmem_long_put(large, on_the_stack, 8, target);
    if (!strcmp(which, "small"))
        shmem_long_get(on_the_stack, small, 8, target);
    if (!strcmp(which, "p"))
        shmem_long_p(large, 1, target);
    if (!strcmp(which, "add"))
        shmem_long_atomic_add(large, 1, target);
}

static void die(const char *how, const char *argument, int target)
{
    pthread_t thread;
    long on_the_stack = 0;
    if (!strcmp(how, "null"))
        store(NULL); /* null */
    if (!strcmp(how, "thread") && pthread_create(&thread, NULL, run, NULL) == 0)
        pthread_join(thread, NULL);
    if (!strcmp(how, "abort"))
        abort(); /* abort */
    if (!strcmp(how, "divide"))
        printf("%ld\n", 7 / zero); /* divide */
    if (!strcmp(how, "deep"))
        recurse(0);
    if (!strcmp(how, "nowhere"))
        nowhere(); /* nowhere */
    if (!strcmp(how, "put"))
        shmem_long_put(&on_the_stack, &on_the_stack, 1, 0); /* put */
    if (!strcmp(how, "byte"))
        shmem_char_put((char *)&on_the_stack, "b", 1, 0); /* byte */
    if (!strcmp(how, "text"))
        shmem_char_put((char *)"text", "b", 1, 0); /* text */
    if (!strcmp(how, "code"))
        shmem_long_p((long *)(uintptr_t)die, 1, 0); /* code */
    if (!strcmp(how, "no-result"))
        shmem_ctx_create(0, NULL); /* no-result */
    if (!strcmp(how, "no-source"))
        shmem_long_put(&object, NULL, 1, 0); /* no-source */
    if (!strcmp(how, "private"))
        use_private(argument, target);
    if (!strcmp(how, "handled")) {
        signal(SIGSEGV, own_handler);
        store(NULL);
    }
    if (!strcmp(how, "range"))
        shmem_long_p((long[]){0}, 1, 99); /* range */
    if (!strcmp(how, "sent"))
        pause();
}

/* What all PEs get for more than there is: stored to, or the target of a put. */
static void use_refused(const char *how)
{
    long *none = shmem_malloc((size_t)1 << 46); /* refused */
    if (shmem_my_pe() == 1 && !strcmp(how, "store"))
        store(none + 3);
    if (shmem_my_pe() == 1)
        shmem_long_put(none, (long[]){1}, 1, 0);
}

/* Of the heap, or of PE 0's copy of it, once the library is down. */
static void look_back(const char *whose)
{
    long *mine = shmem_malloc(8 * sizeof *mine), *place = !strcmp(whose, "peer") ? shmem_ptr(mine, 0) : mine;
    place[3] = 7;
    shmem_finalize();
    long back = *(volatile long *)&place[3]; /* back */
    printf("%ld\n", back);
    exit(0);
}

int main(int argc, char **argv)
{
    static long process;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    shmem_init();
    process = getpid();
    shmem_barrier_all();
    if (argc > 1 && shmem_my_pe() == 1)
        die(argv[1], argc > 2 ? argv[2] : "", argc > 3 ? atoi(argv[3]) : 0);
    if (argc > 2 && !strcmp(argv[1], "refused"))
        use_refused(argv[2]);
    if (argc > 2 && !strcmp(argv[1], "finalized"))
        look_back(argv[2]);
    if (argc > 1 && !strcmp(argv[1], "sent"))
        kill((pid_t)shmem_long_g(&process, 1), SIGSEGV);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
