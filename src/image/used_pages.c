/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the used pages of the program's variables and copies them: to make them shared (data.c), or to
 * make them a child's own (fork.c).
 */
#include "image/image_internal.h"

#include "base/os/os.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGES_AT_ONCE 4096

/* Marks the resident pages, by mincore(). Where a filter of system calls refuses that, marks the pages
 * that are not all zero, though reading makes them resident. */
__attribute__((no_sanitize("address", "thread", "undefined"))) static void
find_resident(const char *start, size_t length, unsigned char *resident)
{
    size_t page = sheaf_os_page_size(), pages = length / page;
    if (mincore((void *)(uintptr_t)start, length, resident) == 0)
        return;
    for (size_t i = 0; i < pages; i++) {
        const volatile uint64_t *words = (const volatile uint64_t *)(start + i * page);
        resident[i] = 0;
        for (size_t word = 0; word < page / sizeof *words && !resident[i]; word++)
            resident[i] = words[word] != 0;
    }
}

int sheaf_range_each_used(const struct sheaf_range *range,
                          int (*use)(char *start, size_t length, void *context), void *context)
{
    size_t page = sheaf_os_page_size();
    unsigned char resident[PAGES_AT_ONCE];
    int failed = range->file_length ? use(range->start, range->file_length, context) : 0;

    for (size_t at = range->file_length; at < range->length && !failed;) {
        size_t length = range->length - at;
        if (length > PAGES_AT_ONCE * page)
            length = PAGES_AT_ONCE * page;
        find_resident(range->start + at, length, resident);
        size_t pages = length / page;
        for (size_t first = 0, last; first < pages && !failed; first = last + 1) {
            while (first < pages && !(resident[first] & 1))
                first++;
            for (last = first; last < pages && resident[last] & 1;)
                last++;
            if (last > first)
                failed = use(range->start + at + first * page, (last - first) * page, context);
        }
        at += length;
    }
    return failed;
}

/* Uses neither libc nor a sanitizer's checks: the image holds libc's own variables in a static program,
 * and red zones between globals in a checked one. */
__attribute__((no_sanitize("address", "thread", "undefined"))) void
sheaf_copy_image(void *to, const void *from, size_t length)
{
#if defined(__x86_64__)
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(length)::"memory");
#else
    volatile uint64_t *target = to;
    const volatile uint64_t *source = from;
    for (size_t i = 0; i < length / sizeof *target; i++)
        target[i] = source[i];
    for (size_t i = length / sizeof *target * sizeof *target; i < length; i++)
        ((volatile char *)to)[i] = ((const volatile char *)from)[i];
#endif
}

/* Whether write() may reach the end of a file of any length, and takes less time than a mapping: PEs of
 * one file write one after the other. 1 GiB of variables in each of two PEs: 1.0 s, by a mapping 1.3. */
static bool should_write(void)
{
    struct rlimit limit;
    return (!sheaf_image.control || sheaf_image.control->npes <= 2) &&
           getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

/* Returns the bytes that were copied. The kernel makes each page with its contents: there is no page fault,
 * and no page of zeros first. By number, since sanitizers look at what libc's function is to write. */
static size_t write_to_file(const char *start, size_t length, uint64_t offset)
{
    size_t done = 0;
    long written = should_write() ? 1 : 0;
    while (done < length && written > 0) {
        written = syscall(SYS_pwrite64, sheaf_image.fd, start + done, length - done, offset + done);
        done += written > 0 ? (size_t)written : 0;
    }
    return done;
}

/* Copies what cannot be written through a mapping, since write() obeys the limit on file sizes. */
int sheaf_image_copy_to_file(const char *start, size_t length, uint64_t offset)
{
    size_t page = sheaf_os_page_size();
    size_t done = length ? write_to_file(start, length, offset) / page * page : 0;
    if (done == length)
        return 0;
    start += done;
    length -= done;
    offset += done;
    void *there = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                       sheaf_image.fd, (off_t)offset);
    if (there == MAP_FAILED)
        return -1;
    sheaf_copy_image(there, start, length);
    munmap(there, length);
    return 0;
}
