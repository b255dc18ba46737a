/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Started by test_ends.py: process 1 makes the mistake that the argument names, or is killed; or
 * all count descriptors.
 */
#include <armcix.h>

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int me, all, scale = 1, strides[9] = {64, 64, 64, 64, 64, 64, 64, 64, 64},
                    count[10] = {8, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static long value;
static char *freed, *live;
static void *pieces[1] = {&value}, *places[1];
static armci_giov_t list = {pieces, places, 8, -1};
static ARMCI_Group others, no_group;
static armci_hdl_t handle = {1000000, 0};

static void put(void)
{
    ARMCI_Put(&value, live, 8, 2);
}
static void put_none(void)
{
    ARMCI_NbGet(live, &value, 8, -1, NULL);
}
static void put_freed(void)
{
    ARMCI_Put(&value, freed, 8, 0);
}
static void accumulate_freed(void)
{
    ARMCI_Acc(ARMCI_ACC_INT, &scale, &value, freed, 8, 0);
}
static void get_beyond(void)
{
    ARMCI_Get(live + 60, &value, 8, 0);
}
static void get_negative(void)
{
    ARMCI_Get(live, &value, -8, 0);
}
static void strided_beyond(void)
{
    count[1] = INT_MAX;
    ARMCI_PutS(&value, strides, live, strides, count, 1, 0);
}
static void strided_levels(void)
{
    ARMCI_NbGetS(live, strides, &value, strides, count, 9, 0, NULL);
}
static void strided_count(void)
{
    count[3] = -1;
    ARMCI_AccS(ARMCI_ACC_LNG, &value, &value, strides, live, strides, count, 3, 0);
}
static void strided_overflow(void)
{
    for (int i = 0; i < 8; i++)
        strides[i] = count[i + 1] = INT_MAX;
    ARMCI_PutS(&value, strides, live, strides, count, 8, 0);
}
static void vector_count(void)
{
    ARMCI_PutV(&list, 1, 0);
}
static void vector_freed(void)
{
    list.ptr_array_len = 1;
    places[0] = freed;
    ARMCI_GetV(&(armci_giov_t){places, pieces, 8, 1}, 1, 0);
}
static void type(void)
{
    ARMCI_Acc(6, &value, &value, live, 8, 0);
}
static void wrong_alignment(void)
{
    places[0] = live + 4;
    ARMCI_AccV(ARMCI_ACC_DCP, live, &(armci_giov_t){pieces, places, 16, 1}, 1, 0);
}
static void strided_alignment(void)
{
    ARMCI_AccS(ARMCI_ACC_CPL, &value, &value, strides, live + 2, strides, count, 1, 0);
}
static void part_of_element(void)
{
    ARMCI_Acc(ARMCI_ACC_DBL, &value, &value, live, 12, 0);
}
static void rmw_operation(void)
{
    ARMCI_Rmw(4, &value, live, 1, 0);
}
static void rmw_place(void)
{
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &value, live + 4, 1, 0);
}
static void no_mutexes(void)
{
    ARMCI_Lock(0, 0);
}
static void mutex_number(void)
{
    ARMCI_Lock(3, 1);
}
static void unlock_free(void)
{
    ARMCI_Lock(1, 0);
    ARMCI_Unlock(1, 0);
    ARMCI_Unlock(1, 0);
}
static void lock_twice(void)
{
    ARMCI_Lock(0, 1);
    ARMCI_Lock(1, 1);
    ARMCI_Lock(0, 1);
}
static void no_source(void)
{
    ARMCI_NbPut(NULL, live, 8, 0, NULL);
}
static void no_scale(void)
{
    ARMCI_AccS(ARMCI_ACC_LNG, NULL, &value, strides, live, strides, count, 1, 0);
}
/* Behind a right call, so that the next one takes the short way. */
static void short_no_source(void)
{
    ARMCI_Put(&value, live, 8, 0);
    ARMCI_Put(NULL, live, 8, 0);
}
static void short_no_place(void)
{
    ARMCI_Put(&value, live, 8, 0);
    ARMCI_Get(live, NULL, 8, 0);
}
static void short_no_scale(void)
{
    ARMCI_Put(&value, live, 8, 0);
    ARMCI_Acc(ARMCI_ACC_DBL, NULL, &value, live, 8, 0);
}
static void short_no_numbers(void)
{
    ARMCI_Put(&value, live, 8, 0);
    ARMCI_Acc(ARMCI_ACC_LNG, &value, NULL, live, 16, 0);
}
static void rmw_no_result(void)
{
    ARMCI_Put(&value, live, 8, 0);
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, NULL, live, 1, 0);
}
static void no_piece(void)
{
    ARMCI_PutV(&(armci_giov_t){(void *[]){NULL}, (void *[]){live}, 8, 1}, 1, 0);
}
static void no_members(void)
{
    ARMCI_Group_create(2, NULL, &no_group);
}
static void no_message(void)
{
    armci_msg_snd(1, NULL, 8, 0);
}
static void no_values(void)
{
    armci_msg_igop(NULL, 3, "+");
}
static void no_buffer(void)
{
    armci_msg_brdcst(NULL, 8, 0);
}
static void no_bases(void)
{
    ARMCI_Malloc(NULL, 8);
}
static void no_strides(void)
{
    ARMCI_GetS(live, strides, &value, NULL, count, 2, 0);
}
static void no_count(void)
{
    ARMCI_PutS(&value, strides, live, strides, NULL, 0, 0);
}
static void no_addresses(void)
{
    ARMCI_PutV(&(armci_giov_t){NULL, places, 8, INT_MAX}, 1, 0);
}
static void free_twice(void)
{
    ARMCI_Free(freed);
}
static void negative_size(void)
{
    void *base[2];
    ARMCI_Malloc(base, -1);
}
static void group_of_others(void)
{
    void *base[2];
    ARMCI_Malloc_group(base, 8, &others);
}
static void group_of_none(void)
{
    armci_msg_group_barrier(&no_group);
}
static void member(void)
{
    ARMCI_Group_create(1, (int[]){2}, &others);
}
static void wait_for_garbage(void)
{
    ARMCI_Wait(&handle);
}
static void operation(void)
{
    int x = 0;
    armci_msg_igop(&x, 1, "sum");
}
static void operation_of_type(void)
{
    double x = 0;
    armci_msg_dgop(&x, 1, "or");
}
static void root(void)
{
    armci_msg_bcast(&value, 8, 5);
}
static void receive(void)
{
    armci_msg_snd(1, &value, 8, 1);
    armci_msg_rcv(1, &value, 4, NULL, 1);
}
static void say(void)
{
    ARMCI_Error("no more of this", 3);
}
/* Process 0 waits in the barrier at the end of main. */
static void be_late(void)
{
    sleep(100);
}
static void abort_job(void)
{
    armci_msg_abort(256);
}
static void be_killed(void)
{
    kill(getpid(), SIGKILL);
}

