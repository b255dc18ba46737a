/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles of nonblocking calls. armci_hdl_t has eight bytes, in two halves that need not be aligned
 * as a pointer is. Its operation is 0 when complete; above 0 the slot of a call, plus 1; below 0
 * calls that are waited for by process: -1 for all processes, -2 - p for process p.
 */
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>

#define AGGREGATE      0x41474752 /* any other value is that of a handle that was not initialized */
#define EVERYBODY      (-1)
#define BY_PROCESS(pe) (-2 - (pe)) /* and back */

struct slot {
    shmemx_handle_t value; /* complete: the slot is free */
    armci_hdl_t *owner;
};
static struct slot *slots;
static int slot_count, first_free; /* no free one lies before that */
static pthread_mutex_t slots_lock = PTHREAD_MUTEX_INITIALIZER;

static void lock_slots(void)
{
    if (sheaf_armci.is_threaded)
        pthread_mutex_lock(&slots_lock);
}

static void unlock_slots(void)
{
    if (sheaf_armci.is_threaded)
        pthread_mutex_unlock(&slots_lock);
}

static int take_slot(struct slot filled)
{
    lock_slots();
    int at = first_free;
    while (at < slot_count && slots[at].value != SHMEMX_HANDLE_COMPLETE)
        at++;
    if (at == slot_count) {
        int more = slot_count ? 2 * slot_count : 64;
        struct slot *grown = realloc(slots, (size_t)more * sizeof *grown);
        if (!grown)
            sheaf_armci_refuse("ARMCI_Nb", "no memory for %d nonblocking calls", more);
        for (int i = slot_count; i < more; i++)
            grown[i] = (struct slot){SHMEMX_HANDLE_COMPLETE, NULL};
        slots = grown;
        slot_count = more;
    }
    slots[at] = filled;
    first_free = at + 1;
    unlock_slots();
    return at;
}

/* Takes the value out of the slot, which is free then. */
static shmemx_handle_t empty_slot(int at)
{
    lock_slots();
    shmemx_handle_t value = slots[at].value;
    slots[at] = (struct slot){SHMEMX_HANDLE_COMPLETE, NULL};
    first_free = at < first_free ? at : first_free;
    unlock_slots();
    return value;
}

void sheaf_armci_handles_fini(void)
{
    for (int i = 0; i < slot_count; i++)
        shmemx_wait(&slots[i].value);
    free(slots);
    slots = NULL;
    slot_count = first_free = 0;
}

/* A handle that is used again without a wait, or was never initialized: what is in it counts only
 * where the slot is this handle's. */
void sheaf_armci_pending_begin(struct sheaf_armci_pending *pending)
{
    armci_hdl_t *handle = pending->handle;
    if (!handle || handle->aggregate == AGGREGATE)
        return;
    int at = handle->operation - 1;
    if (handle->operation > 0 && at < slot_count && slots[at].owner == handle) {
        shmemx_handle_t value = empty_slot(at);
        shmemx_wait(&value);
    }
    handle->operation = 0;
}

shmemx_handle_t *sheaf_armci_pending_next(struct sheaf_armci_pending *pending)
{
    if (!pending->handle || pending->is_several || pending->handle->aggregate == AGGREGATE)
        return NULL;
    return &pending->value;
}

void sheaf_armci_pending_end(struct sheaf_armci_pending *pending)
{
    armci_hdl_t *handle = pending->handle;
    if (!handle)
        return;
    int by_process = BY_PROCESS(pending->pe);
    if (handle->aggregate == AGGREGATE)
        handle->operation =
            handle->operation == 0 || handle->operation == by_process ? by_process : EVERYBODY;
    else if (pending->is_several)
        handle->operation = by_process;
    else if (pending->value != SHMEMX_HANDLE_COMPLETE)
        handle->operation = 1 + take_slot((struct slot){pending->value, handle});
}

static void check_handle(const char *call, const armci_hdl_t *handle)
{
    sheaf_armci_check_up(call);
    if (!handle)
        sheaf_armci_refuse(call, "handle is a null pointer");
    if (handle->operation > slot_count || handle->operation < BY_PROCESS(sheaf_armci.size - 1))
        sheaf_armci_refuse(call, "handle %p was not initialized", (const void *)handle);
}

static void complete_by_process(armci_hdl_t *handle)
{
    if (handle->operation == EVERYBODY)
        sheaf_armci_complete_all();
    else
        sheaf_armci_complete(BY_PROCESS(handle->operation));
}

int PARMCI_Wait(armci_hdl_t *handle)
{
    WAITS
    check_handle(CALL, handle);
    if (handle->operation > 0) {
        shmemx_handle_t value = empty_slot(handle->operation - 1);
        shmemx_wait(&value);
    } else if (handle->operation < 0) {
        complete_by_process(handle);
    }
    handle->operation = 0;
    return 0;
}
TWIN(Wait)

int PARMCI_Test(armci_hdl_t *handle)
{
    WAITS
    check_handle(CALL, handle);
    if (handle->operation > 0) {
        lock_slots();
        int is_complete = shmemx_test(&slots[handle->operation - 1].value);
        unlock_slots();
        if (!is_complete)
            return 1;
        empty_slot(handle->operation - 1);
    } else if (handle->operation < 0) {
        complete_by_process(handle);
    }
    handle->operation = 0;
    return 0;
}
TWIN(Test)

void ARMCI_INIT_HANDLE(armci_hdl_t *handle)
{
    if (!handle)
        sheaf_armci_refuse(CALL, "handle is a null pointer");
    *handle = (armci_hdl_t){0, 0};
}

void ARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t *handle)
{
    if (!handle)
        sheaf_armci_refuse(CALL, "handle is a null pointer");
    *handle = (armci_hdl_t){0, AGGREGATE};
}

/* Calls in it are still to be waited for. */
void ARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t *handle)
{
    if (!handle)
        sheaf_armci_refuse(CALL, "handle is a null pointer");
    handle->aggregate = 0;
}
