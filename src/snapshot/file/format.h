/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The file with one PE's symmetric state: a header, the contents of pages, the allocators' state, and a
 * table of extents. It has the machine's byte order, since it is read on the same kind of machine, and by
 * oshdump.
 *
 *   | header, one page | contents of extents, whole pages | state | table of extents |
 *
 * Holes may lie between extents.
 *
 * A page that is in no extent reads as zero. A file may be incremental: then the files before it lie
 * beside it, pe-00000.0, which is the full one, pe-00000.1, and so on up to pe-00000 itself. An extent
 * replaces the same pages of earlier files.
 */
#ifndef SHEAF_SNAPSHOT_FILE_FORMAT_H
#define SHEAF_SNAPSHOT_FILE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHEAF_SNAPSHOT_MAGIC   "sheaf\rpe"
#define SHEAF_SNAPSHOT_VERSION 2
#define SHEAF_SNAPSHOT_HEADER  4096 /* bytes of file */

/* The most files that an incremental file has before it. */
#define SHEAF_SNAPSHOT_PARTS 32

/* The most bytes of an extent. */
#define SHEAF_SNAPSHOT_EXTENT ((size_t)1 << 20)

/* The memory that a failed job has left is no snapshot: its PEs stopped at any point, and its blocks
 * are not known. */
enum sheaf_snapshot_kind { SHEAF_SNAPSHOT_TAKEN, SHEAF_SNAPSHOT_POST_MORTEM };

/* Random, and the same in the files of all PEs. */
struct sheaf_snapshot_id {
    uint64_t words[2];
};

static inline bool sheaf_snapshot_same(const struct sheaf_snapshot_id *a,
                                       const struct sheaf_snapshot_id *b)
{
    return a->words[0] == b->words[0] && a->words[1] == b->words[1];
}

/* A range of the file, and its checksum. */
struct sheaf_snapshot_part {
    uint64_t place, length, hash;
};

struct sheaf_snapshot_header {
    char magic[8];
    uint32_t version;
    uint32_t page;                   /* bytes */
    struct sheaf_snapshot_id id;
    struct sheaf_snapshot_id before; /* of the snapshot that this file is incremental to; 0: a full file */
    int32_t npes, pe;                /* of the world */
    uint32_t program;                /* hash of the program */
    uint32_t is_guarded;             /* SHEAF_CHECK=memory: blocks have zones */
    uint32_t parts;                  /* files before this one */
    uint32_t kind;                   /* enum sheaf_snapshot_kind */
    char build_id[40];
    uint64_t data, data_length;      /* addresses; bytes */
    uint64_t heap, heap_length, heap_limit;
    struct sheaf_snapshot_part state, table;
    uint64_t length;                 /* of the file */
    uint64_t hash;                   /* of all before */
};
_Static_assert(sizeof(struct sheaf_snapshot_header) <= SHEAF_SNAPSHOT_HEADER, "it has its place");

/* The state begins with these counts. Then come the heap and each space, with their blocks, then teams
 * and contexts. */
struct sheaf_snapshot_counts {
    uint64_t spaces, teams, contexts;
};
struct sheaf_snapshot_memory {
    uint64_t place;   /* index of a space in the list; 0 for the heap */
    uint64_t address, length;
    uint64_t high_water, blocks;
};

enum sheaf_snapshot_coding {
    SHEAF_SNAPSHOT_PLAIN, /* length bytes of file */
    SHEAF_SNAPSHOT_ZERO,  /* none */
    SHEAF_SNAPSHOT_ZSTD   /* a frame */
};

struct sheaf_snapshot_extent {
    uint32_t segment; /* 0: data image; 1: heap; 2 + n: memory space n */
    uint32_t coding;  /* enum sheaf_snapshot_coding */
    uint64_t offset;  /* in the segment: whole pages */
    uint32_t length;  /* bytes: whole pages */
    uint32_t stored;  /* bytes in the file */
    uint64_t place;   /* in the file */
    uint64_t hash;    /* of the bytes in the file: where they are plain, sheaf_hash_pages() */
};
_Static_assert(sizeof(struct sheaf_snapshot_extent) == 40, "read by oshdump");

#endif
