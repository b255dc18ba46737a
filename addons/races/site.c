/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places of the program's code as numbers that all PEs understand, and as words.
 */
#include "races/internal.h"

#include "base/os/addr2line.h"
#include "base/times.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* A listed place: module, offset in it, the call's name by its place in this library. */
#define MODULE_SHIFT 56
#define OFFSET_SHIFT 22
#define OFFSETS      (UINT64_C(1) << (MODULE_SHIFT - OFFSET_SHIFT))
#define NAMES        (UINT64_C(1) << OFFSET_SHIFT)

/* Where the program has called a library over this one that makes its calls for a statement. */
static _Thread_local uintptr_t statement_place;

uintptr_t races_place(uintptr_t caller)
{
    return statement_place ? statement_place : caller;
}

RACES_PUBLIC void shmemx_call_for(const char *statement, const void *address)
{
    statement_place = statement ? (uintptr_t)address : 0;
    pshmemx_call_for(statement, address);
}

static uintptr_t library_base(void)
{
    static uintptr_t base;
    Dl_info info;
    if (!base && dladdr((void *)races_site_call, &info))
        base = (uintptr_t)info.dli_fbase;
    return base;
}

/* Module 0 is the program; others by their path. */
static uint64_t module_number(const char *path)
{
    for (uint64_t i = 1; i < RACES_MODULES; i++) {
        struct races_module *module = &races.shared->modules[i];
        uint32_t state = 0;
        if (atomic_compare_exchange_strong(&module->state, &state, 1)) {
            snprintf(module->path, sizeof module->path, "%s", path);
            atomic_store(&module->state, 2);
            return i;
        }
        while (atomic_load(&module->state) == 1)
            ;
        if (strncmp(module->path, path, sizeof module->path - 1) == 0)
            return i;
    }
    return 0;
}

static uint64_t key_of(const char *call, uintptr_t code)
{
    uint64_t name = call ? ((uintptr_t)call - library_base()) % NAMES : 0, module = 0,
             offset = code - races.bias;
    Dl_info info;
    struct link_map *map;
    if (code < races.program || code >= races.program_end) {
        if (!dladdr1((void *)code, &info, (void **)&map, RTLD_DL_LINKMAP))
            return name;
        module = module_number(info.dli_fname);
        offset = code - map->l_addr;
    }
    return module << MODULE_SHIFT | (offset % OFFSETS) << OFFSET_SHIFT | name;
}

static uint32_t listed(uint64_t key)
{
    uint64_t hash = (key ^ key >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    key = key ? key : 1;
    for (uint64_t i = hash >> 40, step = 0; step < 1024; i++, step++) {
        _Atomic uint64_t *place = &races.shared->sites[i % RACES_SITES];
        if (i % RACES_SITES == 0)
            continue; /* of those for which there is no room */
        uint64_t there = atomic_load_explicit(place, memory_order_relaxed);
        if (there == 0 && atomic_compare_exchange_strong(place, &there, key))
            there = key;
        if (there == key)
            return RACES_LISTED | (uint32_t)(i % RACES_SITES);
    }
    races_full(RACES_NO_SITES);
    return RACES_LISTED;
}

uint32_t races_site_call(const char *call, uintptr_t caller)
{
    static _Thread_local struct {
        const char *call;
        uintptr_t caller;
        uint32_t site;
    } recent[64] __attribute__((tls_model("initial-exec")));
    unsigned at = (unsigned)(caller ^ caller >> 6) % 64;
    if (recent[at].call != call || recent[at].caller != caller) {
        recent[at].site = listed(key_of(call, caller - 1));
        recent[at].call = call;
        recent[at].caller = caller;
    }
    return recent[at].site;
}

#define LINGERS      8
#define MOST_LINGERS 1000 /* of a thread */

void races_linger(uintptr_t caller)
{
    static _Thread_local struct {
        uintptr_t caller;
        unsigned times;
    } recent[64] __attribute__((tls_model("initial-exec")));
    static _Thread_local unsigned all __attribute__((tls_model("initial-exec")));
    unsigned at = (unsigned)(caller ^ caller >> 6) % 64;
    if (recent[at].caller == caller && races_likely(recent[at].times >= LINGERS))
        return;
    if (recent[at].caller != caller)
        recent[at].times = 0;
    recent[at].caller = caller;
    recent[at].times++;
    if (all++ >= MOST_LINGERS)
        return;
    const struct timespec pause = sheaf_times_spec(all == 1 ? sheaf_times.races_pause_first
                                                            : sheaf_times.races_pause);
    nanosleep(&pause, NULL);
}

uint32_t races_site_plain(uintptr_t caller)
{
    uintptr_t offset = caller - 1 - races.bias;
    if (races_likely(caller - races.program < races.program_end - races.program && offset < RACES_LISTED))
        return (uint32_t)offset;
    return races_site_call(NULL, caller);
}

static void place_text(const char *path, uint64_t offset, char *text, size_t size)
{
    struct sheaf_source_line line;
    const char *slash = strrchr(path, '/');
    if (sheaf_addr2line_of_program(path, offset, sheaf_times.addr2line_most, &line) && line.place[0])
        snprintf(text, size, "%s%s%s", line.place, line.function[0] ? " in " : "", line.function);
    else
        snprintf(text, size, "%s+0x%lx", slash ? slash + 1 : path, (unsigned long)offset);
}

void races_site_text(uint32_t site, char *text, size_t size, const char **call)
{
    *call = NULL;
    if (site == RACES_LISTED) {
        snprintf(text, size, "a place that is not known");
        return;
    }
    if (!(site & RACES_LISTED)) {
        place_text(races.path, site, text, size);
        return;
    }
    uint64_t key = atomic_load(&races.shared->sites[(site & ~RACES_LISTED) % RACES_SITES]);
    uint64_t module = key >> MODULE_SHIFT, name = key % NAMES;
    if (name > 1)
        *call = (const char *)library_base() + name;
    place_text(module ? races.shared->modules[module].path : races.path,
               key >> OFFSET_SHIFT & (OFFSETS - 1), text, size);
}

void races_site_place(uintptr_t code, char *text, size_t size)
{
    const char *call;
    races_site_text(listed(key_of(NULL, code)), text, size, &call);
}
