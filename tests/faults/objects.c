/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PE 1 makes the mistake that the first argument names, for objects.py. The lines that it looks for end in
 * a comment with a word.
 */
#include <shmem.h>
#include <shmemx.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static struct {
    long count;
    struct point {
        double x, y;
    } field[4];
} grid;
static long table[3][5];
static long after;
static uint64_t flag;

static char *first, *second, *third;
static char source[4096];

static void allocate(void)
{
    first = shmem_malloc(64);   /* first */
    second = shmem_malloc(128); /* second */
    third = shmem_malloc(200);  /* third */
    shmem_free(third);          /* freed */
}

static void put_wrongly(const char *how)
{
    long on_the_stack = 0;
    long *odd = (long *)((char *)&table[1][2] + 4);
    if (!strcmp(how, "stack"))
        shmem_long_put(&on_the_stack, &on_the_stack, 1, 0); /* stack */
    if (!strcmp(how, "far-past"))
        shmem_putmem(second + 128 + 800000000, source, 8, 0); /* far-past */
    if (!strcmp(how, "arrive"))
        shmem_long_p((long *)(second + 136), 5, 0);
    if (!strcmp(how, "overrun"))
        shmem_putmem(first + 16, source, 60, 0); /* overrun */
    if (!strcmp(how, "use-after-free"))
        shmem_putmem(third + 8, source, 8, 0); /* use-after-free */
    if (!strcmp(how, "member"))
        shmem_putmem(&grid.field[3].x, source, 24, 0); /* member */
    if (!strcmp(how, "element"))
        shmem_long_put(&table[2][4], (long *)source, 2, 0); /* element */
    if (!strcmp(how, "write-past"))
        shmem_putmem(first + 64, source, 12, 0);
    if (!strcmp(how, "write-freed"))
        shmem_long_p((long *)(third + 16), 7, 0);
    if (!strcmp(how, "store-past"))
        ((volatile char *)second)[130] = 1;
    if (!strcmp(how, "store-before"))
        ((volatile char *)first)[-2] = 1;
    if (!strcmp(how, "unaligned-put"))
        shmem_long_put(odd, (long *)source, 1, 0); /* unaligned-put */
    if (!strcmp(how, "unaligned-iget"))
        shmem_long_iget((long *)source, odd, 1, 1, 1, 0); /* unaligned-iget */
    if (!strcmp(how, "unaligned-put-signal"))
        shmem_long_put_signal(odd, (long *)source, 1, &flag, 1, SHMEM_SIGNAL_SET, 0); /* unaligned-put-signal */
    if (!strcmp(how, "unaligned-signal"))
        shmem_long_put_signal(&table[0][0], (long *)source, 1, (uint64_t *)odd, 1, 1, 0); /* unaligned-signal */
    if (!strcmp(how, "unaligned"))
        shmem_long_atomic_add(odd, 1, 0); /* unaligned */
}

/* In a memory space of both PEs. */
static void use_space_wrongly(const char *how)
{
    shmemx_space_t space;
    if (strncmp(how, "space", 5) != 0)
        return;
    shmemx_space_create(SHMEM_TEAM_WORLD, "default", 1 << 16, &space);
    char *block = shmemx_space_malloc(space, 100); /* space-first */
    char *other = shmemx_space_malloc(space, 50);
    shmemx_space_free(space, other);
    shmem_barrier_all(); /* space-before */
    if (shmem_my_pe() == 1 && !strcmp(how, "space-overrun"))
        shmem_putmem(block + 96, source, 8, 0); /* space-overrun */
    if (shmem_my_pe() == 1 && !strcmp(how, "space-past"))
        block[100] = 1;
    if (shmem_my_pe() == 1 && !strcmp(how, "space-before-it"))
        block[-1] = 1;
    if (shmem_my_pe() == 1 && !strcmp(how, "space-freed"))
        other[3] = 1;
}

static void synchronize_wrongly(const char *how)
{
    long on_the_stack = 0;
    if (!strcmp(how, "wait"))
        shmem_long_wait_until(&on_the_stack, SHMEM_CMP_EQ, 1); /* wait */
    if (!strcmp(how, "free-twice"))
        shmem_free(third); /* free-twice */
    if (!strcmp(how, "free-inside"))
        shmem_free(second + 16); /* free-inside */
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    /* What a PE that checks nothing puts is checked where it arrives. */
    const char *host = getenv("SHEAF_HOST");
    if (!strcmp(how, "arrive") && host && !strcmp(host, "host-b"))
        unsetenv("SHEAF_CHECK");
    shmem_init();
    allocate();
    shmem_barrier_all(); /* before */
    if (!strcmp(how, "malloc"))
        shmem_malloc(shmem_my_pe() == 1 ? 100 : 200); /* malloc */
    if (shmem_my_pe() == 1) {
        put_wrongly(how);
        synchronize_wrongly(how);
    }
    use_space_wrongly(how);
    shmem_barrier_all(); /* barrier */
    after = grid.count;
    shmem_finalize();
    printf("the end\n");
    return (int)after;
}
