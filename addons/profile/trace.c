/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each thread's ring of events, of which the last stay.
 */
#include "profile/internal.h"

int profile_trace_prepare(struct profile_thread *thread)
{
    thread->trace_chunk = profile_file_add(
        PROFILE_TRACE, thread->number, profile.trace_events * sizeof(struct profile_event), NULL);
    if (!thread->trace_chunk)
        return -1;
    thread->trace_chunk->detail = profile.trace_events;
    thread->events = (struct profile_event *)(thread->trace_chunk + 1);
    return 0;
}

void profile_trace_add(struct profile_thread *thread, const struct profile_event *event)
{
    if (!thread->events)
        return;
    uint64_t number = thread->trace_chunk->count;
    thread->events[number % profile.trace_events] = *event;
    __atomic_store_n(&thread->trace_chunk->count, number + 1, __ATOMIC_RELEASE);
}
