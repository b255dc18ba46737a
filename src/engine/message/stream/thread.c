/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of the progress thread, awake, napping or asleep, and how it is woken.
 */
#include "engine/message/stream/worker.h"

#include <unistd.h>

struct sheaf_msg_thread sheaf_msg_thread = {.wake = -1};
_Thread_local bool sheaf_msg_is_progress_thread;

void sheaf_msg_thread_set(enum sheaf_msg_thread_state state)
{
    __atomic_store_n(&sheaf_msg_thread.state, state, __ATOMIC_SEQ_CST);
    sheaf_fence_full();
}

enum sheaf_msg_thread_state sheaf_msg_thread_get(void)
{
    return __atomic_load_n(&sheaf_msg_thread.state, __ATOMIC_SEQ_CST);
}

void sheaf_msg_thread_wake(void)
{
    uint64_t one = 1;
    ssize_t ignored = write(sheaf_msg_thread.wake, &one, sizeof one);
    (void)ignored;
}

void sheaf_msg_nudge(void)
{
    if (__atomic_exchange_n(&sheaf_msg_thread.state, SHEAF_THREAD_AWAKE,
                            __ATOMIC_SEQ_CST) != SHEAF_THREAD_AWAKE)
        sheaf_msg_thread_wake();
}

bool sheaf_msg_thread_is_asleep(void)
{
    return sheaf_msg_state.has_thread && sheaf_msg_thread_get() == SHEAF_THREAD_SLEEPS;
}

/* A napping thread that has found an automatic batch open before looks in time by itself. */
void sheaf_msg_nudge_for_batch(bool is_automatic)
{
    bool naps = sheaf_msg_thread_get() == SHEAF_THREAD_NAPS;
    bool naps_too_long = naps && is_automatic && !sheaf_load_relaxed(&sheaf_msg_thread.knows_automatic);
    if (sheaf_msg_thread_is_asleep() || naps_too_long)
        sheaf_msg_nudge();
}

/* While the thread sleeps on the descriptors it does not look: what the program takes first does not wake
 * it. */
uint64_t sheaf_msg_thread_looks_in(void)
{
    if (!sheaf_msg_state.has_thread)
        return UINT64_MAX;
    switch (sheaf_msg_thread_get()) {
    case SHEAF_THREAD_AWAKE:
        return 0;
    case SHEAF_THREAD_NAPS:
        return sheaf_load_relaxed(&sheaf_msg_thread.nap_ns);
    case SHEAF_THREAD_LINGERS:
        return sheaf_pace_table.batch_age;
    default:
        return UINT64_MAX;
    }
}
