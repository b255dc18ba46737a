/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stores and loads beside puts: by way of shmem_ptr, of the own copy, and of variables and heap alike. Where a
 * PE's memory cannot be reached by stores a put takes their place.
 */
#include "litmus.h"

#define FLAG_ALONE "the flag is there and its data are not"
#define SWAPPED    "the flag goes before the data"

/* By a store where there is a way. */
static void store_to(long *word, long value, int pe)
{
    long *there = shmem_ptr(word, pe);
    if (there)
        litmus_store(there, value);
    else
        shmem_long_p(word, value, pe);
}

static void look(struct litmus_run *run, const long *data)
{
    run->saw[0] = shmem_long_test(&run->at->y, SHMEM_CMP_EQ, 1);
    run->saw[1] = litmus_load(data);
}

static void store_fence_put(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0)
        LITMUS_IN_ORDER(run, store_to(&at->x, 1, run->pe[1]), shmem_fence(), shmem_long_p(&at->y, 1, run->pe[1]));
    else if (run->role == 1)
        look(run, &at->x);
}

static void put_fence_store(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0)
        LITMUS_IN_ORDER(run, shmem_long_p(&at->x, 1, run->pe[1]), shmem_fence(), store_to(&at->y, 1, run->pe[1]));
    else if (run->role == 1)
        look(run, &at->x);
}

static void put_store(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        shmem_long_p(&at->x, 1, run->pe[1]);
        store_to(&at->y, 1, run->pe[1]);
    } else if (run->role == 1) {
        look(run, &at->x);
    }
}

static void store_quiet_put_elsewhere(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        LITMUS_IN_ORDER(run, store_to(&at->x, 1, run->pe[1]), shmem_quiet(), shmem_long_p(&at->y, 1, run->pe[2]));
    } else if (run->role == 2) {
        run->saw[0] = shmem_long_test(&at->y, SHMEM_CMP_EQ, 1);
        run->saw[1] = shmem_long_g(&at->x, run->pe[1]);
    }
}

/* The waiting PE loads from the other's memory. */
static void wait_load(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0)
        LITMUS_IN_ORDER(run, litmus_store(&at->x, 1), shmem_quiet(), shmem_long_p(&at->y, 1, run->pe[1]));
    if (run->role != 1)
        return;
    const long *there = shmem_ptr(&at->x, run->pe[0]);
    shmem_long_wait_until(&at->y, SHMEM_CMP_EQ, 1);
    run->saw[0] = 1;
    run->saw[1] = there ? litmus_load(there) : shmem_long_g(&at->x, run->pe[0]);
}

static void heap_then_variable(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    long *word = litmus_heap_word(run);
    if (run->role == 0)
        LITMUS_IN_ORDER(run, shmem_long_p(word, 1, run->pe[1]), shmem_fence(), shmem_long_p(&at->y, 1, run->pe[1]));
    else if (run->role == 1)
        look(run, word);
}

static void own_put_load(struct litmus_run *run)
{
    if (run->role != 0)
        return;
    shmem_long_p(&run->at->x, 1, run->me);
    run->saw[0] = litmus_load(&run->at->x);
}

static void own_put_quiet_load(struct litmus_run *run)
{
    if (run->role != 0)
        return;
    LITMUS_IN_ORDER(run, shmem_long_p(&run->at->x, 1, run->me), shmem_quiet(),
                    run->saw[0] = litmus_load(&run->at->x));
}

static bool sees_nothing(const struct litmus_outcome *outcome)
{
    return outcome->saw[0][0] == 0;
}

static void own_put_fence_store(struct litmus_run *run)
{
    if (run->role != 0)
        return;
    LITMUS_IN_ORDER(run, shmem_long_p(&run->at->x, 1, run->me), shmem_fence(), litmus_store(&run->at->x, 2));
}

static void own_put_store(struct litmus_run *run)
{
    if (run->role != 0)
        return;
    shmem_long_p(&run->at->x, 1, run->me);
    litmus_store(&run->at->x, 2);
}

static bool put_comes_last(const struct litmus_outcome *outcome)
{
    return outcome->x[0] != 2;
}

int main(int argc, char **argv)
{
    static const struct litmus_shape shapes[] = {
        {"store by shmem_ptr, fence, put", FLAG_ALONE, 2, store_fence_put, litmus_has_flag_alone, SWAPPED, false},
        {"put, fence, store by shmem_ptr", FLAG_ALONE, 2, put_fence_store, litmus_has_flag_alone, SWAPPED, false},
        {"store by shmem_ptr, quiet, put to a third PE", FLAG_ALONE, 3, store_quiet_put_elsewhere,
         litmus_third_has_flag_alone, SWAPPED, false},
        {"store, put, wait_until, load by shmem_ptr", FLAG_ALONE, 2, wait_load, litmus_has_flag_alone, SWAPPED,
         false},
        {"put to the heap, fence, put to a variable", FLAG_ALONE, 2, heap_then_variable, litmus_has_flag_alone,
         SWAPPED, false},
        {"put to oneself, quiet, load", "the load misses the put", 2, own_put_quiet_load, sees_nothing,
         "the load goes first", false},
        {"put to oneself, fence, store", "the put comes behind the store", 2, own_put_fence_store, put_comes_last,
         "the store goes first", false},
        LITMUS_ALLOWED("put, store by shmem_ptr", 2, put_store, litmus_has_flag_alone),
        LITMUS_ALLOWED("put to oneself, load", 2, own_put_load, sees_nothing),
        LITMUS_ALLOWED("put to oneself, store", 2, own_put_store, put_comes_last),
        {0},
    };
    return litmus_main(argc, argv, shapes);
}
