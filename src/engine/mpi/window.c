/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows: memory of all PEs that MPI itself reads and writes. All PEs together make one for each part
 * that the protocol offers. A dynamic window could get memory without the other PEs. But MPICH over UCX
 * carries out accesses in one only with the target's processor, and Open MPI first looks up the address
 * at the target.
 */
#include "engine/mpi/mpi.h"

#include "base/atomic.h"
#include "base/clock.h"
#include "base/times.h"

#include <stdlib.h>
#include <string.h>

/* A key as it travels. */
struct key {
    uint64_t start, bytes;
    uint32_t index, zero;
};

/* Whether all PEs have opened the window. They agree, since otherwise their next windows would not
 * correspond. */
static bool open_window(sheaf_transport_memory *memory, void *start, size_t bytes, const char **why)
{
    static char words[160];
    const struct sheaf_mpi_state *state = &sheaf_mpi_state;
    bool is_unified = false;
    int error = state->shim->window_open(&state->data, start, bytes, &memory->window, &is_unified);
    int is_open = error == 0;
    *why = "another PE's MPI makes no window";
    if (error) {
        state->shim->words(error, words, sizeof words);
        *why = words;
    }
    return state->shim->least(&state->data, &is_open) == 0 && is_open;
}

static unsigned next_index(void)
{
    const struct sheaf_transport_memory *latest = sheaf_mpi_state.windows;
    return latest ? latest->index + 1 : 0;
}

/* The window enters the list before others get its key. */
sheaf_transport_memory *sheaf_mpi_offer(void *start, size_t bytes, void **key, size_t *key_bytes,
                                        const char **why)
{
    uintptr_t begins = (uintptr_t)start & ~(uintptr_t)(SHEAF_MPI_ALIGNED - 1);
    size_t length = (uintptr_t)start + bytes - begins;
    sheaf_transport_memory *memory = calloc(1, sizeof *memory);
    struct key *own = malloc(sizeof *own);
    *why = next_index() < SHEAF_MPI_WINDOWS ? "no memory" : "there are too many windows";
    if (!memory || !own || next_index() == SHEAF_MPI_WINDOWS ||
        !open_window(memory, (void *)begins, length, why)) {
        free(memory);
        free(own);
        return NULL;
    }
    memory->index = next_index();
    memory->next = sheaf_mpi_state.windows;
    sheaf_store_release(&sheaf_mpi_state.windows, memory);
    *own = (struct key){begins, length, memory->index, 0};
    *key = own;
    *key_bytes = sizeof *own;
    return memory;
}

void sheaf_mpi_withdraw(sheaf_transport_memory *memory)
{
    struct sheaf_transport_memory **place = &sheaf_mpi_state.windows;
    while (*place != memory)
        place = &(*place)->next;
    *place = memory->next;
    if (!sheaf_mpi_state.shim->is_finalized())
        sheaf_mpi_state.shim->window_close(&memory->window);
    free(memory);
}

static const struct sheaf_transport_memory *find_window(uint32_t index)
{
    const struct sheaf_transport_memory *memory = sheaf_load_acquire(&sheaf_mpi_state.windows);
    while (memory && memory->index != index)
        memory = memory->next;
    return memory;
}

sheaf_transport_key *sheaf_mpi_accept(sheaf_transport_link *link, const void *bytes, size_t length,
                                      const char **why)
{
    struct key offered;
    (void)link;
    *why = "its key has another length: give all hosts the same version of Sheaf";
    if (length != sizeof offered)
        return NULL;
    memcpy(&offered, bytes, sizeof offered);
    const struct sheaf_transport_memory *memory = find_window(offered.index);
    *why = "its key is for a window that is not here";
    if (!memory || offered.start + offered.bytes < offered.start)
        return NULL;
    sheaf_transport_key *key = malloc(sizeof *key);
    *why = "no memory";
    if (key)
        *key = (sheaf_transport_key){memory, offered.start, offered.bytes};
    return key;
}

void sheaf_mpi_forget(sheaf_transport_key *key)
{
    free(key);
}

void sheaf_mpi_ask_to_look(sheaf_transport_link *link)
{
    if (!sheaf_mpi_state.are_served || link->why)
        return;
    uint64_t now_ns = sheaf_clock_ns();
    if (now_ns - link->asked_ns < sheaf_times.mpi_look_again)
        return;
    link->asked_ns = now_ns;
    sheaf_mpi_send_control(link, SHEAF_MPI_LOOK, 0, 0);
}

void sheaf_mpi_begin_asking(sheaf_transport_link *link)
{
    if (sheaf_mpi_state.are_served)
        link->moving_ns = sheaf_clock_ns();
    sheaf_mpi_ask_to_look(link);
}

/* MPI moves long data in several steps, each of which waits for a look. A target that does not look for
 * long gets no more messages. */
void sheaf_mpi_ask_again(sheaf_transport_link *link)
{
    if (sheaf_mpi_state.are_served && sheaf_clock_ns() - link->moving_ns < sheaf_times.mpi_data_moves)
        sheaf_mpi_ask_to_look(link);
}

bool sheaf_mpi_is_flushed(const sheaf_transport_link *link)
{
    uint64_t all = 0;
    for (int i = 0; i < SHEAF_MPI_WINDOWS / 64; i++)
        all |= link->unflushed[i];
    return all == 0;
}

void sheaf_mpi_flush_windows(sheaf_transport_link *link)
{
    const struct sheaf_transport_memory *memory = sheaf_load_acquire(&sheaf_mpi_state.windows);
    if (sheaf_mpi_is_flushed(link))
        return;
    sheaf_mpi_ask_to_look(link);
    for (; memory && !sheaf_mpi_is_flushed(link); memory = memory->next) {
        uint64_t *bits = &link->unflushed[memory->index / 64], bit = (uint64_t)1 << memory->index % 64;
        if (!(*bits & bit))
            continue;
        *bits &= ~bit;
        int error = sheaf_mpi_state.shim->flush(&memory->window, link->rank);
        if (error)
            sheaf_mpi_break_by_error(link, error);
    }
}
