/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the hardware does by itself, as far as UCX reveals it. Puts and gets: by the names of its
 * transports, since UCX imitates them elsewhere and has no call that tells. Atomic operations: by trial,
 * since UCX lets the target's processor carry out all of them if the adapter lacks one.
 */
#include "engine/ucx/ucx.h"

#include "base/log.h"
#include "engine/verbs/adapter.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* Adapters with remote direct memory access between hosts, by the names of UCX's transports. Not ud_*:
 * datagrams have no direct access. */
static const char *const adapters[] = {"rc_", "dc_", "ugni_rdma"};

static bool is_adapter(const char *transport)
{
    for (size_t i = 0; i < sizeof adapters / sizeof adapters[0]; i++)
        if (strncmp(transport, adapters[i], strlen(adapters[i])) == 0)
            return true;
    return false;
}

bool sheaf_ucx_has_adapter(const char *transports)
{
    while (transports) {
        if (is_adapter(transports))
            return true;
        transports = strstr(transports, ", ");
        transports = transports ? transports + 2 : NULL;
    }
    return false;
}

/* UCX's name of an adapter's transport ends with its port: "rc_verbs/mlx5_0:1". */
static bool find_port(const char *transports, char *port, size_t size)
{
    for (const char *at = transports; at; at = strstr(at, ", ")) {
        at += at[0] == ',' ? 2 : 0;
        const char *slash = strchr(at, '/');
        if (!slash || (strncmp(at, "rc_", 3) != 0 && strncmp(at, "dc_", 3) != 0))
            continue;
        size_t length = strcspn(slash + 1, ",");
        snprintf(port, size, "%.*s", (int)length, slash + 1);
        return true;
    }
    return false;
}

sheaf_amo_set sheaf_ucx_open_adapter(const char *transports, char *why, size_t size)
{
    char port[80];
    if (find_port(transports, port, sizeof port))
        return sheaf_adapter_open(port, why, size);
    snprintf(why, size, "no transport of an adapter");
    return 0;
}

static sheaf_amo_set probe_adapter(const char *transports, char *why, size_t size)
{
    sheaf_amo_set found = sheaf_ucx_open_adapter(transports, why, size);
    if (found)
        sheaf_adapter_close();
    return found;
}

/* In bytes: memory that a worker of UCX 1.13 locks for receiving (datagrams 6 MiB, a connection's 8 MiB
 * and more), and for a start. */
#define LEAST_LOCKED ((size_t)32 << 20)

/* Checked here since UCX, if too little may be locked, tries for ever to get receive memory, and reports
 * nothing. */
int sheaf_ucx_check_lockable(ucp_context_h context)
{
    struct rlimit limit;
    ucp_mem_h memory;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return 0;
    void *trial = mmap(NULL, LEAST_LOCKED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (trial == MAP_FAILED)
        return 0;
    ucs_status_t status = sheaf_ucx_map(context, trial, LEAST_LOCKED, &memory);
    if (status == UCS_OK)
        sheaf_ucx.ucp_mem_unmap(context, memory);
    else
        sheaf_error("SH505 engine ucx: the adapter cannot have %zu MiB for what arrives: %s; 'ulimit -l' "
                    "(memory that may be locked) is %llu KiB: raise it where the job is started and in the "
                    "launcher's daemon (LimitMEMLOCK=infinity), or leave the adapter out "
                    "(UCX_TLS=tcp,self)",
                    LEAST_LOCKED >> 20, sheaf_ucx.ucs_status_string(status),
                    (unsigned long long)limit.rlim_cur / 1024);
    munmap(trial, LEAST_LOCKED);
    return status == UCS_OK ? 0 : -1;
}

/* UCX prints a worker as lines. One lists the transports that have all the atomic operations asked for: "#
 * atomics: 0:rc_mlx5/mlx5_0:1". */
static bool lists_adapter(char *lines)
{
    char *rest, *list = strstr(lines, "atomics:");
    bool found = false;
    if (!list || !(list = strtok_r(list + strlen("atomics:"), "\n", &rest)))
        return false;
    for (char *name = strtok_r(list, " ,", &rest); name; name = strtok_r(NULL, " ,", &rest)) {
        const char *transport = strchr(name, ':');
        found |= transport && sheaf_ucx_has_adapter(transport + 1);
    }
    return found;
}

static bool ucx_has_native(ucp_context_h context)
{
    ucp_worker_params_t params = {.field_mask = 0};
    ucp_worker_h worker;
    char *lines = NULL;
    size_t length;
    if (sheaf_ucx.ucp_worker_create(context, &params, &worker) != UCS_OK)
        return false;
    FILE *stream = open_memstream(&lines, &length);
    if (stream) {
        sheaf_ucx.ucp_worker_print_info(worker, stream);
        fclose(stream);
    }
    sheaf_ucx.ucp_worker_destroy(worker);
    bool found = lines && lists_adapter(lines);
    free(lines);
    return found;
}

static bool can_do_natively(uint64_t features)
{
    ucp_context_h context;
    if (sheaf_ucx_make_context(features, &context) != UCS_OK)
        return false;
    bool found = ucx_has_native(context);
    sheaf_ucx.ucp_cleanup(context);
    return found;
}

sheaf_amo_set sheaf_ucx_probe_atomics(void)
{
    if (can_do_natively(UCP_FEATURE_RMA | UCP_FEATURE_AMO32 | UCP_FEATURE_AMO64))
        return SHEAF_AMO_ALL;
    return can_do_natively(UCP_FEATURE_RMA | UCP_FEATURE_AMO64) ? SHEAF_AMO_64 : 0;
}

sheaf_amo_set sheaf_ucx_native_atomics(char *why, size_t size)
{
    ucp_context_h context;
    char transports[512];
    if (sheaf_ucx_load(why, size) != 0)
        return 0;
    ucs_status_t status = sheaf_ucx_make_context(0, &context);
    if (status != UCS_OK) {
        snprintf(why, size, "UCX cannot start: %s", sheaf_ucx.ucs_status_string(status));
        return 0;
    }
    sheaf_ucx_transports(context, transports, sizeof transports);
    bool is_lockable = !sheaf_ucx_has_adapter(transports) || sheaf_ucx_check_lockable(context) == 0;
    sheaf_ucx.ucp_cleanup(context);
    if (!is_lockable) {
        snprintf(why, size, "too little memory may be locked");
        return 0;
    }
    if (!sheaf_ucx_has_adapter(transports)) {
        snprintf(why, size, "no transport has any in hardware (%.300s)", transports);
        return 0;
    }
    sheaf_amo_set found = sheaf_ucx_probe_atomics();
    return found ? found : probe_adapter(transports, why, size);
}

uint64_t sheaf_ucx_atomic_features(sheaf_amo_set native)
{
    return (native & SHEAF_AMO_64 ? UCP_FEATURE_AMO64 : 0) |
           (native & ~SHEAF_AMO_64 ? UCP_FEATURE_AMO32 : 0);
}
