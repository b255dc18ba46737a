/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every reduction and scan, for all types: over teams and over active sets, in place and not,
 * with negative numbers, wrap-around and the types' limits. The numbers are chosen so that the
 * order of combination cannot change a floating-point result.
 */
#include "reduce.h"

#include "check.h"

#include <string.h>

enum { COUNT = 20, GUARD = 2, TOTAL = COUNT + GUARD, AREA = TOTAL * TYPE_MAX_BYTES };

static const char *const kind_names[REDUCTIONS] = {"and", "or",   "xor",        "max",       "min",
                                                   "sum", "prod", "sum_inscan", "sum_exscan"};

static _Alignas(16) char source_area[AREA];
static _Alignas(16) char dest_area[AREA];
static _Alignas(16) char work_area[(COUNT + SHMEM_REDUCE_MIN_WRKDATA_SIZE) * TYPE_MAX_BYTES];
static long sync_area[SHMEM_REDUCE_SYNC_SIZE];

struct round {
    const struct reduce_row *row;
    const struct test_type *type;
    const struct group *group;
    enum reduction kind;
    bool in_place;
};

/* Keys whose value is neither a limit nor zero. */
static uint64_t between(int rank, int index)
{
    return 5 * (uint64_t)(40 * rank + index) + 3;
}

static void make_ordered(const struct test_type *type, void *value, int rank, int index)
{
    if (index % 4 == 0)
        type->make(value, between(rank, index));
    else if (index % 4 == 1)
        type->small(value, index - 3 * (rank + 1));
    else
        type->make(value, (uint64_t)(31 * rank + index));
}

/* One rank has a limit, or all bits of the type's precision; the others have nothing. */
static void make_sum(const struct test_type *type, void *value, int rank, int index, int size)
{
    const bool chosen = rank == index % size;
    if (index % 4 == 0)
        type->small(value, rank + 1 - size / 2);
    else if (!chosen)
        type->small(value, 0);
    else if (index % 4 == 1)
        type->maximum(value);
    else if (index % 4 == 2)
        type->minimum(value);
    else
        type->make(value, between(rank, index));
}

static void make_product(const struct test_type *type, void *value, int rank, int index, int size,
                         bool is_complex)
{
    const bool chosen = rank == index % size;
    if (index % 2 == 0 || is_complex)
        type->small(value, rank % 4 == 3 ? -1 : rank < 5 ? 2 : 1);
    else if (!chosen)
        type->small(value, 1);
    else
        type->make(value, (uint64_t)(rank + 5 * index + index / 2 % 5));
}

static void make(const struct round *round, void *value, int rank, int index)
{
    const struct test_type *type = round->type;
    const int size = round->group->size;
    switch (round->kind) {
    case REDUCE_AND:
        type->small(value, ~(1 << (rank + index) % 7));
        break;
    case REDUCE_OR:
        type->small(value, 1 << (rank + index) % 15);
        break;
    case REDUCE_XOR:
        type->make(value, (uint64_t)(31 * rank + index));
        break;
    case REDUCE_MAX:
    case REDUCE_MIN:
        make_ordered(type, value, rank, index);
        break;
    case REDUCE_PROD:
        make_product(type, value, rank, index, size, round->row->is_complex);
        break;
    default:
        make_sum(type, value, rank, index, size);
    }
}

/* What rank must find in dest; 0 for exscan on rank 0. */
static void expect(const struct round *round, int rank, int index, void *value)
{
    const bool scan = round->kind == SUM_INSCAN || round->kind == SUM_EXSCAN;
    const int last = !scan                        ? round->group->size - 1
                     : round->kind == SUM_INSCAN  ? rank
                                                  : rank - 1;
    const enum reduction kind = scan ? REDUCE_SUM : round->kind;
    round->type->small(value, 0);
    for (int i = 0; i <= last; i++) {
        char operand[TYPE_MAX_BYTES];
        make(round, operand, i, index);
        if (i == 0)
            make(round, value, i, index);
        else
            round->row->combine(kind, value, operand);
    }
}

static void check_sync_restored(const struct group *group)
{
    for (int i = 0; group->sync && i < SHMEM_REDUCE_SYNC_SIZE; i++)
        CHECK_EQ(group->sync[i], SHMEM_SYNC_VALUE);
}

static void check_reduction(const struct round *round)
{
    const size_t size = round->type->size;
    char *dest = round->in_place ? source_area : dest_area;
    char expected[AREA];
    test_fill(round->type, source_area, TOTAL, 11);
    test_fill(round->type, dest_area, TOTAL, 11);
    test_fill(round->type, expected, TOTAL, 11);
    for (int i = 0; i < COUNT && round->group->rank >= 0; i++) {
        make(round, source_area + (size_t)i * size, round->group->rank, i);
        expect(round, round->group->rank, i, expected + (size_t)i * size);
    }
    shmem_sync_all();
    if (round->group->rank >= 0) {
        const int status =
            round->row->calls[round->kind](round->group, dest, source_area, COUNT);
        char what[64];
        CHECK_EQ(status, 0);
        snprintf(what, sizeof what, "%s%s", kind_names[round->kind],
                 round->in_place ? " in place" : "");
        test_compare(round->type, dest, expected, TOTAL, what);
        check_sync_restored(round->group);
    }
    shmem_sync_all();
}

/* Collective over the world; PEs outside the group have rank -1. */
static void check_group(const struct group *group, const struct reduce_row *rows, size_t count)
{
    struct round round = {.group = group};
    for (size_t i = 0; i < count; i++) {
        round.row = &rows[i];
        round.type = test_type(rows[i].type);
        for (int variant = 0; variant < 2 * REDUCTIONS; variant++) {
            round.kind = variant / 2;
            round.in_place = variant % 2;
            /* With many PEs per core half of the combinations have to do. */
            const bool chosen = group->size <= 8 || (i + (size_t)round.kind) % 2 == round.in_place;
            if (round.row->calls[round.kind] && chosen)
                check_reduction(&round);
        }
    }
}

static void check_team(int start, int stride, int size)
{
    struct group group;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &group.team),
             0);
    group.size = size;
    group.rank = shmem_team_my_pe(group.team);
    group.work = NULL;
    group.sync = NULL;
    check_group(&group, reduce_team_rows, reduce_team_row_count);
    shmem_team_destroy(group.team);
}

static void check_active_set(int start, int log_stride, int size)
{
    const int distance = shmem_my_pe() - start;
    const bool member = distance >= 0 && distance % (1 << log_stride) == 0
                        && distance >> log_stride < size;
    struct group group = {
        .start = start,
        .log_stride = log_stride,
        .size = size,
        .rank = member ? distance >> log_stride : -1,
        .work = work_area,
        .sync = sync_area,
    };
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        sync_area[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    check_group(&group, reduce_set_rows, reduce_set_row_count);
}

int main(void)
{
    shmem_init();
    const int n = shmem_n_pes();
    const struct group world = {
        .team = SHMEM_TEAM_WORLD, .size = n, .rank = shmem_my_pe(), .sync = NULL};
    check_group(&world, reduce_team_rows, reduce_team_row_count);
    check_team(n - 1, -1, n);
    check_team(0, 2, (n + 1) / 2);

    check_active_set(0, 0, n);
    if (n > 1)
        check_active_set(1, 0, n - 1);
    check_active_set(0, 1, (n + 1) / 2);
    return test_finish();
}
