/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Deaths of other PEs, where they do not end the job (SHEAF_FAILURES=report): who has died, in the
 * order in which the launcher told it, and the way out of a call that waits for somebody who cannot
 * come. Knows no team.
 *
 * Deaths are numbered from 1. Their count names one set of dead PEs, the same to all who read it.
 */
#ifndef SHEAF_SURVIVE_FAILURE_H
#define SHEAF_SURVIVE_FAILURE_H

#include "core/pe/job.h"
#include "survive/interface/survival.h"

#include <stdbool.h>
#include <stdint.h>

typedef void sheaf_failure_handler(void *argument);

/* Whether deaths are reported to this PE at all. */
extern SHEAF_HIDDEN bool sheaf_failure_is_reported;

/* Their count, or a word that stays 0. */
extern SHEAF_HIDDEN const uint32_t *sheaf_failure_deaths;

/* By init.c, with the control area mapped. 0; or the setting asks for reports that nobody gives: -1
 * with the reason printed. */
int sheaf_failure_init(void);

/* Deaths so far; 0 where none are reported. */
static inline uint32_t sheaf_failure_count(void)
{
    return sheaf_load_acquire(sheaf_failure_deaths);
}

/* The PE whose death that was, 1 to count. */
static inline int sheaf_failure_pe(uint32_t number)
{
    return sheaf_job.control->dead[number - 1] - 1;
}

/* A process's sheaf_job.lock_name: above these bits, which have its PE's number plus 1, the number of the
 * last death in its place before it. Its PE, and whether the process has died. */
#define SHEAF_FAILURE_PE_BITS 18
int sheaf_failure_pe_of(uint32_t name);
bool sheaf_failure_is_gone(uint32_t name);

/* enum sheaf_presence of a PE. */
static inline uint32_t sheaf_failure_presence(int pe)
{
    if (!sheaf_failure_is_reported)
        return SHEAF_PE_THERE;
    return sheaf_control_presence(sheaf_job.control, pe);
}

/* Whether this process has taken a dead one's place, and not rejoined yet: it is no member of
 * any team. By init.c and by those it rejoins. */
extern SHEAF_HIDDEN bool sheaf_failure_is_outside;

/* The PEs that are dead now, in list where that is not NULL; returns how many. The program knows of
 * these deaths then: waits for variables that any PE may change go on. */
int sheaf_failure_list(int *list);

/* Whether the program has not asked since the last death. */
bool sheaf_failure_is_news(void);

/* What this thread does in a call that cannot end: handler, which must not return. NULL: the job ends. */
void sheaf_failure_set_handler(sheaf_failure_handler *handler, void *argument);

/* What this thread clears away first when it leaves the call that it is in. NULL: nothing; whoever has set
 * it does so again before the call ends. */
void sheaf_failure_set_cleanup(sheaf_survival_cleanup *cleanup);

/* Leaves the call that this thread is in. */
_Noreturn void sheaf_failure_raise(void);

/* The same of an operation on a dead PE's memory, which a process may begin before it has rejoined:
 * where it has no handler it dies alone. */
_Noreturn void sheaf_failure_raise_far(void);

#endif
