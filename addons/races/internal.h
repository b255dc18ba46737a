/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the race checker share: strands and their clocks, the shadow of memory, and the
 * memory that the PEs of the host have in common.
 *
 * A strand is a sequence of accesses that are ordered among themselves as its kind says. A thread has
 * two: its loads (and calls that are complete when they return), and its stores, which another PE sees
 * in order only after a fence. What the library does behind a thread's back (puts, nonblocking
 * operations) are strands of a channel: a context and a target. Each access carries its strand and the
 * strand's clock. A thread's vector clock says up to which clock each strand's accesses are done for it.
 */
#ifndef SHEAF_RACES_INTERNAL_H
#define SHEAF_RACES_INTERNAL_H

#include "races/races.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define RACES_HIDDEN      __attribute__((visibility("hidden")))
#define RACES_PUBLIC      __attribute__((visibility("default")))
#define races_likely(x)   __builtin_expect(!!(x), 1)
#define races_unlikely(x) __builtin_expect(!!(x), 0)

#pragma GCC visibility push(hidden)

/* Access words. Strand 0 is no strand, and what carries it never races. */
#define RACES_STRANDS      65536
#define RACES_MASK_SHIFT   32 /* bytes of the granule, 8 bits */
#define RACES_WRITE        (UINT64_C(1) << 40)
#define RACES_ATOMIC       (UINT64_C(1) << 41) /* does not race with those of its type and domain */
#define RACES_OBSERVED     (UINT64_C(1) << 42) /* a store that a wait of the memory's PE has seen */
#define RACES_TYPE_SHIFT   43 /* of an atomic one: enum races_type, 4 bits; NONE agrees with all */
#define RACES_TYPES        (UINT64_C(15) << RACES_TYPE_SHIFT)
#define RACES_OF_SHARED    (UINT64_C(1) << 47) /* of an atomic one: by a context of SHMEM_TEAM_SHARED */
#define RACES_SIGNALLED    (UINT64_C(8) << RACES_TYPE_SHIFT) /* of another: which of signals[] below */
#define RACES_STRAND_SHIFT 48

static inline unsigned races_mask_of(uint64_t word)
{
    return (unsigned)(word >> RACES_MASK_SHIFT) & 0xff;
}
static inline unsigned races_strand_of(uint64_t word)
{
    return (unsigned)(word >> RACES_STRAND_SHIFT);
}
/* The bytes from at to end that lie in the granule of at. */
static inline unsigned races_mask_from(uintptr_t at, uintptr_t end)
{
    unsigned first = at & 7, last = end - (at & ~(uintptr_t)7) >= 8 ? 8 : (unsigned)(end & 7);
    return (0xffu << first & 0xffu) & (0xffu >> (8 - last));
}
static inline uint64_t races_word(unsigned strand, uint32_t clock, uint64_t flags)
{
    return (uint64_t)strand << RACES_STRAND_SHIFT | clock | flags;
}

/* The shadow of 8 bytes: the last accesses, where each was, and what the last write released. */
#define RACES_SLOTS 4
struct races_more {
    uint32_t site[RACES_SLOTS];
    uint32_t release; /* snapshot; 0: none */
    uint32_t half[2]; /* the same of writes to 4 of the 8 bytes, or fewer: two flags may share the word */
    uint32_t unused;
};
struct races_cell {
    _Alignas(64) uint64_t slot[RACES_SLOTS];
    struct races_more more;
};
_Static_assert(sizeof(struct races_cell) == 64, "a line of the cache");

#define RACES_PAGE_SHIFT 12
#define RACES_PAGE       ((size_t)1 << RACES_PAGE_SHIFT)
#define RACES_CELLS      (RACES_PAGE / 8)

/* The same page once more, before its cells: loads and stores of whole words by one thread of its own PE,
 * the first that comes. They are most of a program's, and are bits here: a generation has those of one
 * time of the thread, the first that of now. A word whose access is not repeated in a younger generation
 * goes into its cell when its own is given up. The thread alone writes, but for foreign: words whose cells
 * have accesses of others that the thread has not compared with its own. */
