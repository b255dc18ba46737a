/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes this PE's flight recorder (image/record.h). A call that synchronizes with other PEs or waits
 * begins an entry and ends it. core/team/history.h does so for the calls of teams.
 */
#ifndef SHEAF_CORE_PE_RECORD_H
#define SHEAF_CORE_PE_RECORD_H

#include "core/pe/call.h"
#include "image/control.h"

#include <stdbool.h>

/* Where this PE writes: the control area, or memory of its own before there is one. */
extern SHEAF_HIDDEN struct sheaf_recorder *sheaf_recorder;
extern SHEAF_HIDDEN struct sheaf_usage *sheaf_usage;

/* The names of all calls lie together in one section: api/define.h puts them there, and the linker
 * gives its bounds these names. */
#define SHEAF_CALL_NAME __attribute__((unused, section("sheaf_calls"), aligned(1)))
extern SHEAF_HIDDEN const char __start_sheaf_calls[], __stop_sheaf_calls[];

/* The offset of this thread's call name among the names. */
static inline uint32_t sheaf_record_name(void)
{
    return (uint32_t)((uintptr_t)sheaf_call.name - (uintptr_t)__start_sheaf_calls);
}

/* Begins the entry of this thread's call. With a team's part (core/team/history.h), begin and end take
 * 2.8 ns where one call follows another directly, each waiting for the stores of the last. With 37 ns
 * of other work between two calls their time cannot be measured, as no instruction waits for them. A
 * call that stores to a line that another PE reads should fetch that line first (sheaf_own_soon): else
 * the entry's time adds to the line's. */
static inline struct sheaf_record *sheaf_record_begin(uint64_t team, uint64_t progress,
                                                      uint64_t bytes, int root)
{
    struct sheaf_recorder *recorder = sheaf_recorder;
    uint32_t number;
    if (sheaf_unlikely(recorder->has_threads)) {
        number = __atomic_add_fetch(&recorder->begun, 1, __ATOMIC_RELAXED);
    } else {
        number = sheaf_load_relaxed(&recorder->begun) + 1;
        sheaf_store_relaxed(&recorder->begun, number);
    }
    sheaf_fence_stores();
    struct sheaf_record *record = &recorder->records[number % SHEAF_RECORDS];
    sheaf_store_relaxed(&record->team, team);
    sheaf_store_relaxed(&record->progress, progress);
    sheaf_store_relaxed(&record->bytes, bytes);
    sheaf_store_relaxed(&record->site, (uint64_t)(uintptr_t)sheaf_call.site);
    sheaf_store_relaxed(&record->what, SHEAF_RECORD_WHAT(sheaf_record_name(), root));
    sheaf_store_release(&record->stamp, (uint64_t)number);
    return record;
}

static inline void sheaf_record_end(struct sheaf_record *record)
{
    sheaf_store_relaxed(&record->ended, 1);
}

/* The number of the PE's next call. */
static inline uint32_t sheaf_record_next(void)
{
    return sheaf_load_relaxed(&sheaf_recorder->begun) + 1;
}

/* Calls from number first on were made for a statement of the program at site: their entries get that
 * place, where a library made them. When the statement has ended: while it runs, the status board has its
 * place. */
void sheaf_record_place(uint32_t first, const void *site);

/* Copies the entry of the call with this number of the PE in slot. False where it has been overwritten. */
bool sheaf_record_read(const struct sheaf_recorder *recorder, uint32_t number,
                       struct sheaf_record *copy);

/* Keeps the name that a library gives this PE, for reports (shmemx_call_pe). */
void sheaf_record_call_pe(const char *noun, int number);

/* Whether a call of this PE is the last one but for waits within it, and made for a statement of the
 * program (shmemx_call_for). */
bool sheaf_record_is_for_statement(uint32_t number);

/* The call with this number, which a library has counted (shmemx_call_begin), has the name of the thread's
 * statement. */
void sheaf_record_name_by_statement(uint32_t number);

/* Sets the source line of an interpreted program for this thread's next call: see shmemx_call_line.
 * caller is an address in the interpreter's extension. */
void sheaf_record_announce(const char *file, int line, const void *caller);

/* Prints "prog.py:12" for the call from site that this thread is in. False where it has announced no
 * line. */
bool sheaf_record_source(uint64_t site, char *text, size_t size);

/* Counts an operation on a PE of another node. */
static inline void sheaf_record_far(uint64_t bytes)
{
    struct sheaf_usage *usage = sheaf_usage;
    sheaf_store_relaxed(&usage->far_operations, sheaf_load_relaxed(&usage->far_operations) + 1);
    sheaf_store_relaxed(&usage->far_bytes, sheaf_load_relaxed(&usage->far_bytes) + bytes);
}

/* Counts a yield of a loop of tests or reads. */
static inline void sheaf_record_poll(void)
{
    struct sheaf_usage *usage = sheaf_usage;
    sheaf_store_relaxed(&usage->polls, sheaf_load_relaxed(&usage->polls) + 1);
}

/* Records that a lock, named by its position, is held, and that it is released. */
void sheaf_record_lock(uint64_t lock);
void sheaf_record_unlock(uint64_t lock);

/* Called by init.c. attach: with the control area mapped, or NULL; in slot 0 before a barrier of boot.
 * detach: in a child that is no PE. */
void sheaf_record_attach(struct sheaf_control *control, int slot);
void sheaf_record_detach(void);
void sheaf_record_set_usage(struct sheaf_usage *usage); /* where the counts go; NULL: nowhere */
void sheaf_record_set_threads(bool several);

/* A digest of the names of all calls, the same on PEs whose libraries have the same calls. */
uint64_t sheaf_record_names_digest(void);

#endif
