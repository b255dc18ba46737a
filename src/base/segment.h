/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Symmetric memory is a short list of segments: what lies at some distance from the start of one here lies
 * at the same distance from its start on every PE. The list has one place for each kind; what a job lacks
 * has no length.
 */
#ifndef SHEAF_BASE_SEGMENT_H
#define SHEAF_BASE_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sheaf_segment_kind {
    SHEAF_SEGMENT_DATA, /* global and static variables of the executable */
    SHEAF_SEGMENT_HEAP, /* the symmetric heap */
    SHEAF_SEGMENTS
};

/* Memory spaces come after these, each with a place of its own among so many; and the team memory, where
 * blocks belong to the members of a team. */
#define SHEAF_MOST_SPACES   62
#define SHEAF_SEGMENT_TEAM  (SHEAF_SEGMENTS + SHEAF_MOST_SPACES)
#define SHEAF_MOST_SEGMENTS (SHEAF_SEGMENT_TEAM + 1)

struct sheaf_segment {
    char *start;   /* of this PE's */
    size_t length; /* in bytes, the same on every PE */
};

/* Whether all of [address, address + bytes) does, and the first byte. */
static inline bool sheaf_segment_holds(const struct sheaf_segment *segment, uintptr_t address,
                                       uint64_t bytes)
{
    uint64_t offset = address - (uintptr_t)segment->start;
    return offset < segment->length && bytes <= segment->length - offset;
}

/* The kind of the one in the list that holds the address; the last kind of all where none does. */
static inline enum sheaf_segment_kind sheaf_segment_of(const struct sheaf_segment *segments,
                                                       const void *address)
{
    int kind = 0;
    while (kind < SHEAF_SEGMENTS - 1 &&
           !sheaf_segment_holds(&segments[kind], (uintptr_t)address, 1))
        kind++;
    return (enum sheaf_segment_kind)kind;
}

/* In messages: "the symmetric heap". */
static inline const char *sheaf_segment_name(int kind)
{
    if (kind == SHEAF_SEGMENT_TEAM)
        return "the team memory";
    if (kind >= SHEAF_SEGMENTS)
        return "the memory space";
    return kind == SHEAF_SEGMENT_HEAP ? "the symmetric heap" : "the static variables of the program";
}

#endif
