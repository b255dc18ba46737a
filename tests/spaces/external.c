/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The external heap, as memory of a device that this processor can reach: each PE has everybody's memory
 * mapped, and access to its own part alone. Without argument: the order of the calls, communication beside
 * it, and the PE's own part as a call's own buffer. With one: a call for which it would have to be symmetric,
 * which ends the program by name.
 */
#include "check.h"

#include <shmemx.h>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BYTES 65536

static int me, npes, next;
static char *external;
static long words[512];

static void begin(void)
{
    int provided = -1;
    CHECK_EQ(shmemx_heap_preinit_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
    CHECK_EQ(provided, SHMEM_THREAD_MULTIPLE);
    me = shmem_my_pe();
    npes = shmem_n_pes();
    next = (me + 1) % npes;
    char *all = mmap(NULL, (size_t)npes * BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(all != MAP_FAILED);
    external = all + (size_t)me * BYTES;
    CHECK_EQ(mprotect(external, BYTES, PROT_READ | PROT_WRITE), 0);
    memset(external, 'a' + me, BYTES);
    shmemx_heap_create(external, BYTES, SHMEMX_EXTERNAL_HEAP_ZE, 0);
    shmemx_heap_postinit();
    CHECK_EQ(shmem_my_pe(), me);
}

static void check_beside(void)
{
    int provided = -1;
    long *block = shmem_malloc(sizeof *block);
    shmem_query_thread(&provided);
    CHECK_EQ(provided, SHMEM_THREAD_MULTIPLE);
    shmem_long_p(block, 40 + me, next);
    shmem_long_p(&words[0], 50 + me, next);
    shmem_long_atomic_add(&words[1], 3, next);
    shmem_barrier_all();
    CHECK_EQ(*block, 40 + (me + npes - 1) % npes);
    CHECK_EQ(words[0], 50 + (me + npes - 1) % npes);
    CHECK_EQ(words[1], 3);
    shmem_free(block);
}

static void check_unreachable(void)
{
    for (int pe = 0; pe < npes; pe++) {
        CHECK(shmem_ptr(external, pe) == NULL);
        CHECK_EQ(shmem_addr_accessible(external, pe), 0);
    }
    for (int i = 0; i < BYTES; i++)
        CHECK_EQ(external[i], 'a' + me);
}

/* This processor can read and write it, so it serves wherever no symmetric object is asked for. */
static void check_as_own_buffer(void)
{
    const void *sources[] = {external};
    void *dests[] = {words};
    shmemx_vector_t vector = {dests, sources, 1, 8};
    char expected = (char)('a' + (me + npes - 1) % npes);
    shmem_putmem(words, external, sizeof words, next);
    shmem_barrier_all();
    for (size_t i = 0; i < sizeof words; i++)
        CHECK_EQ(((char *)words)[i], expected);
    shmem_getmem_nbi(external, words, 64, next);
    shmem_quiet();
    for (int i = 0; i < 64; i++)
        CHECK_EQ(external[i], 'a' + me);
    shmem_barrier_all();
    shmem_long_iput(words, (long *)external, 1, 2, 4, next);
    shmemx_putmem_vector(&vector, 1, next);
    shmem_barrier_all();
    CHECK_EQ(((char *)words)[0], expected);
    memset(words, 0, sizeof words);
    memset(external, 'a' + me, BYTES);
    shmem_barrier_all();
}

/* In the order of the names that the test list has. */
static void misplace(const char *what)
{
    char mine[64] = "";
    if (strcmp(what, "put") == 0)
        shmem_putmem(external + 8, mine, sizeof mine, next);
    else if (strcmp(what, "put-own") == 0)
        shmem_putmem(external + 8, mine, sizeof mine, me);
    else if (strcmp(what, "get") == 0)
        shmem_getmem(mine, external + 8, 16, next);
    else if (strcmp(what, "add") == 0)
        shmem_long_atomic_add((long *)external, 1, next);
    else if (strcmp(what, "signal") == 0)
        shmem_putmem_signal(words, mine, 8, (uint64_t *)external, 1, SHMEM_SIGNAL_SET, next);
    else if (strcmp(what, "broadcast") == 0)
        shmem_broadcastmem(SHMEM_TEAM_WORLD, words, external, 4096, 0);
    else if (strcmp(what, "late") == 0)
        shmemx_heap_create(external, BYTES, SHMEMX_EXTERNAL_HEAP_ZE, 0);
    else
        CHECK(!"a name that this test knows");
}

/* Before the heap is made. */
static void misuse(const char *what)
{
    if (strcmp(what, "early") == 0) {
        shmemx_heap_preinit();
        shmem_barrier_all();
    } else if (strcmp(what, "device") == 0) {
        shmemx_heap_preinit();
        shmemx_heap_create(words, sizeof words, 2, 0);
    } else if (strcmp(what, "unprepared") == 0) {
        shmemx_heap_postinit();
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        misuse(argv[1]);
    begin();
    if (argc > 1)
        misplace(argv[1]);
    check_as_own_buffer();
    check_beside();
    check_unreachable();
    shmem_finalize();

    /* Gone with the last finalization. */
    shmemx_heap_preinit();
    shmemx_heap_postinit();
    char byte = 0;
    memcpy(words, external, 8);
    shmem_getmem(&byte, words, 1, me);
    CHECK_EQ(byte, 'a' + me);
    return test_finish();
}
