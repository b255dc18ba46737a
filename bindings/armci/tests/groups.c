/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory, groups, collectives, messages, mutexes and read-modify-write.
 */
#include "expect.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static int me, all;

/* Sizes differ, and some are 0: each process writes the last byte of every other. */
static void memory(void)
{
    void *base[all];
    for (int turn = 0; turn < 3; turn++) {
        int size = turn == 2 ? 0 : me == turn ? 0 : 100 * me + turn + 1;
        CHECK_EQ(ARMCI_Malloc(base, size), 0);
        for (int i = 0; i < all; i++) {
            int there = turn == 2 ? 0 : i == turn ? 0 : 100 * i + turn + 1;
            CHECK((base[i] != NULL) == (there > 0));
            if (there > 0 && i == (me + 1) % all) {
                char value = (char)(me + 1);
                ARMCI_Put(&value, (char *)base[i] + there - 1, 1, i);
            }
        }
        ARMCI_Barrier();
        if (size > 0)
            CHECK_EQ(((char *)base[me])[size - 1], (me + all - 1) % all + 1);
        CHECK_EQ(turn == 1 ? ARMCI_Free_memdev(base[me]) : ARMCI_Free(base[me]), 0);
    }
    CHECK_EQ(ARMCI_Malloc_memdev(base, 8, "dram"), 0);
    ARMCI_Group world;
    ARMCI_Group_get_world(&world);
    CHECK_EQ(ARMCI_Free_group(base[me], &world), 0);
    CHECK_EQ(ARMCI_Malloc_group_memdev(base, 8, &world, NULL), 0);
    CHECK_EQ(ARMCI_Free(base[me]), 0);
    ARMCI_Set_shm_limit(1);
}

/* Rounds of fetch-and-add and swap on process 0's words. */
static void read_modify_write(void)
{
    void *base[all];
    ARMCI_Malloc(base, 32);
    memset(base[me], 0, 32);
    ARMCI_Barrier();
    long *words = base[0], sum = 0, old;
    int *small = (int *)(words + 1), before;
    for (int i = 0; i < 100; i++) {
        ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, words, 1, 0);
        ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &before, small, -2, 0);
        sum += old;
    }
    armci_msg_lgop(&sum, 1, "+");
    CHECK_EQ(sum, 100L * all * (100 * all - 1) / 2);
    CHECK_EQ(ARMCI_GetValueInt(small, 0), -200 * all);
    long mine = 1000 + me, total;
    ARMCI_Rmw(ARMCI_SWAP_LONG, &mine, words + 2, 0, 0);
    int half = me + 1;
    ARMCI_Rmw(ARMCI_SWAP, &half, words + 3, 0, 0);
    ARMCI_Barrier();
    total = mine + (me == 0 ? ARMCI_GetValueLong(words + 2, 0) : 0);
    armci_msg_lgop(&total, 1, "+"); /* what was there comes out once */
    CHECK_EQ(total, 1000L * all + all * (all - 1) / 2);
    half += me == 0 ? ARMCI_GetValueInt(words + 3, 0) : 0;
    armci_msg_igop(&half, 1, "+");
    CHECK_EQ(half, all * (all + 1) / 2);
    ARMCI_Barrier();
    ARMCI_Free(base[me]);
}

/* Put, get and mutex: a counter that no two raise at once. The last process has no mutex of its
 * own. */
