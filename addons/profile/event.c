/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Users' events and counters by name, summed up, and in the thread's ring where there is one.
 */
#include "profile/internal.h"

#include <string.h>

static struct profile_chunk *names;

int profile_names_prepare(void)
{
    names =
        profile_file_add(PROFILE_NAMES, 0, PROFILE_MAX_NAMES * sizeof(struct profile_name), NULL);
    return names ? 0 : -1;
}

/* The lock is held. NULL where there are too many. */
static struct profile_name *find(const char *text)
{
    struct profile_name *all = (struct profile_name *)(names + 1);
    for (uint64_t i = 0; i < names->count; i++)
        if (strncmp(all[i].name, text, sizeof all[i].name - 1) == 0)
            return &all[i];
    if (names->count == PROFILE_MAX_NAMES)
        return NULL;
    strncpy(all[names->count].name, text, sizeof all->name - 1);
    return &all[names->count++];
}

static void sum_up(struct profile_name *name, int kind, uint64_t now, double value)
{
    if (kind == PROFILE_BEGIN) {
        name->count++;
        if (name->depth++ == 0)
            name->since = now;
    } else if (kind == PROFILE_END) {
        if (name->depth && --name->depth == 0)
            name->ticks += now - name->since;
    } else {
        name->least = name->count == 0 || value < name->least ? value : name->least;
        name->most = name->count == 0 || value > name->most ? value : name->most;
        name->sum += value;
        name->last = value;
        name->count++;
        name->is_counter = 1;
    }
}

void profile_event(const char *text, int kind, double value)
{
    if (!profile.is_on || !text || !profile_thread())
        return;
    uint64_t now = profile_ticks();
    pthread_mutex_lock(&profile.lock);
    struct profile_name *name = find(text);
    if (name)
        sum_up(name, kind, now, value);
    pthread_mutex_unlock(&profile.lock);
    profile.header->last = now;
    if (!name || !profile.is_tracing)
        return;
    struct profile_event event = {.begin = now,
                                  .end = now,
                                  .pe = -1,
                                  .kind = (uint32_t)kind,
                                  .site = (uint32_t)(name - (struct profile_name *)(names + 1))};
    memcpy(&event.bytes, &value, sizeof value);
    profile_trace_add(profile_thread(), &event);
}
