/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is registered with the network: the variables once, the heap in parts as it grows, each byte
 * once and no more than twice of what is used; all of it given back at the end. And what is said when
 * memory cannot be registered: registration parts|heap-refused|data-refused|nothing-locked.
 */
#include "harness.h"

#include "base/settings/names.h"
#include "engine/ucx/ucx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define LIMIT ((size_t)1 << 40)
#define MIB   ((size_t)1 << 20)
#define MOST  200

static __typeof__(&ucp_mem_map) real_map;
static __typeof__(&ucp_mem_unmap) real_unmap;

static struct {
    uintptr_t start, end;
    ucp_mem_h memory;
} mapped[MOST];
static int maps, unmaps;
static bool refuse;

static ucs_status_t map(ucp_context_h context, const ucp_mem_map_params_t *params, ucp_mem_h *memory)
{
    if (refuse)
        return UCS_ERR_IO_ERROR;
    ucs_status_t status = real_map(context, params, memory);
    REQUIRE(status == UCS_OK && maps < MOST, "%s, %d parts", sheaf_ucx.ucs_status_string(status), maps);
    mapped[maps].start = (uintptr_t)params->address;
    mapped[maps].end = mapped[maps].start + params->length;
    mapped[maps++].memory = *memory;
    return status;
}

static ucs_status_t unmap(ucp_context_h context, ucp_mem_h memory)
{
    int found = 0;
    for (int i = 0; i < maps; i++)
        found += mapped[i].memory == memory;
    REQUIRE(found == 1, "memory given back %d times mapped", found);
    unmaps++;
    return real_unmap(context, memory);
}

/* How many parts hold the byte. */
static int parts_with(const void *at)
{
    int found = 0;
    for (int i = 0; i < maps; i++)
        found += (uintptr_t)at >= mapped[i].start && (uintptr_t)at < mapped[i].end;
    return found;
}

static size_t registered(void)
{
    size_t bytes = 0;
    for (int i = 0; i < maps; i++)
        bytes += mapped[i].end - mapped[i].start;
    return bytes;
}

static void grow(size_t from, size_t to)
{
    REQUIRE(engine->heap_grown(from, to) == 0, "from %zu to %zu", from, to);
    REQUIRE(parts_with(heap + from) == 1 && parts_with(heap + to - 1) == 1, "from %zu to %zu", from, to);
}

static int start(void)
{
    heap = mmap(NULL, LIMIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct sheaf_engine_job job = {
        .npes = 1,
        .segments = {[SHEAF_SEGMENT_DATA] = {(char *)data, sizeof data},
                     [SHEAF_SEGMENT_HEAP] = {(char *)heap, LIMIT}},
        .rma = SHEAF_RMA_NATIVE,
    };
    char why[256];
    REQUIRE(heap != MAP_FAILED && sheaf_ucx_load(why, sizeof why) == 0, "no memory or no UCX");
    real_map = sheaf_ucx.ucp_mem_map;
    real_unmap = sheaf_ucx.ucp_mem_unmap;
    sheaf_ucx.ucp_mem_map = map;
    sheaf_ucx.ucp_mem_unmap = unmap;
    engine = &sheaf_engine_ucx;
    return engine->start(&job);
}

/* Steps of 100 KiB, as a program allocates; then the other end, and the whole. */
static void test_parts(void)
{
    const size_t step = 100 * 1024, most = 300 * MIB;
    REQUIRE(maps == 1 && mapped[0].start == (uintptr_t)data && registered() == sizeof data,
            "%d parts of %zu bytes at the start", maps, registered());
    for (size_t used = step; used < most; used += step) {
        size_t before = registered();
        grow(used - step, used);
        size_t heap_bytes = registered() - sizeof data;
        REQUIRE(heap_bytes <= 2 * used || heap_bytes <= 4 * MIB, "%zu for %zu", heap_bytes, used);
        REQUIRE(registered() == before || heap_bytes >= used, "%zu for %zu", heap_bytes, used);
    }
    int lower = maps;
    REQUIRE(lower <= 9, "%d parts for %zu bytes", lower, most);
    grow(0, most);
    REQUIRE(maps == lower, "registered again");
    grow(LIMIT - 64, LIMIT);
    grow(LIMIT - 5 * MIB, LIMIT - 64);
    REQUIRE(maps == lower + 2 && registered() < 600 * MIB, "%d parts", maps);
}

/* One line, with what the user can do. Standard error is a file meanwhile. */
static void check_line(int result, FILE *said, const char *const *words)
{
    char line[1024] = "", more[8];
    rewind(said);
    REQUIRE(result == -1, "refused memory gives %d", result);
    REQUIRE(fgets(line, sizeof line, said) && !fgets(more, sizeof more, said), "said: %s", line);
    for (; *words; words++)
        REQUIRE(strstr(line, *words), "no \"%s\" in: %s", *words, line);
}

static FILE *catch_errors(int *kept)
{
    FILE *said = tmpfile();
    REQUIRE(said != NULL, "no temporary file");
    *kept = dup(STDERR_FILENO);
    dup2(fileno(said), STDERR_FILENO);
    return said;
}

/* So many bytes may be locked, or as many as can be had. */
static rlim_t limit_locked(rlim_t bytes)
{
    struct rlimit limit;
    REQUIRE(getrlimit(RLIMIT_MEMLOCK, &limit) == 0, "no limit");
    limit.rlim_cur = limit.rlim_max < bytes ? limit.rlim_max : bytes;
    REQUIRE(setrlimit(RLIMIT_MEMLOCK, &limit) == 0, "no limit");
    return limit.rlim_cur;
}

/* The limit is to blame where it leaves no room for what is refused. */
static void test_refusal(bool of_data)
{
    int kept, result;
    bool is_limited = limit_locked(of_data ? 1 : RLIM_INFINITY) < 10 * MIB;
    FILE *said = catch_errors(&kept);
    refuse = of_data;
    result = start();
    refuse = true;
    if (!of_data)
        result = result != 0 ? 1 : engine->heap_grown(0, 10 * MIB);
    dup2(kept, STDERR_FILENO);
    check_line(result, said,
               (const char *const[]){of_data ? "static variables" : "4194304 bytes of the symmetric heap",
                                     "cannot be registered", is_limited ? "LimitMEMLOCK" : "in 1 parts and takes no more",
                                     "ulimit -l", "SHEAF_RMA=message", NULL});
    refuse = false;
    if (!of_data)
        grow(0, 10 * MIB);
}

/* An adapter that gets no memory for what arrives waits for ever: told at the start. */
static void test_nothing_locked(void)
{
    int kept;
    REQUIRE(start() == 0, "no start");
    limit_locked(65536);
    REQUIRE(sheaf_ucx_check_lockable(sheaf_ucx_state.context) == 0, "refused though it can be registered");
    FILE *said = catch_errors(&kept);
    refuse = true;
    int result = sheaf_ucx_check_lockable(sheaf_ucx_state.context);
    dup2(kept, STDERR_FILENO);
    check_line(result, said, (const char *const[]){"ulimit -l", "64 KiB", "LimitMEMLOCK", "UCX_TLS", NULL});
    refuse = false;
    engine->stop();
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "parts";
    if (strcmp(what, "nothing-locked") == 0) {
        test_nothing_locked();
        return 0;
    }
    if (strcmp(what, "parts") != 0) {
        test_refusal(strcmp(what, "data-refused") == 0);
        return 0;
    }
    REQUIRE(start() == 0, "no start");
    test_parts();
    engine->stop();
    REQUIRE(unmaps == maps, "%d of %d parts given back", unmaps, maps);
    return 0;
}
