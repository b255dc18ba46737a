/* SPDX-License-Identifier: BSD-3-Clause
 * See control.h.
 */
#include "image/control.h"

#include "base/os/os.h"
#include "base/times.h"

/* Deaths are listed where they are reported. */
static bool has_lost_pe(struct sheaf_control *control)
{
    return control->nodes == 1 && sheaf_load_acquire(&control->deaths) > 0;
}

bool sheaf_control_barrier_while(struct sheaf_control *control, bool (*may_end)(void))
{
    uint32_t epoch = sheaf_load_acquire(&control->boot_epoch);
    uint32_t last = (uint32_t)control->npes - 1;

    if (has_lost_pe(control))
        return false;
    if (__atomic_fetch_add(&control->boot_arrived, 1, __ATOMIC_ACQ_REL) == last) {
        sheaf_store_relaxed(&control->boot_arrived, 0);
        sheaf_store_release(&control->boot_epoch, epoch + 1);
        sheaf_os_futex_wake(&control->boot_epoch);
        return true;
    }
    while (sheaf_load_acquire(&control->boot_epoch) == epoch) {
        bool looks = may_end || control->reports_failures;
        sheaf_os_futex_wait(&control->boot_epoch, epoch, looks ? sheaf_times.barrier_look : 0);
        if (looks && sheaf_load_acquire(&control->boot_epoch) == epoch &&
            (has_lost_pe(control) || (may_end && !may_end())))
            return false;
    }
    return true;
}

bool sheaf_control_barrier(struct sheaf_control *control)
{
    return sheaf_control_barrier_while(control, NULL);
}
