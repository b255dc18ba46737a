/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every kind of variable of the executable: what is global or static, constants too, is symmetric at its
 * usual address, what is thread-local, on the stack, in malloc's memory or in a shared library is not.
 * Built once per way of linking.
 */
#define _GNU_SOURCE
#include "check.h"

#include <getopt.h>
#include <string.h>
#include <unistd.h>

#define PAGE 4096

long exported = 41;
static long in_data = 7;
static long in_bss;
static _Thread_local long in_thread_data = 5;
static _Thread_local long in_thread_bss;
static _Alignas(PAGE) unsigned char pages[3 * PAGE] = {1};
static _Alignas(PAGE) unsigned char zero_pages[3 * PAGE];
static char *pointers[] = {(char *)&exported, (char *)&in_data, (char *)&in_bss};
extern char end[];
static const long table[4] = {10, 20, 30, 40};
static const unsigned char large_table[3 * PAGE] = {[0] = 1, [PAGE] = 2, [3 * PAGE - 1] = 3};
static const struct row {
    long number;
    const long *variable; /* the loader writes it */
} rows[2] = {{-1, &exported}, {-2, &in_data}};

static long *local_static(void)
{
    static long inside = 11;
    return &inside;
}

static void check_initial_values(void)
{
    CHECK_EQ(exported, 41);
    CHECK_EQ(in_data, 7);
    CHECK_EQ(in_bss, 0);
    CHECK_EQ(*local_static(), 11);
    CHECK_EQ(in_thread_data, 5);
    CHECK_EQ(in_thread_bss, 0);
    CHECK(pages[0] == 1 && pages[PAGE] == 0 && zero_pages[PAGE] == 0);
    CHECK(pointers[0] == (char *)&exported && pointers[1] == (char *)&in_data);
}

static void check_accessible(void)
{
    long on_stack = 0;
    long *in_malloc = malloc(sizeof *in_malloc);
    long *in_heap = shmem_malloc(sizeof *in_heap);
    const char *volatile past_last = end;
    CHECK(in_malloc && in_heap);
    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        CHECK_EQ(shmem_addr_accessible(&exported, pe), 1);
        CHECK_EQ(shmem_addr_accessible(&in_data, pe), 1);
        CHECK_EQ(shmem_addr_accessible(&in_bss, pe), 1);
        CHECK_EQ(shmem_addr_accessible(local_static(), pe), 1);
        CHECK_EQ(shmem_addr_accessible(zero_pages + sizeof zero_pages - 1, pe), 1);
        CHECK_EQ(shmem_addr_accessible(past_last - 1, pe), 1);
        CHECK_EQ(shmem_addr_accessible(in_heap, pe), 1);
        CHECK_EQ(shmem_addr_accessible(&in_thread_data, pe), 0);
        CHECK_EQ(shmem_addr_accessible(&in_thread_bss, pe), 0);
        CHECK_EQ(shmem_addr_accessible(&on_stack, pe), 0);
        CHECK_EQ(shmem_addr_accessible(in_malloc, pe), 0);
        CHECK(shmem_ptr(&in_thread_bss, pe) == NULL);
        CHECK(shmem_ptr(&on_stack, pe) == NULL);
        CHECK(shmem_ptr(in_malloc, pe) == NULL);
    }
    shmem_free(in_heap);
    free(in_malloc);
}

/* Each PE writes to the next one, whose neighbours in memory stay as they were. */
static void check_puts(int me, int npes)
{
    int next = (me + 1) % npes, previous = (me + npes - 1) % npes;
    unsigned char bytes[2 * PAGE];
    memset(bytes, 0x40 + me, sizeof bytes);
    shmem_long_p(&exported, 1000 + me, next);
    shmem_long_p(&in_data, 2000 + me, next);
    shmem_long_p(&in_bss, 3000 + me, next);
    shmem_long_p(local_static(), 4000 + me, next);
    shmem_putmem(pages + PAGE - 1, bytes, PAGE + 2, next);
    shmem_putmem(zero_pages + PAGE / 2, bytes, sizeof bytes, next);
    shmem_barrier_all();
    CHECK_EQ(exported, 1000 + previous);
    CHECK_EQ(in_data, 2000 + previous);
    CHECK_EQ(in_bss, 3000 + previous);
    CHECK_EQ(*local_static(), 4000 + previous);
    CHECK_EQ(pages[0], 1);
    CHECK_EQ(pages[PAGE - 2], 0);
    for (int i = PAGE - 1; i < 2 * PAGE + 1; i++)
        CHECK_EQ(pages[i], 0x40 + previous);
    CHECK_EQ(pages[2 * PAGE + 1], 0);
    for (int i = 0; i < 3 * PAGE; i++)
        CHECK_EQ(zero_pages[i], i >= PAGE / 2 && i < 5 * PAGE / 2 ? 0x40 + previous : 0);
    CHECK_EQ(in_thread_data, 5);
    shmem_barrier_all();
}