/* More allocations, alive at once, than a process may have files open. */
static void count_descriptors(void)
{
    enum { ALLOCATIONS = 1000 };
    static void *base[ALLOCATIONS][2];
    int descriptors[2] = {0};
    for (int turn = 0; turn < 2; turn++) {
        DIR *folder = opendir("/proc/self/fd");
        while (readdir(folder))
            descriptors[turn]++;
        closedir(folder);
        for (int i = 0; i < ALLOCATIONS && turn == 0; i++)
            if (ARMCI_Malloc(base[i], 100 + i) != 0)
                abort();
    }
    for (int i = 0; i < ALLOCATIONS; i++) {
        ARMCI_Put(&i, base[i][1 - me], sizeof i, 1 - me);
        ARMCI_Barrier();
        if (*(int *)base[i][me] != i)
            abort();
        ARMCI_Free(base[i][me]);
    }
    printf("process %d: %d more\n", me, descriptors[1] - descriptors[0]);
}

static const struct {
    const char *name;
    void (*call)(void);
} cases[] = {
#define CASE(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }
    CASE(put),
    CASE(put_none),
    CASE(put_freed),
    CASE(accumulate_freed),
    CASE(get_beyond),
    CASE(get_negative),
    CASE(strided_beyond),
    CASE(strided_levels),
    CASE(strided_count),
    CASE(strided_overflow),
    CASE(vector_count),
    CASE(vector_freed),
    CASE(type),
    CASE(wrong_alignment),
    CASE(strided_alignment),
    CASE(part_of_element),
    CASE(rmw_operation),
    CASE(rmw_place),
    CASE(no_mutexes),
    CASE(mutex_number),
    CASE(unlock_free),
    CASE(lock_twice),
    CASE(no_source),
    CASE(no_scale),
    CASE(short_no_source),
    CASE(short_no_place),
    CASE(short_no_scale),
    CASE(short_no_numbers),
    CASE(rmw_no_result),
    CASE(no_piece),
    CASE(no_members),
    CASE(no_message),
    CASE(no_values),
    CASE(no_buffer),
    CASE(no_bases),
    CASE(no_strides),
    CASE(no_count),
    CASE(no_addresses),
    CASE(free_twice),
    CASE(negative_size),
    CASE(group_of_others),
    CASE(group_of_none),
    CASE(member),
    CASE(wait_for_garbage),
    CASE(operation),
    CASE(operation_of_type),
    CASE(root),
    CASE(receive),
    CASE(say),
    CASE(abort_job),
    CASE(be_killed),
    CASE(be_late),
};

int main(int argc, char **argv)
{
    if (argc < 2) {
        ARMCI_Put(&value, &value, 8, 0); /* before ARMCI_Init */
        return 0;
    }
    ARMCI_Init();
    me = armci_msg_me(), all = armci_msg_nproc();
    void *base[2][2];
    ARMCI_Malloc(base[0], 64);
    ARMCI_Malloc(base[1], 64);
    freed = base[0][0], live = base[1][0];
    ARMCI_Put(&value, freed, sizeof value, 0); /* the allocation that calls found last */
    ARMCI_Free(base[0][me]);
    ARMCI_Group_create(1, (int[]){0}, &others);
    if (strcmp(argv[1], "mutex_number") == 0 || strstr(argv[1], "lock_"))
        ARMCI_Create_mutexes(2);
    if (strcmp(argv[1], "count_descriptors") == 0)
        count_descriptors();
    for (size_t i = 0; i < sizeof cases / sizeof *cases && me == 1; i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].call();
    ARMCI_Barrier();
    ARMCI_Free(base[1][me]);
    return ARMCI_Finalize();
}
