/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Maps memory and writes one byte of each page: memory of this process alone, and an unnamed file's, each with
 * and without the advice to take huge pages; by one process, and by all at once, each with a file of its own, and
 * all in one file. Then the most that copies of memory into such a file, and into a file of a folder, can reach.
 * Arguments: processes, and the folder for that file (none: left out).
 */
#include "limit.h"

#include "../allocation/first_touch.h"

#include <fcntl.h>

static char *map(int is_file, int is_huge)
{
    int file = is_file ? memfd_create("bench", MFD_CLOEXEC) : -1;
    if (is_file && (file < 0 || ftruncate(file, (off_t)touch_bytes()) != 0))
        exit(1);
    char *memory = mmap(NULL, touch_bytes(), PROT_READ | PROT_WRITE,
                        is_file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file, 0);
    if (memory == MAP_FAILED)
        exit(1);
    if (is_file)
        close(file);
    madvise(memory, touch_bytes(), is_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return memory;
}

/* The kernel may have to move pages before it has huge ones: not in a figure. */
static void gather_huge_pages(void)
{
    char *memory = map(0, 1);
    touch_pages(memory);
    munmap(memory, touch_bytes());
}

static void touch_mapped(const char *what, int is_file, int is_huge)
{
    struct touch touch;
    for (touch_begin(&touch); touch_goes_on(&touch);) {
        bench_barrier();
        touch_start(&touch);
        char *memory = map(is_file, is_huge);
        touch_pages(memory);
        touch_own_end(&touch);
        bench_barrier();
        touch_stop(&touch);
        munmap(memory, touch_bytes());
    }
    touch_end(&touch, what);
}

/* Each process has its part of the file. */
static void touch_one_file(int file)
{
    struct touch touch;
    off_t at = (off_t)touch_bytes() * bench_me;
    for (touch_begin(&touch); touch_goes_on(&touch);) {
        bench_barrier();
        touch_start(&touch);
        char *memory = mmap(NULL, touch_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, file, at);
        if (memory == MAP_FAILED)
            exit(1);
        touch_pages(memory);
        touch_own_end(&touch);
        bench_barrier();
        touch_stop(&touch);
        munmap(memory, touch_bytes());
        fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, (off_t)touch_bytes());
    }
    touch_end(&touch, "one unnamed file");
}

static void copy_into_file(const char *from)
{
    struct touch touch;
    for (touch_begin(&touch); touch_goes_on(&touch);) {
        bench_barrier();
        touch_start(&touch);
        char *memory = map(1, 0);
        memcpy(memory, from, touch_bytes());
        touch_own_end(&touch);
        bench_barrier();
        touch_stop(&touch);
        munmap(memory, touch_bytes());
    }
    touch_end(&touch, "copy into an unnamed file");
}

#define WRITTEN ((size_t)256 << 10) /* at once */

/* Until the disk has it, and it has taken the former one's name. */
static void write_file(const char *from, const char *folder)
{
    char path[4096], part[4096 + 8];
    struct touch touch;
    snprintf(path, sizeof path, "%s/limit-%d", folder, bench_me);
    snprintf(part, sizeof part, "%s.part", path);
    for (touch_begin(&touch); touch_goes_on(&touch);) {
        bench_barrier();
        touch_start(&touch);
        int file = open(part, O_CREAT | O_TRUNC | O_WRONLY, 0600);
        for (size_t at = 0; at < touch_bytes(); at += WRITTEN)
            if (write(file, from + at, WRITTEN) != (ssize_t)WRITTEN)
                exit(1);
        if (fsync(file) != 0 || close(file) != 0 || rename(part, path) != 0)
            exit(1);
        touch_own_end(&touch);
        bench_barrier();
        touch_stop(&touch);
    }
    touch_end(&touch, "write a file");
}

int main(int count, char **arguments)
{
    int processes = count > 1 ? atoi(arguments[1]) : 1, file = memfd_create("bench", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)touch_bytes() * processes) != 0)
        return 1;
    limit_start(processes);
    touch_mapped("anonymous memory", 0, 0);
    gather_huge_pages();
    touch_mapped("anonymous memory, huge pages", 0, 1);
    touch_mapped("unnamed file", 1, 0);
    touch_mapped("unnamed file, huge pages", 1, 1);
    touch_one_file(file);
    char *from = map(0, 1);
    memset(from, 1, touch_bytes());
    copy_into_file(from);
    if (count > 2)
        write_file(from, arguments[2]);
    return limit_end();
}
