/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The shmem_ names can be replaced at link time and their pshmem_ twins still do the work. The
 * library itself does not call the replaceable names: a profiler sees each call once. Twins of
 * names without the prefix are pstart_pes, pshmalloc, p_my_pe and so on.
 */
#include "check.h"

#include <pshmem.h>

static int puts_seen;
static int barriers_seen;
static int quiets_seen;
static int mallocs_seen;
static int syncs_seen;
static int pes_seen;
static int levels_seen;

void shmem_long_put(long *dest, const long *source, size_t nelems, int pe)
{
    puts_seen++;
    pshmem_long_put(dest, source, nelems, pe);
}

void shmem_putmem(void *dest, const void *source, size_t nelems, int pe)
{
    puts_seen++;
    pshmem_putmem(dest, source, nelems, pe);
}

void shmem_barrier_all(void)
{
    barriers_seen++;
    pshmem_barrier_all();
}

void shmem_quiet(void)
{
    quiets_seen++;
    pshmem_quiet();
}

void *shmem_malloc(size_t size)
{
    mallocs_seen++;
    return pshmem_malloc(size);
}

int shmem_team_sync(shmem_team_t team)
{
    syncs_seen++;
    return pshmem_team_sync(team);
}

int shmem_my_pe(void)
{
    pes_seen++;
    return pshmem_my_pe();
}

void shmem_pcontrol(int level, ...)
{
    levels_seen += level;
}

static void replaced_names_work_through_their_twins(int me, int n)
{
    long *block = shmem_malloc(2 * sizeof *block);
    CHECK(block != NULL);
    const long value = 1000 + me;
    shmem_long_put(block, &value, 1, (me + 1) % n);
    shmem_putmem(block + 1, &value, sizeof value, (me + 1) % n);
    shmem_quiet();
    shmem_barrier_all();
    CHECK_EQ(block[0], 1000 + (me + n - 1) % n);
    CHECK_EQ(block[1], block[0]);
    CHECK_EQ(shmem_team_sync(SHMEM_TEAM_WORLD), 0);
    shmem_free(block);
    CHECK_EQ(puts_seen, 2);
    CHECK_EQ(barriers_seen, 1);
    CHECK_EQ(quiets_seen, 1);
    CHECK_EQ(mallocs_seen, 1);
    CHECK_EQ(syncs_seen, 1);
}

/* Calls that a library might build from barriers, puts, quiets or mallocs of its own. */
static void library_does_not_call_replaceable_names(int me, int n)
{
    const int before = puts_seen + barriers_seen + quiets_seen + mallocs_seen + syncs_seen;
    const int pes_before = pes_seen;
    long *block = shmem_calloc(8, sizeof *block);
    CHECK(block != NULL);
    long *dest = shmem_align(64, 8 * sizeof *dest);
    CHECK(dest != NULL);
    block = shmem_realloc(block, 4096);
    uint64_t *signal = shmem_calloc(1, sizeof *signal);
    for (int i = 0; i < 8; i++)
        block[i] = me;
    CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, block, 8), 0);
    CHECK_EQ(dest[7], (long)n * (n - 1) / 2);
    CHECK_EQ(shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, block, 8, n - 1), 0);
    CHECK_EQ(dest[7], n - 1);
    shmem_sync_all();
    shmem_long_put_signal(dest, block, 1, signal, 1, SHMEM_SIGNAL_SET, (me + 1) % n);
    CHECK_EQ(shmem_signal_wait_until(signal, SHMEM_CMP_EQ, 1), 1);
    CHECK_EQ(dest[0], (me + n - 1) % n);
    shmem_free(signal);
    shmem_free(dest);
    shmem_free(block);
    CHECK_EQ(puts_seen + barriers_seen + quiets_seen + mallocs_seen + syncs_seen, before);
    CHECK_EQ(pes_seen, pes_before);
}

static void twins_of_names_without_the_prefix(int me, int n)
{
    pstart_pes(0);
    CHECK_EQ(p_my_pe(), me);
    CHECK_EQ(p_num_pes(), n);
    long *block = pshmalloc(sizeof *block);
    CHECK(block != NULL);
    block = pshrealloc(block, 4 * sizeof *block);
    CHECK(block != NULL);
    pshfree(block);
    block = pshmemalign(128, sizeof *block);
    CHECK_EQ((uintptr_t)block % 128, 0);
    pshfree(block);
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    CHECK_EQ(pes_seen, 1);
    shmem_pcontrol(3);
    CHECK_EQ(levels_seen, 3);
    replaced_names_work_through_their_twins(me, n);
    library_does_not_call_replaceable_names(me, n);
    twins_of_names_without_the_prefix(me, n);
    return test_finish();
}
