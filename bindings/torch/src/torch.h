/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libsheaf_torch: the collectives and messages of torch.distributed over OpenSHMEM's public
 * interface. The module sheaftorch calls it by ctypes, without Python's lock.
 *
 * A group is a team with a block of memory on each member. A collective goes in steps. In each step
 * a member writes its area, announces the step to all others, waits until all have announced it,
 * and reads others' areas. No two successive areas overlap: who has announced step k + 1 has
 * read all of step k, so that area may be written again.
 */
#ifndef SHEAF_TORCH_H
#define SHEAF_TORCH_H

#include <shmem.h>
#include <shmemx.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of an area: of a collective's step. At 32 MiB on 2 and 4 ranks, four collectives each, 64 and
 * 128 KiB took 1.0 to 1.8 times as long, 256 KiB 0.7 to 1.5, 512 KiB 0.6 to 1.4 (three runs, of two
 * speeds). */
#define SHEAF_TORCH_CHUNK   (1UL << 20)
#define SHEAF_TORCH_MESSAGE (1UL << 16) /* bytes of a part of a message */
#define SHEAF_TORCH_HEADS   8           /* messages of a pair that are announced and not yet seen */
#define SHEAF_TORCH_TEXT    240
#define SHEAF_TORCH_TRIES   6 /* calls by each way, in a trial */
#define SHEAF_TORCH_LENGTHS 10 /* classes of lengths, of which something is learned */

#define SHEAF_EXPORTED __attribute__((visibility("default"))) /* what the module calls */

enum sheaf_torch_kind {
    SHEAF_BARRIER,
    SHEAF_BROADCAST,
    SHEAF_ALLREDUCE,
    SHEAF_REDUCE,
    SHEAF_ALLGATHER,
    SHEAF_GATHER,
    SHEAF_SCATTER,
    SHEAF_REDUCE_SCATTER,
    SHEAF_ALLTOALL,
    SHEAF_SEND,
    SHEAF_RECV,
    SHEAF_KINDS
};

/* Elements. SHEAF_BYTES: of any other type of torch's, which are only moved. */
enum sheaf_torch_type {
    SHEAF_BYTES,
    SHEAF_BOOL,
    SHEAF_UINT8,
    SHEAF_INT8,
    SHEAF_INT16,
    SHEAF_INT32,
    SHEAF_INT64,
    SHEAF_FLOAT16,
    SHEAF_BFLOAT16,
    SHEAF_FLOAT32,
    SHEAF_FLOAT64,
    SHEAF_COMPLEX64,
    SHEAF_COMPLEX128,
    SHEAF_COMPLEX32,
    SHEAF_TYPES
};

/* Torch's numbers. SHEAF_AVERAGE: the sum divided by the number of members. */
enum sheaf_torch_combine {
    SHEAF_SUM,
    SHEAF_AVERAGE,
    SHEAF_PRODUCT,
    SHEAF_MIN,
    SHEAF_MAX,
    SHEAF_AND,
    SHEAF_OR,
    SHEAF_XOR,
    SHEAF_COMBINES
};

/* Where the missing members were in their last steps: not known, all on other processors, or one on the
 * caller's, so that it cannot come before the caller gives way. */
enum sheaf_torch_place { SHEAF_UNKNOWN, SHEAF_ELSEWHERE, SHEAF_HERE };

enum sheaf_torch_state { SHEAF_DONE, SHEAF_PENDING, SHEAF_FAILED };

/* An announcement of a member. step is written last. Of a call's first step kind to bytes must be equal
 * on all. Of an alltoall bytes is what the member that reads this is sent. */
struct sheaf_announcement {
    uint64_t step;
    uint32_t kind, type, combine, root;
    uint64_t bytes; /* of a block */
    uint64_t most;  /* of an alltoall's blocks */
    uint64_t call;
    uint64_t cpu; /* the processor that this was written on, and 1 */
    uint64_t took; /* the member's copies in the part before, ns; 0: they were not timed */
};

/* Why a member takes no further part. */
struct sheaf_notice {
    uint64_t is_set;
    char text[SHEAF_TORCH_TEXT];
    uint64_t unused;
};

struct sheaf_head {
    uint64_t bytes;
    int64_t tag;
};

/* Written by the one that sends. */
struct sheaf_inbound {
    uint64_t posted, staged; /* messages, parts of messages */
    uint64_t unused[6];
    struct sheaf_head heads[SHEAF_TORCH_HEADS];
};

/* Written by the one that receives: how many heads it has seen, and how many parts it has read; and
 * how many messages it has granted, of these the last one's number and the bytes that are expected.
 */
