/* SPDX-License-Identifier: BSD-3-Clause
 * See network.h.
 */
#include "network.h"

#include "base/pmix_version.h"
#include "base/sanitize.h"
#include "base/settings/env.h"
#include "engine/engine.h"
#include "machine.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* What asks a launcher for PE numbers; PMI-1 and PMI-2 are protocols that need no library. */
static const char *pmix(void)
{
#ifdef SHEAF_HAS_PMIX
    void *library = dlopen(SHEAF_LIBPMIX, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return "not available: libpmix.so.2 is not installed (Debian: libpmix2)";
    dlclose(library);
    return "yes";
#else
    return "not built in: pmix.h was missing at build time (Debian: libpmix-dev)";
#endif
}

void sheaf_network_print_launchers(FILE *out)
{
    fprintf(out, LABEL "%s\n", "launchers", "oshrun; by PMI-1, PMI-2 and PMIx: srun, mpirun, mpiexec, ...");
    fprintf(out, LABEL "%s\n", "PMIx", pmix());
}

/* The engine's own lines, its name before the first. */
static void print_engine(FILE *out, const struct sheaf_engine *engine)
{
    char *text = NULL;
    size_t size;
    FILE *lines = open_memstream(&text, &size);
    if (!lines)
        return;
    engine->describe(lines);
    fclose(lines);
    if (text)
        sheaf_sanitize(text, '\n');
    const char *label = engine->name;
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) && *line; label = "")
        fprintf(out, LABEL "%s\n", label, line);
    free(text);
}

void sheaf_network_print_engines(FILE *out)
{
    print_engine(out, &sheaf_engine_ucx);
    print_engine(out, &sheaf_engine_ofi);
    print_engine(out, &sheaf_engine_mpi);
    print_engine(out, &sheaf_engine_none);
    const struct sheaf_engine *best = sheaf_engine_best();
    fprintf(out, LABEL "%s\n", "auto", best ? best->name : "none: no network can be used, see above");
}

static const char *const ways[] = {
    [SHEAF_AMO_NOT] = "-", [SHEAF_AMO_NATIVE] = "native", [SHEAF_AMO_BUILT] = "built"};

static void print_row(FILE *out, enum sheaf_amo operation, sheaf_amo_set native)
{
    fprintf(out, "%-22s%-22s%-22s%-10s%s\n", sheaf_amo_names[operation], "this processor",
            "message", ways[sheaf_amo_way(native, operation, 4)],
            ways[sheaf_amo_way(native, operation, 8)]);
}

static void print_domain(FILE *out, const struct sheaf_settings *settings, sheaf_amo_set native)
{
    char missing[128];
    sheaf_amo_set uses = settings->atomics_uses ? settings->atomics_uses : SHEAF_AMO_ALL;
    sheaf_amo_print(sheaf_amo_missing(native, uses), missing, sizeof missing);
    fprintf(out, "\nSHEAF_ATOMICS=%s: ", sheaf_atomics_names[settings->atomics]);
    if (settings->atomics == SHEAF_ATOMICS_CPU)
        fprintf(out, "all objects' are the processors'\n");
    else if (*missing)
        fprintf(out, "all objects' are the processors', since the network has no %s\n", missing);
    else
        fprintf(out, "%s are the network's in a job of several hosts, on each host too\n",
                settings->atomics == SHEAF_ATOMICS_DEVICE
                    ? "all objects'" : "those of blocks with SHMEM_MALLOC_ATOMICS_REMOTE");
    if (settings->atomics == SHEAF_ATOMICS_AUTO && !*missing)
        fprintf(out, "where a job's first such block finds them faster than messages\n");
}

/* The one that a job would take. */
static const struct sheaf_engine *chosen_engine(const struct sheaf_settings *settings)
{
    const struct sheaf_engine *named = sheaf_engine_named(settings->networks);
    const struct sheaf_engine *engine = named ? named : sheaf_engine_best();
    return engine ? engine : &sheaf_engine_none;
}

int sheaf_network_print_amo(FILE *out)
{
    struct sheaf_settings settings;
    char why[400] = "";
    if (sheaf_settings_read(&settings) != 0)
        return -1;
    const struct sheaf_engine *engine = chosen_engine(&settings);
    sheaf_amo_set native = settings.atomics_native ? settings.atomics_native
                                                   : engine->native_atomics(why, sizeof why);
    fprintf(out, "%-22s%-44sthe network's (%s)\n", "", "the processors'", engine->name);
    fprintf(out, "%-22s%-22s%-22s%-10s%s\n", "operation", "same host", "other hosts", "32 bits",
            "64 bits");
    for (int operation = 0; operation < SHEAF_AMOS; operation++)
        print_row(out, operation, native);
    if (native == 0)
        fprintf(out, "\nThe network has none of its own: %s\n", why);
    print_domain(out, &settings, native);
    return 0;
}
