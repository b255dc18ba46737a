/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the collector's files share: its file, its threads, and whether it collects.
 */
#ifndef SHEAF_PROFILE_INTERNAL_H
#define SHEAF_PROFILE_INTERNAL_H

#include "profile/profile.h"

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

struct profile_thread {
    uint32_t number;
    uint32_t site_count;
    struct profile_chunk *sites_chunk, *timeline_chunk, *trace_chunk;
    struct profile_site *sites;
    struct profile_bin *bins;
    struct profile_event *events;
    char *cells, *cells_end;                          /* room for cells */
    uint64_t cells_at;                                /* of it, in the file */
    struct profile_cell *cells_of[PROFILE_MAX_SITES]; /* by the site's index */
    struct profile_slot *slots;
    uint64_t random; /* see next_step(); never 0 */
    uint32_t looks;  /* calls until the kernel is asked for a memory node again */
};

extern struct profile_state_of_pe {
    struct profile_header *header;
    bool is_up; /* between initialization and finalization */
    bool is_on; /* calls are collected */
    bool is_tracing;
    int pe, npes;
    uint64_t long_ticks;   /* a call as long as this is always timed */
    uint64_t trace_events; /* of each thread's ring; 0: no trace */
    pthread_mutex_t lock;  /* of all that threads share */
} profile;

/* What the collector itself asks of the library: not by its own routines, which count. It is not
 * linked with the library, since children of a PE that are no PEs may load it too. */
#define PROFILE_QUESTIONS(X)                                                                       \
    X(my_pe, int, (void))                                                                          \
    X(n_pes, int, (void))                                                                          \
    X(team_n_pes, int, (shmem_team_t))                                                             \
    X(team_translate_pe, int, (shmem_team_t, int, shmem_team_t))                                   \
    X(ctx_get_team, int, (shmem_ctx_t, shmem_team_t *))                                            \
    X(ptr, void *, (const void *, int))                                                            \
    X(query_initialized, void, (int *))                                                            \
    X(sync_all, void, (void))                                                                      \
    X(global_exit, void, (int))
#define PROFILE_QUESTION(NAME, RESULT, PARAMETERS) RESULT(*NAME) PARAMETERS;
extern struct profile_library {
    PROFILE_QUESTIONS(PROFILE_QUESTION)
    int (*team_exchange)(shmem_team_t, const void *, size_t, void *);
    int (*is_respawned)(void);
} profile_library;

/* The thread's own tables, made at its first call; NULL without room. */
struct profile_thread *profile_thread(void);
void profile_start_threads(void);

/* The first thread's recent sites; of another thread nothing is done. */
int profile_recent_prepare(void);
/* Nothing goes that way until a site is used again, or opened if it still has its place. */
void profile_recent_close(void);
void profile_recent_open(struct profile_thread *thread, const struct profile_site *site);
void profile_recent_use(struct profile_thread *thread, struct profile_site *site, unsigned pe);
void profile_recent_clear(struct profile_thread *thread);
/* Of a site's calls on pe, here or in the cell: how many are still to be counted. */
uint32_t *profile_recent_left(struct profile_thread *thread, const struct profile_site *site,
                              unsigned pe);
/* The file's bytes from at over size bytes at place. */
int profile_file_lay(void *place, uint64_t at, size_t size);

/* The processor's counter. */
static inline uint64_t profile_ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
#error "no counter is known for this processor"
#endif
}

static inline uint64_t profile_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The file. */
int profile_file_create(const char *folder, int pe); /* 0 or errno; header is mapped then */
void profile_file_remove(const char *folder, int pe);  /* what _create has made, where no profile begins */
struct profile_chunk *profile_file_add(enum profile_chunk_kind kind, uint32_t thread, size_t bytes,
                                       uint64_t *at);
void profile_file_clock(void); /* notes ticks and nanoseconds of now */

/* Modules; the lock is held. */
int profile_modules_prepare(void);
void profile_module_of(uintptr_t address, uint32_t *module, uint64_t *offset);

/* Libraries over the library that name the program's place. What stands for a call from address in
 * keys: the place of the statement that it is made for; its line's number where the thread has
 * announced one, which is below all addresses; else the address. */
uintptr_t profile_line_of(uintptr_t address);
/* The statement that a call is made for whose place in keys is address; NULL: none. */
const char *profile_statement_at(uintptr_t address);
/* Whether calls from address may have a short way: not those of such a library, since each may be
 * another's. */
bool profile_is_plain(uintptr_t address);

/* Collectives, the heap, trace, counters of the kernel. */
int profile_collectives_prepare(void);
/* One that is not collected has its number all the same: other PEs may collect it. */
void profile_collective_skip(const struct profile_call *call);
uint32_t profile_collective_note(const struct profile_call *call, uint32_t site, uint64_t end);
void profile_collectives_learn_world(void);
void profile_collectives_forget(void);
int profile_heap_prepare(void);
uint64_t profile_heap_place(const void *address);
/* A call of this site has freed and made these blocks; either may be NULL. */
void profile_heap_note(struct profile_site *site, const void *freed, const void *made, size_t bytes);
void profile_trace_add(struct profile_thread *thread, const struct profile_event *event);
int profile_trace_prepare(struct profile_thread *thread);
int profile_names_prepare(void);
void profile_nodes_prepare(void);
/* The address is symmetric; bytes: of all calls that this one stands for. */
void profile_nodes_note(struct profile_site *site, const void *address, int pe, uint64_t bytes);
void profile_copies_measure(void);
void profile_counters_start(void);
void profile_counters_read(void);

#endif
