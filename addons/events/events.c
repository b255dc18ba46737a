/* SPDX-License-Identifier: BSD-3-Clause
 * See events.h. TAU and Score-P are known by the functions that programs call for events of their own.
 * Their manuals have these functions' names and parameters.
 */
#include "events/events.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define REGION_IS_FUNCTION 1 /* SCOREP_USER_REGION_TYPE_FUNCTION */
#define METRIC_IS_UINT64   1 /* SCOREP_USER_METRIC_TYPE_UINT64 */
#define METRIC_IS_GLOBAL   0 /* SCOREP_USER_METRIC_CONTEXT_GLOBAL */
#define MOST_METRICS       16

static struct {
    void (*start)(const char *), (*stop)(const char *);
    void (*trigger)(const char *, double), (*node)(int);
} tau;

static struct {
    void (*begin)(const char *, uint32_t, const char *, uint32_t), (*end)(const char *);
    void (*metric)(uint32_t *, const char *, const char *, uint32_t, int8_t);
    void (*trigger)(uint32_t, uint64_t);
} scorep;

static bool is_open;

/* Score-P's handles, by the events' names, which stay where they are. */
static struct {
    const char *name;
    uint32_t handle;
} metrics[MOST_METRICS];
static pthread_mutex_t metrics_lock = PTHREAD_MUTEX_INITIALIZER;

static void *function(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

__attribute__((constructor)) static void find_system(void)
{
    tau.start = (void (*)(const char *))function("Tau_start");
    tau.stop = (void (*)(const char *))function("Tau_stop");
    tau.trigger = (void (*)(const char *, double))function("Tau_trigger_context_event");
    tau.node = (void (*)(int))function("Tau_set_node");
    if (!tau.stop || !tau.trigger || !tau.node)
        tau.start = NULL;
    scorep.begin = (void (*)(const char *, uint32_t, const char *, uint32_t))function(
        "SCOREP_User_RegionByNameBegin");
    scorep.end = (void (*)(const char *))function("SCOREP_User_RegionByNameEnd");
    scorep.metric = (void (*)(uint32_t *, const char *, const char *, uint32_t, int8_t))function(
        "SCOREP_User_InitMetric");
    scorep.trigger = (void (*)(uint32_t, uint64_t))function("SCOREP_User_TriggerMetricUint64");
    if (!scorep.end || !scorep.metric || !scorep.trigger)
        scorep.begin = NULL;
}

void events_open(void)
{
    if (tau.start)
        tau.node(pshmem_my_pe());
    else if (!scorep.begin && pshmem_my_pe() == 0)
        fprintf(stderr, "sheaf: events: neither TAU nor Score-P is loaded: libsheaf-events.so has nobody "
                        "to tell; load one of them too, as docs/do/tools.md shows [SH213]\n");
    is_open = true;
}

void events_close(void)
{
    is_open = false;
}

void events_begin(const char *name)
{
    if (tau.start)
        tau.start(name);
    else if (scorep.begin)
        scorep.begin(name, REGION_IS_FUNCTION, "", 0);
}

void events_end(const char *name)
{
    if (tau.start)
        tau.stop(name);
    else if (scorep.begin)
        scorep.end(name);
}

static void trigger_metric(const char *name, uint64_t value)
{
    int i = 0;
    pthread_mutex_lock(&metrics_lock);
    while (i < MOST_METRICS && metrics[i].name && strcmp(metrics[i].name, name) != 0)
        i++;
    if (i < MOST_METRICS && !metrics[i].name) {
        scorep.metric(&metrics[i].handle, name, "bytes", METRIC_IS_UINT64, METRIC_IS_GLOBAL);
        metrics[i].name = name;
    }
    pthread_mutex_unlock(&metrics_lock);
    if (i < MOST_METRICS)
        scorep.trigger(metrics[i].handle, value);
}

void events_moved(shmem_ctx_t ctx, int pe, const void *place, uint64_t bytes)
{
    shmem_team_t team;
    if (!is_open || bytes == 0 || (!tau.start && !scorep.begin))
        return;
    if (ctx != SHMEM_CTX_DEFAULT && pe >= 0 && pshmem_ctx_get_team(ctx, &team) == 0)
        pe = pshmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD);
    const char *name = pe < 0 ? "shmem bytes, collective" : events_place(pe, place);
    if (tau.start)
        tau.trigger(name, (double)bytes);
    else
        trigger_metric(name, bytes);
}

uint64_t events_shape_bytes(const size_t *counts, int dims)
{
    uint64_t bytes = counts && dims > 0 ? 1 : 0;
    for (int i = 0; counts && i < dims; i++)
        bytes *= counts[i];
    return bytes;
}

uint64_t events_vector_bytes(const shmemx_vector_t *vectors, size_t count)
{
    uint64_t bytes = 0;
    for (size_t i = 0; vectors && i < count; i++)
        bytes += (uint64_t)vectors[i].count * vectors[i].bytes;
    return bytes;
}