struct sheaf_outbound {
    uint64_t taken, pulled, granted, number, bytes;
    uint64_t unused[3];
};

struct sheaf_block {
    char *address;
    size_t bytes;
};

/* How a member writes its area: into its caches, or past them. */
enum sheaf_torch_way { SHEAF_CACHED, SHEAF_PAST, SHEAF_WAYS };

/* A group's trials of its calls of one kind and about one length, and their result (trial.c). Turns of a
 * trial count from 1. */
struct sheaf_trial {
    uint64_t took[SHEAF_WAYS * SHEAF_TORCH_TRIES]; /* by the trial under way; of all members, ns */
    uint64_t known;  /* the way's, by the last trial; 0: there was none */
    uint32_t way;    /* enum sheaf_torch_way */
    uint32_t turn;   /* the next one; 0: no trial is under way */
    uint32_t calls;  /* since the last trial began */
    uint32_t every;  /* of these so many one is timed */
    uint32_t pause, soonest; /* calls until the next one, until one that comes early */
    uint32_t strange; /* timed calls in a row that took another time than known */
};

struct sheaf_copy {
    char *to;
    const char *from;
    size_t bytes;
};

/* A call as the module hands it over; ins + outs blocks follow. A negative number of them is one block,
 * which is cut into as many of the same length. */
struct sheaf_call {
    struct sheaf_group *group;
    int64_t tag;
    size_t bytes;
    int32_t kind, type, combine, root, ins, outs;
};

struct sheaf_operation {
    struct sheaf_operation *next;
    struct sheaf_group *group;
    enum sheaf_torch_kind kind;
    enum sheaf_torch_type type;
    enum sheaf_torch_combine combine;
    int root; /* of a message: the other rank, or -1 */
    int64_t tag;
    uint64_t number; /* of the group's collectives; of a message, in its pair */
    uint64_t counted; /* the collective's number for Sheaf's reports; 0: not begun */
    size_t bytes;    /* of a block */
    size_t longest;  /* block that this member gives */
    size_t done;     /* bytes of a message */
    size_t index, steps;
    struct sheaf_trial *trial; /* NULL: the part is not timed */
    uint32_t turn;             /* of the trial */
    bool is_past;              /* areas are written past the caches */
    uint64_t took;             /* this member's copies in the part, ns */
    bool is_announced, is_filled; /* the step, the next one's area */
    _Atomic int state;
    char text[SHEAF_TORCH_TEXT];
    int ins, outs;
    struct sheaf_block *in, *out;
    struct sheaf_block blocks[];
};

struct sheaf_queue {
    struct sheaf_operation *first, **last;
};

/* A message that another has announced, and for which no receive has been posted. */
struct sheaf_arrival {
    struct sheaf_arrival *next;
    struct sheaf_head head;
    uint64_t number;
};

/* This rank's side of the messages with another. */
struct sheaf_pair {
    uint64_t sent, posted, staged, granted; /* as the one that sends */
    uint64_t taken, grants, pulled;         /* as the one that receives */
    struct sheaf_arrival *arrivals, **last;
    struct sheaf_operation *sending, *receiving;
    bool is_wanted;
};

struct sheaf_group {
    struct sheaf_group *next;
    char name[64];
    shmem_team_t team; /* its calls are the collectives, so that reports can count them */
    shmem_team_t memory_team; /* of symmetric memory; NULL until it is asked for */
    int rank, size, near; /* near: how many members loads and stores reach */
    int *pes;
    char *mine, **peers; /* the members' blocks; NULL: of another host */
    size_t table, areas, boxes;
    uint64_t step, call;
    uint64_t calls_before; /* of groups that had the same memory */
    int seen;        /* members that have announced the step, in order */
    uint64_t looked; /* when, for deaths and notices */
    bool has_failed;
    char text[SHEAF_TORCH_TEXT];
    char *scratch; /* others' areas, of other hosts */
    struct sheaf_queue collectives, messages;
    struct sheaf_pair *pairs;
    struct sheaf_trial trials[SHEAF_SEND][SHEAF_TORCH_LENGTHS];
    enum sheaf_torch_way way;  /* the last trial's; of what has had none */
    struct sheaf_trial *timed; /* of the part before; NULL: it was not timed */
    uint32_t timed_turn;
    uint64_t took; /* this member's copies in it, ns */
};