static void mutexes(void)
{
    void *base[all];
    ARMCI_Malloc(base, sizeof(long));
    *(long *)base[me] = 0;
    int count = me == all - 1 && all > 1 ? 0 : 2;
    ARMCI_Create_mutexes(count);
    for (int i = 0; i < 20; i++) {
        ARMCI_Lock(1, 0);
        long value = ARMCI_GetValueLong(base[all - 1], all - 1) + 1;
        ARMCI_PutValueLong(value, base[all - 1], all - 1);
        ARMCI_Unlock(1, 0);
    }
    ARMCI_Barrier();
    CHECK_EQ(ARMCI_GetValueLong(base[all - 1], all - 1), 20 * all);
    ARMCI_Destroy_mutexes();
    ARMCI_Group world;
    ARMCI_Group_get_world(&world);
    armcix_mutex_hdl_t one = ARMCIX_Create_mutexes_hdl(1, &world),
                       two = ARMCIX_Create_mutexes_hdl(1, &world);
    ARMCIX_Lock_hdl(one, 0, me);
    CHECK_EQ(ARMCIX_Trylock_hdl(one, 0, me), 1);
    CHECK_EQ(ARMCIX_Trylock_hdl(two, 0, me), 0);
    ARMCIX_Unlock_hdl(one, 0, me);
    CHECK_EQ(ARMCIX_Trylock_hdl(one, 0, me), 0);
    ARMCIX_Unlock_hdl(one, 0, me);
    ARMCIX_Unlock_hdl(two, 0, me);
    ARMCI_Barrier();
    CHECK_EQ(ARMCIX_Destroy_mutexes_hdl(two) + ARMCIX_Destroy_mutexes_hdl(one), 0);
    ARMCI_Free(base[me]);
}

#define REDUCE(letters, code, type)                                                                \
    do {                                                                                           \
        enum { N = 20000 };                                                                        \
        static type values[N];                                                                     \
        for (int i = 0; i < N; i++)                                                                \
            values[i] = (type)(i % 5 - 2 - me);                                                    \
        armci_msg_group_##letters(values, N, "absmax", group);                                     \
        CHECK(values[0] == (type)(all + 1) && values[N - 1] == (type)(all > 5 ? all - 3 : 2));     \
        values[0] = (type)(me + 1), values[1] = (type)2;                                           \
        armci_msg_##letters(values, 1, "+");                                                       \
        armci_msg_gop_scope(SCOPE_ALL, values + 1, 1, "*", code);                                  \
        CHECK(values[0] == (type)(all * (all + 1) / 2) && values[1] == (type)(1 << all));          \
        values[0] = (type)(me - 1);                                                                \
        armci_msg_group_gop_scope(SCOPE_ALL, values, 1, "max", code, group);                       \
        CHECK(values[0] == (type)(all - 2));                                                       \
        values[0] = (type)(-me - 1), values[1] = (type)(me - 1);                                   \
        armci_msg_reduce(values, 1, "absmin", code);                                               \
        armci_msg_reduce_scope(SCOPE_ALL, values + 1, 1, "min", code);                             \
        CHECK(values[0] == 1 && values[1] == -1);                                                  \
        values[0] = (type)me;                                                                      \
        armci_msg_reduce_scope(SCOPE_NODE, values, 1, "+", code);                                  \
        CHECK(values[0] == (type)me);                                                              \
        values[0] = (type)me, values[1] = (type)me;                                                \
        armci_msg_##letters(values, 1, "||");                                                      \
        armci_msg_##letters(values + 1, 1, "land");                                                \
        CHECK(values[0] == (all > 1) && values[1] == 0);                                           \
    } while (0)

