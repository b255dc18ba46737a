/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The flight recorder in the control area. It holds each PE's last calls that synchronize or wait, its
 * teams with its progress in each, and the locks that it holds. A PE always writes its own part, by plain
 * stores. Others read it when a user asks why the job does not go on, or when a collective has waited for
 * long. The job needs nothing of it.
 */
#ifndef SHEAF_IMAGE_RECORD_H
#define SHEAF_IMAGE_RECORD_H

#include "base/atomic.h"
#include "base/sanitize.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define SHEAF_RECORDS      64 /* calls that are remembered: a power of two */
#define SHEAF_RECORD_TEAMS 64 /* teams at a time; further ones are not listed */
#define SHEAF_RECORD_LOCKS 16 /* locks held at a time; further ones are not listed */
#define SHEAF_RECORD_LINES 16 /* calls of an interpreter whose lines are remembered: a power of two */

/* A PE's progress in a team, stored as one word: the number of the team's calls that it has begun, and
 * above it a digest of all these calls. Members that have begun equally many calls have the same digest. */
#define SHEAF_PROGRESS_NUMBER(progress) ((uint32_t)(progress))
#define SHEAF_PROGRESS_DIGEST(progress) ((uint32_t)((progress) >> 32))

/* One call. A reader accepts it if number matches its index, and the PE is less than SHEAF_RECORDS calls
 * further after the reader has read it all. */
struct sheaf_record {
    union {
        struct {
            uint32_t number; /* of this PE's calls, from 1 */
            uint32_t ended;  /* 1 once the call has ended */
        };
        uint64_t stamp;      /* both; written last */
    };
    uint64_t team;     /* identity, the same on all members; 0: a wait */
    uint64_t progress; /* in the team, this call included */
    uint64_t bytes;    /* of a collective or a block; 0 of a wait */
    uint64_t site;     /* return address of the call in the program */
    union {
        struct {
            uint32_t call; /* index of the name among the node's names of calls, see sheaf_control */
            int32_t root;  /* of a collective that has a root, else one of the two below */
        };
        uint64_t what;
    };
};
#define SHEAF_RECORD_NO_ROOT (-1)
#define SHEAF_RECORD_WAITS_FOR_ALL (-2) /* no member leaves the call before all members are in it */
#define SHEAF_RECORD_WHAT(call, root) ((uint64_t)(uint32_t)(root) << 32 | (call))

/* Advice for two PEs whose calls do not match. */
#define SHEAF_RECORD_SAME_CALLS                                                                    \
    "all members of a team must make the same calls in the same order, with the same root and size"
#define SHEAF_RECORD_SAME_ORDER                                                                    \
    "each waits for the other: PEs of several teams must call these in the same order"

/* A team that the PE is a member of. */
struct sheaf_team_line {
    uint64_t team;     /* identity; 0: a free line */
    uint64_t progress;
    int32_t start;     /* members: start, start + stride, ...; stride 0 where they are not evenly apart */
    int32_t stride;
    int32_t size;
    uint32_t kind;     /* enum sheaf_team_kind */
};
enum sheaf_team_kind { SHEAF_TEAM_OF_USER, SHEAF_TEAM_IS_WORLD, SHEAF_TEAM_IS_SHARED };

/* A lock that the PE holds. */
struct sheaf_held_lock {
    uint64_t lock; /* its position, the same on all PEs; 0: none */
    uint64_t site; /* where it was taken */
};

/* The source line of a call in an interpreted program (shmemx_call_line). The call's own address is in the
 * interpreter's extension and equal for all lines. Written before the call, number last. */
struct sheaf_announced_line {
    uint32_t number; /* number of the call's record; 0: none */
    uint32_t line;   /* 0: unknown, as two threads have announced the same call */
    uint32_t thread; /* mark of the thread that wrote it */
    char file[52];   /* the last part of its path */
};

