/* SPDX-License-Identifier: BSD-3-Clause
 * See places.h.
 */
#include "boot/order/places.h"

#include "base/os/process.h"
#include "boot/order/stand_in.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ORDERS, NEWS };

#define NOBODY (-1)

static struct {
    struct sheaf_control *area;
    struct place {
        int pipe[2]; /* -1: closed */
        int asked;   /* processes that it has not told of yet */
        bool is_gone;
    } *place; /* by slot of the own area; NULL: there are none */
    int *asked; /* by PE of the world: the stand-in that has been asked for its process; NOBODY */
} here;

static int open_pipe(const struct sheaf_pe *pe, int which, int flags)
{
    return sheaf_process_open_pipe(pe->stand_in, pe->stand_in_pipe[which], pe->stand_in_inode[which],
                           flags | O_NONBLOCK);
}

static int open_memory(const struct sheaf_pe *pe)
{
    struct sheaf_process owner = {sheaf_load_acquire(&pe->pid), sheaf_load_relaxed(&pe->started)};
    return pe->file < 0 ? -1 : sheaf_process_open_file(&owner, pe->file, pe->file_inode, -1);
}

static bool tell(struct place *place, const struct sheaf_stand_in_order *order)
{
    return place->pipe[ORDERS] >= 0 && write(place->pipe[ORDERS], order, sizeof *order) == sizeof *order;
}

static bool open_place(struct sheaf_pe *pe, struct place *place)
{
    const struct sheaf_stand_in_order kept = {.what = SHEAF_STAND_IN_KEPT};
    *place = (struct place){.pipe = {-1, -1}};
    if (pe->stand_in == 0)
        return false;
    pe->kept_file = open_memory(pe);
    place->pipe[ORDERS] = open_pipe(pe, ORDERS, O_WRONLY);
    place->pipe[NEWS] = open_pipe(pe, NEWS, O_RDONLY);
    return pe->kept_file >= 0 && place->pipe[NEWS] >= 0 && tell(place, &kept);
}

void sheaf_places_begin(struct sheaf_control *control)
{
    here.area = control;
}

bool sheaf_places_open(void)
{
    bool all = true;
    here.asked = calloc((size_t)here.area->world_npes, sizeof *here.asked);
    here.place = here.asked ? calloc((size_t)here.area->npes, sizeof *here.place) : NULL;
    for (int pe = 0; here.asked && pe < here.area->world_npes; pe++)
        here.asked[pe] = NOBODY;
    for (int slot = 0; here.place && slot < here.area->npes; slot++)
        all &= open_place(sheaf_control_pe(here.area, slot), &here.place[slot]);
    return here.place && all;
}

static bool ask(int stand_in, int pe, const struct sheaf_stand_in_order *order)
{
    struct place *place = &here.place[stand_in];
    if (place->is_gone || !tell(place, order))
        return false;
    here.asked[pe] = stand_in;
    place->asked++;
    return true;
}

/* Nobody can: that is heard, too. */
static void fail(int stand_in, int pe)
{
    here.asked[pe] = stand_in;
    here.place[stand_in].asked++;
    here.place[stand_in].is_gone = true;
}

void sheaf_places_start(struct sheaf_control *area, int pe)
{
    struct sheaf_stand_in_order order = {.what = SHEAF_STAND_IN_START};
    int slot = sheaf_control_seat(area, pe)->slot, first = slot % here.area->npes;
    snprintf(order.place, sizeof order.place, "%d %d %d %016lx", (int)getpid(),
             sheaf_control_pe(area, 0)->kept_file, slot, (unsigned long)area->job_id);
    for (int step = 0; step < here.area->npes; step++) {
        int stand_in = (first + step) % here.area->npes;
        order.guest = area == here.area && stand_in == slot ? 0 : pe + 1;
        if (ask(stand_in, pe, &order))
            return;
    }
    fail(first, pe);
}

size_t sheaf_places_watch(struct pollfd *fds, bool *all_wait)
{
    size_t count = 0;
    *all_wait = true;
    for (int slot = 0; here.place && slot < here.area->npes; slot++) {
        const struct place *place = &here.place[slot];
        if (place->asked == 0)
            continue;
        fds[count++] = (struct pollfd){.fd = place->pipe[NEWS], .events = POLLIN};
        *all_wait &= !place->is_gone;
    }
    return count;
}

/* The PE that a stand-in tells of; NOBODY: it was not asked for that one. */
static int told_of(int stand_in, int guest)
{
    for (int pe = 0; pe < here.area->world_npes; pe++)
        if (here.asked[pe] == stand_in &&
            (guest < 0 || guest == pe + 1 ||
             (guest == 0 && pe == sheaf_control_pe(here.area, stand_in)->world_pe)))
            return pe;
    return NOBODY;
}

bool sheaf_places_hear(int stand_in, struct sheaf_started *started)
{
    struct sheaf_stand_in_news news = {.guest = -1, .pid = -1}; /* of any: it is gone */
    struct place *place = here.place ? &here.place[stand_in] : NULL;
    if (!place || place->asked == 0)
        return false;
    ssize_t got = place->is_gone ? 0 : read(place->pipe[NEWS], &news, sizeof news);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (got != sizeof news) {
        place->is_gone = true;
        news.guest = news.pid = -1;
    }
    started->pe = told_of(stand_in, news.guest);
    started->process = (struct sheaf_process){news.pid > 0 ? news.pid : -1, news.started};
    if (started->pe == NOBODY)
        return false;
    here.asked[started->pe] = NOBODY;
    place->asked--;
    return true;
}

void sheaf_places_end(int status)
{
    const struct sheaf_stand_in_order order = {.what = SHEAF_STAND_IN_END, .status = status};
    for (int slot = 0; here.place && slot < here.area->npes; slot++)
        tell(&here.place[slot], &order);
}
