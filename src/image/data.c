/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attaching to the job's file, and turning the executable's variables into shared memory where
 * they stand. This runs before the program's own constructors, in a process of one thread.
 */
#include "image/image_internal.h"

#include "base/log.h"
#include "base/os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct sheaf_image sheaf_image = {.fd = -1};
struct sheaf_executable sheaf_executable;

#define PAGES_AT_ONCE 4096

/* Pages as mincore() tells them. Where a filter of system calls refuses that: those that are not
 * all zero, though the look itself makes them resident. */
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

void sheaf_image_read_program(void)
{
    sheaf_executable_read(&sheaf_executable);
    sheaf_image.is_static = sheaf_executable.is_static;
    sheaf_image.program_hash = sheaf_executable.hash;
}

void sheaf_image_empty_slot(void)
{
    fallocate(sheaf_image.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              (off_t)sheaf_image.slot_offset, (off_t)sheaf_image.slot_size);
}

static bool is_job_file(int fd, int slot, uint64_t job_id, struct sheaf_control *header)
{
    return pread(fd, header, sizeof *header, 0) == sizeof *header &&
           header->magic == SHEAF_CONTROL_MAGIC && header->job_id == job_id && slot >= 0 &&
           slot < header->npes;
}

bool sheaf_image_is_of_job(int fd, int slot, uint64_t job_id)
{
    struct sheaf_control header;
    return is_job_file(fd, slot, job_id, &header);
}

static int map_control(int fd, const struct sheaf_control *header)
{
    struct sheaf_control *control =
        mmap(NULL, header->slots_offset, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (control == MAP_FAILED) {
        sheaf_error("cannot map the job's control area of %zu MiB: %s (is ulimit -v too small?)",
                    (size_t)(header->slots_offset >> 20), strerror(errno));
        return -1;
    }
    madvise(control, header->slots_offset, MADV_DONTDUMP);
    sheaf_image.control = control;
    return 0;
}

int sheaf_image_attach(int fd, int slot, uint64_t job_id)
{
    struct sheaf_control header;
    if (!is_job_file(fd, slot, job_id, &header))
        return -1;
    if (header.version != SHEAF_CONTROL_VERSION) {
        sheaf_error("oshrun speaks job version %u and this program's libsheaf version %u: use the "
                    "oshrun that was installed with the library",
                    header.version, SHEAF_CONTROL_VERSION);
        return -1;
    }
    if (map_control(fd, &header) != 0)
        return -1;
    sheaf_image.slot = slot;
    sheaf_image.slot_offset = header.slots_offset + (uint64_t)slot * header.slot_stride;
    sheaf_image.slot_size = header.slot_stride;
    sheaf_image.fd = fcntl(fd, F_DUPFD_CLOEXEC, 200);
    if (sheaf_image.fd < 0)
        sheaf_image.fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    return 0;
}

int sheaf_image_create(void)
{
    int fd = sheaf_file_create();
    if (fd < 0)
        return -1;
    if (sheaf_file_set_length(fd, 0, 1, &sheaf_image.slot_size) != 0) {
        close(fd);
        return -1;
    }
    sheaf_image.slot_offset = sheaf_image.slot_size; /* as much before it for a control area */
    sheaf_image.has_own_file = true;
    sheaf_image.fd = fd;
    return 0;
}

void sheaf_image_take_slot(int slot)
{
    sheaf_image.slot = slot;
}

int sheaf_image_attach_own(int fd)
{
    struct sheaf_control header;
    if (pread(fd, &header, sizeof header, 0) != sizeof header ||
        header.magic != SHEAF_CONTROL_MAGIC || header.version != SHEAF_CONTROL_VERSION) {
        sheaf_error("the control area of this node is not one of this version's");
        return -1;
    }
    return map_control(fd, &header);
}

/* Without libc and without a sanitizer's checks: the image holds libc's own variables in a static
 * program, and red zones between globals in a checked one. */
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
#endif
}

/* Copies pages of the image to their place in the slot. Through a mapping: a write would be
 * subject to the limit on file sizes. */
static int copy_to_slot(char *start, size_t length, void *context)
{
    (void)context;
    void *slot = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      sheaf_image.fd, sheaf_data_offset(start));
    if (slot == MAP_FAILED)
        return -1;
    sheaf_copy_image(slot, start, length);
    munmap(slot, length);
    return 0;
}

static int share_range(const struct sheaf_range *range)
{
    int protection = PROT_READ | PROT_WRITE | (range->executable ? PROT_EXEC : 0);
    off_t at = sheaf_data_offset(range->start);

    if (sheaf_range_each_used(range, copy_to_slot, NULL) != 0 ||
        mmap(range->start, range->length, protection, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
             sheaf_image.fd, at) == MAP_FAILED)
        return -1;
    if (range->length > SHEAF_DUMP_LIMIT)
        madvise(range->start + SHEAF_DUMP_LIMIT, range->length - SHEAF_DUMP_LIMIT, MADV_DONTDUMP);
    return 0;
}

int sheaf_image_share_data(void)
{
    struct sheaf_executable *executable = &sheaf_executable;
    if (!executable->brought_library || executable->count == 0)
        return sheaf_image_watch_forks();

    struct sheaf_segment data = sheaf_executable_data(executable);
    size_t length = data.length;
    if (length > sheaf_image.slot_size / 2) {
        sheaf_error("the program's static data is %zu GiB, more than the %zu GiB a PE's slot holds",
                    length >> 30, (size_t)(sheaf_image.slot_size >> 31));
        return -1;
    }
    sheaf_image.data = data.start;
    sheaf_image.data_length = length;

    /* In a statically linked program libc's own variables move too: nothing may run between the
     * copy and the mapping but system calls. */
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    int failed = 0;
    for (int i = 0; i < executable->count && !failed; i++)
        failed = share_range(&executable->ranges[i]);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        sheaf_error("cannot make the program's static data (%zu MiB) shared memory: %s",
                    length >> 20, strerror(errno));
        return -1;
    }
    return sheaf_image_watch_forks();
}

bool sheaf_image_holds_range(const void *address, size_t bytes)
{
    for (int i = 0; i < sheaf_executable.count; i++) {
        const struct sheaf_range *range = &sheaf_executable.ranges[i];
        size_t offset = (uintptr_t)address - (uintptr_t)range->start;
        if (offset < range->length && bytes <= range->length - offset)
            return true;
    }
    return false;
}

bool sheaf_image_holds_data(const void *address)
{
    return sheaf_image_holds_range(address, 1);
}

void sheaf_image_largest_data(char **start, size_t *length)
{
    *start = NULL;
    *length = 0;
    for (int i = 0; i < sheaf_executable.count; i++) {
        const struct sheaf_range *range = &sheaf_executable.ranges[i];
        if (range->length > *length) {
            *start = range->start;
            *length = range->length;
        }
    }
}