#define RACES_GENERATIONS 4
#define RACES_ROWS        (RACES_CELLS / 64)
enum { RACES_LOADED, RACES_STORED }; /* what is stored counts as loaded too */
struct races_own {
    _Alignas(64) _Atomic uint64_t stamp; /* of the thread, now; 0: nobody's yet */
    _Atomic uint32_t turn;               /* odd while generations move */
    uint32_t clock[RACES_GENERATIONS];   /* 0: none */
    _Atomic uint64_t foreign[RACES_ROWS];
    _Alignas(64) uint64_t bits[RACES_ROWS][RACES_GENERATIONS][2];
    uint32_t site[2][RACES_CELLS]; /* of the youngest */
};
#define RACES_OWN    ((size_t)8192)
#define RACES_SHADOW (RACES_OWN + RACES_CELLS * sizeof(struct races_cell))
_Static_assert(sizeof(struct races_own) <= RACES_OWN, "its room");

static inline struct races_own *races_own(const struct races_cell *cells)
{
    return (struct races_own *)(void *)((uintptr_t)cells - RACES_OWN);
}
static inline uint64_t races_stamp(unsigned program, unsigned stores, uint32_t clock)
{
    return (uint64_t)program << 48 | (uint64_t)stores << 32 | clock;
}

/* What the table has for a page of addresses: 0 not known yet, else a cell's address, or a flag alone. */
#define RACES_PRIVATE ((uintptr_t)1) /* nobody else's, and not watched while the PE has one thread */
#define RACES_FOREIGN ((uintptr_t)2) /* another PE's memory */
#define RACES_FLAGS   ((uintptr_t)3)

enum races_kind {
    RACES_PROGRAM, /* a thread's loads, and calls that are complete when they return */
    RACES_STORES,  /* its stores */
    RACES_PUTS,    /* of a channel: complete with quiet, ordered by fence */
    RACES_GETS     /* of a channel: complete with quiet */
};

#define RACES_CONTEXT_DEFAULT 0
#define RACES_MOST_PUTS       8 /* strands of a channel */
struct races_strand {
    _Alignas(64) _Atomic uint32_t clock; /* the PEs' are far apart */
    int32_t pe, thread;
    int32_t target, context; /* of a channel's: RACES_CONTEXT_DEFAULT, or a number of its PE */
    int32_t kind;
    uint32_t signals[RACES_MOST_PUTS]; /* of a channel's gets: the strands of its puts' signals */
};
_Static_assert(sizeof(struct races_strand) == 64, "a line of the cache");

/* A place of the program's code: a load or store in the executable is its offset there; any other is
 * RACES_LISTED and a number of the list. */
#define RACES_LISTED 0x80000000u
#define RACES_SITES  65536

/* A vector clock as it was, in a ring of all PEs. */
#define RACES_RING_UNITS (1u << 19) /* of 64 bytes */
#define RACES_UNIT       64
#define RACES_EVERYTHING UINT32_MAX /* a snapshot that is gone: all that has happened */
struct races_snapshot {
    _Atomic uint32_t id;
    uint32_t length;
    uint32_t clock[];
};
/* One that is another but for a few clocks, in one unit: length has RACES_CHANGES and how many. */
#define RACES_CHANGES      0x80000000u
#define RACES_MOST_CHANGES 6
struct races_change {
    uint32_t strand, clock;
};
struct races_changes {
    _Atomic uint32_t id;
    uint32_t length, base, unused;
    struct races_change change[RACES_MOST_CHANGES];
};
_Static_assert(sizeof(struct races_changes) == RACES_UNIT, "one unit");

/* Where members of a team leave the clocks with which they came to a collective. */
#define RACES_MEETINGS 4096
#define RACES_AHEAD    64
struct races_arrival {
    _Atomic uint64_t number;
    _Atomic uint32_t snapshot;
    uint64_t count;
};
struct races_meeting {
    _Atomic uint64_t key;      /* 0: free */
    _Atomic uint64_t arrivals; /* offset of struct races_arrival[members][RACES_AHEAD] */
};

#define RACES_PAIRS   4096
#define RACES_PAGES   (1u << 22)
#define RACES_MODULES 256
struct races_page {
    _Atomic uint64_t key; /* 0: free */
    _Atomic uint64_t at;  /* offset of its cells */
};

struct races_module {
    _Atomic uint32_t state; /* 0: free, 1: being written, 2: there */
    char path[252];
};

