/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers and collectives as order: what was put before a barrier is there after it, and what is put
 * after it is not there before. All PEs take part; roles 0 to 2 report.
 */
#include "litmus.h"

#define LEFT_OUT "the barrier is left out"

static bool put_is_lost(const struct litmus_outcome *outcome)
{
    return outcome->saw[1][0] != 1;
}

static void put_barrier(struct litmus_run *run)
{
    if (run->role == 0)
        shmem_long_p(&run->at->x, 1, run->pe[1]);
    LITMUS_KEPT(run, shmem_barrier_all());
    if (run->role == 1)
        run->saw[0] = litmus_load(&run->at->x);
}

static void long_put_barrier(struct litmus_run *run)
{
    static const long ones[LITMUS_BLOCK] = {[0 ... LITMUS_BLOCK - 1] = 1};
    if (run->role == 0)
        shmem_long_put_nbi(run->at->block, ones, LITMUS_BLOCK, run->pe[1]);
    LITMUS_KEPT(run, shmem_barrier_all());
    if (run->role == 1)
        run->saw[0] = litmus_load(&run->at->block[run->number % LITMUS_BLOCK]);
}

static void atomic_barrier(struct litmus_run *run)
{
    if (run->role == 0)
        shmem_long_atomic_add(&run->at->x, 1, run->pe[1]);
    LITMUS_KEPT(run, shmem_barrier_all());
    if (run->role == 1)
        run->saw[0] = litmus_load(&run->at->x);
}

/* The data lie on a PE that neither wrote nor reads them. */
static void put_barrier_get(struct litmus_run *run)
{
    if (run->role == 0)
        shmem_long_p(&run->at->x, 1, run->pe[2]);
    LITMUS_KEPT(run, shmem_barrier_all());
    if (run->role == 1)
        run->saw[0] = shmem_long_g(&run->at->x, run->pe[2]);
}

static void quiet_team_sync(struct litmus_run *run)
{
    if (run->role == 0) {
        shmem_long_p(&run->at->x, 1, run->pe[1]);
        shmem_quiet();
    }
    LITMUS_KEPT(run, shmem_team_sync(SHMEM_TEAM_WORLD));
    if (run->role == 1)
        run->saw[0] = litmus_load(&run->at->x);
}

/* A sync completes stores, and nothing else. */
static void store_sync(struct litmus_run *run)
{
    if (run->role == 0)
        litmus_store(&run->at->x, 1);
    LITMUS_KEPT(run, shmem_sync_all());
    if (run->role == 1)
        run->saw[0] = shmem_long_g(&run->at->x, run->pe[0]);
}

/* What comes after the barrier is not seen before it. */
static void get_barrier_put(struct litmus_run *run)
{
    if (run->role == 1)
        run->saw[0] = shmem_long_g(&run->at->x, run->pe[0]) == 0;
    LITMUS_KEPT(run, shmem_barrier_all());
    if (run->role == 0)
        litmus_store(&run->at->x, 1);
}

/* Each of two PEs puts and then looks: with a barrier between, both see the other's. */
static void store_buffering(struct litmus_run *run)
{
    if (run->role == 0 || run->role == 1)
        shmem_long_p(&run->at->x, 1, run->pe[1 - run->role]);
    LITMUS_KEPT(run, shmem_barrier_all());
    if (run->role == 0 || run->role == 1)
        run->saw[0] = shmem_long_g(&run->at->x, run->me);
}

static bool one_sees_nothing(const struct litmus_outcome *outcome)
{
    return outcome->saw[0][0] == 0 || outcome->saw[1][0] == 0;
}

/* Two writers on two PEs and two readers: with a barrier before the reads all agree that both are there. */
static void independent_reads(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0 || run->role == 1)
        shmem_long_p(run->role == 0 ? &at->x : &at->y, 1, run->pe[run->role + 2]);
    LITMUS_KEPT(run, shmem_barrier_all());
    if (run->role == 2 || run->role == 3) {
        run->saw[0] = shmem_long_g(run->role == 2 ? &at->x : &at->y, run->pe[run->role]);
        run->saw[1] = shmem_long_g(run->role == 2 ? &at->y : &at->x, run->pe[5 - run->role]);
    }
}

