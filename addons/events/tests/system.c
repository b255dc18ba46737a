/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A stand-in for TAU, or with SCOREP for Score-P: writes what it is told, a line each, to the file
 * EVENTS.PID. With SCOREP metrics are told by handle, as Score-P's are.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TELL __attribute__((visibility("default"))) void

static void tell(const char *word, const char *name, double value)
{
    static FILE *out;
    char path[4096];
    if (!out) {
        snprintf(path, sizeof path, "%s.%d", getenv("EVENTS"), (int)getpid());
        out = fopen(path, "w");
        if (!out)
            abort();
        setlinebuf(out);
    }
    fprintf(out, "%s\t%s\t%.0f\n", word, name, value);
}

#ifdef SCOREP
static char names[64][64];

TELL SCOREP_User_RegionByNameBegin(const char *name, uint32_t type, const char *file, uint32_t line)
{
    tell(type == 1 && !*file && line == 0 ? "start" : "wrong", name, 0);
}

TELL SCOREP_User_RegionByNameEnd(const char *name)
{
    tell("stop", name, 0);
}

TELL SCOREP_User_InitMetric(uint32_t *handle, const char *name, const char *unit, uint32_t type,
                            int8_t context)
{
    static uint32_t last;
    if (*handle != 0 || strcmp(unit, "bytes") != 0 || type != 1 || context != 0)
        tell("wrong", name, *handle);
    *handle = ++last;
    snprintf(names[*handle % 64], sizeof names[0], "%s", name);
}

TELL SCOREP_User_TriggerMetricUint64(uint32_t handle, uint64_t value)
{
    tell("event", names[handle % 64], (double)value);
}
#else
TELL Tau_start(const char *name)
{
    tell("start", name, 0);
}

TELL Tau_stop(const char *name)
{
    tell("stop", name, 0);
}

TELL Tau_trigger_context_event(const char *name, double value)
{
    tell("event", name, value);
}

TELL Tau_set_node(int node)
{
    tell("node", "", node);
}
#endif
