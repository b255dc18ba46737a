/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The begin and the end of collection: finds the library behind this one, makes the PE's file when
 * all PEs are there, and says once what stands in the way.
 */
#include "profile/internal.h"

#include "base/sanitize.h"
#include "base/times.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include <shmemx.h>
#define TRACE_EVENTS 65536 /* 3 MiB */
#define MOST_EVENTS  (UINT64_C(1) << 24)

/* By it the library knows that this one is here. */
__attribute__((visibility("default"))) char sheaf_profile_is_loaded;

static char folder[4096];
static bool is_begun, wants_trace;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    char text[5000], line[sizeof text + 64], id[SHEAF_ID_ROOM];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sheaf_sanitize(text, 0);
    const char *said = sheaf_take_id(text, id);
    int length = snprintf(line, sizeof line, "sheaf: PE %d: profile: %s%s\n", profile.pe, said, id);
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;
}

void profile_resolve(void)
{
    for (unsigned i = 0; i < profile_routine_count; i++) {
        char name[96];
        snprintf(name, sizeof name, "p%s", profile_routines[i].name);
        profile_gates[i].real = dlsym(RTLD_NEXT, name);
    }
#define PROFILE_ASK(NAME, RESULT, PARAMETERS)                                                      \
    profile_library.NAME = (RESULT(*) PARAMETERS)dlsym(RTLD_NEXT, "pshmem_" #NAME);
    PROFILE_QUESTIONS(PROFILE_ASK)
    profile_library.team_exchange = (int (*)(shmem_team_t, const void *, size_t, void *))dlsym(
        RTLD_NEXT, "pshmemx_team_exchange");
    profile_library.is_respawned = (int (*)(void))dlsym(RTLD_NEXT, "pshmemx_is_respawned");
}

/* The name of this library's file, which children of the PE are not to load: they are no PEs. */
static void leave_environment(void)
{
    const char *list = getenv("LD_PRELOAD");
    Dl_info info;
    if (!list || !dladdr(&sheaf_profile_is_loaded, &info) || !info.dli_fname)
        return;
    char *kept = calloc(1, strlen(list) + 1), *copy = strdup(list), *rest = copy, *word;
    while (kept && copy && (word = strsep(&rest, ": ")))
        if (*word && strcmp(word, info.dli_fname) != 0)
            strcat(strcat(kept, *kept ? ":" : ""), word);
    if (kept && *kept)
        setenv("LD_PRELOAD", kept, 1);
    else
        unsetenv("LD_PRELOAD");
    free(kept);
    free(copy);
}

__attribute__((constructor)) static void load(void)
{
    const char *trace = getenv("SHEAF_TRACE"), *plain = getenv("SHEAF_PROFILE");
    unsetenv("SHEAF_PROFILE_BEGUN");
    wants_trace = trace && *trace;
    snprintf(folder, sizeof folder, "%s", wants_trace ? trace : plain ? plain : "");
    leave_environment();
}

/* What a trace asks for beside a profile. */
static void read_settings(void)
{
    const char *events = getenv("SHEAF_TRACE_EVENTS");
    profile.trace_events = wants_trace ? TRACE_EVENTS : 0;
    if (!wants_trace || !events)
        return;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(events, &end, 10);
    if (errno || *end || number < 16 || number > MOST_EVENTS)
        say("SH201 SHEAF_TRACE_EVENTS=%s: expected a number of events from 16 to %llu: %d is used", events,
            (unsigned long long)MOST_EVENTS, TRACE_EVENTS);
    else
        profile.trace_events = number;
}

static int open_files(void)
{
    if (!*folder)
        return ENOENT;
    int failed = profile_file_create(folder, profile.pe);
    if (failed)
        return failed;
    if (profile_recent_prepare() != 0 || profile_modules_prepare() != 0 ||
        profile_collectives_prepare() != 0 || profile_heap_prepare() != 0 ||
        profile_names_prepare() != 0)
        return errno ? errno : ENOSPC;
    return 0;
}

struct report {
    int32_t error;
    int32_t node;
    uint64_t job;
};

static const char *advice(int error)
{
    if (error == EEXIST)
        return "it holds the profile of another run: name another folder, or remove that one";
    return strerror(error);
}

/* Collective: all have their files, or none goes on. */
static void require_files(int failed)
{
    struct report mine = {failed, 0, 0}, *all = calloc((size_t)profile.npes, sizeof *all);
    if (getrandom(&mine.job, sizeof mine.job, 0) != sizeof mine.job)
        mine.job = profile_now_ns();
    if (!all || profile_library.team_exchange(SHMEM_TEAM_WORLD, &mine, sizeof mine, all) != 0) {
        say("SH301 out of memory");
        profile_library.global_exit(1);
    }
    int first = -1, count = 0;
    for (int pe = 0; pe < profile.npes; pe++)
        if (all[pe].error && count++ == 0)
            first = pe;
    if (first == profile.pe)
        say("SH210 %s: %s%s", folder, advice(failed), count > 1 ? " (and so on other PEs)" : "");
    if (first >= 0) {
        profile_file_remove(folder, profile.pe);
        profile_library.sync_all();
        profile_library.global_exit(1);
    }
    profile.header->job = all[0].job;
    free(all);
}

static bool is_on_several_nodes(void)
{
    return profile_library.team_n_pes(SHMEM_TEAM_SHARED) < profile.npes;
}

/* Clocks are compared at the begin and at the end; a PE may be dead by then where a job goes on without. */
static bool all_meet(int which)
{
    const char *failures = getenv("SHEAF_FAILURES");
    return which == 0 || !failures || strcmp(failures, "report") != 0;
}

static uint32_t meet(int which)
{
    if (!is_on_several_nodes() || !all_meet(which))
        return 0;
    for (int i = 0; i < PROFILE_ROUNDS; i++) {
        profile.header->round[which][i][0] = profile_ticks();
        profile_library.sync_all();
        profile.header->round[which][i][1] = profile_ticks();
    }
    return PROFILE_ROUNDS;
}

/* Of jobs that use a network. The library counts in the file itself. */
static void count_messages(void)
{
    unsigned (*attach)(void *) = (unsigned (*)(void *))dlsym(RTLD_NEXT, "sheaf_messages_attach");
    if (!attach || attach(NULL) == 0)
        return;
    struct profile_chunk *chunk = profile_file_add(
        PROFILE_MESSAGES, 0, PROFILE_MAX_MESSAGES * sizeof(struct profile_messages), NULL);
    if (chunk)
        chunk->count = attach(chunk + 1);
}

static void switch_on(bool profiled, bool traced)
{
    profile.is_tracing = traced && profile.trace_events;
    __atomic_store_n(&profile.is_on, profiled, __ATOMIC_SEQ_CST);
    profile_recent_close();
    profile_start_threads();
}

static void forget_in_child(void)
{
    profile.is_up = profile.is_on = profile.is_tracing = false;
    profile_recent_close();
    memset(profile_slots, 0, sizeof profile_slots);
}

static uint64_t ticks_of(uint64_t ns)
{
    uint64_t tick = profile_ticks(), begin = profile_now_ns(), now;
    do
        now = profile_now_ns();
    while (now - begin < sheaf_times.profile_calibrated);
    return (profile_ticks() - tick) * ns / (now - begin);
}

/* Of a pair of looks at the counter. */
static uint32_t clock_cost(void)
{
    uint64_t least = UINT32_MAX;
    for (int i = 0; i < 100; i++) {
        uint64_t begin = profile_ticks(), ticks = profile_ticks() - begin;
        least = ticks < least ? ticks : least;
    }
    return (uint32_t)least;
}

static void begin_first(void)
{
    profile.pe = profile_library.my_pe();
    profile.npes = profile_library.n_pes();
    read_settings();
    require_files(open_files());
    profile.header->pe = (uint32_t)profile.pe;
    profile.header->npes = (uint32_t)profile.npes;
    profile.header->node =
        (uint32_t)profile_library.team_translate_pe(SHMEM_TEAM_SHARED, 0, SHMEM_TEAM_WORLD);
    profile.long_ticks = ticks_of(sheaf_times.profile_timed);
    profile.header->clock = clock_cost();
    pthread_atfork(NULL, NULL, forget_in_child);
    profile_nodes_prepare();
    profile_counters_start();
    count_messages();
    profile.header->rounds = meet(0);
    profile_file_clock();
    profile.header->begin = profile.header->last = profile_ticks();
}

/* It meets the others in shmemx_rejoin alone, and the PE's file is that of the process before it. */
static bool is_in_another_place(void)
{
    if (!profile_library.is_respawned || !profile_library.is_respawned())
        return false;
    profile.pe = profile_library.my_pe();
    say("SH211 this process replaces a dead one: the profile is that of the dead one, up to its death");
    return true;
}

void profile_begin(void)
{
    int kept = errno;
    if (!is_begun && is_in_another_place())
        return;
    if (!is_begun) {
        is_begun = true;
        begin_first();
    } else {
        profile.header->state = PROFILE_RUNNING;
    }
    profile_collectives_learn_world();
    profile.is_up = true;
    switch_on(true, true);
    errno = kept;
}

void profile_before_finalize(void)
{
    if (!is_begun || !profile.header)
        return;
    profile.header->last_rounds = meet(1);
}

void profile_after_finalize(void)
{
    int up = 0;
    profile_library.query_initialized(&up);
    if (up || !is_begun || !profile.header)
        return;
    profile.header->end = profile_ticks();
    profile.is_up = false;
    switch_on(false, false);
    profile_collectives_forget();
    profile_counters_read();
    profile_file_clock();
    if (profile.header->node == profile.header->pe)
        profile_copies_measure();
    profile.header->state = PROFILE_FINALIZED;
}

void profile_exit(void)
{
    if (!is_begun || !profile.header || profile.header->state != PROFILE_RUNNING ||
        profile.header->pid != (uint32_t)getpid())
        return;
    profile_counters_read();
    profile_file_clock();
    profile.header->state = PROFILE_EXITED;
}

__attribute__((destructor)) static void unload(void)
{
    profile_exit();
}

/* 0: nothing; 1: a profile; 2 and above: a trace too, where one was asked for. */
void profile_level(int level)
{
    if (is_begun && profile.header)
        switch_on(level > 0, level > 1);
}
