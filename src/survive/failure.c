/* SPDX-License-Identifier: BSD-3-Clause
 * See failure.h.
 */
#include "survive/failure.h"

#include "base/log.h"
#include "core/pe/network.h"
#include "core/pe/record.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

bool sheaf_failure_is_reported;
bool sheaf_failure_is_outside;

static const uint32_t none;
const uint32_t *sheaf_failure_deaths = &none;

static uint32_t known; /* deaths that the program has asked for */

static __thread struct {
    sheaf_failure_handler *handler;
    void *argument;
    sheaf_survival_cleanup *cleanup;
} way_out;

/* The number of the last one. */
static uint32_t deaths_of(int pe)
{
    return sheaf_control_died(sheaf_job.control, pe);
}

int sheaf_failure_pe_of(uint32_t name)
{
    return (int)(name & ((1U << SHEAF_FAILURE_PE_BITS) - 1)) - 1;
}

bool sheaf_failure_is_gone(uint32_t name)
{
    uint32_t deaths = name >> SHEAF_FAILURE_PE_BITS;
    return sheaf_failure_is_reported && deaths_of(sheaf_failure_pe_of(name)) != deaths;
}

int sheaf_failure_init(void)
{
    sheaf_job.lock_name = (uint32_t)sheaf_job.pe + 1;
    bool is_wanted = sheaf_job.settings.failures == SHEAF_FAILURES_REPORT;
    sheaf_failure_is_reported = sheaf_job.control && sheaf_job.control->reports_failures;
    sheaf_failure_deaths = sheaf_failure_is_reported ? &sheaf_job.control->deaths : &none;
    if (sheaf_failure_is_reported)
        sheaf_job.lock_name |= deaths_of(sheaf_job.pe) << SHEAF_FAILURE_PE_BITS;
    if (!is_wanted || sheaf_failure_is_reported || sheaf_job.npes == 1)
        return 0;
    sheaf_error("SH208 SHEAF_FAILURES=report: nothing reports deaths to this job: link it with "
                "libsheaf.so, set the variable for oshrun or for all PEs, without SHEAF_ONNODE=off; or "
                "leave it out");
    return -1;
}

int sheaf_failure_list(int *list)
{
    uint32_t now = sheaf_failure_count();
    int count = 0;
    for (int pe = 0; sheaf_failure_is_reported && pe < sheaf_job.npes; pe++) {
        if (sheaf_failure_presence(pe) == SHEAF_PE_THERE)
            continue;
        if (list)
            list[count] = pe;
        count++;
    }
    __atomic_store_n(&known, now, __ATOMIC_RELAXED);
    return count;
}

bool sheaf_failure_is_news(void)
{
    return sheaf_failure_count() != __atomic_load_n(&known, __ATOMIC_RELAXED);
}

void sheaf_failure_set_handler(sheaf_failure_handler *handler, void *argument)
{
    way_out.handler = handler;
    way_out.argument = argument;
}

void sheaf_failure_set_cleanup(sheaf_survival_cleanup *cleanup)
{
    way_out.cleanup = cleanup;
}

static const char *reason(void)
{
    if (sheaf_failure_is_outside)
        return "this process, which has taken its place, must call shmemx_rejoin first";
    if (way_out.handler)
        return "the handler of shmemx_on_failure has returned: it must leave by siglongjmp";
    return "this call cannot end without it: shmemx_on_failure sets what is done then";
}

/* The program learns of the death by leaving this call: no later quiet leaves because of what was under
 * way to the dead by now. Else it would leave once more when it has made a team without the dead, and the
 * others would wait for it there. */
static void settle(void)
{
    if (!sheaf_network)
        return;
    sheaf_network->forget_dead();
    sheaf_network->take_failed(NULL);
}

/* Returns where there is no way out. */
static void leave(bool may_be_outside)
{
    settle();
    if (way_out.cleanup)
        way_out.cleanup();
    way_out.cleanup = NULL;
    sheaf_record_end(&sheaf_recorder->records[sheaf_recorder->begun % SHEAF_RECORDS]);
    if (way_out.handler && (may_be_outside || !sheaf_failure_is_outside))
        way_out.handler(way_out.argument);
}

_Noreturn static void fail(uint32_t last)
{
    int pe = last ? sheaf_failure_pe(last) : -1;
    if (!sheaf_job_is_initialized())
        sheaf_fatal("SH609 shmem_init: PE %d has died before all PEs were connected: the job ends", pe);
    sheaf_fatal("SH608 %s: PE %d has died, and %s", sheaf_call.name ? sheaf_call.name : "a call", pe,
                reason());
}

_Noreturn void sheaf_failure_raise(void)
{
    uint32_t last = sheaf_failure_count();
    leave(false);
    fail(last);
}

_Noreturn void sheaf_failure_raise_far(void)
{
    uint32_t last = sheaf_failure_count();
    leave(true);
    if (!sheaf_failure_is_outside)
        fail(last);
    sheaf_warn("SH604 %s: PE %d has died; this process, which is not connected to the others yet, dies "
               "with it",
               sheaf_call.name ? sheaf_call.name : "a call", last ? sheaf_failure_pe(last) : -1);
    kill(getpid(), SIGKILL);
    _exit(EXIT_FAILURE);
}
