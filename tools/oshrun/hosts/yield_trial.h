/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decides whether PEs that keep their processors yield after fences and quiets (orders). preempt.c
 * calls it at each look; it tries yields, and keeps them while they give more orders in the same time. See
 * core/access/order.h.
 */
#ifndef SHEAF_OSHRUN_YIELD_TRIAL_H
#define SHEAF_OSHRUN_YIELD_TRIAL_H

#include "image/control.h"

#include <stdbool.h>

enum sheaf_help {
    SHEAF_HELP_NONE,
    SHEAF_HELP_YIELDS, /* yields, and preemption between them */
    SHEAF_HELP_GUESS   /* only preemption */
};

/* Chooses the help. is_crowded: more PEs than processors have been busy since the last look, elapsed_ns
 * ago. */
enum sheaf_help sheaf_yield_trial_choose(struct sheaf_control *control, bool is_crowded,
                                         uint64_t elapsed_ns);

/* Whether the next look must come soon. */
bool sheaf_yield_trial_is_on(void);

#endif
