/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a memory space lies: this PE's copy at addresses of its own, and those of the other slots beside
 * their windows, as far from it as all else of theirs: remote address = local address + base + slot *
 * window_stride. So the near path knows nothing of spaces. Addresses of slots that have no copy are
 * reserved without access. Knows slots and files, neither PEs nor teams; agreement is the caller's.
 */
#ifndef SHEAF_IMAGE_SPACE_H
#define SHEAF_IMAGE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the memory is made of. */
enum sheaf_space_kind {
    SHEAF_SPACE_DEFAULT,
    SHEAF_SPACE_HUGE,       /* huge pages */
    SHEAF_SPACE_NUMA,       /* pages of one NUMA node */
    SHEAF_SPACE_INTERLEAVE, /* of all of them by turns */
    SHEAF_SPACE_FILE        /* a file of the user's, which outlives the job */
};

struct sheaf_space_wish {
    enum sheaf_space_kind kind;
    int node;         /* NUMA */
    const char *path; /* FILE: of which each member has PATH.RANK */
    int rank, size;   /* this PE's place among the members */
    size_t length;    /* in bytes */
};

/* Which file has this PE's copy, for the other PEs of the node. */
enum sheaf_space_source {
    SHEAF_SPACE_IN_SLOT,       /* the one with the PE's slot */
    SHEAF_SPACE_IN_DESCRIPTOR, /* an anonymous one that the PE has open */
    SHEAF_SPACE_IN_PATH        /* PATH.RANK */
};
struct sheaf_space_file {
    uint32_t source; /* enum sheaf_space_source */
    int32_t file;    /* DESCRIPTOR: its number in the PE's process */
    uint64_t inode, device;
    uint64_t offset; /* of the copy in the file */
};

/* One space of this process. length is 0 where there is none. */
struct sheaf_space_map {
    char *start;      /* of this PE's copy */
    size_t length;    /* mapped: whole pages, huge ones for HUGE */
    size_t alignment; /* of start: a power of two, the same on all members */
    size_t reserved;  /* addresses from start on; what lies behind length faults */
    enum sheaf_space_kind kind;
    int fd;           /* own file of the space; -1: the slot's, or private memory */
    char *path;       /* FILE: its name where this call has made it, or NULL */
    struct sheaf_space_file file;
    struct sheaf_space_map *next;
};

/* A failure in words: each of the functions below fills it where it returns -1. */
struct sheaf_space_reason {
    char text[240];
};

/* Fills it. Returns -1. */
int sheaf_space_explain(struct sheaf_space_reason *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reserves addresses and maps this PE's own copy. Undone by sheaf_space_unmap. */
int sheaf_space_map_own(struct sheaf_space_map *map, const struct sheaf_space_wish *wish,
                        struct sheaf_space_reason *why);

/* Maps the copy of the PE of this node in slot, which said file. */
int sheaf_space_map_slot(struct sheaf_space_map *map, const struct sheaf_space_wish *wish, int slot,
                         int rank, const struct sheaf_space_file *file, struct sheaf_space_reason *why);

/* Notes in the control area where the space lies in the slot; map NULL: nowhere any more. */
void sheaf_space_note(unsigned place, const struct sheaf_space_map *map);

/* Gives everything back: after the last access of any member. keep: a file that this call's job has made
 * stays. */
void sheaf_space_unmap(struct sheaf_space_map *map, bool keep);

/* Gives back the pages of a part that reads as zero from then on; nonzero where it does not. */
int sheaf_space_discard(const struct sheaf_space_map *map, void *start, size_t length);

/* Whether some slot's copy, or the place of one, is at address; in which slot, and where the same is
 * here. */
bool sheaf_space_find_copy(uintptr_t address, int *slot, const char **local);

#endif
