/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE's profile as a file: a header and chunks behind it, each a multiple of 64 KiB, mapped while
 * the PE runs, so that a PE that is killed leaves what it had collected. Numbers are in the
 * processor's own order, times in ticks of its counter; header.tick and header.ns hold pairs that
 * convert them. oshprof reads it (docs/do/profiling.md). The collector writes all of it; nothing is
 * ever read back.
 */
#ifndef SHEAF_PROFILE_FORMAT_H
#define SHEAF_PROFILE_FORMAT_H

#include <stdint.h>

#define PROFILE_MAGIC   "SHEAFPRF"
#define PROFILE_VERSION 3
#define PROFILE_UNIT    65536

enum profile_state { PROFILE_RUNNING = 1, PROFILE_FINALIZED = 2, PROFILE_EXITED = 3 };

/* Rounds in which all PEs meet, at the begin and at the end: no PE leaves one before every PE has
 * entered it, which bounds the difference of two hosts' clocks. */
#define PROFILE_ROUNDS 16

#define PROFILE_COUNTERS 8
struct profile_counter {
    char name[24];
    uint64_t value;
    int64_t error; /* errno where the machine does not have it */
};

/* Copies of 64, 1024, ... bytes. */
#define PROFILE_COPIES       5
#define PROFILE_COPY_SIZE(i) (UINT64_C(64) << 4 * (i))

struct profile_header {
    char magic[8];
    uint32_t version;
    uint32_t bytes; /* of the header: PROFILE_UNIT */
    uint32_t pe;
    uint32_t npes;
    uint32_t node; /* the lowest PE of this one's node */
    uint32_t state;
    uint64_t job;         /* the same in all files of a run */
    uint64_t used;        /* bytes of the file that hold whole chunks */
    uint64_t tick[2];     /* at two moments, the second the last that is known */
    uint64_t ns[2];       /* the same moments by CLOCK_MONOTONIC */
    uint64_t realtime_ns; /* at the first */
    uint64_t begin;       /* ticks: shmem_init returned */
    uint64_t end;         /* ticks: the last shmem_finalize returned; 0: not yet */
    uint64_t last;        /* ticks: the last call that was timed */
    uint64_t lost_calls;  /* for which there was no room */
    uint64_t collectives; /* calls of collectives in all: records may be fewer */
    uint32_t kept_shift;  /* one of 2^kept_shift collectives is recorded */
    uint32_t rounds;      /* of PROFILE_ROUNDS, at the begin */
    uint32_t last_rounds; /* at the end */
    uint32_t pid;
    uint64_t round[2][PROFILE_ROUNDS][2]; /* begin or end; entered, left, in ticks */
    uint64_t heap_now;
    uint64_t heap_peak;
    uint64_t heap_peak_tick;
    uint32_t heap_stride; /* changes per point */
    uint32_t clock;       /* ticks that timing itself adds to a call: taken off */
    struct profile_counter counters[PROFILE_COUNTERS];
    uint32_t nodes;       /* memory nodes that the PE may use; 0: not known */
    uint32_t nodes_error; /* errno, if so */
    /* Picoseconds that memcpy() takes on this host, by the node's first PE; 0: not measured */
    uint64_t copy_ps[PROFILE_COPIES];
    char boot_id[40]; /* of the kernel: PEs with the same have one clock */
    char host[64];
    char program[1024];
    char arguments[1024];
};
_Static_assert(sizeof(struct profile_header) <= PROFILE_UNIT, "the header fits");

enum profile_chunk_kind {
    PROFILE_SITES = 1,
    PROFILE_CELLS,
    PROFILE_TIMELINE,
    PROFILE_COLLECTIVES,
    PROFILE_TEAMS,
    PROFILE_MODULES,
    PROFILE_HEAP,
    PROFILE_TRACE,
    PROFILE_NAMES,
    PROFILE_RECENT,
    PROFILE_MESSAGES,
    PROFILE_LINES,
};

struct profile_chunk {
    uint32_t kind;
    uint32_t thread; /* 0: the first of the PE, or all */
    uint64_t bytes;  /* with this head */
    uint64_t count;  /* elements written; of a trace: in all, those that were overwritten too */
    uint64_t detail; /* of a timeline: the width of a bin in ticks; of a trace: the ring's length */
};

/* What a routine is, for sums and colours. */
enum profile_kind {
    PROFILE_PUT,
    PROFILE_GET,
    PROFILE_ATOMIC,
    PROFILE_WAIT,
    PROFILE_TEST,
    PROFILE_ORDER,
    PROFILE_COLLECTIVE,
    PROFILE_MEMORY,
    PROFILE_LOCK,
    PROFILE_TEAM,
    PROFILE_USER,
    PROFILE_KINDS
};

