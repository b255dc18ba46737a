/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parallel regions of OpenMP: what gcc's library and clang's have in common.
 */
#ifndef SHEAF_RACES_OPENMP_H
#define SHEAF_RACES_OPENMP_H

#include "races/internal.h"

#pragma GCC visibility push(hidden)

/* Its fields' places are the objects by which its threads know of one another. A barrier's two take turns:
 * locks.c says why. */
struct races_region {
    char fork, barrier[2], ordered, copied, reduced, tasks, join;
};

/* NULL: outside of all. */
extern _Thread_local struct races_region *races_region_now __attribute__((tls_model("initial-exec")));

/* gcc's code on clang's library, whose tasks then come by both names. */
extern _Thread_local bool races_is_gomp_task __attribute__((tls_model("initial-exec")));

struct races_region *races_region_begin(void);
void races_region_end(struct races_region *region);
/* A thread's part of it. */
struct races_place {
    struct races_region *region;
    unsigned barriers_met;
};
struct races_place races_region_enter(struct races_region *region);
void races_region_leave(struct races_place outer);
/* The object of the barrier that the thread comes to. */
const void *races_region_barrier(void);

static inline const void *races_region_object(size_t offset)
{
    return races_region_now ? (const char *)races_region_now + offset : NULL;
}
#define OBJECT(FIELD) races_region_object(offsetof(struct races_region, FIELD))

static inline void take(const void *object)
{
    if (object)
        races_object_acquire(object);
}

static inline void give(const void *object)
{
    if (object)
        races_object_release(object, true);
}

#pragma GCC visibility pop

#endif
