/* SPDX-License-Identifier: BSD-3-Clause
 * The library's own meeting of a node's PEs, of which each simulated PE has the state. The memory that they share is
 * imitated: start.c.
 */
#include "start.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define mmap(address, bytes, ...) start_map(bytes, __VA_ARGS__)
#define munmap(address, bytes)    ((void)(address))
#define close(fd)                 ((void)(fd))
#define fcntl(fd, ...)            (fd)
#define malloc(bytes)             start_allocate(bytes, 1)
#define calloc(count, bytes)      start_allocate(count, bytes)
#define realloc(memory, bytes)    start_reallocate(memory, bytes)
#define free(memory)              start_free(memory)
#include "boot/node.c" /* for its statics */

struct state {
    struct sheaf_pe_record mine;
    int mates;
};
static struct state *states;
static int current = -1;

void start_begin_nodes(int npes)
{
    states = (calloc)((size_t)npes, sizeof *states);
    current = -1;
}

void start_set_node(int pe)
{
    if (current >= 0)
        states[current] = (struct state){mine, mates};
    mine = states[pe].mine;
    mates = states[pe].mates;
    current = pe;
}