#define RACES_MAGIC UINT64_C(0x5361636552000003)
struct races_shared {
    uint64_t magic, length;
    int32_t npes, puts_of_channel;
    _Atomic uint64_t used;    /* bytes of the file that are taken */
    _Atomic uint32_t strands; /* that are taken */
    _Atomic uint32_t reports, full; /* full: bits of enum races_table_of */
    _Atomic uint32_t ring_next;
    _Atomic uint64_t pairs[RACES_PAIRS]; /* of places that have been reported */
    _Atomic uint64_t sites[RACES_SITES];
    struct races_module modules[RACES_MODULES];
    struct races_strand strand[RACES_STRANDS];
    struct races_meeting meetings[RACES_MEETINGS];
    struct races_page pages[RACES_PAGES];
    _Alignas(RACES_UNIT) char ring[(size_t)RACES_RING_UNITS * RACES_UNIT];
};

struct races_thread {
    uintptr_t *table; /* races_table */
    uint64_t stamp;
    uint64_t read_word, write_word; /* without a mask */
    uintptr_t bias;                 /* of the program */
    bool watches_private;
    unsigned program, stores; /* strands */
    uint32_t clock;                 /* of both strands */
    uint32_t length;                /* of vc */
    int number;
    uint32_t base;              /* a snapshot of its clocks but program's; 0: to be made */
    uint32_t foreign_release;   /* what a store to another PE's memory releases; 0: to be made */
    uint32_t vc[RACES_STRANDS]; /* [program] is clock; [stores] is up to where stores are fenced */
    uint32_t scratch[3][RACES_STRANDS]; /* lists of clocks, too long for the stack of a small thread */
};

extern struct races_pe {
    struct races_shared *shared; /* NULL: nothing is checked */
    char *base;                  /* of the same */
    bool is_up, watches_private, is_threaded;
    int pe, npes;
    ptrdiff_t *distance;                  /* of each PE's copies from mine */
    uintptr_t heap, heap_end;             /* of this PE */
    uintptr_t program, program_end, bias; /* bias: what is added to the file's addresses */
    uintptr_t data;                       /* where its variables begin */
    const char *path;                     /* of the program */
    unsigned most_reports;
    bool counts_signals;
    int thread_level;
    const struct races_thread *first; /* the thread that initialized */
} races;
/* The program's copy of plain.c has it too. */
extern RACES_PUBLIC _Thread_local struct races_thread *races_self __asm__("__sheaf_races_self")
    __attribute__((tls_model("initial-exec")));
extern uintptr_t *races_table;