static void collectives(ARMCI_Group *group)
{
    REDUCE(igop, ARMCI_INT, int);
    REDUCE(lgop, ARMCI_LONG, long);
    REDUCE(llgop, ARMCI_LONG_LONG, long long);
    REDUCE(fgop, ARMCI_FLOAT, float);
    REDUCE(dgop, ARMCI_DOUBLE, double);
    int bits[] = {1 << me, ~(1 << me), 1 << me};
    armci_msg_igop(bits, 1, "or");
    armci_msg_igop(bits + 1, 1, "&");
    armci_msg_igop(bits + 2, 1, "bor");
    CHECK_EQ(bits[0], (1 << all) - 1);
    CHECK_EQ(bits[1], ~((1 << all) - 1));
    CHECK_EQ(bits[2], bits[0]);
    static char text[200000];
    memset(text, me == all - 1 ? 'x' : 'y', sizeof text);
    armci_msg_bcast(text, sizeof text, all - 1);
    CHECK(text[0] == 'x' && text[sizeof text - 1] == 'x');
    int number = me;
    armci_msg_brdcst(&number, sizeof number, 0);
    number += me;
    armci_msg_bcast_scope(SCOPE_MASTERS, &number, sizeof number, all - 1);
    CHECK_EQ(number, all - 1);
    armci_msg_group_bcast_scope(SCOPE_NODE, &number, sizeof number, 0, group);
    struct {
        double value;
        int who;
    } chosen = {me == 0 ? 1e9 : -me, me};
    armci_msg_sel(&chosen, sizeof chosen, "max", ARMCI_DOUBLE, me > 0 || all == 1);
    CHECK_EQ(chosen.who, all == 1 ? 0 : 1);
    chosen.value = me, chosen.who = me;
    armci_msg_sel_scope(SCOPE_ALL, &chosen, sizeof chosen, "min", ARMCI_DOUBLE, me == all - 1);
    CHECK_EQ(chosen.who, all - 1);
    int root, up, left, right;
    armci_msg_bintree(SCOPE_ALL, &root, &up, &left, &right);
    CHECK(root == 0 && up == (me ? (me - 1) / 2 : -1) && left < all && right < all);
    armci_msg_barrier();
    armci_msg_group_barrier(group);
}

/* Everybody sends to everybody first, large and in two tags; they are taken in another order. */
static void messages(void)
{
    enum { LARGE = 10000 };
    static int sent[LARGE], got[LARGE];
    for (int i = 0; i < LARGE; i++)
        sent[i] = me * LARGE + i;
    for (int i = 0; i < all; i++) {
        armci_msg_snd(1, sent, sizeof sent, (me + i) % all);
        armci_msg_snd(2, &me, sizeof me, (me + i) % all);
        armci_msg_snd(3, NULL, 0, (me + i) % all);
    }
    int length, from, seen = 0;
    for (int i = 0; i < all; i++) {
        int value = -1;
        from = armci_msg_rcvany(2, &value, sizeof value, &length);
        CHECK(value == from && length == sizeof value);
        seen |= 1 << from;
    }
    CHECK_EQ(seen, (1 << all) - 1);
    for (int i = all - 1; i >= 0; i--) {
        armci_msg_rcv(3, NULL, 0, &length, i);
        CHECK_EQ(length, 0);
        armci_msg_rcv(1, got, sizeof got, NULL, i);
        CHECK(got[0] == i * LARGE && got[LARGE - 1] == i * LARGE + LARGE - 1);
    }
}

/* Memory of a group: each member writes into the next one's, and the first has the smallest part,
 * or none. A mutex of the group, and an allocation that ends with it. */
static void group_memory(ARMCI_Group *group, const int *members, int size)
{
    void *base[size], *small[size], *rest[size];
    int rank, next, expected;
    ARMCI_Group_rank(group, &rank);
    next = (rank + 1) % size;
    for (int turn = 0; turn < 20; turn++) {
        CHECK_EQ(ARMCI_Malloc_group(base, 100000 * turn + 8, group), 0);
        CHECK_EQ(ARMCI_Malloc_group(small, 16 * rank, group), 0);
        CHECK((small[0] == NULL) && (size == 1 || small[1] != NULL));
        ARMCI_PutValueInt(me + turn, (char *)base[next] + 100000 * turn, members[next]);
        if (next > 0)
            ARMCI_PutValueInt(me, small[next], members[next]);
        ARMCI_Fence(members[next]);
        armci_msg_group_barrier(group);
        expected = members[(rank + size - 1) % size];
        CHECK_EQ(*(int *)((char *)base[rank] + 100000 * turn), expected + turn);
        CHECK_EQ(ARMCI_GetValueInt((char *)base[next] + 100000 * turn, members[next]), me + turn);
        if (rank > 0)
            CHECK_EQ(*(int *)small[rank], expected);
        CHECK_EQ(ARMCI_Free_group(small[rank], group), 0);
        CHECK_EQ(turn % 2 ? ARMCI_Free(base[rank]) : ARMCI_Free_group(base[rank], group), 0);
    }
    armcix_mutex_hdl_t mutexes = ARMCIX_Create_mutexes_hdl(rank == 0, group);
    CHECK_EQ(ARMCI_Malloc_group(rest, 8, group), 0);
    *(long *)rest[rank] = 0;
    armci_msg_group_barrier(group);
    for (int i = 0; i < 20; i++) {
        ARMCIX_Lock_hdl(mutexes, 0, members[0]);
        ARMCI_PutValueLong(ARMCI_GetValueLong(rest[0], members[0]) + 1, rest[0], members[0]);
        ARMCIX_Unlock_hdl(mutexes, 0, members[0]);
    }
    armci_msg_group_barrier(group);
    CHECK_EQ(ARMCI_GetValueLong(rest[0], members[0]), 20 * size);
    armci_msg_group_barrier(group);
    ARMCIX_Destroy_mutexes_hdl(mutexes);
}

