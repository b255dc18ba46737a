/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See doctor_findings.h: launchers, the engine that a job would have, adapters.
 */
#include "../common/own_name.h"
#include "doctor_findings.h"

#include "base/pmix_version.h"
#include "base/settings/env.h"
#include "engine/engine.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define ADAPTERS "/sys/class/infiniband"
#define DEVICES  "/dev/infiniband"

static bool is_command(const char *name)
{
    char path[4096];
    const char *rest = getenv("PATH");
    while (rest && *rest) {
        size_t length = strcspn(rest, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)length, rest, name);
        if (access(path, X_OK) == 0)
            return true;
        rest += length + (rest[length] == ':');
    }
    return false;
}

static void see_commands(struct visit *visit)
{
    static const char *const names[] = {"srun", "prterun", "mpirun", "mpiexec", "mpiexec.hydra"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_command(names[i]))
            return;
    sheaf_doctor_note(visit, "launcher",
                      "no srun, prterun, mpirun or mpiexec in the PATH: jobs stay on "
                      "this host; install one (Debian: mpich, openmpi-bin or slurm-client)");
}

/* What oshrun needs to start Open MPI's programs. */
static void see_pmix_server(struct visit *visit, void *library)
{
#ifdef SHEAF_HAS_PMIX_SERVER
    const char *(*ask)(void) = (const char *(*)(void))dlsym(library, "PMIx_Get_version");
    const char *version = ask ? ask() : "of no version";
    if (!sheaf_pmix_serves(version))
        sheaf_doctor_note(visit, "PMIx",
                          SHEAF_LIBPMIX
                          " is %.40s: oshrun starts programs of Open MPI from " SHEAF_PMIX_SERVES
                          " on, mpirun does here",
                          version);
#else
    (void)library;
    sheaf_doctor_note(visit, "PMIx",
                      "its server is not built in: oshrun starts no programs of Open MPI; "
                      "build with libpmix's headers of version " SHEAF_PMIX_SERVES " or later (Debian: "
                      "libpmix-dev)");
#endif
}

static void miss_pmix(struct visit *visit, const char *what, const char *remedy)
{
    bool is_needed = is_command("orterun") || is_command("prterun") || is_command("ompi_info");
    (is_needed ? sheaf_doctor_wrong : sheaf_doctor_note)(
        visit, "PMIx",
        "%s: jobs of Open MPI's mpirun and of srun --mpi=pmix do not start, nor do programs of Open MPI "
        "under oshrun; %s", what, remedy);
}

static void see_pmix(struct visit *visit)
{
#ifdef SHEAF_HAS_PMIX
    void *library = dlopen(SHEAF_LIBPMIX, RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        miss_pmix(visit, dlerror(), "install it (Debian: libpmix2)");
        return;
    }
    see_pmix_server(visit, library);
    dlclose(library);
#else
    (void)see_pmix_server;
    miss_pmix(visit, "is not built in", "build with pmix.h (Debian: libpmix-dev)");
#endif
}

void sheaf_doctor_see_launchers(struct visit *visit)
{
    const char *slow = sheaf_own_name_slow();
    if (slow)
        sheaf_doctor_note(visit, "host name", SHEAF_OWN_NAME_SLOW, slow, slow);
    see_commands(visit);
    see_pmix(visit);
}

/* What the engine says of itself last, which is why it cannot be had; NULL: it can. To be freed. */
static char *why_not(const struct sheaf_engine *engine)
{
    char *text = NULL;
    size_t size;
    FILE *lines = open_memstream(&text, &size);
    if (!lines)
        return NULL;
    bool fits = engine->describe(lines);
    fclose(lines);
    if (fits || !size) {
        free(text);
        return NULL;
    }
    text[size - 1] = '\0';
    char *last = strrchr(text, '\n');
    if (last)
        memmove(text, last + 1, strlen(last));
    return text;
}

/* A library may be here that this Sheaf was built without, or that cannot be loaded. */
static void miss_engine(struct visit *visit)
{
    char *ucx = why_not(&sheaf_engine_ucx), *ofi = why_not(&sheaf_engine_ofi);
    sheaf_doctor_note(visit, "engine",
                      "no network can be used: jobs stay on this host; ucx: %s; ofi: %s",
                      ucx ? ucx : "it is here", ofi ? ofi : "it is here");
    free(ucx);
    free(ofi);
}

void sheaf_doctor_see_engine(struct visit *visit)
{
    /* A setting that is no engine's name is another finding. */
    const struct sheaf_engine *named = sheaf_engine_named(sheaf_settings_networks());
    const struct sheaf_engine *engine = named ? named : sheaf_engine_best();
    char *reason = engine ? why_not(engine) : NULL;
    if (!engine)
        miss_engine(visit);
    else if (reason && named)
        sheaf_doctor_wrong(visit, "engine", "SHEAF_ENGINE=%s: %s", engine->name, reason);
    else if (reason)
        sheaf_doctor_note(visit, "engine", "%s would be the network's, and jobs stay on this host: %s",
                          engine->name, reason);
    free(reason);
}

/* The first name in a folder that begins with prefix; false where there is none. */
static bool first_in(const char *folder, const char *prefix, char *name, size_t size)
{
    DIR *list = opendir(folder);
    bool found = false;
    for (struct dirent *entry; list && !found && (entry = readdir(list));) {
        found = entry->d_name[0] != '.' && strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
        if (found)
            snprintf(name, size, "%s", entry->d_name);
    }
    if (list)
        closedir(list);
    return found;
}

void sheaf_doctor_see_adapters(struct visit *visit)
{
    char adapter[256], device[256], path[512];
    struct rlimit limit;
    if (!first_in(ADAPTERS, "", adapter, sizeof adapter))
        return;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        sheaf_doctor_wrong(
            visit, "locked memory",
            "ulimit -l is %llu KiB, and adapter %s locks the memory "
            "that it transfers: set memlock to unlimited in /etc/security/limits.conf and for "
            "the launcher's daemon (LimitMEMLOCK=infinity)",
            (unsigned long long)limit.rlim_cur / 1024, adapter);
    if (!first_in(DEVICES, "uverbs", device, sizeof device)) {
        sheaf_doctor_wrong(visit, "device",
                           "adapter %s has no file %s/uverbs*: load the module ib_uverbs, or "
                           "pass the devices to the container (--device=%s)",
                           adapter, DEVICES, DEVICES);
        return;
    }
    snprintf(path, sizeof path, "%s/%s", DEVICES, device);
    if (access(path, R_OK | W_OK) != 0)
        sheaf_doctor_wrong(visit, "device",
                           "%s: %s: adapter %s cannot be used; let the user's group read and "
                           "write it (udev's rules of rdma-core)",
                           path, strerror(errno), adapter);
}
