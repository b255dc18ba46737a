/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory of a ring: an anonymous file, made, found by a name, checked before anything in it is
 * used; and who lives. Knows no messages.
 *
 * Each process opens the file for itself and locks a byte of it: the writer byte 0, the reader in
 * place n byte 1 + n. The kernel gives the locks back when the process is gone, however it ended.
 */
#ifndef SHEAF_RING_MEMORY_H
#define SHEAF_RING_MEMORY_H

#include "ring/layout.h"

#include <stdbool.h>

#define RING_NAME_SIZE 96

struct ring_memory {
    struct ring_shape shape; /* a copy that nobody else can change */
    struct ring_head *head;
    struct ring_place *places;
    unsigned char *blocks;
    int file;   /* has the lock, and is nobody else's */
    int handed; /* the writer's: for others */
};

/* By the writer. Returns 0 or an error of shmemx_ring.h, as all below. */
int ring_memory_make(struct ring_memory *memory, const struct ring_shape *shape);

/* By a reader: the ring of a name, or of a descriptor. */
int ring_memory_find(struct ring_memory *memory, const char *name);
int ring_memory_take(struct ring_memory *memory, int descriptor);
void ring_memory_close(struct ring_memory *memory);

/* In a child of fork(), which has no part in the memory, and must not keep the lock alive. It may
 * open the descriptor for others. */
void ring_memory_leave(struct ring_memory *memory);

void ring_memory_name(const struct ring_memory *memory, char *name, size_t size);

/* Locks the byte; whether nobody had it. And gives it back. */
bool ring_memory_lock(const struct ring_memory *memory, uint32_t byte);
void ring_memory_unlock(const struct ring_memory *memory, uint32_t byte);

/* Whether a process other than this has the byte's lock. */
bool ring_memory_is_locked(const struct ring_memory *memory, uint32_t byte);

#endif
