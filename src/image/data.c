/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes the executable's variables shared memory at their own addresses. This runs before the program's
 * own constructors, in a process of one thread.
 */
#include "image/image_internal.h"

#include "base/log.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

void sheaf_image_read_program(void)
{
    sheaf_executable_read(&sheaf_executable);
    sheaf_image.is_static = sheaf_executable.is_static;
    sheaf_image.came_late = !sheaf_executable.brought_library;
    sheaf_image.program_hash = sheaf_executable.hash;
}

static int copy_to_slot(char *start, size_t length, void *context)
{
    (void)context;
    return sheaf_image_copy_to_file(start, length, (uint64_t)sheaf_data_offset(start));
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
        sheaf_error("SH306 the program's static data is %zu GiB, more than the %zu GiB a PE's slot holds",
                    length >> 30, (size_t)(sheaf_image.slot_size >> 31));
        return -1;
    }
    sheaf_image.data = data.start;
    sheaf_image.data_length = length;

    /* In a statically linked program libc's own variables move too: between the copy and the mapping
     * nothing may run but system calls. */
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    int failed = sheaf_image_copy_to_file(executable->relocated.start, executable->relocated.length,
                                          sheaf_image.slot_offset + length);
    for (int i = 0; i < executable->count && !failed; i++)
        failed = share_range(&executable->ranges[i]);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        sheaf_error("SH306 cannot make the program's static data (%zu MiB) shared memory: %s",
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

bool sheaf_image_data_range(int index, char **start, size_t *length, size_t *file_length)
{
    if (index >= sheaf_executable.count)
        return false;
    *start = sheaf_executable.ranges[index].start;
    *length = sheaf_executable.ranges[index].length;
    *file_length = sheaf_executable.ranges[index].file_length;
    return true;
}

const char *sheaf_image_build_id(void)
{
    return sheaf_executable.build_id;
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
