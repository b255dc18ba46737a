/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The file with one PE's symmetric state: a header, the contents of pages, the allocators' state, and a
 * table of what lies where. Of the machine's own byte order: it is read where it was written, and by
 * oshdump.
 *
 *   | header, one page | contents of extents, whole pages | state | table of extents |
 *
 * A page that no extent holds reads as zero. A file may add to others, which then lie beside it:
 * pe-00000.0, which is whole, pe-00000.1, and so on up to pe-00000 itself. An extent replaces what earlier
 * files hold of the same pages.
 */
#ifndef SHEAF_SNAPSHOT_FILE_FORMAT_H
#define SHEAF_SNAPSHOT_FILE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHEAF_SNAPSHOT_MAGIC   "sheaf\rpe"
#define SHEAF_SNAPSHOT_VERSION 2
#define SHEAF_SNAPSHOT_HEADER  4096 /* bytes of file */

/* Files that one adds to, at most. */
#define SHEAF_SNAPSHOT_PARTS 32

/* What an extent holds at most, in bytes. */
#define SHEAF_SNAPSHOT_EXTENT ((size_t)1 << 20)

/* What a failed job has left is no snapshot: its PEs stood anywhere, and its blocks are not known. */
enum sheaf_snapshot_kind { SHEAF_SNAPSHOT_TAKEN, SHEAF_SNAPSHOT_POST_MORTEM };

/* Random; the same in the files of all PEs. */
struct sheaf_snapshot_id {
    uint64_t words[2];
};

static inline bool sheaf_snapshot_same(const struct sheaf_snapshot_id *a,
                                       const struct sheaf_snapshot_id *b)
{
    return a->words[0] == b->words[0] && a->words[1] == b->words[1];
}

/* Some bytes of the file, and their checksum. */
struct sheaf_snapshot_part {
    uint64_t place, length, hash;
};

struct sheaf_snapshot_header {
    char magic[8];
    uint32_t version;
    uint32_t page;                   /* bytes */
    struct sheaf_snapshot_id id;
    struct sheaf_snapshot_id before; /* of the one that this one adds to; 0: it is whole */
    int32_t npes, pe;                /* of the world */
    uint32_t program;                /* hash: equal where the program is the same */
    uint32_t is_guarded;             /* SHEAF_CHECK=memory: blocks have zones */
    uint32_t parts;                  /* files that this one adds to */
    uint32_t kind;                   /* enum sheaf_snapshot_kind */
    char build_id[40];
    uint64_t data, data_length;      /* addresses; bytes */
    uint64_t heap, heap_length, heap_limit;
    struct sheaf_snapshot_part state, table;
    uint64_t length;                 /* of the file */
    uint64_t hash;                   /* of all before */
};
_Static_assert(sizeof(struct sheaf_snapshot_header) <= SHEAF_SNAPSHOT_HEADER, "it has its place");

/* The state begins with these counts. The heap, and each space, with their blocks follow; then teams and
 * contexts. */
struct sheaf_snapshot_counts {
    uint64_t spaces, teams, contexts;
};
struct sheaf_snapshot_memory {
    uint64_t place;   /* of a space in the list; 0 of the heap */
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
