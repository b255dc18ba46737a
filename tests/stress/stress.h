/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the stress programs share. Each program derives one schedule from a seed, the same on
 * every PE, carries it out, and compares with what a sequential model of the same schedule
 * predicts. Arguments: [seed [rounds]] (by default the seed is the number of PEs), or "soak": then
 * new seeds follow one another for SHEAF_SOAK_SECONDS. A failure prints seed, round and operation.
 */
#ifndef STRESS_H
#define STRESS_H

#include "check.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>

struct stress {
    const char *name;
    uint64_t seed;      /* of the schedule being carried out */
    uint64_t schedule;  /* state of the generator that all PEs share */
    long rounds;        /* per seed; by default fewer when PEs are many */
    long round;
    int me, npes;
    double end;         /* of a soak; 0 without */
    long soaked;        /* seeds done */
};

extern struct stress stress;

/* One schedule of stress.rounds rounds; collective. Starts and ends with all PEs in step. */
typedef void stress_body(void);

/* main() of every stress program; rounds is the default for up to 4 PEs. */
int stress_main(int argc, char **argv, const char *name, long rounds, stress_body *body);

/* Prints seed, round and reason, and ends the job. */
void stress_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

#define STRESS_CHECK(condition, ...)                        \
    do {                                                    \
        if (!(condition))                                   \
            stress_fail(__FILE__, __LINE__, __VA_ARGS__);   \
    } while (0)

/* From the schedule that all PEs share. */
static inline uint64_t draw(uint64_t limit)
{
    return test_random_below(&stress.schedule, limit);
}

/* Mostly small, sometimes large: from 0 to about limit. */
static inline size_t draw_size(size_t limit)
{
    unsigned bits = 0;
    while (((size_t)1 << bits) < limit)
        bits++;
    size_t bound = ((size_t)1 << draw(bits + 1)) + 1;
    return draw(bound > limit ? limit : bound);
}

/* A value that depends on all it is made for; any PE can compute that of another. */
static inline uint64_t mix(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t state = stress.seed ^ a * UINT64_C(0x9e3779b97f4a7c15) ^
                     b * UINT64_C(0xc2b2ae3d27d4eb4f) ^ c * UINT64_C(0x165667b19e3779f9);
    return test_random(&state);
}

static inline void *stress_allocate(size_t bytes)
{
    void *block = shmem_calloc(bytes, 1);
    CHECK(block != NULL);
    return block;
}

/* Teams for a schedule: the world and splits of it. Fills the members' world numbers, in order. */
#define STRESS_MOST_PES 64
struct stress_team {
    shmem_team_t handle;          /* SHMEM_TEAM_INVALID where this PE is no member */
    int size, rank;               /* rank is -1 where this PE is no member */
    int pes[STRESS_MOST_PES];
    char kind[40];                /* for messages */
};

/* Collective over the world: draws a split and makes it. Reversed and strided splits, rows and
 * columns of a 2d split, splits of splits. */
void stress_team_create(struct stress_team *team);
void stress_team_world(struct stress_team *team);
void stress_team_destroy(struct stress_team *team);

#endif
