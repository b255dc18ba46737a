/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A forked child is no PE: it gets private copies of what the parent shares. The parent waits in
 * fork() until the child has copied the data image, so that the child sees the variables as they
 * were; the heap is copied on write. system(), popen() and posix_spawn() do not come here.
 *
 * Before the handlers run, libc in the child has put its own variables right: locks, lists of
 * threads. In a statically linked program they lie in the image, still the parent's: a PE of such
 * a program that has several threads must not fork.
 */
#include "image/image_internal.h"

#include "base/log.h"
#include "base/os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t one_fork = PTHREAD_MUTEX_INITIALIZER;
static int done_pipe[2] = {-1, -1};

/* What a child forks in its turn inherits private copies: there is nothing to do. */
static void before_fork(void)
{
    if (sheaf_image.is_forked)
        return;
    pthread_mutex_lock(&one_fork);
    if (pipe2(done_pipe, O_CLOEXEC) != 0)
        done_pipe[0] = done_pipe[1] = -1;
}

static void after_fork_in_parent(void)
{
    char none;
    if (sheaf_image.is_forked)
        return;
    if (done_pipe[1] >= 0) {
        close(done_pipe[1]);
        while (read(done_pipe[0], &none, 1) < 0 && errno == EINTR)
            continue;
        close(done_pipe[0]);
    }
    pthread_mutex_unlock(&one_fork);
}

static int copy_page_run(char *start, size_t length, void *context)
{
    char *copy = context;
    sheaf_copy_image(copy + (start - sheaf_image.data), start, length);
    return 0;
}

/* Copies what a shared range holds. The file knows its holes: a huge untouched .bss costs
 * nothing. Without the file the kernel is asked page by page. */
static void copy_used(const struct sheaf_range *range, char *copy)
{
    off_t start = sheaf_data_offset(range->start), end = start + (off_t)range->length;
    off_t from, to = start;
    if (!sheaf_image_has_file()) {
        sheaf_range_each_used(range, copy_page_run, copy - (range->start - sheaf_image.data));
        return;
    }
    while ((from = lseek(sheaf_image.fd, to, SEEK_DATA)) >= 0 && from < end) {
        to = lseek(sheaf_image.fd, from, SEEK_HOLE);
        to = to < 0 || to > end ? end : to;
        sheaf_copy_image(copy + (from - start), range->start + (from - start), (size_t)(to - from));
    }
}

/* Puts a private copy of a shared range in its place. */
static void make_private(const struct sheaf_range *range)
{
    int protection = PROT_READ | PROT_WRITE | (range->executable ? PROT_EXEC : 0);
    char *copy = mmap(NULL, range->length, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                      -1, 0);
    if (copy == MAP_FAILED)
        _exit(1);
    copy_used(range, copy);
    if (mremap(copy, range->length, range->length, MREMAP_MAYMOVE | MREMAP_FIXED, range->start) ==
        MAP_FAILED)
        _exit(1);
}

/* Where the last page lies that the heap has used. */
static size_t used_heap(off_t offset)
{
    off_t from, to = offset, end = offset + (off_t)sheaf_image.heap_length;
    while ((from = lseek(sheaf_image.fd, to, SEEK_DATA)) >= 0 && from < end)
        if ((to = lseek(sheaf_image.fd, from, SEEK_HOLE)) < 0 || to > end)
            return sheaf_image.heap_length;
    return (size_t)(to - offset);
}

static bool map_copy_on_write(size_t from, size_t to, int protection, off_t offset)
{
    return from >= to || mmap(sheaf_image.heap + from, to - from, protection,
                              MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, sheaf_image.fd,
                              offset + (off_t)from) != MAP_FAILED;
}

/* Where the system counts private memory before it is touched (vm.overcommit_memory 2, ulimit -d),
 * only what is in use may be had for writing. */
static void make_heap_private(void)
{
    size_t length = sheaf_image.heap_length;
    off_t offset =
        (off_t)sheaf_control_pe(sheaf_image.control, sheaf_image.slot)->heap_file_offset;
    if (!sheaf_image_has_file()) {
        mprotect(sheaf_image.heap, length, PROT_READ);
    } else if (!map_copy_on_write(0, length, PROT_READ | PROT_WRITE, offset)) {
        size_t used = used_heap(offset);
        if (!map_copy_on_write(used, length, PROT_READ, offset) ||
            !map_copy_on_write(0, used, PROT_READ | PROT_WRITE, offset))
            _exit(1);
    }
}

static void after_fork_in_child(void)
{
    if (sheaf_image.is_forked)
        return;
    for (int i = 0; i < sheaf_executable.count && sheaf_image.data; i++)
        make_private(&sheaf_executable.ranges[i]);
    if (sheaf_image.window) {
        make_heap_private();
        sheaf_image_fork_spaces();
        mmap(sheaf_image.window, sheaf_image.window_length, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    }
    if (sheaf_image.control)
        mprotect(sheaf_image.control, sheaf_image.control->slots_offset, PROT_READ);
    if (sheaf_image.job && sheaf_image.job != sheaf_image.control)
        mprotect(sheaf_image.job, sheaf_image.job->slots_offset, PROT_READ);
    sheaf_image.is_forked = true;
    sheaf_log_share(NULL, 1); /* the board lies in the control area */
    if (sheaf_image.on_fork)
        sheaf_image.on_fork();
    if (done_pipe[1] >= 0) {
        close(done_pipe[0]);
        close(done_pipe[1]);
    }
    pthread_mutex_unlock(&one_fork);
}

int sheaf_image_watch_forks(void)
{
    return pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}
