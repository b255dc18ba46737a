/* SPDX-License-Identifier: BSD-3-Clause
 * See network.h.
 */
#include "survive/network.h"

#include "base/log.h"
#include "boot/boot.h"
#include "core/access/far.h"
#include "image/image.h"
#include "survive/failure.h"

static bool is_dead(int pe)
{
    return sheaf_failure_presence(pe) != SHEAF_PE_THERE;
}

static uint32_t incarnation_state(int pe)
{
    return sheaf_control_incarnation_state(sheaf_job.control, pe);
}

/* All is messages, and the processors do the atomic operations: what a network does by itself for a PE that
 * has died was not tried. */
int sheaf_survive_prepare_engine(const struct sheaf_engine *engine, struct sheaf_engine_job *job)
{
    if (engine == &sheaf_engine_several) {
        sheaf_error("SH208 SHEAF_FAILURES=report: on several hosts a job needs a single network to go on "
                    "after a death: set SHEAF_ENGINE=ucx or ofi, or leave it out");
        return -1;
    }
    if (engine == &sheaf_engine_mpi) {
        sheaf_error("SH208 SHEAF_FAILURES=report: on several hosts a job over MPI cannot go on after a "
                    "death: MPI ends with the first PE; set SHEAF_ENGINE=ucx or ofi, or leave it out");
        return -1;
    }
    job->is_dead = is_dead;
    job->incarnation_state = incarnation_state;
    job->incarnation = incarnation_state(sheaf_job.pe) / 2;
    job->rma = SHEAF_RMA_MESSAGE;
    job->atomics = SHEAF_ATOMICS_CPU;
    job->native_atomics = 0;
    return 0;
}

/* An operation on all PEs is lost where a part of it, on a dead PE, has failed. */
void sheaf_survive_heed_far(struct sheaf_far_call *far)
{
    bool is_lost = far->pe == SHEAF_EVERY_PE ? sheaf_network->take_failed(far->stream) : is_dead(far->pe);
    if (is_lost && !sheaf_far_outlives_deaths)
        sheaf_failure_raise_far();
}

static void look_at(int pe)
{
    struct sheaf_far_call far;
    uint64_t word;
    const void *there = sheaf_image.segments[SHEAF_SEGMENT_HEAP].start;
    sheaf_far_begin(&far, SHMEM_CTX_DEFAULT, pe);
    while (!sheaf_network->get(far.stream, pe, &word, there, sizeof word, &far.left))
        sheaf_wait_step(&far.wait);
    sheaf_far_finish(&far);
}

/* No connection is in the making when a PE dies: UCX 1.13 ends the process then, by an assertion. */
static void connect_all(void)
{
    sheaf_far_outlives_deaths = true;
    for (int step = 1; step < sheaf_job.npes; step++) {
        int pe = (sheaf_job.pe + step) % sheaf_job.npes;
        if (sheaf_boot_node_of(pe) != sheaf_boot.node && !is_dead(pe))
            look_at(pe);
    }
    sheaf_far_outlives_deaths = false;
}

void sheaf_survive_connect_engine(void)
{
    if (!sheaf_network)
        return;
    if (sheaf_boot.is_respawned)
        sheaf_network->forget_dead();
    connect_all();
}

void sheaf_survive_renew_engine(void)
{
    if (!sheaf_network)
        return;
    sheaf_network->renew();
    connect_all();
}
