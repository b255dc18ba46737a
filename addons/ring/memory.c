/* SPDX-License-Identifier: BSD-3-Clause
 * See memory.h.
 */
#include "ring/memory.h"

#include "ring/shmemx_ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif
#define SEALS      (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)
#define FILE_NAME  "sheaf-ring"
#define NAME_BEGIN "sheaf-ring:"
#define PATH_SIZE  64

/* A descriptor of the same file, with locks of its own: as one that dup() makes has not. */
static int open_again(int descriptor)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return open(path, O_RDWR | O_CLOEXEC);
}

static bool lock_command(const struct ring_memory *memory, int command, short type, uint32_t byte,
                         struct flock *lock)
{
    *lock = (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(memory->file, command, lock) == 0;
}

bool ring_memory_lock(const struct ring_memory *memory, uint32_t byte)
{
    struct flock lock;
    return lock_command(memory, F_OFD_SETLK, F_WRLCK, byte, &lock);
}

void ring_memory_unlock(const struct ring_memory *memory, uint32_t byte)
{
    struct flock lock;
    lock_command(memory, F_OFD_SETLK, F_UNLCK, byte, &lock);
}

bool ring_memory_is_locked(const struct ring_memory *memory, uint32_t byte)
{
    struct flock lock;
    return lock_command(memory, F_OFD_GETLK, F_WRLCK, byte, &lock) && lock.l_type != F_UNLCK;
}

/* Maps the file as the shape says, the blocks for reading alone where a reader does. A child of
 * fork() has no part in it. */
static int map(struct ring_memory *memory, bool is_writer)
{
    size_t control = ring_control_bytes(&memory->shape), all = ring_bytes(&memory->shape);
    unsigned char *base =
        mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory->file, 0);
    if (base == MAP_FAILED)
        return SHMEMX_RING_SYSTEM;
    if (madvise(base, all, MADV_DONTFORK) != 0 ||
        (!is_writer && mprotect(base + control, all - control, PROT_READ) != 0)) {
        munmap(base, all);
        return SHMEMX_RING_SYSTEM;
    }
    memory->head = (struct ring_head *)base;
    memory->places = (struct ring_place *)(memory->head + 1);
    memory->blocks = base + control;
    return 0;
}

