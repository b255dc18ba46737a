/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A queue from one process to many of the same host, which need not be PEs, nor have been started
 * together: a ring of blocks in memory without a name in any file system. libsheaf-ring needs no
 * other library.
 *
 * The writer makes the ring and gives its name, or its descriptor, to the readers. Each reader gets
 * every message that is written after it has opened the ring. One thread at a time uses a handle. A
 * handle is the process's own: after a fork() the child opens the ring anew.
 *
 * Routines return 0, or one of the negative numbers below. Times are in seconds; a negative one is no
 * limit.
 */
#ifndef SHMEMX_RING_H
#define SHMEMX_RING_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct shmemx_ring *shmemx_ring_t;

enum {
    SHMEMX_RING_TIMEOUT = -1,     /* nothing came, or no room, within the time */
    SHMEMX_RING_ENDED = -2,       /* the writer has closed the ring, and all is read */
    SHMEMX_RING_WRITER_DIED = -3, /* the writer has ended without that, and all is read */
    SHMEMX_RING_LOST = -4,        /* messages were written over; the next read goes on */
    SHMEMX_RING_TOO_LONG = -5,    /* the message does not fit into a block, or the reader's buffer */
    SHMEMX_RING_FULL = -6,        /* as many readers as the ring has places for */
    SHMEMX_RING_ABSENT = -7,      /* no ring of that name is there, or is open to this user */
    SHMEMX_RING_BROKEN = -8,      /* the memory does not hold what a ring holds */
    SHMEMX_RING_ARGUMENT = -9,    /* an argument out of its range, or a call of the other side's */
    SHMEMX_RING_SYSTEM = -10,     /* the system refuses it: errno says why */
};

/* What a write does where a reader has not yet read the message that stands in its block. */
enum {
    SHMEMX_RING_WAIT,      /* it waits for the slowest reader: none loses a message */
    SHMEMX_RING_OVERWRITE, /* it never waits: the slow reader is told how many it has lost */
};

/* Makes a ring of blocks for messages of up to message_most bytes each, and up to readers_most
 * readers at a time (1 to 4096). overflow: one of the two above. The caller is its writer. */
int shmemx_ring_create(size_t blocks, size_t message_most, int readers_most, int overflow,
                       shmemx_ring_t *ring);

/* The name by which another process of this user on this host opens the ring, as long as the writer
 * lives. It holds a secret of 128 bits. The ring owns the string. */
const char *shmemx_ring_name(shmemx_ring_t ring);

/* A descriptor by which another process opens the ring: a child, or one that gets it by a socket. The
 * ring owns it, and exec closes it. */
int shmemx_ring_descriptor(shmemx_ring_t ring);

/* Opens a ring as a reader. The descriptor stays the caller's. */
int shmemx_ring_open(const char *name, shmemx_ring_t *ring);
int shmemx_ring_open_descriptor(int descriptor, shmemx_ring_t *ring);

/* By the writer: writes one message. Without readers it is lost. */
int shmemx_ring_write(shmemx_ring_t ring, const void *source, size_t bytes, double seconds);

/* By a reader: copies the next message to dest, of size bytes, and its length to *bytes. A message
 * longer than size is not copied, and stays the next one; *bytes has its length. */
int shmemx_ring_read(shmemx_ring_t ring, void *dest, size_t size, size_t *bytes, double seconds);

/* By the writer: waits until at least so many readers are there. */
int shmemx_ring_wait_readers(shmemx_ring_t ring, int readers, double seconds);

/* By the writer: how many readers there are now, and how many have ended without closing it. */
int shmemx_ring_readers(shmemx_ring_t ring);
uint64_t shmemx_ring_died(shmemx_ring_t ring);

/* By the writer: how many messages it has written. By a reader: how many it has lost. */
uint64_t shmemx_ring_written(shmemx_ring_t ring);
uint64_t shmemx_ring_lost(shmemx_ring_t ring);

/* The size of the longest message that a block holds, in bytes. */
size_t shmemx_ring_message_most(shmemx_ring_t ring);

/* A result in words. */
const char *shmemx_ring_text(int result);

/* Closes the handle. Once the writer has done so, readers get SHMEMX_RING_ENDED when they have read
 * all. NULL does nothing. */
void shmemx_ring_close(shmemx_ring_t ring);

#ifdef __cplusplus
}
#endif
#endif