/* job.c */
extern struct sheaf_group *sheaf_job_groups;
extern int sheaf_job_pending;    /* operations that have not ended */
extern uint64_t sheaf_job_moves; /* steps and parts that have been made */
void sheaf_job_lock(void);
void sheaf_job_unlock(void);
bool sheaf_job_guard(void (*call)(void *), void *argument);
bool sheaf_job_spin(enum sheaf_torch_place place);
void sheaf_job_pause(unsigned turn, enum sheaf_torch_place place);
uint64_t sheaf_job_ns(void);
uint64_t sheaf_job_cpu_ns(void);
void sheaf_job_work_began(void);
void sheaf_job_waits(int more);
bool sheaf_job_has_waiters(void);
void sheaf_job_end_operation(struct sheaf_operation *operation, const char *text);
bool sheaf_job_idle(uint64_t ns);
void sheaf_job_sleep(long ns);
void sheaf_job_close(void);
bool sheaf_job_is_closed(void);
void sheaf_job_count(int pes);

/* memory.c */
size_t sheaf_memory_bytes(struct sheaf_group *group);
struct sheaf_announcement *sheaf_memory_table(struct sheaf_group *group, uint64_t step, int rank);
struct sheaf_notice *sheaf_memory_notice(struct sheaf_group *group, int rank);
struct sheaf_inbound *sheaf_memory_inbound(struct sheaf_group *group, int rank);
struct sheaf_outbound *sheaf_memory_outbound(struct sheaf_group *group, int rank);
char *sheaf_memory_box(struct sheaf_group *group, int rank, uint64_t part);
char *sheaf_memory_area(struct sheaf_group *group, uint64_t step, bool is_one_of_two);
void *sheaf_memory_at(struct sheaf_group *group, int rank, const void *address);
void sheaf_memory_write(struct sheaf_group *group, int rank, void *dest, const void *source,
                        size_t bytes, uint64_t *word, uint64_t value);
void sheaf_memory_read(struct sheaf_group *group, int rank, void *dest, const void *source,
                       size_t bytes, bool is_long);
void sheaf_memory_copy(void *dest, const void *source, size_t bytes, bool is_past);
void sheaf_memory_copy_three(const struct sheaf_copy *result, const struct sheaf_copy *other,
                             const struct sheaf_copy *shown, bool is_past);
void sheaf_memory_complete(struct sheaf_group *group);
bool sheaf_memory_reached(struct sheaf_group *group, uint64_t *word, uint64_t value);

/* trial.c */
void sheaf_trial_begin(struct sheaf_trial *trial, enum sheaf_torch_way way, uint32_t first,
                       uint32_t every);
enum sheaf_torch_way sheaf_trial_way(struct sheaf_trial *trial, uint32_t *turn);
bool sheaf_trial_took(struct sheaf_trial *trial, uint32_t turn, uint64_t ns);

/* group.c */
void sheaf_group_fail(struct sheaf_group *group, const char *text);
void sheaf_group_tell(struct sheaf_group *group, const char *text);
bool sheaf_group_look(struct sheaf_group *group);
void sheaf_group_fail_of_dead(void);
bool sheaf_group_lost(struct sheaf_group *group, int rank, char *text, size_t size);
void sheaf_group_announce(struct sheaf_group *group, const struct sheaf_operation *operation);
bool sheaf_group_is_here(struct sheaf_group *group);
enum sheaf_torch_place sheaf_group_place_of_missing(struct sheaf_group *group);

/* describe.c */
const char *sheaf_describe_kind(enum sheaf_torch_kind kind);
void sheaf_describe(const struct sheaf_operation *operation, char *text, size_t size);
void sheaf_describe_missing(struct sheaf_operation *operation, double seconds, char *text,
                            size_t size);
bool sheaf_describe_difference(struct sheaf_operation *operation, char *text, size_t size);

/* collective.c */
void sheaf_collective_begin(struct sheaf_operation *operation);
void sheaf_collective_end(struct sheaf_operation *operation);
void sheaf_collective_learn(struct sheaf_group *group);
size_t sheaf_collective_steps(const struct sheaf_operation *operation, size_t most);
void sheaf_collective_fill(struct sheaf_operation *operation);
void sheaf_collective_drain(struct sheaf_operation *operation);

/* combine.c */
size_t sheaf_combine_size(enum sheaf_torch_type type);
bool sheaf_combine_has(enum sheaf_torch_type type, enum sheaf_torch_combine combine);
void sheaf_combine(enum sheaf_torch_type type, enum sheaf_torch_combine combine, void *out,
                   const void *const *sources, int count, size_t elements);

/* message.c */
void sheaf_message_post(struct sheaf_operation *operation);
void sheaf_message_turn(struct sheaf_group *group);
void sheaf_message_look(struct sheaf_group *group);

/* operation.c */
struct sheaf_operation *sheaf_torch_begin(const struct sheaf_call *call);
void sheaf_operation_turn_all(void *unused);

#endif
