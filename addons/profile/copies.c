/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What copies take on this host, by size: the roof over what calls move in a second.
 */
#include "profile/internal.h"

#include <string.h>
#include <sys/mman.h>

#define ROUNDS 4    /* the fastest counts */
#define MOST   1024 /* copies of one, where many fit: looking at the clock takes 40 ns */

static uint64_t measure(char *to, const char *from, size_t bytes, size_t room)
{
    uint64_t least = UINT64_MAX;
    for (int round = 0; round < ROUNDS; round++) {
        size_t copies = room / bytes < MOST ? room / bytes : MOST;
        uint64_t begin = profile_now_ns();
        for (size_t i = 0; i < copies; i++) {
            memcpy(to, from, bytes);
            __asm__ volatile("" : : "r"(to) : "memory");
        }
        uint64_t ps = (profile_now_ns() - begin) * 1000 / copies;
        least = ps < least ? ps : least;
    }
    return least ? least : 1;
}

/* 6 ms in all; when the PEs have no more to do with one another. */
void profile_copies_measure(void)
{
    size_t room = PROFILE_COPY_SIZE(PROFILE_COPIES - 1);
    char *memory =
        mmap(NULL, 2 * room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    memset(memory, 1, 2 * room);
    for (int i = 0; i < PROFILE_COPIES; i++)
        profile.header->copy_ps[i] = measure(memory + room, memory, PROFILE_COPY_SIZE(i), room);
    munmap(memory, 2 * room);
}
