/* SPDX-License-Identifier: BSD-3-Clause
 * See abort.h.
 */
#include "boot/end/abort.h"

#include "base/atomic.h"
#include "base/os/process.h"
#include "base/times.h"
#include "boot/end/exit_claim.h"
#include "boot/end/watch_hosts.h"
#include "boot/launcher/connection.h"
#include "boot/world/world.h"
#include "image/image.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

void sheaf_boot_abort(int status)
{
    static bool is_asked;
    if (sheaf_image.is_forked ||
        (!sheaf_connection_is_open() && !__atomic_load_n(&is_asked, __ATOMIC_ACQUIRE)))
        return;
    if (__atomic_exchange_n(&is_asked, true, __ATOMIC_ACQ_REL)) {
        poll(NULL, 0, sheaf_times_ms(sheaf_times.abort_asked));
        return;
    }
    sheaf_exit_claim_failure();
    if (sheaf_boot.has_control)
        sheaf_watch_hosts_tell_claim();
    sheaf_exit_claim_leave();
    sheaf_connection_forget();
    poll(NULL, 0, sheaf_times_ms(sheaf_times.launcher_reads));
    sheaf_connection_abort(status & 0xff);
}

static void *ask_launcher(void *unused)
{
    (void)unused;
    sheaf_boot_abort(EXIT_FAILURE);
    return NULL;
}

/* The node's lowest PE goes last: it tells other hosts. A PE of another container can be sent no
 * signal, and leaves by itself. */
static void kill_node(int first)
{
    for (int slot = sheaf_boot.node_npes - 1; slot >= first; slot--) {
        const struct sheaf_pe *entry = sheaf_control_pe(sheaf_image.control, slot);
        struct sheaf_process process = {sheaf_load_acquire(&entry->pid),
                                        sheaf_load_relaxed(&entry->started)};
        if (slot != sheaf_boot.slot && process.started != 0 &&
            sheaf_process_signal(&process, SIGKILL) != 0 && errno == EINVAL)
            sheaf_exit_claim_announce();
    }
}

/* The launcher may be what is gone, and a request to it never return: it gets a thread. */
void sheaf_abort_job(void)
{
    pthread_t thread;
    sheaf_watch_hosts_tell_claim();
    if (pthread_create(&thread, NULL, ask_launcher, NULL) == 0)
        pthread_detach(thread);
    poll(NULL, 0, sheaf_times_ms(sheaf_times.launcher_kills));
    kill_node(1);
    poll(NULL, 0, sheaf_boot.slot == 0 ? 0 : sheaf_times_ms(sheaf_times.launcher_kills));
    kill_node(0);
    _exit(EXIT_FAILURE);
}
