/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The root's listeners while the job runs: a process that comes then is told that all have connected.
 * Otherwise it would try until its time is over. No locks.
 */
#ifndef SHEAF_BOOT_LAUNCHER_RENDEZVOUS_LATECOMERS_H
#define SHEAF_BOOT_LAUNCHER_RENDEZVOUS_LATECOMERS_H

#include "boot/launcher/rendezvous/contact.h"

#include <stdint.h>

/* The listeners are its own from then on, and the plan stays. Their events on the epoll descriptor, and
 * those of connections, have numbers from first on. */
void sheaf_latecomers_open(const struct sheaf_listeners *listeners,
                           const struct sheaf_rendezvous_plan *plan, int events, uint32_t first);
void sheaf_latecomers_close(void); /* also in a forked child, which would keep the port */

/* What has come there. */
void sheaf_latecomers_answer(uint32_t number);

#endif
