/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rules for blocks in the heap (core/allocation.c) and in memory spaces (core/space_allocation.c): their
 * alignment, the size from which a node's memory is checked, and the pages that are given back.
 */
#ifndef SHEAF_CORE_MEMORY_BLOCK_RULES_H
#define SHEAF_CORE_MEMORY_BLOCK_RULES_H

#include "base/log.h"
#include "base/os/os.h"
#include "image/heap/heap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In bytes: from this size on, one PE of each node checks whether the node can hold the block. */
#define SHEAF_BLOCK_LARGE ((size_t)64 << 20)

/* In bytes: from this size on, memory that is freed or has to be zeroed is given back to the system. */
#define SHEAF_BLOCK_GIVES_BACK ((size_t)8 << 20)

/* Whether pes blocks of size bytes exceed the node's available memory. */
static inline bool sheaf_block_overfills_node(size_t size, int pes)
{
    size_t all;
    return __builtin_mul_overflow(size, (size_t)pes, &all) || all > sheaf_os_memory_available();
}

/* Prints a debug line where alignment is no power of two. */
static inline bool sheaf_block_is_power_of_two(size_t alignment, const char *call)
{
    bool is_one = alignment != 0 && (alignment & (alignment - 1)) == 0;
    if (!is_one)
        sheaf_debug("%s: alignment %zu is not a power of two", call, alignment);
    return is_one;
}

/* The alignment that is passed to the allocator. */
static inline size_t sheaf_block_alignment(size_t wished)
{
    return wished < SHEAF_HEAP_ALIGNMENT ? SHEAF_HEAP_ALIGNMENT : wished;
}

/* The whole pages in [start, start + length): returns their bytes, with the first one in *first; 0 for
 * none. */
static inline size_t sheaf_block_whole_pages(char *start, size_t length, char **first)
{
    size_t page = sheaf_os_page_size();
    char *last = (char *)((uintptr_t)(start + length) / page * page);
    *first = (char *)sheaf_round_up((uintptr_t)start, page);
    return last > *first ? (size_t)(last - *first) : 0;
}

#endif
