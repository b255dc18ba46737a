/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Put with signal, received: PE 0 puts data and a signal, PE 1 waits for the signal and answers in
 * kind. Half of a round trip is reported. OpenSHMEM 1.5.
 */
#include "../bench.h"

#if BENCH_HAS(1, 5)
static uint64_t flag;

static void play(struct bench_run *run, char *data, const char *source, size_t bytes, uint64_t *turn)
{
    for (long i = 0; i < run->count; i++) {
        ++*turn;
        if (bench_me == 0) {
            shmem_putmem_signal(data, source, bytes, &flag, *turn, SHMEM_SIGNAL_SET, 1);
            shmem_signal_wait_until(&flag, SHMEM_CMP_GE, *turn);
        } else if (bench_me == 1) {
            shmem_signal_wait_until(&flag, SHMEM_CMP_GE, *turn);
            shmem_putmem_signal(data, source, bytes, &flag, *turn, SHMEM_SIGNAL_SET, 0);
        }
    }
}
#endif

int main(void)
{
    bench_start();
#if BENCH_HAS(1, 5)
    static const size_t sizes[] = {8, 4096, 65536};
    char *data = bench_memory(65536), *source = bench_memory(65536);
    uint64_t turn = 0;
    for (size_t i = 0; i < 3 && bench_pes >= 2; i++) {
        struct bench_run run;
        for (bench_begin(&run, "put with signal", sizes[i]), run.parts = 2; bench_batch(&run);)
            play(&run, data, source, sizes[i], &turn);
    }
#endif
    bench_end();
}
