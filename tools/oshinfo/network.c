/* SPDX-License-Identifier: BSD-3-Clause
 * See network.h.
 */
#include "network.h"

#include "engine/engine.h"
#include "machine.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* What asks a launcher for PE numbers; PMI-1 and PMI-2 are protocols that need no library. */
static const char *pmix(void)
{
#ifdef SHEAF_HAS_PMIX
    void *library = dlopen("libpmix.so.2", RTLD_LAZY | RTLD_LOCAL);
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
    const char *label = engine->name;
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) && *line; label = "")
        fprintf(out, LABEL "%s\n", label, line);
    free(text);
}

void sheaf_network_print_engines(FILE *out)
{
    print_engine(out, &sheaf_engine_ucx);
    fprintf(out, LABEL "%s\n", "mpi", "not there yet");
    print_engine(out, &sheaf_engine_none);
}