/* Odd and even processes, backwards. */
static void groups(void)
{
    ARMCI_Group group, other, before, child;
    int members[all], size = 0, rank, count;
    for (int i = all - 1; i >= 0; i--)
        if (i % 2 == me % 2)
            members[size++] = i;
    ARMCI_Group_create(size, members, &group);
    CHECK_EQ(ARMCI_Group_rank(&group, &rank), 0);
    ARMCI_Group_size(&group, &count);
    CHECK(count == size && members[rank] == me && ARMCI_Absolute_id(&group, rank) == me);
    int sum = 1;
    armci_msg_group_igop(&sum, 1, "+", &group);
    CHECK_EQ(sum, size);
    int head = me;
    armci_msg_group_bcast_scope(SCOPE_ALL, &head, sizeof head, members[size - 1], &group);
    CHECK_EQ(head, me % 2);
    group_memory(&group, members, size);
    /* Members are numbers in the default group. */
    ARMCI_Group_get_default(&before);
    ARMCI_Group_set_default(&group);
    int first = 0;
    ARMCI_Group_create(1, &first, &child);
    ARMCI_Group_set_default(&before);
    int is_other = ARMCI_Group_rank(&child, &rank);
    CHECK(is_other == (me != members[0]) && rank == -is_other);
    ARMCI_Group_free(&child);
    ARMCI_Group_create_child(1, &first, &child, &group);
    ARMCI_Group_free(&child);
    ARMCIX_Group_dup(&group, &other);
    armci_msg_group_barrier(&other);
    ARMCI_Group_free(&other);
    ARMCIX_Group_split(&before, me % 2, -me, &other);
    CHECK_EQ(ARMCI_Absolute_id(&other, 0), members[0]);
    CHECK_EQ(ARMCI_Uses_shm_grp(&other), 0);
    ARMCI_Group_free(&other);
    ARMCI_Group_free(&group);
}

static void domains(void)
{
    CHECK_EQ(armci_domain_my_id(ARMCI_DOMAIN_SMP), me);
    CHECK_EQ(armci_domain_count(ARMCI_DOMAIN_SMP), all);
    CHECK_EQ(armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1), 1);
    CHECK_EQ(armci_domain_id(ARMCI_DOMAIN_SMP, all - 1), all - 1);
    CHECK_EQ(armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, all - 1, 0), all - 1);
    CHECK_EQ(armci_domain_same_id(ARMCI_DOMAIN_SMP, 0), me == 0);
    CHECK_EQ(ARMCI_Same_node(me) + ARMCI_Uses_shm(), 1);
    double before = armci_timer();
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    CHECK(armci_timer() - before >= 1e-3);
}

int main(int argc, char **argv)
{
    CHECK_EQ(ARMCI_Init_args(&argc, &argv), 0);
    me = armci_msg_me();
    all = armci_msg_nproc();
    ARMCI_Group world;
    ARMCI_Group_get_world(&world);
    memory();
    read_modify_write();
    mutexes();
    collectives(&world);
    messages();
    groups();
    domains();
    ARMCI_Cleanup();
    return ARMCI_Finalize();
}
