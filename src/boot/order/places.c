/* SPDX-License-Identifier: BSD-3-Clause
 * See places.h.
 */
#include "boot/order/places.h"

#include "base/os/process.h"
#include "boot/order/pipe.h"
#include "boot/order/stand_in.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ORDERS, NEWS };

static struct {
    struct sheaf_control *area;
    struct place {
        int pipe[2]; /* -1: closed */
        bool is_asked, is_gone;
    } *place; /* by slot; NULL: there are none */
} here;

static int open_pipe(const struct sheaf_pe *pe, int which, int flags)
{
    return sheaf_pipe_open(pe->stand_in, pe->stand_in_pipe[which], pe->stand_in_inode[which],
                           flags | O_NONBLOCK);
}

static int open_memory(const struct sheaf_pe *pe)
{
    struct sheaf_process owner = {sheaf_load_acquire(&pe->pid), sheaf_load_relaxed(&pe->started)};
    return pe->file < 0 ? -1 : sheaf_process_open_file(&owner, pe->file, pe->file_inode, -1);
}

static bool open_place(struct sheaf_pe *pe, struct place *place)
{
    *place = (struct place){{-1, -1}, false, false};
    if (pe->stand_in == 0)
        return false;
    pe->kept_file = open_memory(pe);
    place->pipe[ORDERS] = open_pipe(pe, ORDERS, O_WRONLY);
    place->pipe[NEWS] = open_pipe(pe, NEWS, O_RDONLY);
    return pe->kept_file >= 0 && place->pipe[ORDERS] >= 0 && place->pipe[NEWS] >= 0;
}

void sheaf_places_begin(struct sheaf_control *control)
{
    here.area = control;
}

bool sheaf_places_open(void)
{
    bool all = true;
    here.place = calloc((size_t)here.area->npes, sizeof *here.place);
    for (int slot = 0; here.place && slot < here.area->npes; slot++)
        all &= open_place(sheaf_control_pe(here.area, slot), &here.place[slot]);
    return here.place && all;
}

static bool tell(struct place *place, const struct sheaf_stand_in_order *order)
{
    return place->pipe[ORDERS] >= 0 && write(place->pipe[ORDERS], order, sizeof *order) == sizeof *order;
}

void sheaf_places_start(int slot)
{
    struct sheaf_stand_in_order order = {.what = SHEAF_STAND_IN_START};
    struct place *place = &here.place[slot];
    snprintf(order.place, sizeof order.place, "%d %d %d %016lx", (int)getpid(),
             sheaf_control_pe(here.area, 0)->kept_file, slot, (unsigned long)here.area->job_id);
    place->is_asked = true;
    place->is_gone = !tell(place, &order);
}

bool sheaf_places_watch(struct pollfd *fds)
{
    bool all = true;
    for (int slot = 0; slot < here.area->npes; slot++) {
        const struct place *place = here.place ? &here.place[slot] : NULL;
        bool is_asked = place && place->is_asked;
        fds[slot] = (struct pollfd){.fd = is_asked ? place->pipe[NEWS] : -1, .events = POLLIN};
        all &= !is_asked || !place->is_gone;
    }
    return all;
}

int32_t sheaf_places_hear(int slot)
{
    struct sheaf_stand_in_news news;
    struct place *place = here.place ? &here.place[slot] : NULL;
    if (!place || !place->is_asked)
        return 0;
    ssize_t got = place->is_gone ? 0 : read(place->pipe[NEWS], &news, sizeof news);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    place->is_asked = false;
    return got == sizeof news && news.pid > 0 ? news.pid : -1;
}

void sheaf_places_end(int status)
{
    struct sheaf_stand_in_order order = {.what = SHEAF_STAND_IN_END, .status = status};
    for (int slot = 0; here.place && slot < here.area->npes; slot++)
        tell(&here.place[slot], &order);
}
