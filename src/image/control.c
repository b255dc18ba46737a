/* SPDX-License-Identifier: BSD-3-Clause
 * See control.h.
 */
#include "image/control.h"

#include "base/os/os.h"
#include "base/times.h"

bool sheaf_control_barrier_while(struct sheaf_control *control, bool (*may_end)(void))
{
    uint32_t epoch = sheaf_load_acquire(&control->boot_epoch);
    uint32_t last = (uint32_t)control->npes - 1;

    if (__atomic_fetch_add(&control->boot_arrived, 1, __ATOMIC_ACQ_REL) == last) {
        sheaf_store_relaxed(&control->boot_arrived, 0);
        sheaf_store_release(&control->boot_epoch, epoch + 1);
        sheaf_os_futex_wake(&control->boot_epoch);
        return true;
    }
    while (sheaf_load_acquire(&control->boot_epoch) == epoch) {
        sheaf_os_futex_wait(&control->boot_epoch, epoch, may_end ? sheaf_times.barrier_look : 0);
        if (may_end && sheaf_load_acquire(&control->boot_epoch) == epoch && !may_end())
            return false;
    }
    return true;
}

void sheaf_control_barrier(struct sheaf_control *control)
{
    sheaf_control_barrier_while(control, NULL);
}
