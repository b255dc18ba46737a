/* SPDX-License-Identifier: BSD-3-Clause
 *
 * No acknowledgements: a PE writes into a neighbour's halo again only after it has heard from that
 * neighbour what the neighbour sent after its last look at that halo. That holds although a slab sends its
 * outer planes before it writes the others: on the way up both outer planes, which alone look at the halo,
 * come before the message, and between the way down and the way up all PEs meet in the gather. Each array
 * of each level has signals of its own, so a signal that overtakes another is not mistaken for it.
 */
#include "halo.h"

#include "app.h"
#include "face.h"

#include <stdlib.h>

#if __has_include(<shmemx.h>)
#include <shmemx.h>
#endif

#define SIDES 2 /* of the halo: 0 below, 1 above */

static int halo_index(int level, enum multigrid_array array, int axis, int side)
{
    return ((level * 2 + (int)array) * 3 + axis) * SIDES + side;
}

#define SIGNALS (MULTIGRID_MOST_LEVELS * 2 * 3 * SIDES)

/* The neighbour whose halo on `side` my face fills. */
static int neighbour_of(const struct multigrid *grid, int axis, int side)
{
    return split_neighbour(&grid->split, grid->part, axis, side == 1 ? -1 : 1);
}

/* My cells that the neighbour's halo on `side` shows. */
static struct face face_mine(const struct box *box, int axis, int side)
{
    return face_of(box, axis, side == 1 ? 1 : box->count[axis]);
}

/* The halo on `side` of PE pe, which has as many cells along the other axes. */
static struct face face_there(const struct multigrid *grid, int level, enum multigrid_array array, int axis,
                              int side, int pe)
{
    long first[3], count[3];
    split_block(&grid->split, pe, level, first, count);
    return face_of(&grid->arrays[level][array], axis, side == 1 ? count[axis] + 1 : 0);
}

static bool is_contiguous(const struct face *face)
{
    return face->inner == 1 && face->outer == 1;
}

/* Where a packed face of mine waits for its way, and, `cells` later, where a neighbour's lands. */
static double *packed_of(const struct halo *halo, int index)
{
    return halo->packed + halo->places[index];
}

static void put_packed(const struct halo *halo, int index, const struct face *mine, int pe)
{
    const long cells = face_cells(mine);
    double *from = packed_of(halo, index);
    face_pack(mine, from);
    shmem_putmem_signal_nbi(from + cells, from, (size_t)cells * sizeof(double), &halo->signals[index],
                            halo->counts[index], SHMEM_SIGNAL_SET, pe);
}

static void put_strided(const struct face *there, const struct face *mine, int pe)
{
#ifdef SHMEMX_MAX_DIMS
    const ptrdiff_t steps[] = {mine->inner_step * (ptrdiff_t)sizeof(double),
                               mine->outer_step * (ptrdiff_t)sizeof(double)};
    const size_t counts[] = {(size_t)mine->run * sizeof(double), (size_t)mine->inner, (size_t)mine->outer};
    const bool flat = mine->inner == 1; /* the inner dimension is none */
    const size_t flat_counts[] = {counts[0], counts[2]};
    shmemx_putmem_strided_nb(there->at, mine->at, steps + flat, steps + flat, flat ? flat_counts : counts,
                             flat ? 2 : 3, pe, NULL);
#else
    for (long i = 0; i < mine->outer; i++) {
        double *dest = there->at + i * mine->outer_step;
        const double *source = mine->at + i * mine->outer_step;
        if (mine->inner > 1)
            shmem_double_iput(dest, source, mine->inner_step, mine->inner_step, (size_t)mine->inner, pe);
        else
            shmem_double_put_nbi(dest, source, (size_t)mine->run, pe);
    }
#endif
}

static void send_signal(const struct halo *halo, int index, int pe)
{
    shmem_putmem_signal(halo->mine, halo->mine, 0, &halo->signals[index], halo->counts[index],
                        SHMEM_SIGNAL_SET, pe);
}

/* Whether a scattered face lies packed where it arrives. */
static bool lands_packed(const struct halo *halo, const struct face *face, const double *cells, int pe)
{
    if (is_contiguous(face) || halo->way == HALO_STRIDED)
        return false;
    return halo->way == HALO_PUT || shmem_ptr(cells, pe) == NULL;
}

static void send_face(const struct multigrid *grid, int level, enum multigrid_array array, int axis,
                      int side)
{
    const struct halo *halo = grid->caller;
    const int index = halo_index(level, array, axis, side), pe = neighbour_of(grid, axis, side);
    const struct box *box = &grid->arrays[level][array];
    const struct face mine = face_mine(box, axis, side);
    struct face there = face_there(grid, level, array, axis, side, pe);
    double *cells = halo->way == HALO_AUTO ? shmem_ptr(there.at, pe) : NULL;
    if (cells != NULL) {
        there.at = cells;
        face_copy(&there, &mine);
        shmem_fence();
        send_signal(halo, index, pe);
    } else if (halo->way == HALO_STRIDED) {
        put_strided(&there, &mine, pe);
        shmem_quiet();
        send_signal(halo, index, pe);
    } else if (is_contiguous(&mine)) {
        shmem_putmem_signal_nbi(there.at, mine.at, (size_t)mine.run * sizeof(double), &halo->signals[index],
                                halo->counts[index], SHMEM_SIGNAL_SET, pe);
    } else {
        put_packed(halo, index, &mine, pe);
    }
}