static int make_file(uint64_t bytes)
{
    int file = memfd_create(FILE_NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
    if (file < 0 && errno == EINVAL) /* before Linux 6.3 */
        file = memfd_create(FILE_NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0)
        return -1;
    if (fchmod(file, S_IRUSR | S_IWUSR) == 0 && ftruncate(file, (off_t)bytes) == 0 &&
        fcntl(file, F_ADD_SEALS, SEALS) == 0)
        return file;
    close(file);
    return -1;
}

int ring_memory_make(struct ring_memory *memory, const struct ring_shape *shape)
{
    *memory = (struct ring_memory){.shape = *shape, .file = -1, .handed = -1};
    if (getrandom(memory->shape.key, RING_KEY, 0) != RING_KEY)
        return SHMEMX_RING_SYSTEM;
    memory->handed = make_file(ring_bytes(shape));
    if (memory->handed < 0)
        return SHMEMX_RING_SYSTEM;
    memory->file = open_again(memory->handed);
    if (memory->file < 0 || !ring_memory_lock(memory, 0) || map(memory, true) != 0) {
        ring_memory_close(memory);
        return SHMEMX_RING_SYSTEM;
    }
    memory->head->shape = memory->shape;
    memory->head->wanted = RING_WANTS_NONE;
    return 0;
}

static bool is_shape(const struct ring_shape *shape)
{
    return shape->magic == RING_MAGIC && shape->version == RING_VERSION &&
           shape->overflow <= SHMEMX_RING_OVERWRITE && shape->block_count > 0 &&
           shape->block_count <= RING_BLOCKS_MOST && shape->message_most <= RING_MESSAGE_MOST &&
           shape->reader_count > 0 && shape->reader_count <= RING_READERS_MOST;
}

/* Whether the file is one that make_file() makes: this user's alone, and of a length that stays. */
static bool is_file(int file, struct stat *status)
{
    return fstat(file, status) == 0 && S_ISREG(status->st_mode) && status->st_uid == geteuid() &&
           (status->st_mode & (S_IRWXG | S_IRWXO)) == 0 &&
           (fcntl(file, F_GET_SEALS) & SEALS) == SEALS;
}

/* Takes the file, which is closed where it is no ring. key: what the name says, or NULL. */
static int take_file(struct ring_memory *memory, int file, const uint8_t *key)
{
    struct stat status;
    *memory = (struct ring_memory){.file = file, .handed = -1};
    struct ring_shape *shape = &memory->shape;
    if (!is_file(file, &status) || pread(file, shape, sizeof *shape, 0) != (ssize_t)sizeof *shape ||
        !is_shape(shape) || (uint64_t)status.st_size != ring_bytes(shape)) {
        ring_memory_close(memory);
        return SHMEMX_RING_BROKEN;
    }
    if (key && memcmp(key, shape->key, RING_KEY) != 0) {
        ring_memory_close(memory);
        return SHMEMX_RING_ABSENT;
    }
    int result = map(memory, false);
    if (result != 0)
        ring_memory_close(memory);
    return result;
}

int ring_memory_take(struct ring_memory *memory, int descriptor)
{
    struct stat status;
    *memory = (struct ring_memory){.file = -1, .handed = -1};
    if (!is_file(descriptor, &status))
        return SHMEMX_RING_BROKEN;
    int file = open_again(descriptor);
    return file < 0 ? SHMEMX_RING_SYSTEM : take_file(memory, file, NULL);
}

void ring_memory_name(const struct ring_memory *memory, char *name, size_t size)
{
    int length = snprintf(name, size, NAME_BEGIN "%d:%d:", (int)getpid(), memory->handed);
    for (int i = 0; i < RING_KEY; ++i)
        length += snprintf(name + length, size - (size_t)length, "%02x", memory->shape.key[i]);
}

/* The number of the digits at *text, and what follows in *text; -1: there is none, or none of a
 * process. */
static long number_at(const char **text)
{
    long number = 0;
    const char *at = *text;
    for (; *at >= '0' && *at <= '9' && number < 1L << 30; ++at)
        number = number * 10 + (*at - '0');
    bool is_number = at != *text;
    *text = at;
    return is_number && number < 1L << 30 ? number : -1;
}

static int digit_of(char letter)
{
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

static bool is_key(const char *text, uint8_t *key)
{
    if (strlen(text) != 2 * (size_t)RING_KEY)
        return false;
    for (int i = 0; i < RING_KEY; ++i) {
        int high = digit_of(text[2 * i]), low = digit_of(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        key[i] = (uint8_t)(16 * high + low);
    }
    return true;
}

/* process and descriptor of a name, and its key. */
static bool is_name(const char *name, long *process, long *descriptor, uint8_t *key)
{
    if (strncmp(name, NAME_BEGIN, strlen(NAME_BEGIN)) != 0)
        return false;
    name += strlen(NAME_BEGIN);
    *process = number_at(&name);
    if (*process < 0 || *name++ != ':')
        return false;
    *descriptor = number_at(&name);
    return *descriptor >= 0 && *name++ == ':' && is_key(name, key);
}

/* Another process may have the number by now, and its descriptor may be a device: opening it as a
 * path does nothing to it. */
int ring_memory_find(struct ring_memory *memory, const char *name)
{
    uint8_t key[RING_KEY];
    long process, descriptor;
    char path[PATH_SIZE];
    struct stat status;
    *memory = (struct ring_memory){.file = -1, .handed = -1};
    if (!is_name(name, &process, &descriptor, key))
        return SHMEMX_RING_ARGUMENT;
    snprintf(path, sizeof path, "/proc/%ld/fd/%ld", process, descriptor);
    int seen = open(path, O_PATH | O_CLOEXEC);
    if (seen < 0)
        return SHMEMX_RING_ABSENT;
    int file = fstat(seen, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid()
                   ? open_again(seen)
                   : -1;
    close(seen);
    if (file < 0)
        return SHMEMX_RING_ABSENT;
    int result = take_file(memory, file, key);
    return result == SHMEMX_RING_BROKEN ? SHMEMX_RING_ABSENT : result;
}

void ring_memory_leave(struct ring_memory *memory)
{
    close(memory->file);
    memory->file = -1;
    memory->head = NULL;
}

void ring_memory_close(struct ring_memory *memory)
{
    if (memory->head)
        munmap(memory->head, ring_bytes(&memory->shape));
    if (memory->file >= 0)
        close(memory->file);
    if (memory->handed >= 0)
        close(memory->handed);
    *memory = (struct ring_memory){.file = -1, .handed = -1};
}