struct sheaf_recorder {
    uint32_t begun;       /* number of calls; records holds the last of them. Written first */
    uint32_t has_threads; /* several threads of the PE may be in calls */
    uint64_t program;     /* load address of the executable */
    uint64_t program_end;
    char path[216];       /* of the executable */
    char called[12];      /* what a library calls PEs, see shmemx_call_pe; "": nothing */
    int32_t called_number; /* this PE's by that name */
    struct sheaf_held_lock locks[SHEAF_RECORD_LOCKS];
    struct sheaf_team_line teams[SHEAF_RECORD_TEAMS];
    struct sheaf_record records[SHEAF_RECORDS]; /* call n at place n modulo SHEAF_RECORDS */
    struct sheaf_announced_line lines[SHEAF_RECORD_LINES]; /* of call n at index n modulo
                                                              SHEAF_RECORD_LINES */
    uint64_t extension; /* start and end of the code that announces lines; 0: there is none */
    uint64_t extension_end;
    uint64_t statement; /* the place of the last statement that was begun for which a library makes calls,
                           see shmemx_call_for; 0: it has ended */
    uint32_t statement_first; /* the number of the first of these calls */
    uint32_t named_number; /* the number of the last call that a library has counted (shmemx_call_begin) */
    char name[32];         /* of that call, which is not among the node's names of calls */
};
_Static_assert(sizeof(struct sheaf_recorder) % SHEAF_CACHE_LINE == 0, "recorders fill cache lines");

/* Whether the call with this return address came through an interpreter. */
static inline bool sheaf_recorder_is_extension(const struct sheaf_recorder *recorder, uint64_t site)
{
    return recorder->extension && site > recorder->extension && site <= recorder->extension_end;
}

/* Where the program made the call: of one that a library makes for a statement, until that has ended, the
 * place of the statement. */
static inline uint64_t sheaf_recorder_place(const struct sheaf_recorder *recorder,
                                            const struct sheaf_record *call)
{
    bool in_program = call->site > recorder->program && call->site <= recorder->program_end;
    bool is_of_statement = recorder->statement && (int32_t)(call->number - recorder->statement_first) >= 0;
    return !in_program && is_of_statement ? recorder->statement : call->site;
}

/* Writes "PE 2", or "PE 2 (image 3)". */
static inline void sheaf_recorder_name_pe(const struct sheaf_recorder *recorder, int pe, char *text,
                                          size_t size)
{
    if (recorder->called[0])
        snprintf(text, size, "PE %d (%.*s %d)", pe, (int)sizeof recorder->called, recorder->called,
                 recorder->called_number);
    else
        snprintf(text, size, "PE %d", pe);
}

/* Writes "prog.py:12" for an interpreter's call by number; false: its line is not remembered. */
static inline bool sheaf_recorder_line(const struct sheaf_recorder *recorder, uint32_t number, char *text,
                                       size_t size)
{
    const struct sheaf_announced_line *line = &recorder->lines[number % SHEAF_RECORD_LINES];
    bool is_known = line->number == number && number && line->line && line->file[0];
    if (is_known) {
        snprintf(text, size, "%.*s:%u", (int)sizeof line->file, line->file, line->line);
        sheaf_sanitize(text, 0);
    }
    return is_known;
}

/* Counters of the PE's use of the library, for oshtop and shmemx_tool_read(): X(name, help). When two
 * threads count at once, one count may be lost. */
#define SHEAF_COUNTERS(X)                                                                          \
    X(heap_bytes, "bytes of the symmetric heap in blocks, now; memory spaces and hinted blocks apart") \
    X(far_operations, "puts, gets and atomic operations on PEs of other nodes")                    \
    X(far_bytes, "bytes that these moved")                                                         \
    X(polls, "times that a loop of tests or reads has yielded")
#define SHEAF_COUNTER_FIELD(name, help) uint64_t name;
struct sheaf_usage {
    SHEAF_COUNTERS(SHEAF_COUNTER_FIELD)
};
#undef SHEAF_COUNTER_FIELD

/* Bytes for the names of all calls, in the area once per node: one after the other, each ended by a
 * zero. */
#define SHEAF_CALL_NAMES_ROOM ((uint64_t)192 << 10)

#endif
