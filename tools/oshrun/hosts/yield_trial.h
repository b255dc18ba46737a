/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether PEs that keep their processors yield behind what they order, fences and quiets: tried, and kept
 * up while more of these come to pass so. See core/access/order.h; asked by the metronome at each look.
 */
#ifndef SHEAF_OSHRUN_YIELD_TRIAL_H
#define SHEAF_OSHRUN_YIELD_TRIAL_H

#include "image/control.h"

#include <stdbool.h>

enum sheaf_help {
    SHEAF_HELP_NONE,
    SHEAF_HELP_YIELDS, /* and beats between them */
    SHEAF_HELP_GUESS   /* beats alone */
};

/* is_crowded: more PEs than processors have been busy since the last look, elapsed_ns ago. */
enum sheaf_help sheaf_yield_trial_choose(struct sheaf_control *control, bool is_crowded,
                                         uint64_t elapsed_ns);

/* Whether the next look is to come soon. */
bool sheaf_yield_trial_is_on(void);

#endif
