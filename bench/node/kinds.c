/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Put and get between the kinds of symmetric memory: static variables and the heap, on either side.
 */
#include "../bench.h"

#define MOST ((size_t)1 << 20)

static char here[MOST], there[MOST]; /* static: symmetric by what they are */

struct kinds {
    const char *name;
    char *here, *there;
};

static void measure(const struct kinds *kinds, size_t bytes)
{
    char what[64];
    struct bench_run run;
    snprintf(what, sizeof what, "put, %s", kinds->name);
    for (bench_begin_alone(&run, what, bytes); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            shmem_putmem(kinds->there, kinds->here, bytes, 1);
            shmem_quiet();
        }
    snprintf(what, sizeof what, "get, %s", kinds->name);
    for (bench_begin_alone(&run, what, bytes); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            shmem_getmem(kinds->here, kinds->there, bytes, 1);
}

int main(void)
{
    bench_start();
    char *heap_here = bench_memory(MOST), *heap_there = bench_memory(MOST);
    memset(here, 1, MOST);
    memset(there, 1, MOST);
    const struct kinds all[] = {{"heap to heap", heap_here, heap_there},
                                {"heap to static", heap_here, there},
                                {"static to heap", here, heap_there},
                                {"static to static", here, there}};
    shmem_barrier_all();
    for (size_t bytes = 0; bench_me == 0 && bench_pes >= 2 && (bytes = bench_next_size(bytes, MOST)) != 0;)
        for (int i = 0; i < 4; i++)
            measure(&all[i], bytes);
    bench_end();
}