static void check_gets_and_atomics(int me, int npes)
{
    exported = 500 + me;
    in_bss = 0;
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++) {
        CHECK_EQ(shmem_long_g(&exported, pe), 500 + pe);
        shmem_long_atomic_add(&in_bss, me + 1, pe);
        long *theirs = shmem_ptr(&exported, pe);
        CHECK((theirs != NULL) == test_is_near(pe));
        if (theirs)
            CHECK_EQ(*theirs, 500 + pe);
    }
    shmem_barrier_all();
    CHECK_EQ(in_bss, npes * (npes + 1) / 2);
    CHECK(shmem_ptr(&exported, me) == &exported);
}

/* Constants that hold addresses are the PE's own: others' where addresses are random. */
static void check_relocated(int npes)
{
    static const long *where;
    where = rows[1].variable;
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++) {
        struct row got[2];
        const long *expected;
        shmem_getmem(got, rows, sizeof got, pe);
        shmem_getmem(&expected, &where, sizeof expected, pe);
        CHECK_EQ(got[1].number, -2);
        CHECK(got[1].variable == expected);
    }
}

static void check_constants_of(int pe)
{
    static const char text[] = "a constant";
    long got[4] = {0}, every_second[2], later;
    char letters[sizeof text];
    unsigned char bytes[sizeof large_table];
    shmem_long_get_nbi(&later, &table[1], 1, pe);
    shmem_long_get(got, table, 4, pe);
    shmem_long_iget(every_second, table, 1, 2, 2, pe);
    shmem_getmem(bytes, large_table, sizeof bytes, pe);
    shmem_getmem(letters, text, sizeof text, pe);
    shmem_quiet();
    CHECK(later == 20 && got[0] == 10 && got[3] == 40 && every_second[0] == 10 && every_second[1] == 30);
    CHECK(memcmp(bytes, large_table, sizeof bytes) == 0 && strcmp(letters, text) == 0);
    CHECK_EQ(shmem_long_g(&table[2], pe), 30);
    CHECK_EQ(shmem_long_atomic_fetch(&table[3], pe), 40);
    CHECK_EQ(shmem_addr_accessible(table, pe), 1);
    CHECK_EQ(shmem_addr_accessible(rows, pe), 1);
    const long *theirs = shmem_ptr(table, pe);
    CHECK((theirs != NULL) == test_is_near(pe) && (!theirs || theirs[3] == 40));
}

static void check_constants(int me, int npes)
{
    static long sum[4], all[4 * 32];
    for (int pe = 0; pe < npes; pe++)
        check_constants_of(pe);
    check_relocated(npes);
    shmem_long_put(sum, table, 4, (me + 1) % npes);
    shmem_barrier_all();
    CHECK_EQ(sum[3], 40);
    shmem_barrier_all();
    CHECK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sum, table, 4) == 0 && sum[3] == 40 * npes);
    CHECK(shmem_long_broadcast(SHMEM_TEAM_WORLD, sum, table, 4, npes - 1) == 0 && sum[2] == 30);
    CHECK(shmem_long_fcollect(SHMEM_TEAM_WORLD, all, table, 4) == 0 && all[4 * npes - 1] == 40);
}

/* Without PIE these are copied into the executable's own data (copy relocations). */
static void check_variables_of_libc(void)
{
    char *arguments[] = {(char *)"program", (char *)"-a", NULL};
    CHECK(setenv("SHEAF_TEST_VARIABLE", "value", 1) == 0);
    CHECK(getenv("SHEAF_TEST_VARIABLE") && environ && environ[0]);
    optind = 1;
    CHECK_EQ(getopt(2, arguments, "a"), 'a');
    CHECK_EQ(optind, 2);
    CHECK(fprintf(stdout, "%s", "") == 0 && fflush(stdout) == 0);
    CHECK(fprintf(stderr, "%s", "") == 0);
}

int main(void)
{
    check_initial_values();
    in_data = 8;
    shmem_init();
    CHECK_EQ(in_data, 8);
    in_data = 7;
    int me = shmem_my_pe(), npes = shmem_n_pes();
    check_initial_values();
    shmem_barrier_all();
    check_accessible();
    check_puts(me, npes);
    check_gets_and_atomics(me, npes);
    check_constants(me, npes);
    check_variables_of_libc();
    return test_finish();
}
