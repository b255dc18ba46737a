/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a snapshot takes beside a plain copy of the same bytes to the same place: per round, in turn, a write
 * and fsync of every PE's block to a file of its own, a whole snapshot, and one of which a hundredth of the
 * pages has changed. Prints medians over rounds, and the share of the plain copy's rate. Arguments: FOLDER
 * MEBIBYTES ROUNDS.
 */
#include <fcntl.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST 101

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void write_plain(const char *folder, const char *bytes, size_t length)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/plain-%d", folder, shmem_my_pe());
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
    for (size_t at = 0; at < length;) {
        ssize_t done = write(fd, bytes + at, length - at < 1 << 20 ? length - at : 1 << 20);
        if (done <= 0) {
            perror(name);
            shmem_global_exit(1);
        }
        at += (size_t)done;
    }
    fsync(fd);
    close(fd);
    shmem_barrier_all();
    unlink(name);
}

/* Two names in turn: neither adds to the other. */
static void take(const char *folder, const char *tag)
{
    if (shmemx_snapshot(SHMEM_TEAM_WORLD, folder, tag) != 0)
        shmem_global_exit(1);
}

static void change(unsigned long *words, size_t count, size_t step, unsigned long seed)
{
    for (size_t i = 0; i < count; i += step)
        words[i] = (words[i] ^ seed) * 0x9fb21c651e98df25UL + i;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *seconds, int rounds)
{
    qsort(seconds, (size_t)rounds, sizeof *seconds, compare);
    return seconds[rounds / 2];
}

int main(int argc, char **argv)
{
    shmem_init();
    size_t length = (argc > 2 ? strtoul(argv[2], NULL, 10) : 256) << 20;
    int rounds = argc > 3 ? atoi(argv[3]) : 5;
    if (argc < 2 || length == 0 || rounds < 1 || rounds > MOST) {
        fprintf(stderr, "usage: snapshot FOLDER [MEBIBYTES [ROUNDS, at most %d]]\n", MOST);
        shmem_global_exit(2);
    }
    unsigned long *words = shmem_malloc(length);
    static double plain[MOST], whole[MOST], part[MOST];
    change(words, length / sizeof *words, 1, 1);
    for (int round = 0; round < rounds; round++) {
        double times[4];
        shmem_barrier_all();
        times[0] = now();
        write_plain(argv[1], (const char *)words, length);
        times[1] = now();
        take(argv[1], round % 2 ? "odd" : "even");
        times[2] = now();
        plain[round] = times[1] - times[0];
        whole[round] = times[2] - times[1];
        change(words, length / sizeof *words, 100 * 512, (unsigned long)round + 2);
        shmem_barrier_all();
        times[2] = now();
        take(argv[1], round % 2 ? "odd" : "even");
        times[3] = now();
        part[round] = times[3] - times[2];
    }
    double one = median(plain, rounds), all = median(whole, rounds), changed = median(part, rounds);
    double mebibytes = (double)length / (1 << 20) * shmem_n_pes();
    if (shmem_my_pe() == 0)
        printf("%.0f MiB: plain %.3f s (%.0f MiB/s), whole snapshot %.3f s (%.2f of that rate), a hundredth "
               "changed %.3f s\n", mebibytes, one, mebibytes / one, all, one / all, changed);
    shmem_finalize();
    return 0;
}
