/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Local memory: when a source may change and when a result is there. Role 0 calls, role 1's copy is the
 * remote end.
 */
#include "litmus.h"

static long source, got;

/* The value that was there when the call was made is 1, the one after it 2. */
static bool has_later_value(const struct litmus_outcome *outcome)
{
    return outcome->x[1] != 1;
}

static bool misses_result(const struct litmus_outcome *outcome)
{
    return outcome->saw[0][0] == 0;
}

static void begin(struct litmus_run *run)
{
    source = 1;
    if (run->is_broken)
        source = 2;
}

static void put(struct litmus_run *run)
{
    if (run->role != 0)
        return;
    begin(run);
    shmem_long_put(&run->at->x, &source, 1, run->pe[1]);
    source = 2;
}

static void put_nbi(struct litmus_run *run)
{
    if (run->role != 0)
        return;
    begin(run);
    shmem_long_put_nbi(&run->at->x, &source, 1, run->pe[1]);
    source = 2;
    shmem_quiet();
}

static void put_nbi_quiet(struct litmus_run *run)
{
    if (run->role != 0)
        return;
    begin(run);
    shmem_long_put_nbi(&run->at->x, &source, 1, run->pe[1]);
    shmem_quiet();
    source = 2;
}

static void put_signal(struct litmus_run *run)
{
    if (run->role != 0)
        return;
    begin(run);
    shmem_long_put_signal(&run->at->x, &source, 1, &run->at->signal, 1, SHMEM_SIGNAL_SET, run->pe[1]);
    source = 2;
}

static void put_signal_nbi(struct litmus_run *run)
{
    if (run->role != 0)
        return;
    begin(run);
    shmem_long_put_signal_nbi(&run->at->x, &source, 1, &run->at->signal, 1, SHMEM_SIGNAL_SET, run->pe[1]);
    source = 2;
    shmem_quiet();
}

/* A fence orders deliveries and says nothing of the source. */
static void put_nbi_fence(struct litmus_run *run)
{
    if (run->role != 0)
        return;
    begin(run);
    shmem_long_put_nbi(&run->at->x, &source, 1, run->pe[1]);
    shmem_fence();
    source = 2;
    shmem_quiet();
}

/* Role 1's block is ones already. */
static void prepare_and_meet(struct litmus_run *run)
{
    if (run->role == 1)
        litmus_store(&run->at->z, 1);
    got = 0;
    shmem_sync_all();
}

static void get_nbi(struct litmus_run *run)
{
    prepare_and_meet(run);
    if (run->role != 0)
        return;
    shmem_long_get_nbi(&got, &run->at->z, 1, run->pe[1]);
    run->saw[0] = litmus_load(&got);
    shmem_quiet();
}

static void get_nbi_quiet(struct litmus_run *run)
{
    prepare_and_meet(run);
    if (run->role != 0)
        return;
    LITMUS_IN_ORDER(run, shmem_long_get_nbi(&got, &run->at->z, 1, run->pe[1]), shmem_quiet(),
                    run->saw[0] = litmus_load(&got));
    shmem_quiet();
}

static void get_blocking(struct litmus_run *run)
{
    prepare_and_meet(run);
    if (run->role != 0)
        return;
    LITMUS_IN_ORDER(run, shmem_long_get(&got, &run->at->z, 1, run->pe[1]), (void)0,
                    run->saw[0] = litmus_load(&got));
}

static void fetch_nbi(struct litmus_run *run)
{
    prepare_and_meet(run);
    if (run->role != 0)
        return;
    shmem_long_atomic_fetch_add_nbi(&got, &run->at->z, 1, run->pe[1]);
    run->saw[0] = litmus_load(&got);
    shmem_quiet();
}

static void fetch_nbi_quiet(struct litmus_run *run)
{
    prepare_and_meet(run);
    if (run->role != 0)
        return;
    LITMUS_IN_ORDER(run, shmem_long_atomic_fetch_add_nbi(&got, &run->at->z, 1, run->pe[1]), shmem_quiet(),
                    run->saw[0] = litmus_load(&got));
    shmem_quiet();
}

/* A fence orders no get: the put behind it may come first. */
static void get_nbi_fence_put(struct litmus_run *run)
{
    if (run->role != 0)
        return;
    got = 0;
    shmem_long_get_nbi(&got, &run->at->z, 1, run->pe[1]);
    shmem_fence();
    shmem_long_p(&run->at->z, 1, run->pe[1]);
    shmem_quiet();
    run->saw[0] = got;
}

static bool got_later_put(const struct litmus_outcome *outcome)
{
    return outcome->saw[0][0] == 1;
}

int main(int argc, char **argv)
{
    static const char reused[] = "the target gets what the source held after the call";
    static const char early[] = "the source is changed before the call", before[] = "the load goes first";
    static const char missing[] = "the result is not there";
    static const struct litmus_shape shapes[] = {
        {"put, source reused", reused, 2, put, has_later_value, early, false},
        {"put_nbi, quiet, source reused", reused, 2, put_nbi_quiet, has_later_value, early, false},
        {"put_signal, source reused", reused, 2, put_signal, has_later_value, early, false},
        {"get_nbi, quiet, load", missing, 2, get_nbi_quiet, misses_result, before, false},
        {"get, load", missing, 2, get_blocking, misses_result, before, false},
        {"fetch_add_nbi, quiet, load", missing, 2, fetch_nbi_quiet, misses_result, before, false},
        LITMUS_ALLOWED("put_nbi, source reused", 2, put_nbi, has_later_value),
        LITMUS_ALLOWED("put_nbi, fence, source reused", 2, put_nbi_fence, has_later_value),
        LITMUS_ALLOWED("put_signal_nbi, source reused", 2, put_signal_nbi, has_later_value),
        LITMUS_ALLOWED("get_nbi, load", 2, get_nbi, misses_result),
        LITMUS_ALLOWED("fetch_add_nbi, load", 2, fetch_nbi, misses_result),
        LITMUS_ALLOWED("get_nbi, fence, put", 2, get_nbi_fence_put, got_later_put),
        {0},
    };
    return litmus_main(argc, argv, shapes);
}
