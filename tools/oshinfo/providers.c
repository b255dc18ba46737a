/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who carries out which operation in a job like this one, and what it takes: oshinfo as the program of a
 * job, over the public interface.
 */
#include "providers.h"

#include "base/sanitize.h"

#include <shmem.h>
#include <shmemx.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LARGE ((size_t)1 << 20)

static const struct probe {
    const char *operation;
    size_t bytes;
} probes[] = {
    {"put", 8},     {"put", 65536}, {"put", LARGE}, {"get", 8},     {"get", 65536},
    {"get", LARGE}, {"signal", 8},  {"fetch", 8},   {"add", 8},     {"xor", 8},
    {"swap", 8},    {"cswap", 8},   {"add", 4},
}, collectives[] = {
    {"barrier", 0},   {"broadcast", 8}, {"broadcast", 65536}, {"fcollect", 8}, {"fcollect", 65536},
    {"reduce", 8},    {"reduce", 65536},
};

static const char *const who[] = {
    [SHMEMX_PROVIDER_NONE] = "nobody",
    [SHMEMX_PROVIDER_PROCESSOR] = "the caller's processor",
    [SHMEMX_PROVIDER_MESSAGE] = "the target's processor",
    [SHMEMX_PROVIDER_NETWORK] = "the network",
    [SHMEMX_PROVIDER_BUILT] = "the network, by cswap",
};

static void print_row(FILE *out, const struct probe *probe, const char *target, void *object, int pe)
{
    char name[SHMEM_MAX_NAME_LEN];
    int provider = shmemx_provider(probe->operation, probe->bytes, object, pe, name);
    double ns = provider != SHMEMX_PROVIDER_NONE
                    ? shmemx_provider_ns(probe->operation, probe->bytes, object, pe) : 0;
    sheaf_sanitize(name, 0);
    if (out)
        fprintf(out, "%-10s%8zu  %-6s%-24s%-40s%10.1f\n", probe->operation, probe->bytes, target,
                who[provider], name, ns);
}

/* Whether a PE before pe is reached through the same channel: then it needs no rows of its own. */
static bool is_like_another(int pe, void *object)
{
    char name[SHMEM_MAX_NAME_LEN], other[SHMEM_MAX_NAME_LEN];
    int provider = shmemx_provider("put", 8, object, pe, name);
    for (int before = 1; before < pe; before++)
        if (shmemx_provider("put", 8, object, before, other) == provider && !strcmp(name, other))
            return true;
    return false;
}

/* The others are in a barrier meanwhile, where they serve what arrives. */
static void print_targets(FILE *out, void *object)
{
    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        char target[16];
        if (pe > 0 && is_like_another(pe, object))
            continue;
        snprintf(target, sizeof target, "PE %d", pe);
        for (size_t i = 0; i < sizeof probes / sizeof *probes; i++)
            print_row(out, &probes[i], target, object, pe);
    }
}

int sheaf_providers_print(FILE *out)
{
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    void *object = shmem_calloc((size_t)npes + 2, LARGE);
    if (!object)
        return 1;
    if (me == 0) {
        fprintf(out, "%-10s%8s  %-6s%-24s%-40s%10s\n", "operation", "bytes", "to", "carried out by",
                "channel", "takes/ns");
        print_targets(out, object);
    }
    shmem_barrier_all();
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
        print_row(me == 0 ? out : NULL, &collectives[i], "all", object, 0);
    shmem_free(object);
    shmem_finalize();
    return 0;
}