static bool readers_miss_one(const struct litmus_outcome *outcome)
{
    return !(outcome->saw[2][0] && outcome->saw[2][1] && outcome->saw[3][0] && outcome->saw[3][1]);
}

/* A collective reads on every PE what others have put there before the barrier. */
static void barrier_alltoall(struct litmus_run *run)
{
    enum { MOST = 64 };
    static long source[MOST], dest[MOST];
    const int n = shmem_n_pes();
    for (int i = 0; i < n && i < MOST; i++)
        source[i] = 0;
    shmem_barrier_all();
    if (run->role == 0 && n <= MOST)
        for (int pe = 0; pe < n; pe++)
            shmem_long_p(&source[run->pe[1]], run->number, pe);
    LITMUS_KEPT(run, shmem_barrier_all());
    if (n <= MOST)
        shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, 1);
    run->saw[0] = run->role == 1;
    for (int i = 0; i < n && n <= MOST && run->role == 1; i++)
        run->saw[0] &= dest[i] == run->number;
}

/* The root may reuse the source at once, and who returns has the value. */
static void broadcast(struct litmus_run *run)
{
    static long source, dest;
    if (run->role == 0)
        source = run->number;
    else
        dest = 0;
    LITMUS_KEPT(run, shmem_sync_all());
    if (!run->is_broken)
        shmem_long_broadcast(SHMEM_TEAM_WORLD, &dest, &source, 1, run->pe[0]);
    else if (run->role == 0)
        shmem_long_p(&dest, run->number, run->pe[1]);
    source = -1;
    if (run->role == 1)
        run->saw[0] = dest == run->number;
    shmem_sync_all();
}

/* A reduction of ones: nobody's operand is of the round before. */
static void reduction(struct litmus_run *run)
{
    static long source, dest;
    source = run->number;
    if (!run->is_broken)
        shmem_long_max_reduce(SHMEM_TEAM_WORLD, &dest, &source, 1);
    else if (run->role == 0)
        shmem_long_p(&dest, run->number, run->pe[1]);
    if (run->role == 1)
        run->saw[0] = dest == run->number;
    source = 0;
    shmem_sync_all();
}

int main(int argc, char **argv)
{
    static const char forbids[] = "a put from before the barrier is not there after it; shmem_barrier_all";
    static const char sync[] = "a store from before the sync is not there after it; shmem_sync";
    static const char put[] = "a put takes the collective's place";
    static const struct litmus_shape shapes[] = {
        {"put, barrier_all, load", forbids, 2, put_barrier, put_is_lost, LEFT_OUT, false},
        {"long put_nbi, barrier_all, load", forbids, 2, long_put_barrier, put_is_lost, LEFT_OUT, false},
        {"atomic add, barrier_all, load", forbids, 2, atomic_barrier, put_is_lost, LEFT_OUT, false},
        {"put, barrier_all, get from a third PE", forbids, 3, put_barrier_get, put_is_lost, LEFT_OUT, false},
        {"put, quiet, team_sync, load", "a put from before quiet and sync is not there after them; shmem_team_sync",
         2, quiet_team_sync, put_is_lost, "the sync is left out", false},
        {"store, sync_all, get", sync, 2, store_sync, put_is_lost, "the sync is left out", false},
        {"get, barrier_all, store", "a get from before the barrier sees a store from after it; shmem_barrier_all", 2,
         get_barrier_put, put_is_lost, LEFT_OUT, false},
        {"puts, barrier_all, gets", forbids, 2, store_buffering, one_sees_nothing, LEFT_OUT, false},
        {"independent reads of independent puts", forbids, 4, independent_reads, readers_miss_one, LEFT_OUT, false},
        {"puts, barrier_all, alltoall", forbids, 2, barrier_alltoall, put_is_lost, LEFT_OUT, false},
        {"broadcast, source reused", "the value is not the one that the root gave; shmem_broadcast", 2, broadcast,
         put_is_lost, put, false},
        {"max_reduce, source reused", "the result misses an operand; shmem_max_reduce", 2, reduction, put_is_lost,
         put, false},
        {0},
    };
    return litmus_main(argc, argv, shapes);
}
