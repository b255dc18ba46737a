/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Routines of the library that are replaced by hand: those with an ellipsis, and what keeps inline
 * forms from passing the collector by.
 */
#include "profile/profile.h"

#include <dlfcn.h>

#define PUBLIC __attribute__((visibility("default")))

/* 0 switches collection off, 1 on, 2 and above the trace too where there is one. */
PUBLIC void pshmem_pcontrol(int level, ...)
{
    profile_level(level);
}
PUBLIC void shmem_pcontrol(int level, ...) __attribute__((alias("pshmem_pcontrol")));

/* An object whose route stays empty calls the library: the version is checked by way of another. */
PUBLIC void sheaf_inline_attach(void *route, unsigned version);
PUBLIC void sheaf_inline_attach(void *route, unsigned version)
{
    static uint64_t unused[64];
    void (*attach)(void *, unsigned) =
        (void (*)(void *, unsigned))dlsym(RTLD_NEXT, "sheaf_inline_attach");
    (void)route;
    if (attach)
        attach(unused, version);
}

PUBLIC void sheaf_inline_detach(void *route);
PUBLIC void sheaf_inline_detach(void *route)
{
    (void)route;
}

/* The library's reports take calls from this library for the program's: it is what calls there. */
PUBLIC void pshmemx_call_line(const char *file, int line)
{
    static void (*announce)(const char *, int);
    if (!announce)
        announce = (void (*)(const char *, int))dlsym(RTLD_NEXT, "pshmemx_call_line");
    if (announce)
        announce(file, line);
    if (profile_line(file, line, PROFILE_CALLER))
        profile_start_thread();
}
PUBLIC void shmemx_call_line(const char *file, int line) __attribute__((alias("pshmemx_call_line")));

PUBLIC void pshmemx_call_for(const char *statement, const void *address)
{
    static void (*announce)(const char *, const void *);
    if (!announce)
        announce = (void (*)(const char *, const void *))dlsym(RTLD_NEXT, "pshmemx_call_for");
    if (announce)
        announce(statement, address);
    if (profile_statement(statement, (uintptr_t)address, PROFILE_CALLER))
        profile_start_thread();
}
PUBLIC void shmemx_call_for(const char *statement, const void *address)
    __attribute__((alias("pshmemx_call_for")));

PUBLIC void pshmemx_event_begin(const char *name)
{
    profile_event(name, PROFILE_BEGIN, 0);
}
PUBLIC void shmemx_event_begin(const char *name) __attribute__((alias("pshmemx_event_begin")));

PUBLIC void pshmemx_event_end(const char *name)
{
    profile_event(name, PROFILE_END, 0);
}
PUBLIC void shmemx_event_end(const char *name) __attribute__((alias("pshmemx_event_end")));

PUBLIC void pshmemx_event_counter(const char *name, double value)
{
    profile_event(name, PROFILE_COUNT, value);
}
PUBLIC void shmemx_event_counter(const char *name, double value)
    __attribute__((alias("pshmemx_event_counter")));
