/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many bytes of malloc's blocks each PE has after shmem_init, the library's and its network's: counted as
 * they come and go, since malloc itself counts those that it keeps for the next call.
 */
#include <malloc.h>
#include <shmem.h>
#include <stdio.h>

extern void *__libc_malloc(size_t bytes), *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *block, size_t bytes);
extern void __libc_free(void *block);

static size_t held;

static void *add(void *block)
{
    if (block)
        __atomic_fetch_add(&held, malloc_usable_size(block), __ATOMIC_RELAXED);
    return block;
}

static void *leave(void *block)
{
    if (block)
        __atomic_fetch_sub(&held, malloc_usable_size(block), __ATOMIC_RELAXED);
    return block;
}

void *malloc(size_t bytes)
{
    return add(__libc_malloc(bytes));
}

void *calloc(size_t count, size_t bytes)
{
    return add(__libc_calloc(count, bytes));
}

void *realloc(void *block, size_t bytes)
{
    return add(__libc_realloc(leave(block), bytes));
}

void free(void *block)
{
    __libc_free(leave(block));
}

int main(void)
{
    shmem_init();
    printf("%zu bytes\n", __atomic_load_n(&held, __ATOMIC_RELAXED));
    shmem_finalize();
}
