/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is symmetric: the executable's globals and statics and the heap, in any mix; not the
 * stack, the private heap, or a shared object's data. The local address is the one to pass,
 * whatever the address is on other PEs. shmem_ptr and shmem_team_ptr.
 */
#include "check.h"

#include <string.h>

long *plugin_address(void); /* of a shared object */

static long in_bss[64];
static long in_data[64] = {1, 2, 3};
long global_object = 5;
static uintptr_t addresses[64];
static const shmem_team_t invalid_team = SHMEM_TEAM_INVALID;

static long *function_static(void)
{
    static long object[4] = {9};
    return object;
}

static void statics_are_symmetric_and_mix_with_the_heap(int me, int n, long *heap)
{
    const int right = (me + 1) % n;
    const int left = (me + n - 1) % n;
    long *const objects[] = {in_bss, in_data, &global_object, function_static(), heap};
    enum { OBJECTS = sizeof objects / sizeof objects[0] };
    for (int i = 0; i < OBJECTS; i++) {
        for (int j = 0; j < OBJECTS; j++) {
            if (i == j)
                continue;
            *objects[j] = 100 * me + j;
            shmem_barrier_all();
            shmem_long_put(objects[i], objects[j], 1, right);
            shmem_barrier_all();
            CHECK_EQ(*objects[i], 100 * left + j);
            *objects[j] = 200 * me + i;
            shmem_barrier_all();
            shmem_long_get(objects[i], objects[j], 1, right);
            CHECK_EQ(*objects[i], 200 * right + i);
            shmem_barrier_all();
        }
    }
}

static void statics_work_in_collectives_with_heap(int me, int n, long *heap)
{
    in_bss[0] = me + 1;
    CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, heap, in_bss, 1), 0);
    CHECK_EQ(heap[0], (long)n * (n + 1) / 2);
    CHECK_EQ(shmem_long_broadcast(SHMEM_TEAM_WORLD, in_data, heap, 1, 0), 0);
    CHECK_EQ(in_data[0], heap[0]);
    shmem_barrier_all();
}

static void local_address_is_passed_whatever_the_others_are(int me, int n)
{
    if (n > 64)
        return;
    const uintptr_t mine = (uintptr_t)in_bss;
    for (int pe = 0; pe < n; pe++)
        shmem_putmem(&addresses[me], &mine, sizeof mine, pe);
    shmem_barrier_all();
    CHECK_EQ(addresses[me], mine);
    in_bss[1] = (long)mine;
    shmem_barrier_all();
    for (int pe = 0; pe < n; pe++)
        CHECK_EQ(shmem_long_g(&in_bss[1], pe), addresses[pe]);
    shmem_barrier_all();
}

static void addr_accessible_is_one_or_zero(int me, int n, const long *heap)
{
    long on_stack = 1;
    long *private = malloc(sizeof *private);
    CHECK(private != NULL);
    for (int pe = 0; pe < n; pe++) {
        CHECK_EQ(shmem_addr_accessible(heap, pe), 1);
        CHECK_EQ(shmem_addr_accessible((const char *)heap + 63, pe), 1);
        CHECK_EQ(shmem_addr_accessible(in_bss, pe), 1);
        CHECK_EQ(shmem_addr_accessible(in_data, pe), 1);
        CHECK_EQ(shmem_addr_accessible(&on_stack, pe), 0);
        CHECK_EQ(shmem_addr_accessible(private, pe), 0);
        CHECK_EQ(shmem_addr_accessible(NULL, pe), 0);
    }
    CHECK_EQ(shmem_addr_accessible(heap, n), 0);
    CHECK_EQ(shmem_addr_accessible(in_bss, -1), 0);
    CHECK_EQ(on_stack, 1);
    free(private);
    (void)me;
}

static void shared_objects_are_not_symmetric(int n)
{
    *plugin_address() = 3;
    for (int pe = 0; pe < n; pe++) {
        CHECK_EQ(shmem_addr_accessible(plugin_address(), pe), 0);
        CHECK(shmem_ptr(plugin_address(), pe) == NULL);
    }
}

