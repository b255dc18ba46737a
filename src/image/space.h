/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a memory space lies. This PE's copy has addresses of its own. The copies of other slots lie
 * beside their windows, at the usual distance: remote address = local address + base + slot *
 * window_stride. So the fast path on the node knows nothing of spaces. Addresses of slots without a copy
 * are reserved without access. This file knows slots and files, neither PEs nor teams; the caller makes
 * the agreement.
 */
#ifndef SHEAF_IMAGE_SPACE_H
#define SHEAF_IMAGE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kind of memory. */
enum sheaf_space_kind {
    SHEAF_SPACE_DEFAULT,
    SHEAF_SPACE_HUGE,       /* huge pages */
    SHEAF_SPACE_NUMA,       /* pages of one NUMA node */
    SHEAF_SPACE_INTERLEAVE, /* pages of all NUMA nodes by turns */
    SHEAF_SPACE_FILE        /* a file of the user, which outlives the job */
};

struct sheaf_space_wish {
    enum sheaf_space_kind kind;
    int node;         /* NUMA */
    const char *path; /* FILE: each member's file is PATH.RANK */
    int rank, size;   /* this PE's rank among the members, and their number */
    size_t length;    /* in bytes */
    bool by_network;  /* atomic operations are the network's: the caller's business alone */
};

/* Which file holds this PE's copy, for the other PEs of the node. */
enum sheaf_space_source {
    SHEAF_SPACE_IN_SLOT,       /* the file with the PE's slot */
    SHEAF_SPACE_IN_DESCRIPTOR, /* an anonymous file that the PE has open */
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

/* The reason of a failure: each function below fills it when it returns -1. */
struct sheaf_space_reason {
    char text[240];
};

/* Fills the reason. Returns -1. */
int sheaf_space_explain(struct sheaf_space_reason *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reserves addresses and maps this PE's own copy. sheaf_space_unmap undoes it. */
int sheaf_space_map_own(struct sheaf_space_map *map, const struct sheaf_space_wish *wish,
                        struct sheaf_space_reason *why);

/* Maps the copy of the PE in slot of this node, which has published file. */
int sheaf_space_map_slot(struct sheaf_space_map *map, const struct sheaf_space_wish *wish, int slot,
                         int rank, const struct sheaf_space_file *file, struct sheaf_space_reason *why);

/* Records in the control area where the space lies in the slot; map NULL: it does not any more. */
void sheaf_space_note(unsigned place, const struct sheaf_space_map *map);

/* Unmaps everything, after the last access of any member. keep: a file that this job has made stays. */
void sheaf_space_unmap(struct sheaf_space_map *map, bool keep);

/* Gives back the pages of a part of the space, which then reads as zero. Nonzero: it does not. */
int sheaf_space_discard(const struct sheaf_space_map *map, void *start, size_t length);

/* Whether address is in some slot's copy, or in the range reserved for one; which slot, and the
 * corresponding local address. */
bool sheaf_space_find_copy(uintptr_t address, int *slot, const char **local);

#endif
