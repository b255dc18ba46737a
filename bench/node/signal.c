/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Put with signal, received: PE 0 puts data and a signal, PE 1 waits for the signal and answers in
 * kind. Half of a round trip is reported. And the same where each reads the data that has come, and with data that
 * lies in its signal's cache line. OpenSHMEM 1.5.
 */
#include "../bench.h"

#if BENCH_HAS(1, 5)
static uint64_t flag;

static uint64_t read_all(const char *data, size_t bytes)
{
    const uint64_t *words = (const void *)data;
    uint64_t sum = 0;
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        sum += words[i];
    return sum;
}

/* Up to 48 bytes beside their signal. */
static struct {
    _Alignas(64) uint64_t flag;
    char data[48];
} line;

static void play_line(struct bench_run *run, const char *source, size_t bytes, uint64_t *turn)
{
    for (long i = 0; i < run->count && bench_me < 2; i++) {
        ++*turn;
        if (bench_me == 1)
            shmem_signal_wait_until(&line.flag, SHMEM_CMP_GE, *turn);
        shmem_putmem_signal(line.data, source, bytes, &line.flag, *turn, SHMEM_SIGNAL_SET, 1 - bench_me);
        if (bench_me == 0)
            shmem_signal_wait_until(&line.flag, SHMEM_CMP_GE, *turn);
        BENCH_KEEP(read_all(line.data, bytes));
    }
}

static void receive(const char *data, size_t bytes, uint64_t turn, int reads)
{
    shmem_signal_wait_until(&flag, SHMEM_CMP_GE, turn);
    if (reads)
        BENCH_KEEP(read_all(data, bytes));
}

static void play(struct bench_run *run, char *data, const char *source, size_t bytes, uint64_t *turn, int reads)
{
    for (long i = 0; i < run->count; i++) {
        ++*turn;
        if (bench_me == 0) {
            shmem_putmem_signal(data, source, bytes, &flag, *turn, SHMEM_SIGNAL_SET, 1);
            receive(data, bytes, *turn, reads);
        } else if (bench_me == 1) {
            receive(data, bytes, *turn, reads);
            shmem_putmem_signal(data, source, bytes, &flag, *turn, SHMEM_SIGNAL_SET, 0);
        }
    }
}
#endif

int main(void)
{
    bench_start();
#if BENCH_HAS(1, 5)
    static const size_t sizes[] = {8, 4096, 65536, 1048576, 4194304};
    char *data = bench_memory(4194304), *source = bench_memory(4194304);
    uint64_t turn = 0;
    struct bench_run line_run;
    for (size_t bytes = 8; bytes <= 48 && bench_pes >= 2; bytes += 40)
        for (bench_begin(&line_run, "put with signal, one line", bytes), line_run.parts = 2; bench_batch(&line_run);)
            play_line(&line_run, source, bytes, &turn);
    turn = 0;
    for (size_t i = 0; i < 5 && bench_pes >= 2; i++) {
        struct bench_run run;
        for (bench_begin(&run, "put with signal", sizes[i]), run.parts = 2; bench_batch(&run);)
            play(&run, data, source, sizes[i], &turn, 0);
        for (bench_begin(&run, "put with signal, read", sizes[i]), run.parts = 2; bench_batch(&run);)
            play(&run, data, source, sizes[i], &turn, 1);
    }
#endif
    bench_end();
}
