/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a library over this one tells it, so that reports and errors speak of the program:
 * interpreters, and libraries of other programming models.
 */
#include "api/define.h"
#include "base/log.h"
#include "core/pe/job.h"
#include "core/pe/record.h"
#include "core/pe/wait.h"
#include "core/team/history.h"

SHEAF_CHAPTER("For libraries over this one: extensions")

/* Announces the line of the program's source from which the calling thread makes its next call, for
 * interpreters: a module of Python, Julia or Lua. Reports of hangs, of calls that do not fit
 * together and of mistakes then name file:line in place of an address in the module. file: of its path
 * the last part counts, up to 51 bytes. line: from 1. It applies to calls from the shared object that
 * calls this. Reports have it for the PE's last 16 calls that wait, synchronize or allocate; a profile
 * has it for all calls of the thread until the next line is announced. May be called between
 * initialization and finalization, by any thread. */
SHEAF_EXTENSION(void, call_line, (const char *file, int line),
                { (void)call, sheaf_record_announce(file, line, __builtin_return_address(0)); })

/* The calling thread's calls are made for a statement of the program from now on, such as "SYNC
 * IMAGES", until statement is NULL. Reports of hangs name it in place of the call, and reports and
 * errors name the place address, which is the return address of the function that the program
 * called. The text is not copied, and its first 47 bytes count. May be called between
 * initialization and finalization, by any thread. */
SHEAF_EXTENSION(void, call_for, (const char *statement, const void *address), {
    (void)call;
    if (sheaf_call.statement)
        sheaf_record_place(sheaf_call.first_record, sheaf_call.statement_site);
    sheaf_call.first_record = sheaf_record_next();
    sheaf_store_relaxed(&sheaf_recorder->statement_first, sheaf_call.first_record);
    sheaf_store_relaxed(&sheaf_recorder->statement, statement ? (uint64_t)(uintptr_t)address : 0);
    sheaf_call.statement = statement;
    sheaf_call.statement_site = statement ? address : NULL;
})

/* A library over this one calls the PEs by a noun and numbers of its own, such as "image", from 1: reports
 * of hangs and of calls that do not fit together then have "PE 2 (image 3)" and "PEs 0-2 (images 1-3)".
 * noun: its first 11 bytes count; "" takes it back. number: the calling PE's. By one thread, between
 * initialization and finalization. */
SHEAF_EXTENSION(void, call_pe, (const char *noun, int number),
                { (void)call, sheaf_record_call_pe(noun, number); })

/* Begins a collective that a library over this one carries out by messages of its own: it is counted
 * among the team's calls, for reports and oshtop. Between shmemx_call_for and its end, whose statement
 * names it (the first 31 bytes). All members count theirs in the same order, also among the team's
 * collectives of OpenSHMEM; the library has to see to it that they match. Any thread, one at a time for
 * a team. Costs some nanoseconds, and waits for nobody. Returns the call's number for shmemx_call_wait;
 * 0 for SHMEM_TEAM_INVALID. */
SHEAF_EXTENSION(uint64_t, call_begin, (shmem_team_t team), {
    SHEAF_CALL(call);
    struct sheaf_team *members = sheaf_team_find(team, call);
    return members ? sheaf_history_count(members) : 0;
})

/* The calling thread has waited for a while for the other members in the collective with this number of
 * shmemx_call_begin: from now on reports, oshtop and the watch for stalls have this wait, under the name of
 * the statement of shmemx_call_for. May be called again and again; number 0 ends it, once the wait is over
 * or something has moved. Members that have not begun that call are those that the thread waits for. */
SHEAF_EXTENSION(void, call_wait, (shmem_team_t team, uint64_t number), {
    SHEAF_CALL(call);
    sheaf_wait_announce(number ? sheaf_team_find(team, call) : NULL, number);
})

/* Ends the job with one line that names the PE, statement, text and the place of shmemx_call_for,
 * or where the program called the shared object that calls this. id, such as "SH161", is what
 * oshinfo --explain knows; "" where there is none. One line for all PEs of a host that say the same.
 * Between initialization and finalization. Does not return. */
SHEAF_EXTENSION(void, fail, (const char *id, const char *statement, const char *text), {
    sheaf_job_require(call);
    sheaf_call.refusal = __builtin_return_address(0);
    sheaf_fatal("%s%s%s: %s", id, id[0] ? " " : "", statement, text);
})
