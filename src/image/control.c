/* SPDX-License-Identifier: BSD-3-Clause
 * See control.h.
 */
#include "image/control.h"

#include "base/os/os.h"

void sheaf_control_barrier(struct sheaf_control *control)
{
    uint32_t epoch = sheaf_load_acquire(&control->boot_epoch);
    uint32_t last = (uint32_t)control->npes - 1;

    if (__atomic_fetch_add(&control->boot_arrived, 1, __ATOMIC_ACQ_REL) == last) {
        sheaf_store_relaxed(&control->boot_arrived, 0);
        sheaf_store_release(&control->boot_epoch, epoch + 1);
        sheaf_os_futex_wake(&control->boot_epoch);
        return;
    }
    while (sheaf_load_acquire(&control->boot_epoch) == epoch)
        sheaf_os_futex_wait(&control->boot_epoch, epoch, 0);
}
