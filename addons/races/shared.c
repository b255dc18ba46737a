/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory that the PEs of a job have in common for the checker: a file without a name that PE 0 makes,
 * and that the others open under /proc, which only the same user may. What is opened is compared first.
 */
#include "races/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_LENGTH  (UINT64_C(1) << 40) /* sparse: pages exist once touched */
#define LEAST_LENGTH (UINT64_C(1) << 31)


struct offer {
    int32_t pid, descriptor, error;
    uint64_t device, inode, length;
};

void *races_map(size_t bytes)
{
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

#define LARGE ((size_t)1 << 20)

void races_zero(void *start, size_t bytes)
{
    uintptr_t at = (uintptr_t)start, end = at + bytes;
    uintptr_t first = (at + RACES_PAGE - 1) & ~(RACES_PAGE - 1), last = end & ~(RACES_PAGE - 1);
    if (bytes < LARGE || madvise((void *)first, last - first, MADV_DONTNEED) != 0) {
        memset(start, 0, bytes);
        return;
    }
    memset(start, 0, first - at);
    memset((void *)last, 0, end - last);
}

static int create(struct offer *offer)
{
    struct stat file;
    int descriptor = memfd_create("sheaf-races", MFD_CLOEXEC);
    *offer = (struct offer){.pid = (int32_t)getpid(), .descriptor = descriptor, .length = MOST_LENGTH};
    if (descriptor < 0)
        return errno;
    while (ftruncate(descriptor, (off_t)offer->length) != 0 || fstat(descriptor, &file) != 0)
        if ((offer->length /= 2) < LEAST_LENGTH)
            return errno;
    offer->device = file.st_dev;
    offer->inode = file.st_ino;
    return 0;
}

static int open_offered(const struct offer *offer, int *descriptor)
{
    char path[64];
    struct stat file;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", offer->pid, offer->descriptor);
    *descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (*descriptor < 0 || fstat(*descriptor, &file) != 0)
        return errno;
    return file.st_dev == offer->device && file.st_ino == offer->inode ? 0 : ESTALE;
}

/* Smaller where addresses are scarce: all PEs then try again. */
static int map_shared(int descriptor, uint64_t length)
{
    void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
    if (memory == MAP_FAILED)
        return errno;
    races.base = memory;
    races.shared = memory;
    return 0;
}

/* 0 when everybody has it, else an error number of one that has not. */
static int agree(int error)
{
    int32_t mine = error, *all = races_map((size_t)races.npes * sizeof *all);
    if (!all || pshmemx_team_exchange(SHMEM_TEAM_WORLD, &mine, sizeof mine, all) != 0)
        return error ? error : ENOMEM;
    for (int pe = 0; pe < races.npes && !error; pe++)
        error = all[pe];
    munmap(all, (size_t)races.npes * sizeof *all);
    return error;
}

static void fill(uint64_t length)
{
    struct races_shared *shared = races.shared;
    shared->magic = RACES_MAGIC;
    shared->length = length;
    shared->npes = races.npes;
    shared->puts_of_channel = races.npes <= 8 ? 8 : races.npes <= 16 ? 4 : 2;
    shared->used = (sizeof *shared + RACES_SHADOW - 1) / RACES_SHADOW * RACES_SHADOW;
    shared->strands = 1;
    shared->ring_next = 1;
}

int races_shared_attach(void)
{
    struct offer mine = {0}, *all = races_map((size_t)races.npes * sizeof *all);
    int descriptor = -1, error = 0;
    if (!all)
        return ENOMEM;
    if (races.pe == 0) {
        mine.error = create(&mine);
        descriptor = mine.descriptor;
    }
    if (pshmemx_team_exchange(SHMEM_TEAM_WORLD, &mine, sizeof mine, all) != 0)
        return EIO;
    error = all[0].error;
    if (!error && races.pe != 0)
        error = open_offered(&all[0], &descriptor);
    if (!error)
        error = map_shared(descriptor, all[0].length);
    if (!error && races.pe == 0)
        fill(all[0].length);
    error = agree(error);
    if (descriptor >= 0)
        close(descriptor);
    if (error && races.shared)
        munmap(races.base, all[0].length);
    if (error)
        races.shared = NULL;
    munmap(all, (size_t)races.npes * sizeof *all);
    return error;
}

void *races_shared_take(size_t bytes, uint64_t *at)
{
    bytes = (bytes + RACES_PAGE - 1) & ~(RACES_PAGE - 1);
    *at = atomic_fetch_add_explicit(&races.shared->used, bytes, memory_order_relaxed);
    return *at + bytes <= races.shared->length ? races.base + *at : NULL;
}
