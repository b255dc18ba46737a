/* SPDX-License-Identifier: BSD-3-Clause
 *
 * State that all files read: this PE and its thread, the lock of what its threads share, the lines
 * that it prints, and the routines that it stands before.
 */
#include "races/internal.h"

#include "base/sanitize.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_TEXT 1024

struct races_pe races = {.pe = -1};
_Thread_local struct races_thread *races_self;
uintptr_t *races_table;

static _Atomic int lock_taken;
static _Thread_local int lock_depth __attribute__((tls_model("initial-exec")));

bool races_lock(void)
{
    if (!races.is_threaded)
        return false;
    while (lock_depth == 0 && atomic_exchange_explicit(&lock_taken, 1, memory_order_acquire))
        sched_yield();
    lock_depth++;
    return true;
}

void races_unlock(bool is_taken)
{
    if (is_taken && --lock_depth == 0)
        atomic_store_explicit(&lock_taken, 0, memory_order_release);
}

bool races_has_lock(void)
{
    return lock_depth > 0;
}

void *races_next_of(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

void races_write(const char *text, size_t length)
{
    ssize_t written = write(STDERR_FILENO, text, length);
    (void)written;
}

void races_say(const char *format, ...)
{
    char text[2 * MOST_TEXT], line[sizeof text + 64], id[SHEAF_ID_ROOM];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sheaf_sanitize(text, 0);
    const char *said = sheaf_take_id(text, id);
    int length = snprintf(line, sizeof line, "sheaf: races: %s%s\n", said, id);
    races_write(line, (size_t)length);
}

void races_full(enum races_table_of table)
{
    static const char *const follows[] = {
        [RACES_NO_STRANDS] = "65535 threads and channels (a context and a target) are followed; operations "
                             "of further ones are not compared",
        [RACES_NO_PAGES] = "no more room for what is known of memory; further memory is not watched",
        [RACES_NO_TEAMS] = "1024 teams and active sets of a PE are followed at a time; what collectives of "
                           "further ones order may be told",
        [RACES_NO_SITES] = "65535 places of calls are known; further ones are told without their place"};
    if (!(atomic_fetch_or(&races.shared->full, 1u << table) & 1u << table))
        races_say("SH145 %s", follows[table]);
}
