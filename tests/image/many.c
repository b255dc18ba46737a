/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Many PEs, by count and not by time: what each one's process has (mappings, page tables, descriptors),
 * barriers that nobody leaves before everybody came, teams of every third PE, a sum over all.
 */
#include "check.h"
#include "descriptors.h"

#include <string.h>

enum { BARRIERS = 5, TEAMS = 3, FEW = 16 };

static long arrived, one = 1, members, sum;
static int me, npes;

static long count_mappings(void)
{
    long lines = 0;
    FILE *file = fopen("/proc/self/maps", "r");
    for (int c; file && (c = getc(file)) != EOF;)
        lines += c == '\n';
    if (file)
        fclose(file);
    return lines;
}

static long page_tables_kib(void)
{
    char line[256];
    long kib = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && kib < 0 && fgets(line, sizeof line, file))
        sscanf(line, "VmPTE: %ld", &kib);
    if (file)
        fclose(file);
    return kib;
}

/* Up to FEW PEs of a host have 6 mappings for each of them at start. More have none: only a PE that is accessed costs
 * mappings. Page tables with 256 PEs: 68 KiB. */
static void check_process(void)
{
    long mappings = count_mappings(), descriptors = test_count_descriptors(), tables = page_tables_kib();
    long on_host = shmem_team_n_pes(SHMEM_TEAM_SHARED);
    long own = on_host == npes ? 100 : 300; /* of the program and its libraries, across hosts the network's too */
    CHECK(mappings <= own + (on_host <= FEW ? 6 * on_host : 0));
    CHECK(descriptors < 80); /* some 30 of them are the network's, across hosts */
    CHECK(tables < 512);
    if (me == 0)
        printf("many: %d PEs: %ld mappings, %ld KiB of page tables, %ld descriptors\n", npes, mappings,
               tables, descriptors);
}

/* Collectives access few PEs. Then each PE reaches all others by the fast path, whose windows are all mapped. */
static void check_windows(void)
{
    static long word;
    shmem_barrier_all();
    long before = count_mappings();
    shmem_long_p(&word, 1, (me + 1) % npes);
    CHECK(count_mappings() <= before + 8);
    for (int call = 0; call < 20000; call++)
        for (int pe = 0; pe < npes; pe += npes / 2 + 1)
            shmem_long_p(&word, pe, pe);
    shmem_barrier_all();
}

static void check_barriers(void)
{
    for (int round = 1; round <= BARRIERS; round++) {
        shmem_long_atomic_inc(&arrived, 0);
        shmem_barrier_all();
        CHECK(shmem_long_g(&arrived, 0) >= (long)round * npes);
        shmem_barrier_all();
        CHECK_EQ(shmem_long_g(&arrived, 0), (long)round * npes);
        shmem_barrier_all();
    }
}

static void check_teams(void)
{
    for (int start = 0; start < TEAMS && start < npes; start++) {
        shmem_team_t team;
        int size = (npes - start + TEAMS - 1) / TEAMS;
        CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, TEAMS, size, NULL, 0, &team), 0);
        CHECK((team != SHMEM_TEAM_INVALID) == (me % TEAMS == start));
        if (team == SHMEM_TEAM_INVALID)
            continue;
        CHECK_EQ(shmem_long_sum_reduce(team, &members, &one, 1), 0);
        CHECK_EQ(members, size);
        shmem_team_destroy(team);
    }
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    check_process();
    check_windows();
    check_barriers();
    check_teams();
    CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &one, 1), 0);
    CHECK_EQ(sum, npes);
    if (me == 0)
        printf("many: ok\n");
    return test_finish();
}
