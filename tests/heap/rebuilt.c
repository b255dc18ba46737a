/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A new process's heap, made of the list that shmemx_rejoin gives it, and the heap of a PE that lives, once that is
 * settled, do the same with the same calls, whatever calls came before: 3,000 random histories of allocating, aligning,
 * resizing and freeing, and 2,000 calls after each. A third of the heaps are guarded (SHEAF_CHECK=memory), and a third
 * have hinted blocks in those later calls. Both heaps are those of core/memory/blocks.h: the new process is a fork.
 * A heap that is not settled does otherwise in some histories, which is looked for too. Arguments: a divisor of the
 * number of histories, the first of them.
 */
#include "heap_test.h"

#include "core/memory/blocks.h"
#include "image/image.h"
#include "survive/rejoin_internal.h"

#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCKS 3000
#define CALLS  2000

enum kind { PLAIN, GUARDED, HINTED, KINDS };

/* What those parts of the library need that stand here alone. */
struct sheaf_image sheaf_image;
void sheaf_fatal(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    exit(1);
}

static struct program {
    enum kind kind;
    uint64_t seed;
    size_t offsets[BLOCKS];
    size_t count;
} program;

/* What each call has returned, and what the heap has in the end: of the new process. */
static size_t (*theirs)[CALLS + 3];

static size_t below(size_t limit)
{
    return test_random_below(&program.seed, limit);
}

/* A guard writes to memory: smaller blocks. */
static size_t some_size(void)
{
    return random_size(&program.seed, 4, 5 + (unsigned)below(program.kind == GUARDED ? 8 : 16));
}

static size_t allocate(bool may_be_hinted)
{
    size_t fresh, size = some_size(), alignment = below(8) ? 16 : (size_t)16 << below(9);
    bool is_hinted = may_be_hinted && program.kind == HINTED && below(4) == 0;
    size_t offset = sheaf_blocks_allocate(size, alignment, is_hinted, &fresh);
    if (offset != SHEAF_HEAP_FULL)
        program.offsets[program.count++] = offset;
    return offset;
}

static size_t release(void)
{
    size_t *offset = &program.offsets[below(program.count)];
    size_t bytes = sheaf_blocks_size(*offset);
    CHECK(bytes > 0);
    sheaf_blocks_release(*offset);
    *offset = program.offsets[--program.count];
    return bytes;
}

static size_t resize(void)
{
    size_t offset = program.offsets[below(program.count)], before;
    return sheaf_blocks_resize(offset, some_size(), &before) ? before : SHEAF_HEAP_FULL;
}

/* Up to a peak and down again, as programs do; the numbers of blocks cross several powers of two. */
static void live(void)
{
    for (size_t turn = 0, turns = 1 + below(3); turn < turns; turn++) {
        size_t peak = 1 + below(10 + below(BLOCKS - 500)), keep = peak / (1 + below(4));
        while (program.count < peak)
            if (program.count > 0 && below(8) == 0)
                resize();
            else
                allocate(false);
        while (program.count > keep)
            release();
    }
}

static size_t call(void)
{
    size_t which = program.count == 0 ? 0 : below(program.count < BLOCKS ? 16 : 8);
    if (which >= 8 || program.count == 0)
        return allocate(true);
    return which < 6 ? release() : resize();
}

static void call_all(size_t returned[CALLS + 3])
{
    struct sheaf_heap_usage usage;
    for (int i = 0; i < CALLS; i++)
        returned[i] = call();
    sheaf_blocks_usage(&usage);
    returned[CALLS] = usage.live;
    returned[CALLS + 1] = usage.blocks;
    returned[CALLS + 2] = usage.high_water;
}

static void start_heap(void)
{
    CHECK(sheaf_blocks_init(program.kind == HINTED, program.kind == GUARDED) == 0);
}

/* As survive/rejoin_far.c says what the heap has. */
static struct sheaf_saved_heap *save(void)
{
    size_t bytes;
    struct sheaf_block_list list = sheaf_rejoin_list_heap(&bytes);
    struct sheaf_saved_heap *saved = malloc(bytes);
    CHECK(saved);
    sheaf_rejoin_save_heap(saved, &list);
    free(list.blocks);
    return saved;
}

static pid_t start_new(struct sheaf_saved_heap *saved)
{
    fflush(stdout);
    pid_t process = fork();
    CHECK(process >= 0);
    if (process != 0)
        return process;
    sheaf_blocks_fini();
    start_heap();
    CHECK(sheaf_rejoin_adopt_heap(saved) == 0);
    call_all(*theirs);
    fflush(stdout);
    _exit(0);
}

/* Whether both do the same all the way. */
static bool history(uint64_t number, bool settles)
{
    static size_t mine[CALLS + 3];
    int status;
    program = (struct program){.kind = (enum kind)(number % KINDS), .seed = number * 2654435761 + 1};
    start_heap();
    live();
    struct sheaf_saved_heap *saved = save();
    pid_t process = start_new(saved);
    if (settles)
        sheaf_blocks_settle();
    call_all(mine);
    CHECK(waitpid(process, &status, 0) == process && status == 0);
    free(saved);
    sheaf_blocks_fini();
    return memcmp(mine, *theirs, sizeof mine) == 0;
}

int main(int argc, char **argv)
{
    long divisor = argc > 1 ? atol(argv[1]) : 1, first = argc > 2 ? atol(argv[2]) : 0, differ = 0;
    CHECK(divisor >= 1);
    long histories = 3000 / divisor;
    const int shared = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
    theirs = mmap(NULL, sizeof *theirs, PROT_READ | PROT_WRITE, shared, -1, 0);
    char *memory = mmap(NULL, GIB, PROT_READ | PROT_WRITE, shared, -1, 0);
    CHECK(theirs != MAP_FAILED && memory != MAP_FAILED);
    sheaf_image.segments[SHEAF_SEGMENT_HEAP] = (struct sheaf_segment){memory, GIB};
    for (long i = first; i < first + histories; i++) {
        if (!history((uint64_t)i, true)) {
            printf("failed: history %ld: run it again by rebuilt 3000 %ld\n", i, i);
            return 1;
        }
        if (i % 10 == 0 && !history((uint64_t)i, false))
            differ++;
    }
    printf("%ld histories; unsettled %ld of %ld differ\n", histories, differ, (histories + 9) / 10);
    CHECK(differ > 0 || histories < 300);
    return 0;
}
