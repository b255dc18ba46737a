/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A forked child is no PE: it gets private copies of the memory that the parent shares. The parent waits
 * in fork() until the child has copied the data image, so that the child sees the variables as they were.
 * The heap is copied on write. system(), popen() and posix_spawn() do not come here.
 *
 * Most children execute another program at once and need no copy. Large data is therefore mapped
 * copy-on-write. After some ms a thread of the child, which libc does not know, writes to each page. If
 * the child executes another program or ends before, that thread and the parent's wait end too.
 *
 * Before the handlers run, libc in the child has repaired its own variables: locks, lists of threads. In
 * a statically linked program these lie in the image, which is still the parent's. So a PE of such a
 * program that has several threads must not fork.
 */
#include "image/image_internal.h"

#include "base/log.h"
#include "base/os/os.h"
#include "base/times.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define LATER_FROM ((size_t)1 << 20) /* bytes; copying these takes 0.4 ms */
#define MOST_RUNS  64                /* mappings that a range may take */

/* Runs of pages that the thread copies: written before it begins. */
static struct run {
    char *start;
    size_t length;
} later[SHEAF_MAX_RANGES * MOST_RUNS];
static int later_count;
static uint32_t is_copying; /* the thread has not ended */

static pthread_mutex_t one_fork = PTHREAD_MUTEX_INITIALIZER;
static int done_pipe[2] = {-1, -1};

static void wait_for_copies(void)
{
    while (sheaf_load_acquire(&is_copying))
        sheaf_os_futex_wait(&is_copying, 1, 0);
}