static void receive_face(const struct multigrid *grid, int level, enum multigrid_array array, int axis,
                         int side)
{
    const struct halo *halo = grid->caller;
    const int index = halo_index(level, array, axis, side);
    const int pe = split_neighbour(&grid->split, grid->part, axis, side == 1 ? 1 : -1);
    const struct box *box = &grid->arrays[level][array];
    const struct face mine = face_of(box, axis, side == 1 ? box->count[axis] + 1 : 0);
    shmem_signal_wait_until(&halo->signals[index], SHMEM_CMP_GE, halo->counts[index]);
    if (lands_packed(halo, &mine, box->cells, pe))
        face_unpack(&mine, packed_of(halo, index) + face_cells(&mine));
}

/* The quiet lets what was sent last time be overwritten; it seldom waits, since the neighbours have
 * answered. One is enough for the axes of an array. */
static void send(struct multigrid *grid, int level, enum multigrid_array array, int axis, bool upper)
{
    const struct halo *halo = grid->caller;
    if (axis == halo->first_axis)
        shmem_quiet();
    for (int side = upper; side < SIDES; side++) {
        halo->counts[halo_index(level, array, axis, side)]++;
        send_face(grid, level, array, axis, side);
    }
}

static void receive(struct multigrid *grid, int level, enum multigrid_array array, int axis, bool upper)
{
    for (int side = upper; side < SIDES; side++)
        receive_face(grid, level, array, axis, side);
}

static void gather(struct multigrid *grid, struct box *whole)
{
    struct halo *halo = grid->caller;
    halo->turn ^= 1;
    shmem_quiet();
    multigrid_pack(grid, halo->mine);
    shmem_double_fcollect(SHMEM_TEAM_WORLD, halo->all[halo->turn], halo->mine,
                          (size_t)multigrid_most(grid));
    multigrid_unpack(grid, halo->all[halo->turn], whole);
}

static int create_arrays(struct multigrid *grid)
{
    for (int level = grid->split.whole + 1; level <= grid->problem->levels; level++) {
        long first[3], count[3], room[3];
        split_block(&grid->split, grid->part, level, first, count);
        split_room(&grid->split, level, room);
        for (int array = 0; array < 2; array++) {
            double *cells = app_allocate((size_t)box_cells(room), sizeof(double), "the cube");
            if (cells == NULL)
                return 1;
            grid->arrays[level][array] = box_of(count, room, cells);
        }
    }
    return 0;
}

/* Room for the two faces of every signal of scattered faces. */
static int create_packed(struct halo *halo, const struct multigrid *grid)
{
    long next = 0;
    for (int level = grid->split.whole + 1; level <= grid->problem->levels; level++)
        for (int i = 0; i < 2 * 3 * SIDES; i++) {
            const int axis = i / SIDES % 3;
            long room[3];
            split_room(&grid->split, level, room);
            const struct box most = box_of(room, room, NULL);
            halo->places[halo_index(level, 0, 0, 0) + i] = next;
            if (axis > 0 && grid->split.grid[axis] > 1)
                next += 2 * (axis == 1 ? room[0] * most.row : room[0] * room[1]);
        }
    halo->packed = app_allocate((size_t)next, sizeof(double), "packed faces");
    return halo->packed == NULL;
}

static int create_gather(struct halo *halo, const struct multigrid *grid)
{
    const size_t most = (size_t)multigrid_most(grid), parts = (size_t)shmem_n_pes();
    halo->mine = app_allocate(most, sizeof(double), "a share of the coarse cube");
    for (int turn = 0; turn < 2 && halo->mine != NULL; turn++) {
        halo->all[turn] = app_allocate(parts * most, sizeof(double), "the coarse cube");
        if (halo->all[turn] == NULL)
            return 1;
    }
    return halo->mine == NULL;
}

int halo_create(struct halo *halo, struct multigrid *grid)
{
    grid->caller = halo;
    grid->send = send;
    grid->receive = receive;
    grid->gather = gather;
    grid->lower_halo = grid->upper_halo = true;
    for (int axis = 0; axis < 3; axis++)
        if (grid->split.grid[axis] > 1)
            halo->first_axis = axis;
    halo->counts = calloc(SIGNALS, sizeof *halo->counts);
    halo->places = calloc(SIGNALS, sizeof *halo->places);
    if (app_agree(halo->counts == NULL || halo->places == NULL) != 0)
        return app_fail("not enough memory");
    halo->signals = app_allocate(SIGNALS, sizeof *halo->signals, "signals");
    if (halo->signals == NULL || create_packed(halo, grid) != 0 || create_gather(halo, grid) != 0)
        return 1;
    return create_arrays(grid);
}

void halo_destroy(struct halo *halo, struct multigrid *grid)
{
    for (int level = grid->problem->levels; level > grid->split.whole; level--)
        for (int array = 1; array >= 0; array--)
            shmem_free(grid->arrays[level][array].cells);
    for (int turn = 1; turn >= 0; turn--)
        shmem_free(halo->all[turn]);
    shmem_free(halo->mine);
    shmem_free(halo->packed);
    shmem_free(halo->signals);
    free(halo->places);
    free(halo->counts);
}
