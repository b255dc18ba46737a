/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Agreements of a team on several nodes that no death disturbs: its members decide them by messages
 * (exchange.h), in the time of two barriers.
 */
#ifndef SHEAF_SURVIVE_AGREE_UNDISTURBED_H
#define SHEAF_SURVIVE_AGREE_UNDISTURBED_H

#include "core/team/team.h"

/* KNOWN: all members say so, but whether all of them know is not known here. Then, and where it is
 * DISTURBED: this member must vote in the log, which decides. */
enum sheaf_undisturbed { SHEAF_UNDISTURBED, SHEAF_UNDISTURBED_KNOWN, SHEAF_DISTURBED };

/* Collective over the team, in its agreement with that number. *flags: mine, then those of all unless it is
 * DISTURBED; *deaths likewise: those that count, of which no member's is one. */
enum sheaf_undisturbed sheaf_undisturbed_agree(struct sheaf_team *team, enum sheaf_agreement_kind kind,
                                               uint32_t number, uint64_t *flags, uint32_t *deaths);

#endif