/* A child of the child inherits the private copies, once they are made. */
static void before_fork(void)
{
    wait_for_copies();
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

/* Finds the first run of pages that hold data, from *at on; false: there is none before end. */
static bool find_run(off_t *at, off_t end, off_t *from)
{
    off_t to;
    *from = lseek(sheaf_image.fd, *at, SEEK_DATA);
    if (*from < 0 || *from >= end)
        return false;
    to = lseek(sheaf_image.fd, *from, SEEK_HOLE);
    *at = to < 0 || to > end ? end : to;
    return true;
}

static int copy_page_run(char *start, size_t length, void *context)
{
    char *copy = context;
    sheaf_copy_image(copy + (start - sheaf_image.data), start, length);
    return 0;
}

/* Copies the used pages of a shared range. The file knows its holes: a huge untouched .bss costs nothing.
 * Without the file the kernel is asked page by page. */
static void copy_used(const struct sheaf_range *range, char *copy)
{
    off_t start = sheaf_data_offset(range->start), end = start + (off_t)range->length;
    off_t from, to = start;
    if (!sheaf_image_has_file()) {
        sheaf_range_each_used(range, copy_page_run, copy - (range->start - sheaf_image.data));
        return;
    }
    while (find_run(&to, end, &from))
        sheaf_copy_image(copy + (from - start), range->start + (from - start), (size_t)(to - from));
}

/* Lists the runs of a range that has LATER_FROM bytes or more in at most MOST_RUNS of them; else returns
 * 0. */
static int list_runs(const struct sheaf_range *range, struct run *runs)
{
    off_t start = sheaf_data_offset(range->start), end = start + (off_t)range->length, from, to = start;
    int count = 0;
    size_t bytes = 0;
    while (find_run(&to, end, &from)) {
        if (count == MOST_RUNS)
            return 0;
        runs[count] = (struct run){range->start + (from - start), (size_t)(to - from)};
        bytes += runs[count++].length;
    }
    return bytes < LATER_FROM ? 0 : count;
}

static bool map_in_place(char *start, size_t length, int protection, int fd, off_t offset)
{
    int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE | (fd < 0 ? MAP_ANONYMOUS : 0);
    return length == 0 || mmap(start, length, protection, flags, fd, offset) != MAP_FAILED;
}

/* Maps the runs copy-on-write and the holes as zero pages, which the parent's writes do not reach. False:
 * the range is as before. In a static program the range holds this file's variables: so the runs are noted
 * in them only after the range has become the child's. */
static bool share_for_now(const struct sheaf_range *range, int protection)
{
    struct run runs[MOST_RUNS];
    int count = done_pipe[1] >= 0 && sheaf_image_has_file() ? list_runs(range, runs) : 0;
    if (count == 0 || !map_in_place(range->start, range->length, protection, sheaf_image.fd,
                                    sheaf_data_offset(range->start)))
        return false;
    char *hole = range->start;
    for (int i = 0; i <= count; i++) {
        char *end = i < count ? runs[i].start : range->start + range->length;
        if (!map_in_place(hole, (size_t)(end - hole), protection, -1, 0))
            _exit(1);
        hole = i < count ? end + runs[i].length : end;
    }
    memcpy(later + later_count, runs, (size_t)count * sizeof *runs);
    later_count += count;
    return true;
}

/* Uses no variables of libc, which belong to the child's other thread. Writing a page copies it. */
__attribute__((no_sanitize("address", "thread", "undefined"))) static void copy_pages(void)
{
    size_t page = sheaf_os_page_size();
    for (int i = 0; i < later_count; i++)
        for (char *at = later[i].start; at < later[i].start + later[i].length; at += page) {
            char value = *(volatile char *)at;
            __atomic_compare_exchange_n(at, &value, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
        }
}

static int copy_later(void *unused)
{
    const struct timespec time = sheaf_times_spec(sheaf_times.fork_copy_after);
    (void)unused;
    nanosleep(&time, NULL);
    copy_pages();
    close(done_pipe[1]);
    sheaf_store_release(&is_copying, 0);
    sheaf_os_futex_wake(&is_copying);
    return 0;
}

/* Starts the thread that copies the noted runs; false: there is none. It receives no signals. */
static bool start_copying(void)
{
    static _Alignas(64) char stack[16384];
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    is_copying = 1;
    int thread = clone(copy_later, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
                                                             CLONE_THREAD | CLONE_SYSVSEM, NULL);
    if (thread < 0)
        is_copying = 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return thread > 0;
}

/* Replaces a shared range by a private copy. */
static void make_range_private(const struct sheaf_range *range)
{
    int protection = PROT_READ | PROT_WRITE | (range->executable ? PROT_EXEC : 0);
    if (share_for_now(range, protection))
        return;
    char *copy = mmap(NULL, range->length, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                      -1, 0);
    if (copy == MAP_FAILED)
        _exit(1);
    copy_used(range, copy);
    if (mremap(copy, range->length, range->length, MREMAP_MAYMOVE | MREMAP_FIXED, range->start) ==
        MAP_FAILED)
        _exit(1);
}

/* End of the last page that the heap has used. */
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

/* Where the system counts private memory before it is touched (vm.overcommit_memory 2, ulimit -d), only
 * the used part of the heap can be mapped for writing. */
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

static void protect_control(int protection)
{
    if (sheaf_image.control)
        mprotect(sheaf_image.control, sheaf_image.control->slots_offset, protection);
    if (sheaf_image.job && sheaf_image.job != sheaf_image.control)
        mprotect(sheaf_image.job, sheaf_image.job->slots_offset, protection);
}

static void after_fork_in_child(void)
{
    if (sheaf_image.is_forked)
        return;
    for (int i = 0; i < sheaf_executable.count && sheaf_image.data; i++)
        make_range_private(&sheaf_executable.ranges[i]);
    if (sheaf_image.window) {
        make_heap_private();
        sheaf_image_fork_spaces();
        mmap(sheaf_image.window, sheaf_image.window_length, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    }
    protect_control(PROT_READ);
    sheaf_image.is_forked = true;
    sheaf_log_share(NULL, 1); /* the board lies in the control area */
    if (sheaf_image.on_fork)
        sheaf_image.on_fork();
    bool is_later = later_count > 0 && start_copying();
    if (!is_later)
        copy_pages();
    if (done_pipe[1] >= 0) {
        close(done_pipe[0]);
        if (!is_later)
            close(done_pipe[1]);
    }
    pthread_mutex_unlock(&one_fork);
}

void sheaf_image_leave_parent(void)
{
    wait_for_copies();
    protect_control(PROT_READ | PROT_WRITE);
    sheaf_image.slot_offset += sheaf_image.slot_size / 4;
    sheaf_image.slot_size /= 2;
    sheaf_image.is_forked = false;
}

int sheaf_image_watch_forks(void)
{
    static bool is_watching; /* a child inherits the value */
    if (is_watching)
        return 0;
    is_watching = true;
    return pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}