/* A place in the program that calls a routine. */
struct profile_site {
    uint64_t key;        /* 0: free */
    uint64_t cells_at;   /* of its cells, in the file */
    uint32_t cell_count; /* 1, or one per PE of the world */
    uint32_t kind;
    uint32_t module;     /* whose code it is; UINT32_MAX: unknown; or PROFILE_OF_LINES */
    uint32_t is_sampled; /* some calls were counted, but not timed */
    uint32_t element;    /* bytes of each call, where all move the same: its cells have none */
    uint32_t in_session;   /* of its calls in a session on their context */
    uint64_t offset;       /* of the return address, in the module; or the line's number */
    uint64_t longest;      /* ticks */
    uint64_t heap_live;    /* bytes allocated here and not freed */
    uint64_t heap_at_peak; /* the same when the PE's heap was largest */
    uint64_t heap_total;
    char name[64]; /* of the routine */
    /* Sums over the timed calls of w (w - 1) times 1, t and t * t: t ticks long, standing for w
     * calls. They tell how far off the estimated time may be. */
    double spread[3];
    /* By the memory node of the target's page and that of the caller's CPU: bytes of the calls that
     * were looked at, a part of those timed. */
    uint64_t node_bytes[2]; /* the same node, another */
};
_Static_assert(sizeof(struct profile_site) == 184, "as oshprof reads it");
#define PROFILE_MAX_SITES 512
/* In a site's key: calls in sessions have sites of their own. Below the routine's number is the
 * address that the call returns to. */
#define PROFILE_IN_SESSION    (UINT64_C(1) << 63)
#define PROFILE_ROUTINE_SHIFT 48

/* What each call writes. */
struct profile_tally {
    uint64_t bytes; /* where calls move different numbers of them */
    uint32_t left;  /* calls to come before the next that is timed; counted down */
    uint32_t mark;
};

/* Calls of one site, on one PE where it has one. */
struct profile_cell {
    uint64_t ops;   /* and those to come before the next that is timed: ops - left were made */
    uint64_t ticks; /* estimate, of the calls up to the last timed one, number ops + 1 - mark */
    struct profile_tally tally; /* mark: the calls that the next timed one stands for, itself too;
                                   0 before the first */
};
_Static_assert(sizeof(struct profile_cell) == 32, "as oshprof reads it");

/* Of the first thread, by routine: the site that was timed last. While a way has a PE's number as
 * its mark, its left stands in the place of that of the PE's cell, and its bytes are added. */
#define PROFILE_RECENT_SITES 128
#define PROFILE_WAYS         16 /* that of a PE: its number modulo this */
#define PROFILE_NO_PE        UINT32_MAX
struct profile_way {
    uint32_t left; /* as that of a cell; below 0 while a call is timed: to be read as 0 then */
    uint32_t mark;
};
struct profile_recent {
    uint64_t key; /* as the site's, but for sessions; 0: free */
    uint32_t site;
    uint32_t unused;
    struct profile_way ways[PROFILE_WAYS];
    uint64_t bytes[PROFILE_WAYS];
};

/* Ticks of each kind of call, by time since header.begin. */
#define PROFILE_BINS 256
struct profile_bin {
    uint64_t ticks[PROFILE_KINDS];
};

struct profile_collective {
    uint64_t team;
    uint64_t begin, end;
    uint32_t sequence; /* in its team */
    uint32_t site;     /* thread << 16 | index */
};
#define PROFILE_MAX_COLLECTIVES 4090

struct profile_team {
    uint64_t id;
    uint32_t size;
    uint32_t first; /* PE of the world */
    int32_t stride; /* 0: not regular */
    uint32_t is_active_set;
};
#define PROFILE_MAX_TEAMS 2048

struct profile_module {
    uint64_t base;
    char build_id[48]; /* hexadecimal */
    char path[456];
};
#define PROFILE_MAX_MODULES 100

/* A line of an interpreted program, which its interpreter's extension has announced for its calls
 * (shmemx_call_line). The last one stands for all further lines. */
struct profile_line {
    uint32_t line; /* 0: free */
    char file[60];
};
#define PROFILE_MAX_LINES 4096
#define PROFILE_OF_LINES  (UINT32_MAX - 1)

struct profile_heap_point {
    uint64_t tick;
    uint64_t most; /* bytes, of the changes that the point stands for */
};
#define PROFILE_HEAP_POINTS 2048

/* Messages of the engine, of one kind; bytes are those behind the headers. The library writes it. */
struct profile_messages {
    char kind[16];
    uint64_t sent, sent_bytes;
    uint64_t arrived, arrived_bytes;
};
_Static_assert(sizeof(struct profile_messages) == 48, "as libsheaf writes it");
#define PROFILE_MAX_MESSAGES 64

/* One call, or a user's event. */
struct profile_event {
    uint64_t begin, end;
    uint64_t bytes; /* of a user's counter: the value, as a double */
    uint64_t
        signal; /* symmetric place of the signal put or waited for, the same on all PEs; 0: none */
    uint32_t site;     /* index in the thread's sites; a user's event: the name's number */
    int32_t pe;        /* -1: none */
    uint32_t kind;     /* enum profile_kind, or PROFILE_BEGIN and so on */
    uint32_t sequence; /* of a collective in its team */
};
_Static_assert(sizeof(struct profile_event) == 48, "as oshprof reads it");
enum { PROFILE_BEGIN = 100, PROFILE_END, PROFILE_COUNT };

/* Names of users' events and counters, with their sums. */
struct profile_name {
    char name[64];
    uint64_t count;
    uint64_t ticks; /* between begin and end, on all threads */
    double last;    /* a counter's values */
    double least, most, sum;
    uint32_t is_counter;
    uint32_t depth; /* of events begun and not ended */
    uint64_t since;
};
#define PROFILE_MAX_NAMES 500

#endif