/* state.c */
bool races_lock(void); /* what the PE's threads share; returns whether it is taken */
void races_unlock(bool is_taken);
bool races_has_lock(void); /* whether this thread holds it */
void races_write(const char *text, size_t length); /* to standard error */
void races_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A table that is full: said once in a job, with the consequence. */
enum races_table_of { RACES_NO_STRANDS, RACES_NO_PAGES, RACES_NO_TEAMS, RACES_NO_SITES, RACES_BY_SIGNAL };
void races_full(enum races_table_of table);
void *races_next_of(const char *name);
/* REAL(f): the next library's f, looked up once. */
#define REAL(NAME)                                                                                       \
    ({                                                                                                   \
        static __typeof__(&NAME) real_##NAME;                                                            \
        if (races_unlikely(!real_##NAME))                                                                \
            real_##NAME = (__typeof__(&NAME))races_next_of(#NAME);                                       \
        real_##NAME;                                                                                     \
    })

/* shared.c: the job's memory. */
int races_shared_attach(void);
void *races_shared_take(size_t bytes, uint64_t *at); /* zeros, whole pages; NULL: full */
void *races_map(size_t bytes);                       /* zeros of this process alone; NULL: none */
void races_zero(void *start, size_t bytes);          /* of such memory */

/* clock.c */
unsigned races_strand_new(enum races_kind kind, int thread, int context, int target);
/* How many there are, of all PEs. */
uint32_t races_strand_count(void);
struct races_thread *races_thread_new(int number);
void races_tick(struct races_thread *thread);
void races_acquire(struct races_thread *thread, uint32_t snapshot);
void races_join(struct races_thread *thread, const uint32_t *clock, uint32_t length);
/* What has happened for the thread, and another strand's accesses up to now. With its stores, fenced or
 * not, where is_full. */
uint32_t races_release(struct races_thread *thread, bool is_full);
/* The same, as if the thread knew these clocks; its stores are not in it. */
uint32_t races_release_with(struct races_thread *thread, const struct races_change *changes,
                            uint32_t count);
/* In clock, of *length at most RACES_STRANDS; false: it is gone. */
bool races_snapshot_read(uint32_t id, uint32_t *clock, uint32_t *length);
uint32_t races_snapshot_join(struct races_thread *thread, uint32_t old, uint32_t id);
void races_know(struct races_thread *thread, unsigned strand, uint32_t clock);

/* page.c: from addresses to cells. */
void races_pages_prepare(void);
/* Where the heap begins and ends, from an address in it; before there are spaces. */
void races_heap_find(uintptr_t inside);
uintptr_t races_page_find(uintptr_t address, bool even_private);
/* Of the object of PE pe that is here at address; NULL where it is not watched. */
struct races_cell *races_cell_on(int pe, uintptr_t address);
/* The cell of an access to come is on its way into the processor's cache. */
void races_prefetch(int pe, uintptr_t address);
/* Whose memory that is, and what it is called there; -1: private. */
int races_owner(uintptr_t address, uintptr_t *local);
/* The same, quick for the page that the thread asked for last. */
int races_owner_again(uintptr_t address, uintptr_t *local);
/* The cells of a page of this PE's symmetric memory; 0: nobody has looked there. */
uintptr_t races_page_there(uintptr_t local);
/* Words of a range in the page of at; *next: the first address behind them. */
size_t races_words_in_page(uintptr_t at, uintptr_t end, uintptr_t *next);
void races_forget_private(uintptr_t start, size_t bytes);

/* The table's entries for these addresses: to be found again. */
void races_pages_forget(uintptr_t start, size_t bytes);

/* space_table.c */
struct races_space {
    shmemx_space_t handle; /* SHMEMX_SPACE_INVALID: none */
    uintptr_t start, end;  /* whole pages, from that of the first block */
    struct races_team *team;
    unsigned number; /* of the team */
};
struct races_space *races_space_of(shmemx_space_t handle); /* NULL: there is none */
struct races_space *races_space_at(uintptr_t address);
struct races_space *races_space_new(void); /* an entry to be filled; NULL: no more are watched */
int races_spaces(struct races_space **all);
#define RACES_SPACE_SHIFT 30 /* pages of a space, in bits */
bool races_is_in_space(uintptr_t address);
/* What all members call a page of a space, by this PE's address; false: it is in none. */
bool races_space_page(uintptr_t address, uint64_t *page);

/* spaces.c */
void races_spaces_prepare(void);

/* cell.c: accesses. */
struct races_access {
    uint64_t word; /* without a mask */
    uint32_t site;
    int owner;          /* whose memory it is; -1: private */
    uint32_t release;   /* of a write that others may wait for; 0: none */
    bool joins;         /* what was released there before stays */
    const uint32_t *vc; /* whose clocks tell; NULL: the thread's */
    bool is_check;      /* nothing is recorded */
    bool settles;       /* a read for another PE: the thread's own stores are behind it */
    bool is_early;      /* the same call, and the thread's own stores, do no harm */
    bool *conflict;     /* nothing is reported: set where it would be */
};
void races_look(struct races_thread *thread, struct races_cell *cell, unsigned mask, uintptr_t local,
                const struct races_access *access);
/* One access found elsewhere than in the cell, which ends at 0. */
void races_compare(struct races_thread *thread, uint64_t old, uint32_t old_site, uint64_t word,
                   uintptr_t local, const struct races_access *access);
/* Whether all that the cell has is ordered before the access. */
bool races_is_settled(const struct races_thread *thread, const struct races_cell *cell,
                      const struct races_access *access);
/* By a write to these bytes: what was released there before stays where joins is set. */
void races_cell_release(struct races_thread *thread, struct races_cell *cell, unsigned mask, uint32_t id,
                        bool joins);
/* What writes to these bytes have released. */
void races_cell_acquire(struct races_thread *thread, const struct races_cell *cell, unsigned mask);

/* access.c: ranges. */
/* All bytes from at to end, which lie in one page; cells: of the page. local: what at is called by its PE.
 */
void races_look_words(struct races_thread *thread, struct races_cell *cells, uintptr_t at, uintptr_t end,
                      uintptr_t local, const struct races_access *access);
/* All bytes of a range, of PE pe at this PE's address, or private where pe is -1. */
void races_look_range(struct races_thread *thread, int pe, const void *start, size_t bytes,
                      const struct races_access *access);
/* Loads and stores, wherever the address leads; call: of libc, or NULL. */
void races_plain_range(const void *start, size_t bytes, bool is_write, uintptr_t caller, const char *call);
/* Symmetric memory of this PE has no past from now on. */
void races_forget_range(uintptr_t start, size_t bytes);
/* As if the thread wrote to all of it, where anybody has looked. */
void races_check_range(struct races_thread *thread, uintptr_t start, size_t bytes, uint32_t site);

/* own.c: what a thread does with its own PE's memory. False where the page is another thread's. */
bool races_own_record(struct races_thread *thread, struct races_cell *cells, uintptr_t local, bool is_write,
                      const struct races_access *access);
/* The cells of these words have got accesses of others, or of channels. */
void races_own_mark(struct races_cell *cells, size_t first, size_t count);
/* The thread's stores to these words go into their cells, as behind a call that reads them for others. */
void races_own_settle(const struct races_thread *thread, struct races_cell *cells, size_t first,
                      size_t count);
/* The access of others is compared with the thread's. */
void races_own_look(struct races_thread *thread, const struct races_cell *cells, uintptr_t local,
                    uint64_t word, const struct races_access *access);
void races_own_forget(struct races_cell *cells, size_t first, size_t count);

/* access.c: what the program's own copy of it calls. */
RACES_PUBLIC void races_plain_slow(const void *start, size_t bytes, bool is_write, uintptr_t caller)
    __asm__("__sheaf_races_plain");

/* report.c */
void races_report(struct races_thread *thread, uint64_t old, uint32_t old_site, uint64_t word,
                  uintptr_t local, const struct races_access *access);
/* Of a call that its thread may not make: no race, each place once. */
void races_report_call(const struct races_call *call, const char *why);
unsigned races_reported(void);

/* site.c */
uint32_t races_site_plain(uintptr_t caller);
uint32_t races_site_call(const char *call, uintptr_t caller);
/* "heat.c:40 in step"; *call: NULL for a load or store. */
void races_site_text(uint32_t site, char *text, size_t size, const char **call);
void races_site_place(uintptr_t code, char *text, size_t size);
/* The first times that a thread comes to a place where others may learn of it, it gives them the time to:
 * what it does next is then not hidden behind what they learn later. */
void races_linger(uintptr_t caller);

/* channel.c */
int races_world_pe(shmem_ctx_t ctx, int pe); /* -1: none */
/* All operations so far of this context on the PE are complete; one is there. */
void races_channel_end(struct races_thread *thread, shmem_ctx_t ctx, int pe);
void races_channels_quiet(struct races_thread *thread, shmem_ctx_t ctx);

/* team.c */
void races_teams_prepare(void);
/* One more of the same members, which nothing but this finds. */
struct races_team *races_team_again(const struct races_team *team);
void races_team_drop(struct races_team *team);
/* Whether it is SHMEM_TEAM_SHARED or was split from it: a domain of atomic operations. */
bool races_team_is_of_shared(shmem_team_t team);
/* The same for all members, and no other team's: below RACES_MEETINGS. */
unsigned races_team_number(const struct races_team *team);

/* block.c */
struct races_block {
    uintptr_t start;
    size_t bytes;
    uintptr_t caller; /* that allocated it */
};
void races_block_add(const void *start, size_t bytes, uintptr_t caller);
const struct races_block *races_block_of(const void *start); /* NULL: none begins there */
void races_block_drop(const void *start);
void races_block_text(uintptr_t address, char *text, size_t size);

/* thread.c */
void races_threads_prepare(void);
/* What a thread knows goes to whoever acquires the object after it. joins: several give it at a time. */
void races_object_acquire(const void *address);
void races_object_release(const void *address, bool joins);
/* The same without an object: for the thread that gets the number. */
uint32_t races_thread_release(void);
void races_thread_acquire(uint32_t release);

/* free.c */
void races_free_prepare(void);

#pragma GCC visibility pop

#endif