static void pe_accessible_is_zero_out_of_range(int n)
{
    for (int pe = 0; pe < n; pe++)
        CHECK_EQ(shmem_pe_accessible(pe), 1);
    CHECK_EQ(shmem_pe_accessible(n), 0);
    CHECK_EQ(shmem_pe_accessible(-1), 0);
    CHECK_EQ(shmem_pe_accessible(1 << 30), 0);
    CHECK(shmem_ptr(in_bss, n) == NULL);
    CHECK(shmem_ptr(in_bss, -1) == NULL);
    CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, in_bss, n) == NULL);
    CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, in_bss, -1) == NULL);
}

static void ptr_to_oneself_reaches_any_symmetric_object(int me, long *heap)
{
    long *const objects[] = {in_bss, in_data, &global_object, function_static(), heap};
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        long *own = shmem_ptr(objects[i], me);
        CHECK(own != NULL);
        *objects[i] = 17;
        CHECK_EQ(*(volatile long *)own, 17);
        *(volatile long *)own = 18;
        CHECK_EQ(*(volatile long *)objects[i], 18);
    }
}

/* Where shmem_ptr gives an address, loads and stores there are loads and stores of that PE. */
static void ptr_reaches_other_pes_and_is_not_symmetric(int me, int n, long *heap)
{
    in_bss[2] = heap[2] = 1000 + me;
    shmem_barrier_all();
    for (int pe = 0; pe < n; pe++) {
        long *theirs = shmem_ptr(&heap[2], pe);
        long *static_theirs = shmem_ptr(&in_bss[2], pe);
        CHECK(theirs == NULL || *theirs == 1000 + pe);
        CHECK(static_theirs == NULL || *static_theirs == 1000 + pe);
        if (theirs && pe != me) {
            CHECK_EQ(shmem_addr_accessible(theirs, me), 0);
            CHECK(shmem_ptr(theirs, pe) == NULL);
        }
    }
    shmem_barrier_all();
    long *right = shmem_ptr(&heap[3], (me + 1) % n);
    if (right)
        *right = 2000 + me;
    shmem_barrier_all();
    if (shmem_ptr(&heap[3], (me + n - 1) % n))
        CHECK_EQ(heap[3], 2000 + (me + n - 1) % n);
    long on_stack = 0;
    CHECK(shmem_ptr(&on_stack, me) == NULL);
    CHECK_EQ(on_stack, 0);
    shmem_barrier_all();
}

static void team_ptr_is_team_relative(int n, long *heap)
{
    shmem_team_t backwards;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &backwards), 0);
    for (int pe = 0; pe < n; pe++) {
        CHECK(shmem_team_ptr(invalid_team, heap, pe) == NULL);
        CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, heap, pe) == shmem_ptr(heap, pe));
        CHECK(shmem_team_ptr(backwards, heap, pe) == shmem_ptr(heap, n - 1 - pe));
        CHECK(shmem_team_ptr(backwards, in_bss, pe) == shmem_ptr(in_bss, n - 1 - pe));
    }
    shmem_team_destroy(backwards);
}

static void team_shared_is_mutually_reachable_by_ptr(const long *heap)
{
    const int size = shmem_team_n_pes(SHMEM_TEAM_SHARED);
    CHECK(size >= 1 && size <= shmem_n_pes());
    CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_SHARED, shmem_team_my_pe(SHMEM_TEAM_SHARED),
                                     SHMEM_TEAM_WORLD),
             shmem_my_pe());
    for (int pe = 0; pe < size; pe++)
        CHECK(shmem_team_ptr(SHMEM_TEAM_SHARED, heap, pe) != NULL);
    CHECK(SHMEM_TEAM_SHARED != SHMEM_TEAM_WORLD);
    CHECK(SHMEM_TEAM_SHARED != SHMEM_TEAM_INVALID);
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    long *heap = shmem_malloc(64 * sizeof *heap);
    CHECK(heap != NULL);
    statics_are_symmetric_and_mix_with_the_heap(me, n, heap);
    statics_work_in_collectives_with_heap(me, n, heap);
    local_address_is_passed_whatever_the_others_are(me, n);
    addr_accessible_is_one_or_zero(me, n, heap);
    shared_objects_are_not_symmetric(n);
    pe_accessible_is_zero_out_of_range(n);
    ptr_to_oneself_reaches_any_symmetric_object(me, heap);
    ptr_reaches_other_pes_and_is_not_symmetric(me, n, heap);
    team_ptr_is_team_relative(n, heap);
    team_shared_is_mutually_reachable_by_ptr(heap);
    shmem_free(heap);
    return test_finish();
}
